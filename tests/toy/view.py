"""A position as one seat, or a spectator, may see it."""

from typing import Literal

import msgspec

from referee.kernel.audience import shown
from referee.kernel.seat import Seat
from tests.toy.edition import Edition
from tests.toy.names import Fish
from tests.toy.position import Natural, Options, Phase, Position, SeatState


class SeatView(msgspec.Struct, frozen=True):
    """What a reader sees of a seat."""

    hand: tuple[Fish, ...] | None
    """Null for every reader but the seat itself."""
    hand_count: int
    coins: Natural
    bought: tuple[Fish, ...]
    bid: int | bool | None
    """The reader's own bid; for another seat, true if it has bid and null if not."""


class View(msgspec.Struct, frozen=True):
    """A position as one reader sees it."""

    ruleset: Literal["toy"]
    options: Options
    phase: Phase
    seats: tuple[SeatView, ...]
    active_seat: Seat | None
    buyer: Seat | None
    deck: None
    deck_count: int
    offer: Fish | None
    thrown_away: tuple[Fish, ...]
    turns: Natural


_view = shown(View, Position)
_seat_view = shown(SeatView, SeatState)


def view(position: Position, reader: Seat | None, edition: Edition) -> View:
    """Everything but the deck, the hands of others and their bids; None is a spectator."""
    return _view(
        position,
        seats=tuple([seat_view(seat, own=number == reader) for number, seat in enumerate(position.seats)]),
        deck=None,
        deck_count=len(position.deck),
    )


def seat_view(seat: SeatState, own: bool) -> SeatView:
    """One seat as its owner or another reader sees it."""
    return _seat_view(
        seat,
        hand=seat.hand if own else None,
        hand_count=len(seat.hand),
        bid=seat.bid if own or seat.bid is None else True,
    )
