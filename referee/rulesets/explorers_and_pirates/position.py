"""The complete state of a game (section 12), and its parts."""

from collections.abc import Generator
from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import UNSET, Meta

from referee.kernel.message import Event
from referee.kernel.ruleset import Case as KernelCase
from referee.kernel.seat import Seat, clockwise, seat_until
from referee.rulesets.explorers_and_pirates.board import BOARDS, Board, Chart, chart_for
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.names import (
    SEAT_KEYS,
    Bag,
    Bundle,
    Cargo,
    Colour,
    CornerId,
    EdgeId,
    HexId,
    Mission,
    Phase,
    PirateBy,
    SeatKey,
    ShipId,
    Terrain,
    Tile,
)

SLUG: Final = "explorers-and-pirates"

Amount = Annotated[int, Meta(ge=0)]
SeatNumber = Annotated[Seat, Meta(ge=0, le=3)]

NOT_YET: Any = UNSET
"""The value of everything that a table before the set-up does not have; its JSON leaves these keys out."""


class Part(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A part of a position; unknown keys are refused."""


class Options(Part, frozen=True):
    """Options, fixed when the game is created."""

    scenario: Annotated[
        str,
        Meta(
            description="One of the five scenarios, of growing size.",
            extra_json_schema={"enum": list(BOARDS)},
        ),
    ] = "land-ho"
    first_seat: Annotated[
        Annotated[int, seat_until(3)] | None, Meta(description="The seat that begins; null: drawn by chance.")
    ] = None
    random_island: Annotated[
        bool, Meta(description="Shuffle the tiles of the island; may be true only with `pirate-lairs`.")
    ] = False
    starts: Annotated[
        tuple[Annotated[str, Meta(extra_json_schema={"enum": list(get_args(Colour))})], ...] | None,
        Meta(description="Only with `land-ho`: a start colour per seat; null: blue, red, white, orange in this order."),
    ] = None


class Hand(Part, frozen=True):
    """Resource cards."""

    brick: Amount
    lumber: Amount
    wool: Amount
    grain: Amount
    ore: Amount


class Bank(Part, frozen=True):
    """The resource cards and the gold of the bank."""

    brick: Amount
    lumber: Amount
    wool: Amount
    grain: Amount
    ore: Amount
    gold: Amount


class Ship(Part, frozen=True):
    """A ship: its sea route, and the pieces in its hold."""

    edge: EdgeId
    cargo: Cargo


class SeatState(Part, frozen=True):
    """Everything that belongs to a seat, on the board and off it."""

    resources: Hand = NOT_YET
    gold: Amount = NOT_YET
    roads: tuple[EdgeId, ...] = NOT_YET
    settlements: tuple[CornerId, ...] = NOT_YET
    harbors: dict[CornerId, Cargo] = NOT_YET
    """Harbour settlements, each with the pieces in its basin."""
    ships: dict[ShipId, Ship] = NOT_YET


class Neutral(Part, frozen=True):
    """The neutral pieces of the two-player game."""

    roads: tuple[EdgeId, ...]
    settlements: tuple[CornerId, ...]
    harbors: tuple[CornerId, ...]


class AreaTile(Part, frozen=True, omit_defaults=True):
    """A tile of an area; only a face-up resource tile has a number."""

    tile: Tile
    up: bool
    number: int | None = None


class Stacks(Part, frozen=True):
    """The tokens left in each stack, top first."""

    north: tuple[int, ...]
    south: tuple[int, ...]
    lairs: tuple[int, ...]


class Lair(Part, frozen=True):
    """The lair token on a gold river, and the units of each seat there."""

    number: int
    captured: bool
    units: dict[SeatKey, int]


class VillageState(Part, frozen=True):
    """A spice village: the sacks left, and the seats with a unit there, in order of arrival."""

    sacks: Amount
    units: tuple[SeatNumber, ...]


class Pirate(Part, frozen=True):
    """The one pirate ship on the board."""

    seat: SeatNumber
    hex: HexId


class Voyage(Part, frozen=True):
    """What a ship has done in this turn."""

    used: Amount = 0
    wool: bool = False
    tribute: bool = False
    chased: bool = False
    finished: bool = False


class Turn(Part, frozen=True):
    """The counters of a turn."""

    number: int
    roll: tuple[int, int] | None = None
    gold_buys: Amount = 0
    gold_sales: Amount = 0
    fish_rolled: bool = False
    offered: bool = False
    """Whether the active seat has made an offer in this turn."""
    current_ship: ShipId | None = None
    ships: dict[ShipId, Voyage] = {}


class Discards(Part, frozen=True):
    """The number of cards that each seat must give back after a 7, and the choices made so far."""

    need: dict[SeatKey, int]
    given: dict[SeatKey, Bag]


class Offer(Part, frozen=True):
    """The active seat's open offer and the answers to it."""

    give: Bundle
    want: Bundle
    to: tuple[SeatNumber, ...]
    accepted: tuple[SeatNumber, ...]
    declined: tuple[SeatNumber, ...]


class Hero(Part, frozen=True):
    """The hero of a joint capture, who must decide, and the lair."""

    hex: HexId
    seat: SeatNumber


class Result(Part, frozen=True):
    """The result of a finished game."""

    winner: SeatNumber
    scores: tuple[int, ...]
    ranks: tuple[int, ...]


Track = tuple[tuple[SeatNumber, ...], ...]
"""A mission's track: the markers on S and on each space after it, each stack from the bottom up."""


class Position(Part, frozen=True):
    """The complete state of a game, hidden information included."""

    ruleset: Literal["explorers-and-pirates"]
    options: Options
    phase: Phase
    seats: tuple[SeatState, ...]
    first_seat: SeatNumber = NOT_YET
    active_seat: SeatNumber = NOT_YET
    neutral: Neutral = NOT_YET
    bank: Bank = NOT_YET
    island: dict[HexId, Terrain] = NOT_YET
    areas: dict[HexId, AreaTile] = NOT_YET
    stacks: Stacks = NOT_YET
    lairs: dict[HexId, Lair] = NOT_YET
    villages: dict[HexId, VillageState] = NOT_YET
    fish: tuple[HexId, ...] = NOT_YET
    pirate: Pirate | None = NOT_YET
    missions: dict[Mission, Track] = NOT_YET
    turn: Turn | None = NOT_YET
    founding_step: int | None = NOT_YET
    discards: Discards | None = NOT_YET
    offer: Offer | None = NOT_YET
    pirate_by: PirateBy | None = NOT_YET
    hero: Hero | None = NOT_YET
    result: Result | None = NOT_YET

    @property
    def board(self) -> Board:
        """The map of the scenario."""
        return BOARDS[self.options.scenario]

    @property
    def chart(self) -> Chart:
        """The map with its face-up tiles."""
        return charted(self)

    @property
    def this_turn(self) -> Turn:
        """The current turn; every phase after the founding has one."""
        assert self.turn is not None
        return self.turn


_latest: list[tuple[dict[HexId, AreaTile], Chart]] = []
"""The last areas and their chart: hundreds of calls in a row ask about the same ones.

Areas are never changed in place, and this list keeps them alive, so the same object means the same tiles.
"""


def charted(position: Position) -> Chart:
    """The map of a position with its face-up tiles."""
    areas = position.areas
    for known, chart in _latest:
        if known is areas:
            return chart
    board = position.board
    chart = chart_for(board, tuple([tile.tile if (tile := areas[hex]).up else None for hex in board.areas]))
    _latest[:] = [(areas, chart)]
    return chart


Case = KernelCase[Position, Edition]
Says = Generator[Event, Position, None]
SaysOn = Generator[Event, Position, Position]
"""A part of a rule that returns the position after its events."""


def opponents(position: Position, seat: Seat) -> tuple[Seat, ...]:
    """All other seats, clockwise."""
    return clockwise(seat, len(position.seats))[1:]


def key(seat: Seat) -> SeatKey:
    """A seat as the key of a JSON object."""
    return SEAT_KEYS[seat]
