"""The position: everything there is to know about a game, hidden information included."""

from collections.abc import Generator, Iterable
from typing import Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

from referee.kernel.changes import put, replace
from referee.kernel.message import Event
from referee.kernel.ruleset import Case as KernelCase
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.cards import Cards, CountMap, Faction, minus, plus, total
from referee.rulesets.catham_city.edition import EDITION, Edition

SLUG: Final = "catham-city"

Phase = Literal[
    "setup",
    "turn",
    "journalists_answers",
    "journalists_cash_in",
    "detectives_answers",
    "mafia_answers",
    "discard_excess",
    "finished",
]

AnswerType = Literal["give_card", "match_card", "decline", "surrender_cards", "surrender_influence"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is agreed when the game is created."""

    factions: tuple[str, ...] = EDITION.default_factions
    """Any strings: a word that is no faction breaks CC-S1, not the form."""
    expert: bool = False
    first_seat: Seat | None = None
    journalists_bonus: Literal["giver", "active"] = "giver"


class SeatState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What lies before a player."""

    hand: CountMap
    influence: int


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A locked answer: the move, and what it names."""

    answer: AnswerType
    faction: Faction | None
    cards: Cards | None


class Pending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is open: a question with its answers, or the cards that can be cashed in."""

    faction: Faction | UnsetType | None = UNSET
    answers: tuple[Answer | None, ...] | UnsetType = UNSET
    given: CountMap | UnsetType = UNSET


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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


Case = KernelCase[Position, Edition]
Says = Generator[Event, Position, None]
Step = Generator[Event, Position, Position]
"""Part of a rule: says events and hands back the position after them."""


def active(position: Position) -> Seat:
    """The seat whose turn it is."""
    assert position.active_seat is not None, "somebody is active from the set-up on"
    return position.active_seat


def hand_of(position: Position, seat: Seat) -> CountMap:
    """The cards that a seat holds."""
    return position.seats[seat].hand


def hand_size(position: Position, seat: Seat) -> int:
    """How many cards a seat holds: everybody may count them (CC-R23)."""
    return total(position.seats[seat].hand)


def clockwise(position: Position, seat: Seat) -> tuple[Seat, ...]:
    """The other seats, beginning with the one after this."""
    number = len(position.seats)
    return tuple(Seat((seat + step) % number) for step in range(1, number))


def answers_of(position: Position) -> tuple[Answer | None, ...]:
    """The answers of the question that is open, by seat."""
    assert position.pending is not None and not isinstance(position.pending.answers, UnsetType)
    return position.pending.answers


def asked_faction(position: Position) -> Faction:
    """The faction of the extra card that the detectives ask for."""
    assert position.pending is not None and position.pending.faction
    return position.pending.faction


def given_cards(position: Position) -> CountMap:
    """The cards that the active seat was given and may cash in."""
    assert position.pending is not None and not isinstance(position.pending.given, UnsetType)
    return position.pending.given


def with_hand(position: Position, seat: Seat, hand: CountMap) -> tuple[SeatState, ...]:
    """The seats with this hand for one of them."""
    return put(position.seats, seat, replace(position.seats[seat], hand=hand))


def with_influence(position: Position, seat: Seat, influence: int) -> tuple[SeatState, ...]:
    """The seats with this influence for one of them."""
    return put(position.seats, seat, replace(position.seats[seat], influence=influence))


def with_more(position: Position, seat: Seat, cards: Iterable[Faction]) -> tuple[SeatState, ...]:
    """The seats after one of them got these cards."""
    return with_hand(position, seat, plus(position.seats[seat].hand, cards))


def with_fewer(position: Position, seat: Seat, cards: Iterable[Faction]) -> tuple[SeatState, ...]:
    """The seats after one of them parted with these cards."""
    return with_hand(position, seat, minus(position.seats[seat].hand, cards))
