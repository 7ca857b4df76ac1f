"""Setting up the table: EP-1 to EP-9."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import UnsetType

from referee.kernel.audience import NOBODY, whole
from referee.kernel.chance import Chance, Source
from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Trigger
from referee.kernel.rejection import require
from referee.kernel.seat import Seat, clockwise
from referee.rulesets.explorers_and_pirates.board import Board
from referee.rulesets.explorers_and_pirates.edition import AreaTiles, Edition, Start
from referee.rulesets.explorers_and_pirates.names import (
    RESOURCES,
    Colour,
    HexId,
    Mission,
    ShipId,
    Terrain,
    Tile,
    joined,
)
from referee.rulesets.explorers_and_pirates.placing import (
    HarborPlaced,
    RoadPlaced,
    SettlementPlaced,
    SettlerShipPlaced,
)
from referee.rulesets.explorers_and_pirates.position import (
    SLUG,
    AreaTile,
    Bank,
    Case,
    Neutral,
    Options,
    Position,
    Says,
    SeatState,
    Stacks,
)
from referee.rulesets.explorers_and_pirates.production import ResourcesGained, cards_at
from referee.rulesets.explorers_and_pirates.scenarios import SCENARIOS, scenario_of
from referee.rulesets.explorers_and_pirates.scoring import wins_at_once
from referee.rulesets.explorers_and_pirates.turns import PhaseStarted, TurnStarted
from referee.rulesets.explorers_and_pirates.wealth import NO_CARDS

setup = Chapter()

SEATS = range(2, 5)
FIXED_STARTS = "land-ho"
FREE_ISLAND = "pirate-lairs"


class SetUp(Trigger):
    """Set up the table: shuffle the tiles and the tokens, draw the first seat, place the fixed starts."""


class GameSetUp(Event):
    """The referee set up the table: tiles face down, tokens in stacks, markers on S."""

    first_seat: Seat
    island: dict[HexId, Terrain]
    areas: Annotated[dict[HexId, Tile] | UnsetType, NOBODY]
    stacks: Annotated[Stacks | UnsetType, NOBODY]
    gold: tuple[int, ...]
    bank: Bank
    spaces: dict[Mission, int]
    """The number of spaces of each mission's track, S included."""


def blank(options: Options, seats: int, edition: Edition) -> Position:
    """The table before the set-up; refuses invalid options (EP-1)."""
    require("EP-1", seats in SEATS, f"The game is for {min(SEATS)} to {max(SEATS)} seats, not {seats}.")
    require(
        "EP-1",
        options.scenario in SCENARIOS,
        f"`scenario` must be one of {joined(tuple(SCENARIOS))}.",
    )
    first = options.first_seat
    require("EP-1", first is None or 0 <= first < seats, f"`first_seat` is null or 0 to {seats - 1}, not {first}.")
    scenario, starts = options.scenario, options.starts
    free = scenario == FREE_ISLAND
    require(
        "EP-1",
        free or not options.random_island,
        f"`random_island` needs `{FREE_ISLAND}`, not `{scenario}`.",
    )
    fixed = scenario == FIXED_STARTS
    require(
        "EP-1",
        starts is None or fixed,
        f"`starts` needs `{FIXED_STARTS}`, not `{scenario}`.",
    )
    proper = starts is None or (len(starts) == seats == len(set(starts)) and set(starts) <= set(edition.colours))
    require("EP-1", proper, f"`starts` must name {seats} different colours of {joined(edition.colours)}.")
    return Position(ruleset=SLUG, options=options, phase="setup", seats=(SeatState(),) * seats)


@setup.decides(SetUp)
@wins_at_once
def set_up(case: Case, move: SetUp) -> Says:
    """Set up the table by EP-2 to EP-9; `blank` has checked the options."""
    edition, chance, options = case.edition, case.chance, case.position.options
    board, seats = case.position.board, len(case.position.seats)
    island = _island(board, options, edition, chance)  # EP-2
    numbers = edition.scenarios[options.scenario]
    areas = {
        **_area(chance, "north_tiles", board.north, numbers.north),  # EP-3
        **_area(chance, "south_tiles", board.south, numbers.south),
    }
    missions = scenario_of(case.position).missions
    stacks = Stacks(
        north=chance.shuffle("north_numbers", edition.north_numbers),  # EP-4
        south=chance.shuffle("south_numbers", edition.south_numbers),
        lairs=chance.shuffle("lair_tokens", edition.lair_numbers) if "lairs" in missions else (),
    )
    first = options.first_seat
    if first is None:
        first = chance.number("draw_first_seat", 0, seats - 1)  # EP-6
    position = yield GameSetUp(
        first_seat=Seat(first),
        island=island,
        areas={hex: areas[hex] for hex in board.areas},
        stacks=stacks,
        gold=(edition.gold_start,) * seats,  # EP-5
        bank=Bank(**dict.fromkeys(RESOURCES, edition.cards_each), gold=edition.gold_total - seats * edition.gold_start),
        spaces={mission: len(edition.track_points[mission]) for mission in missions},
    )
    if scenario_of(position).is_founded_freely:
        yield PhaseStarted(phase="founding", seat=position.first_seat)
    else:
        yield from _fixed_starts(position, edition)


