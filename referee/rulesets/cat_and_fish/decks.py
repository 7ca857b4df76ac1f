"""Treasure Island and Magic Library: CF-52 to CF-54."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import UNSET, UnsetType

from referee.kernel.audience import only
from referee.kernel.changes import replace, with_seat, without
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.names import Magic, counted, title_of
from referee.rulesets.cat_and_fish.position import (
    Case,
    Position,
    Says,
    SeatState,
    acting,
    no_marker,
    shortfall,
    spent,
)
from referee.rulesets.cat_and_fish.turns import go_on

decks = Chapter()


class OpenTreasure(Move):
    """Show the top treasure card and take its value."""


class DrawMagic(Move):
    """Take the top magic card into your hand."""


class TreasureOpened(Event):
    """A seat showed a treasure card and got its value; 0 is a blank."""

    seat: Seat
    value: int


class MagicDrawn(Event):
    """A seat took a magic card."""

    seat: Seat
    card: Annotated[Magic | UnsetType, only("seat")] = UNSET


class BlankDrawn(Event):
    """A seat took a blank from the Magic Library, showed it and discarded it."""

    seat: Seat


class MagicPlayed(Event):
    """A seat played a magic card with an action; the card left the game."""

    seat: Seat
    card: Magic


def require_in_hand(state: SeatState, cards: Sequence[Magic]) -> None:
    """Refuse magic cards that the seat names more often than it holds them (CF-54)."""
    card = shortfall(state.magic, cards)
    if card is not None:
        played = counted(cards.count(card), f"{title_of(card)} card")
        raise Rejection("CF-54", f"You play {played} and hold {state.magic.count(card)}.")


@decks.decides(OpenTreasure)
def open_treasure(case: Case, move: OpenTreasure) -> Says:
    """The seat shows the top treasure card and gets its value."""
    own = acting(case)
    require("CF-20", "treasure_island" in own.placed, no_marker(own, "treasure_island"))
    require("CF-14", bool(case.position.treasure_deck), "The deck of Treasure Island is empty.")
    position = yield TreasureOpened(seat=case.seat, value=case.position.treasure_deck[0])  # CF-52
    yield from go_on(position)


@decks.decides(DrawMagic)
def draw_magic(case: Case, move: DrawMagic) -> Says:
    """The seat takes the top magic card into its hand; it shows a blank, which leaves the game."""
    own = acting(case)
    require("CF-20", "magic_library" in own.placed, no_marker(own, "magic_library"))
    require("CF-14", bool(case.position.magic_deck), "The deck of the Magic Library is empty.")
    card = case.position.magic_deck[0]
    if card == "blank":
        position = yield BlankDrawn(seat=case.seat)  # CF-53
    else:
        position = yield MagicDrawn(seat=case.seat, card=card)
    yield from go_on(position)


@decks.applies(TreasureOpened)
def treasure_opened(position: Position, event: TreasureOpened) -> Position:
    """Use up the card and pay its value to the seat."""
    return replace(
        position,
        seats=with_seat(
            position.seats,
            event.seat,
            money=position.seats[event.seat].money + event.value,
            placed=spent(position, event.seat, "treasure_island"),
        ),
        treasure_deck=position.treasure_deck[1:],
        treasure_used=(*position.treasure_used, event.value),
    )


@decks.applies(MagicDrawn)
def magic_drawn(position: Position, event: MagicDrawn) -> Position:
    """Move the top card to the seat's hand."""
    return replace(
        position,
        seats=with_seat(
            position.seats,
            event.seat,
            magic=(*position.seats[event.seat].magic, position.magic_deck[0]),
            placed=spent(position, event.seat, "magic_library"),
        ),
        magic_deck=position.magic_deck[1:],
    )


@decks.applies(BlankDrawn)
def blank_drawn(position: Position, event: BlankDrawn) -> Position:
    """Take the top card out of the game."""
    return replace(
        position,
        seats=with_seat(position.seats, event.seat, placed=spent(position, event.seat, "magic_library")),
        magic_deck=position.magic_deck[1:],
        magic_used=(*position.magic_used, position.magic_deck[0]),
    )


@decks.applies(MagicPlayed)
def magic_played(position: Position, event: MagicPlayed) -> Position:
    """Take the card out of the hand and out of the game."""
    hand = without(position.seats[event.seat].magic, (event.card,))
    return replace(
        position,
        seats=with_seat(position.seats, event.seat, magic=hand),
        magic_used=(*position.magic_used, event.card),
    )
