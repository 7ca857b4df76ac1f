"""The complete state of a game, and the questions that many rules ask about it."""

from collections import Counter
from collections.abc import Generator, Sequence
from typing import Annotated, Any, ClassVar, Final, Literal

from msgspec import Meta, Struct, field

from referee.kernel.changes import put, replace, without
from referee.kernel.message import Event
from referee.kernel.ruleset import Case as KernelCase
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.board import TOUCHES
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.names import (
    COLOUR_OF,
    FISH,
    CardKind,
    Catastrophe,
    Colour,
    Corner,
    Hex,
    Magic,
    Phase,
    Season,
    Space,
    Tile,
)

SLUG: Final = "cat-and-fish"

Amount = Annotated[int, Meta(ge=0)]
Switch = Annotated[bool, Meta(extra_json_schema={"enum": [True]})]
"""A parameter that is `true` or absent (CF-1)."""
Resume = Literal["execution", "year_end"]
Means = Literal["money", "fish"]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What can be chosen before the game."""

    first_seat: Annotated[Seat | None, Meta(description="The seat that begins; null: drawn by chance.")] = None


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """A game card of a seat, with the price that was paid for it."""

    kind: CardKind
    price: Amount


class SeatState(Struct, frozen=True, forbid_unknown_fields=True):
    """What belongs to a seat."""

    pawn: Corner
    money: Amount
    cards: tuple[Card, ...]
    store: tuple[Tile, ...]
    magic: tuple[Magic, ...]
    placed: tuple[Space, ...]
    """Markers placed and not yet spent, in order."""
    penalties: Amount


class ByColour(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of tiles for each colour: the piles, top first, or the discards, oldest first."""

    green: tuple[Tile, ...] = ()
    blue: tuple[Tile, ...] = ()
    pink: tuple[Tile, ...] = ()

    def of(self, colour: Colour) -> tuple[Tile, ...]:
        """The tiles of one colour."""
        tiles: tuple[Tile, ...] = getattr(self, colour)
        return tiles

    def change(self, colour: Colour, tiles: tuple[Tile, ...]) -> "ByColour":
        """The same with other tiles of one colour."""
        return replace(self, **{colour: tiles})

    def add(self, tile: Tile) -> "ByColour":
        """The same with one more tile, at the end of its colour."""
        return self.change(COLOUR_OF[tile], (*self.of(COLOUR_OF[tile]), tile))


class FlightAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """What a victim chose: the fish it loses, if any, and where it flees to."""

    tile: Tile | None
    to: Corner


class DuesAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """How a seat chose to pay its dues."""

    with_: Means = field(name="with")
    tile: Tile | None


class Flight(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """Victims of a catastrophe have a choice."""

    kind: ClassVar[Catastrophe]
    start: Seat
    """The seat that moved or placed the catastrophe."""
    resume: Resume
    seats: tuple[Seat, ...]
    """In the order of resolution."""
    answers: dict[str, FlightAnswer]


class TyphoonFlight(Flight, frozen=True, tag="typhoon"):
    """Victims of the typhoon have a choice."""

    kind: ClassVar[Catastrophe] = "typhoon"


class OilFlight(Flight, frozen=True, tag="oil"):
    """Victims of the oil have a choice."""

    kind: ClassVar[Catastrophe] = "oil"


class MonsterFlight(Flight, frozen=True, tag="monster"):
    """Victims of the monster have a choice."""

    kind: ClassVar[Catastrophe] = "monster"


class DuesCall(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="dues"):
    """Seats have a choice how to pay their dues."""

    seats: tuple[Seat, ...]
    """In the order of resolution."""
    answers: dict[str, DuesAnswer]


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A game between two moves. The dicts are never changed in place."""

    ruleset: Literal["cat-and-fish"]
    options: Options
    phase: Phase
    year: Annotated[int, Meta(ge=1)]
    season: Season
    first_seat: Seat
    """The first seat of the current round."""
    thief: Seat | None
    """The seat that chose `thief` this winter."""
    seats: tuple[SeatState, ...]
    board: dict[Hex, Tile | None]
    typhoon: Hex
    oil: Hex
    monster: Hex | None
    piles: ByColour
    """Top first."""
    discards: ByColour
    """Oldest first."""
    market: dict[CardKind, tuple[Amount, ...]]
    """The prices left, top card first."""
    treasure_deck: tuple[Amount, ...]
    treasure_used: tuple[Amount, ...]
    magic_deck: tuple[Magic, ...]
    magic_used: tuple[Magic, ...]
    pending: TyphoonFlight | OilFlight | MonsterFlight | DuesCall | None


Case = KernelCase[Position, Edition]
Says = Generator[Event, Position, None]
Step = Generator[Event, Position, Position]
"""Part of a rule: says events and hands back the position after them."""


def clockwise(position: Position, start: Seat) -> tuple[Seat, ...]:
    """All seats from this one on (CF-5)."""
    players = len(position.seats)
    return tuple(Seat((start + step) % players) for step in range(players))


def next_first_seat(position: Position) -> Seat:
    """Who gets the first-player tile from the first seat (CF-70)."""
    return Seat((position.first_seat + 1) % len(position.seats))


def acting(case: Case) -> SeatState:
    """What belongs to the seat that moves."""
    return case.position.seats[case.seat]


def owns(state: SeatState, kind: CardKind) -> bool:
    """Whether a seat has a game card."""
    return kind in [card.kind for card in state.cards]


def places(state: SeatState, edition: Edition) -> int:
    """How many tiles the store of a seat takes (CF-23)."""
    return edition.cold_storage_places if owns(state, "cold_storage") else edition.places


def markers(state: SeatState, edition: Edition) -> int:
    """How many markers a seat has in a round (CF-10)."""
    return edition.membership_markers if owns(state, "membership") else edition.markers


def reach(state: SeatState, edition: Edition) -> int:
    """The fishing distance that the gear of a seat allows (CF-24)."""
    return max(edition.reach.get(card.kind, 0) for card in state.cards)


def fish_held(state: SeatState) -> tuple[Tile, ...]:
    """The kinds of fish in a store, each once; a bone is not a fish (CF-7)."""
    return tuple(tile for tile in dict.fromkeys(state.store) if tile in FISH)


def holds(held: Sequence[Any], named: Sequence[Any]) -> bool:
    """Whether everything named is held, as often as named."""
    return Counter(named) <= Counter(held)


def is_accessible(state: SeatState, corner: Corner) -> bool:
    """Whether a seat may sail to a corner: the coast always, the lines with their ships (CF-31)."""
    line = corner[0]
    return line == "c" or owns(state, "fishing_boat" if line == "a" else "fishing_vessel")


def is_safe(position: Position, corner: Corner) -> bool:
    """Whether a corner touches no catastrophe (CF-32)."""
    return {position.typhoon, position.oil, position.monster}.isdisjoint(TOUCHES[corner])


def has_catastrophe(position: Position, hex: Hex) -> bool:
    """Whether typhoon, oil or monster lie on a hex."""
    return hex in (position.typhoon, position.oil, position.monster)


def changed_seat(position: Position, seat: Seat, **changes: Any) -> tuple[SeatState, ...]:
    """The seats, one of them with some of its fields changed."""
    return put(position.seats, seat, replace(position.seats[seat], **changes))


def spent(position: Position, seat: Seat, space: Space) -> tuple[Space, ...]:
    """The markers of a seat without one on this space."""
    return without(position.seats[seat].placed, (space,))