def _island(board: Board, options: Options, edition: Edition, chance: Chance) -> dict[HexId, Terrain]:
    printed = {hex: board.map.hexes[hex].terrain for hex in board.island}
    island = {hex: terrain for hex, terrain in printed.items() if terrain is not None}
    if len(island) < len(printed) or options.random_island:
        loose = [hex for hex in board.island if not board.map.hexes[hex].fixed]
        tiles = [terrain for terrain, count in edition.island_tiles.items() for _ in range(count)]
        island |= dict(zip(loose, chance.shuffle("island_tiles", tiles), strict=True))
    return {hex: island[hex] for hex in board.island}


def _area(chance: Chance, point: str, hexes: tuple[HexId, ...], box: AreaTiles) -> dict[HexId, Tile]:
    """Shuffle the tiles of an area onto its hexes; tiles that are drawn unseen are drawn first."""

    def sample(source: Source) -> tuple[Tile, ...]:
        drawn = _shuffled(source, box.drawn_from)[: box.drawn]
        return _shuffled(source, (*box.fixed, *drawn))

    def read(outcome: Any) -> tuple[Tile, ...]:
        if not isinstance(outcome, (list, tuple)) or not all(isinstance(tile, str) for tile in outcome):
            raise ValueError("expected a list of tiles")
        if not fits_box(outcome, box):
            raise ValueError("these are not the tiles of the area")
        return tuple(outcome)

    return dict(zip(hexes, chance.draw(point, sample, read), strict=True))


def fits_box(tiles: Sequence[str], box: AreaTiles) -> bool:
    """Whether these are the tiles of an area (2.4)."""
    extra = Counter(tiles)
    extra.subtract(box.fixed)
    drawn = +extra
    return (
        min(extra.values(), default=0) >= 0
        and drawn.total() == box.drawn
        and all(count == 1 and tile in box.drawn_from for tile, count in drawn.items())
    )


def _shuffled(source: Source, items: Sequence[Tile]) -> tuple[Tile, ...]:
    rest = list(items)
    for at in range(len(rest) - 1):
        other = at + source.below(len(rest) - at)
        rest[at], rest[other] = rest[other], rest[at]
    return tuple(rest)


def _fixed_starts(position: Position, edition: Edition) -> Says:
    """Place the pieces of each colour and the neutral pieces for two seats, and deal the first cards (EP-7 to EP-9)."""
    starts = position.board.map.starts
    assert starts is not None, "a scenario without founding has fixed starts"
    colours = start_colours(position.options, len(position.seats), edition)
    for seat, colour in enumerate(colours):
        start = starts[colour]
        owner = Seat(seat)
        yield HarborPlaced(seat=owner, corner=start.harbor, neutral=False)
        yield SettlerShipPlaced(seat=owner, ship=ShipId(f"{seat}-1"), edge=start.ship)
        yield SettlementPlaced(seat=owner, corner=start.settlement, neutral=False)
        position = yield RoadPlaced(seat=owner, edge=start.road, neutral=False)
    if len(colours) == min(SEATS):
        for colour in edition.colours:
            if colour not in colours:
                yield from _neutral_start(starts[colour])  # EP-8
    for owner in clockwise(position.first_seat, len(colours)):
        cards = cards_at(position, position.seats[owner].settlements[0], edition)
        position = yield ResourcesGained(seat=owner, resources=cards, reason="start")  # EP-9
    yield TurnStarted(seat=position.first_seat, number=1)


def start_colours(options: Options, seats: int, edition: Edition) -> tuple[Colour, ...]:
    """The colour of each seat."""
    chosen = options.starts
    return (
        edition.colours[:seats] if chosen is None else tuple(c for name in chosen for c in edition.colours if c == name)
    )


def _neutral_start(start: Start) -> Says:
    yield HarborPlaced(seat=None, corner=start.harbor, neutral=True)
    yield SettlementPlaced(seat=None, corner=start.settlement, neutral=True)
    yield RoadPlaced(seat=None, edge=start.road, neutral=True)


@setup.applies(GameSetUp)
def game_set_up(position: Position, event: GameSetUp) -> Position:
    """The position at the start of play; its parts are in the order of the board, not of the keys of a stored event."""
    board, tiles = position.board, whole(event.areas)
    seats = tuple(
        SeatState(resources=NO_CARDS, gold=gold, roads=(), settlements=(), harbors={}, ships={}) for gold in event.gold
    )
    markers = clockwise(event.first_seat, len(seats))  # EP-5
    return replace(
        position,
        seats=seats,
        first_seat=event.first_seat,
        active_seat=event.first_seat,
        neutral=Neutral(roads=(), settlements=(), harbors=()),
        bank=event.bank,
        island={hex: event.island[hex] for hex in board.island},
        areas={hex: AreaTile(tile=tiles[hex], up=False) for hex in board.areas},
        stacks=whole(event.stacks),
        lairs={},
        villages={},
        fish=(),
        pirate=None,
        missions={
            mission: (markers, *((),) * (event.spaces[mission] - 1)) for mission in scenario_of(position).missions
        },
        turn=None,
        founding_step=None,
        discards=None,
        offer=None,
        pirate_by=None,
        hero=None,
        result=None,
    )
