"""The complete state of a game, and questions about it that several rules ask."""

from collections.abc import Generator, Sequence
from typing import Annotated, ClassVar, Final, Literal, TypeVar

from msgspec import Meta, Struct, field

from referee.kernel.changes import replace, without
from referee.kernel.message import Event
from referee.kernel.ruleset import Case as KernelCase
from referee.kernel.seat import Seat, clockwise, seat_until
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
    listed,
    title_of,
)

T = TypeVar("T")

SLUG: Final = "cat-and-fish"

Amount = Annotated[int, Meta(ge=0)]
Resume = Literal["execution", "year_end"]
Means = Literal["money", "fish"]


class Options(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The options of a new game."""

    first_seat: Annotated[
        Annotated[Seat, seat_until(3)] | None, Meta(description="The seat that begins; null: drawn by chance.")
    ] = None
    magic_for_all: Annotated[
        bool,
        Meta(description="Whether seats without the Wizard or the Sorcerer may play Change and Warp for their fee."),
    ] = False


class Card(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A game card of a seat, with the price that the seat paid for it."""

    kind: CardKind
    price: Amount


class SeatState(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The pawn, money, cards, tiles and markers of a seat."""

    pawn: Corner
    money: Amount
    cards: tuple[Card, ...]
    store: tuple[Tile, ...]
    magic: tuple[Magic, ...]
    placed: tuple[Space, ...]
    """The spaces of the markers that the seat has placed and not yet spent, in order."""
    penalties: Amount


class ByColour(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The tiles of each colour: of a pile from the top, of the discards from the oldest."""

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


class FlightAnswer(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A victim's choice: the fish that it loses, if any, and the corner that it flees to."""

    tile: Tile | None
    to: Corner


class DuesAnswer(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """How a seat chose to pay its dues."""

    with_: Means = field(name="with")
    tile: Tile | None


class Flight(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="kind"):
    """The open question to victims of a catastrophe."""

    kind: ClassVar[Catastrophe]
    start: Seat
    """The seat that moved or placed the catastrophe."""
    resume: Resume
    seats: tuple[Seat, ...]
    """In the order of resolution."""
    answers: dict[str, FlightAnswer]


class TyphoonFlight(Flight, frozen=True, tag="typhoon"):
    """The open question to victims of the typhoon: which fish, and which corner."""

    kind: ClassVar[Catastrophe] = "typhoon"


class OilFlight(Flight, frozen=True, tag="oil"):
    """The open question to victims of the oil: which corner."""

    kind: ClassVar[Catastrophe] = "oil"


class MonsterFlight(Flight, frozen=True, tag="monster"):
    """The open question to victims of the monster: which fish, and which corner."""

    kind: ClassVar[Catastrophe] = "monster"


class DuesCall(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="kind", tag="dues"):
    """The open question to seats that can pay their dues in several ways."""

    seats: tuple[Seat, ...]
    """In the order of resolution."""
    answers: dict[str, DuesAnswer]


class Position(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The complete state of a game between two moves. No rule changes its dicts in place."""

    ruleset: Literal["cat-and-fish"]
    options: Options
    phase: Phase
    year: Annotated[int, Meta(ge=1)]
    season: Season
    first_seat: Seat
    """The first seat of the current round."""
    thief: Seat | None
    """The seat that chose `thief` this winter and will be the first in spring."""
    stopped: tuple[Seat, ...]
    """The seats that place no more markers this round by their own choice, in order."""
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
    """The prices of the cards left in each pile, top card first."""
    treasure_deck: tuple[Amount, ...]
    treasure_used: tuple[Amount, ...]
    magic_deck: tuple[Magic, ...]
    magic_used: tuple[Magic, ...]
    pending: TyphoonFlight | OilFlight | MonsterFlight | DuesCall | None


Case = KernelCase[Position, Edition]
Says = Generator[Event, Position, None]
Step = Generator[Event, Position, Position]
"""Part of a rule: yields events and returns the position after them."""


def turn_order(position: Position) -> tuple[Seat, ...]:
    """Every seat, clockwise from the first seat (CF-5)."""
    return clockwise(position.first_seat, len(position.seats))


def acting(case: Case) -> SeatState:
    """The state of the acting seat."""
    return case.position.seats[case.seat]


def owns(state: SeatState, kind: CardKind) -> bool:
    """Whether a seat owns a game card of this kind."""
    return kind in [card.kind for card in state.cards]


def store_places(state: SeatState, edition: Edition) -> int:
    """The number of tiles that a seat's store takes (CF-23)."""
    return edition.cold_storage_places if owns(state, "cold_storage") else edition.places


def has_free_place(state: SeatState, edition: Edition) -> bool:
    """Whether a seat's store takes one more tile (CF-23, CF-67)."""
    return len(state.store) < store_places(state, edition)


def markers(state: SeatState, edition: Edition) -> int:
    """The number of markers that a seat has in a round (CF-10)."""
    return edition.membership_markers if owns(state, "membership") else edition.markers


def reach(state: SeatState, edition: Edition) -> int:
    """The fishing distance that the gear of a seat allows (CF-24)."""
    return max([edition.reach.get(card.kind, 0) for card in state.cards])


def fish_held(state: SeatState) -> tuple[Tile, ...]:
    """The kinds of fish in a store, each once; a bone is not a fish (CF-7)."""
    return tuple(tile for tile in dict.fromkeys(state.store) if tile in FISH)


def shortfall(held: Sequence[T], named: Sequence[T]) -> T | None:
    """The first thing that is named more often than it is held."""
    return next((thing for thing in named if named.count(thing) > held.count(thing)), None)


def is_accessible(state: SeatState, corner: Corner) -> bool:
    """Whether a seat may sail to a corner: the coast always, the lines with their ships (CF-31)."""
    line = corner[0]
    return line == "c" or owns(state, "fishing_boat" if line == "a" else "fishing_vessel")


def is_safe(position: Position, corner: Corner) -> bool:
    """Whether a corner touches no catastrophe (CF-32)."""
    return {position.typhoon, position.oil, position.monster}.isdisjoint(TOUCHES[corner])


def has_catastrophe(position: Position, hex: Hex) -> bool:
    """Whether the typhoon, the oil or the monster is on a hex."""
    return hex in (position.typhoon, position.oil, position.monster)


def catastrophe_on(position: Position, hexes: Sequence[Hex]) -> Catastrophe:
    """The catastrophe on one of these hexes, for a message about it."""
    kinds: tuple[Catastrophe, ...] = ("typhoon", "oil", "monster")
    return next(kind for kind in kinds if getattr(position, kind) in hexes)


def no_marker(state: SeatState, space: Space) -> str:
    """Why a seat cannot carry out the action of a space (CF-20)."""
    return f"You have no marker on {title_of(space)}, only on {listed(dict.fromkeys(map(title_of, state.placed)))}."


def spent(position: Position, seat: Seat, space: Space) -> tuple[Space, ...]:
    """The markers of a seat without one on this space."""
    return without(position.seats[seat].placed, (space,))
