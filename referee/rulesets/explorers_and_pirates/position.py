"""The complete state of a game (section 12): its parts, and small questions about them."""

from collections.abc import Generator
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta

from referee.kernel.message import Event
from referee.kernel.ruleset import Case as KernelCase
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.board import BOARDS, Board, Chart, chart_for
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.ids import (
    SEAT_KEYS,
    Bag,
    Bundle,
    Cargo,
    CornerId,
    EdgeId,
    HexId,
    Mission,
    SeatKey,
    ShipId,
    Terrain,
    Tile,
)

SLUG: Final = "explorers-and-pirates"

Phase = Literal[
    "setup", "founding", "roll", "discard", "pirate", "trade_build", "movement", "captures", "hero", "finished"
]  # fmt: skip
PirateBy = Literal["seven", "chase"]
Amount = Annotated[int, Meta(ge=0)]
SeatNumber = Annotated[Seat, Meta(ge=0, le=3)]

NOT_YET: Any = UNSET
"""What a blank table does not have: left out of its JSON. A position after the set-up has all of it."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a position: its keys and no others."""


class Options(Part, frozen=True):
    """What is fixed when the game is created."""

    scenario: Annotated[
        str,
        Meta(
            description="One of the five scenarios, of growing size.",
            extra_json_schema={"enum": list(BOARDS)},
        ),
    ] = "land-ho"
    first_seat: Annotated[int | None, Meta(description="The seat that begins; null: drawn by chance.")] = None
    random_island: Annotated[
        bool, Meta(description="Shuffle the island's tiles; only true with `pirate-lairs`, where they are fixed.")
    ] = False
    starts: Annotated[
        tuple[str, ...] | None,
        Meta(description="Only with `land-ho`: a start colour per seat, of `blue`, `red`, `white`, `orange`."),
    ] = None


class Hand(Part, frozen=True):
    """Resource cards."""

    brick: Amount
    lumber: Amount
    wool: Amount
    grain: Amount
    ore: Amount


class Bank(Part, frozen=True):
    """What nobody holds: resource cards and gold."""

    brick: Amount
    lumber: Amount
    wool: Amount
    grain: Amount
    ore: Amount
    gold: Amount


class Ship(Part, frozen=True):
    """A ship on its sea route, with what is in its hold."""

    edge: EdgeId
    cargo: Cargo


class SeatState(Part, frozen=True):
    """What belongs to a seat, on the board and off it."""

    resources: Hand = NOT_YET
    gold: Amount = NOT_YET
    roads: tuple[EdgeId, ...] = NOT_YET
    settlements: tuple[CornerId, ...] = NOT_YET
    harbors: dict[CornerId, Cargo] = NOT_YET
    """Harbour settlements, each with what is in its basin."""
    ships: dict[ShipId, Ship] = NOT_YET


class Neutral(Part, frozen=True):
    """The neutral pieces of the two-player game."""

    roads: tuple[EdgeId, ...]
    settlements: tuple[CornerId, ...]
    harbors: tuple[CornerId, ...]


class AreaTile(Part, frozen=True, omit_defaults=True):
    """A tile of an area; a number lies only on a face-up resource tile."""

    tile: Tile
    up: bool
    number: int | None = None


class Stacks(Part, frozen=True):
    """Tokens still to come, top first."""

    north: tuple[int, ...]
    south: tuple[int, ...]
    lairs: tuple[int, ...]


class Lair(Part, frozen=True):
    """A gold river's lair token and the units beside it."""

    number: int
    captured: bool
    units: dict[SeatKey, int]


class VillageState(Part, frozen=True):
    """A spice village: sacks left, and the seats with a unit there in order of arrival."""

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
    current_ship: ShipId | None = None
    ships: dict[ShipId, Voyage] = {}


class Discards(Part, frozen=True):
    """Who gives back how many cards after a seven, and who has chosen which."""

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
    """The hero who is asked, and the lair."""

    hex: HexId
    seat: SeatNumber


class Result(Part, frozen=True):
    """How the game ended."""

    winner: SeatNumber
    scores: tuple[int, ...]
    ranks: tuple[int, ...]


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
    missions: dict[Mission, tuple[tuple[SeatNumber, ...], ...]] = NOT_YET
    turn: Turn | None = NOT_YET
    founding_step: int | None = NOT_YET
    discards: Discards | None = NOT_YET
    offer: Offer | None = NOT_YET
    pirate_by: PirateBy | None = NOT_YET
    hero: Hero | None = NOT_YET
    result: Result | None = NOT_YET

    @property
    def board(self) -> Board:
        """The map that is played on."""
        return BOARDS[self.options.scenario]

    @property
    def chart(self) -> Chart:
        """The map with what is face up on it."""
        return charted(self)

    @property
    def this_turn(self) -> Turn:
        """The turn that is being played; there is one in every phase after the founding."""
        assert self.turn is not None
        return self.turn


_latest: list[tuple[dict[HexId, AreaTile], Chart]] = []
"""The areas that were asked about last, and their chart: hundreds of questions in a row are about the same ones.

Areas are never changed in place, and these are kept alive here, so the same object means the same tiles.
"""


def charted(position: Position) -> Chart:
    """The map of a position with what is face up on it."""
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
"""Part of a rule that gives back the position after its events."""


def clockwise(first: Seat, count: int) -> tuple[Seat, ...]:
    """All seats from this one on, in the order of play."""
    return tuple(Seat((first + step) % count) for step in range(count))


def opponents(position: Position, seat: Seat) -> tuple[Seat, ...]:
    """All other seats, clockwise."""
    return clockwise(seat, len(position.seats))[1:]


def key(seat: Seat) -> SeatKey:
    """A seat as the key of a JSON object."""
    return SEAT_KEYS[seat]
