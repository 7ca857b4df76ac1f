"""The position: everything there is to know about a game, hidden information included."""

from collections.abc import Generator, Iterable
from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from referee.kernel.changes import with_seat
from referee.kernel.message import Event
from referee.kernel.ruleset import Case as KernelCase
from referee.kernel.seat import Seat, clockwise, seat_until
from referee.rulesets.catham_city.cards import CountMap, minus, plus, total
from referee.rulesets.catham_city.edition import EDITION, Edition
from referee.rulesets.catham_city.names import FACTIONS, AnswerType, Cards, Faction, Phase

SLUG: Final = "catham-city"


class Options(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What the players agree on when they create the game."""

    factions: Annotated[
        tuple[Annotated[str, Meta(extra_json_schema={"enum": list(FACTIONS)})], ...],
        Meta(description="The five factions in play. A word that is no faction breaks CC-S1, not the form."),
    ] = EDITION.default_factions
    expert: Annotated[bool, Meta(description="Whether a turn has two actions instead of one.")] = False
    first_seat: Annotated[
        Annotated[Seat, seat_until(5)] | None,
        Meta(description="The seat that begins; null: drawn by chance."),
    ] = None
    journalists_bonus: Annotated[
        Literal["giver", "active"],
        Meta(description="Who profits from a card given to the journalists: `giver`: the seat that gives it."),
    ] = "giver"


class SeatState(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a seat holds."""

    hand: CountMap
    influence: int


class Answer(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A locked answer: the move, and what it names."""

    answer: AnswerType
    faction: Faction | None
    cards: Cards | None


class Pending(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What the game waits for: the answers to a question, or a choice of cards to cash in."""

    faction: Faction | UnsetType | None = UNSET
    answers: tuple[Answer | None, ...] | UnsetType = UNSET
    given: CountMap | UnsetType = UNSET


class Revealed(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The cards that the last action laid open; they stay in sight until the next move."""

    seat: Seat | None
    """The seat whose hand they come from; null: the draw pile."""
    cards: Cards
    taken_by: Seat | None = None
    """The seat that took those of them that are no hackers into its hand; null: nobody did."""


class Position(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The complete state of a game."""

    ruleset: Literal["catham-city"]
    options: Options
    phase: Phase
    seats: tuple[SeatState, ...]
    active_seat: Seat | None
    actions_left: int
    market: CountMap
    draw_pile: Cards
    discard_pile: CountMap
    table: CountMap
    pending: Pending | None
    revealed: Revealed | None = None
    """Null: the last move laid no cards open."""


Case = KernelCase[Position, Edition]
Says = Generator[Event, Position, None]
Step = Generator[Event, Position, Position]
"""Part of a rule: yields events and returns the position after them."""


def active(position: Position) -> Seat:
    """The seat whose turn it is."""
    assert position.active_seat is not None, "somebody is active from the set-up on"
    return position.active_seat


def hand_of(position: Position, seat: Seat) -> CountMap:
    """The cards that a seat holds."""
    return position.seats[seat].hand


def hand_size(position: Position, seat: Seat) -> int:
    """The number of cards that a seat holds: everybody may count them (CC-R23)."""
    return total(position.seats[seat].hand)


def other_seats(position: Position) -> tuple[Seat, ...]:
    """All seats but the active one, clockwise from it."""
    return clockwise(active(position), len(position.seats))[1:]


def answers_of(position: Position) -> tuple[Answer | None, ...]:
    """The answers of the question that is open, by seat."""
    assert position.pending is not None and not isinstance(position.pending.answers, UnsetType)
    return position.pending.answers


def asked_faction(position: Position) -> Faction:
    """The faction of the extra card that the detectives ask for."""
    assert position.pending is not None and position.pending.faction
    return position.pending.faction


def given_cards(position: Position) -> CountMap:
    """The cards that the other seats gave to the active seat, which may cash them in."""
    assert position.pending is not None and not isinstance(position.pending.given, UnsetType)
    return position.pending.given


def taken_cards(position: Position, seat: Seat) -> Cards:
    """The revealed cards that this seat took into its hand with the last move."""
    revealed = position.revealed
    if revealed is None or revealed.taken_by != seat:
        return ()
    return tuple(card for card in revealed.cards if card != "hacker")


def with_more(position: Position, seat: Seat, cards: Iterable[Faction]) -> tuple[SeatState, ...]:
    """The seats after one of them got these cards."""
    return with_seat(position.seats, seat, hand=plus(position.seats[seat].hand, cards))


def with_fewer(position: Position, seat: Seat, cards: Iterable[Faction]) -> tuple[SeatState, ...]:
    """The seats after one of them lost these cards."""
    return with_seat(position.seats, seat, hand=minus(position.seats[seat].hand, cards))
