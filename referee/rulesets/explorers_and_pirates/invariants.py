"""The invariants of every position (section 12)."""

from collections import Counter

from msgspec import UNSET
from msgspec.structs import asdict, fields

from referee.kernel.rejection import Rejection, ensure
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.edition import AreaTiles, Edition
from referee.rulesets.explorers_and_pirates.invariants_of_phases import check_phase
from referee.rulesets.explorers_and_pirates.names import (
    RESOURCES,
    SEAT_KEYS,
    SHOALS,
    TERRAINS,
    VILLAGES,
    HexId,
    is_north,
)
from referee.rulesets.explorers_and_pirates.pieces import (
    carried,
    fits,
    holds_and_basins,
    passing_ship,
    supply_left,
    units_in_use,
)
from referee.rulesets.explorers_and_pirates.position import Position, SeatState
from referee.rulesets.explorers_and_pirates.scenarios import scenario_of
from referee.rulesets.explorers_and_pirates.setup import blank, fits_box


def check(position: Position, edition: Edition) -> None:
    """Raise Malformed, naming the first invariant that is broken."""
    check_frame(position, edition)
    check_island(position, edition)
    check_areas(position, edition)
    check_lairs(position, edition)
    check_villages(position, edition)
    check_wealth(position, edition)
    check_buildings(position)
    check_roads(position)
    check_ships(position, edition)
    check_supplies(position, edition)
    check_sea(position, edition)
    check_missions(position, edition)
    check_phase(position, edition)


def check_frame(position: Position, edition: Edition) -> None:
    """Nothing is missing after the set-up, the options are valid, and seats are seats of the game."""
    try:
        blank(position.options, len(position.seats), edition)
    except Rejection as rejection:
        ensure(False, f"Options ({rejection.clause}): {rejection.message}")
    for part in (position, *position.seats):
        for name in [field.name for field in fields(part) if getattr(part, field.name) is UNSET]:
            ensure(False, f"Frame: `{name}` is given.")
    count = len(position.seats)
    ensure(position.first_seat < count and position.active_seat < count, "Frame: first and active seat are seats.")


def check_island(position: Position, edition: Edition) -> None:
    """The tiles of EP-2 lie on the island."""
    board, island = position.board, position.island
    ensure(island.keys() == set(board.island), "Island: exactly the hexes of the island have a terrain.")
    printed = {hex: board.map.hexes[hex].terrain for hex in board.island}
    for hex, terrain in printed.items():
        loose = position.options.random_island and not board.map.hexes[hex].fixed
        ensure(loose or terrain in (None, island[hex]), f"Island: the terrain of {hex} is as printed.")
    laid = Counter(terrain for hex, terrain in island.items() if not board.map.hexes[hex].fixed)
    fixed = None not in printed.values() and not position.options.random_island
    ensure(fixed or laid == Counter(edition.island_tiles), "Island: the loose tiles are those of the box (EP-2).")


def check_areas(position: Position, edition: Edition) -> None:
    """Tiles and number tokens of both areas are those of the box (2.4, 2.5)."""
    board, areas = position.board, position.areas
    ensure(areas.keys() == set(board.areas), "Areas: exactly the hexes of the two areas have a tile.")
    for hex, tile in areas.items():
        numbered = tile.up and tile.tile in TERRAINS
        ensure(
            (tile.number is not None) == numbered, f"Areas: a number on {hex} exactly if a resource tile is face up."
        )
    numbers = edition.scenarios[position.options.scenario]
    stacks = position.stacks
    _check_area(position, board.north, numbers.north, (*stacks.north,), edition.north_numbers)
    _check_area(position, board.south, numbers.south, (*stacks.south,), edition.south_numbers)


def _check_area(
    position: Position, area: tuple[HexId, ...], box: AreaTiles, stack: tuple[int, ...], tokens: tuple[int, ...]
) -> None:
    name = "north" if is_north(area[0]) else "south"
    ensure(fits_box([position.areas[hex].tile for hex in area], box), f"Areas: the tiles of the {name} are in the box.")
    laid = [number for hex in area if (number := position.areas[hex].number) is not None]
    ensure(sorted((*laid, *stack)) == sorted(tokens), f"Areas: the number tokens of the {name} are in the box.")


def _face_up(position: Position, kinds: frozenset[str]) -> set[HexId]:
    return {hex for hex, tile in position.areas.items() if tile.up and tile.tile in kinds}


def check_lairs(position: Position, edition: Edition) -> None:
    """Every face-up gold river has a lair token, and no more than three units."""
    lairs = position.lairs
    rivers = _face_up(position, frozenset({"gold_river"}))
    ensure(lairs.keys() == rivers, "Lairs: exactly the face-up gold rivers have a lair.")
    played = "lairs" in scenario_of(position).missions
    tokens = sorted(edition.lair_numbers) if played else []
    found = sorted((*(lair.number for lair in lairs.values()), *position.stacks.lairs))
    ensure(found == tokens, "Lairs: the lair tokens are in the box.")
    marks = SEAT_KEYS[: len(position.seats)]
    for hex, lair in lairs.items():
        sound = all(mark in marks and count > 0 for mark, count in lair.units.items())
        ensure(sound, f"Lairs: units on {hex} are those of seats, at least one each.")
        ensure(sum(lair.units.values()) <= edition.lair_units, f"Lairs: at most three units are on {hex} (EP-89).")


def check_villages(position: Position, edition: Edition) -> None:
    """Every face-up village has one sack for each seat without a unit there."""
    ensure(
        position.villages.keys() == _face_up(position, VILLAGES), "Villages: exactly the face-up villages have sacks."
    )
    count = len(position.seats)
    for hex, village in position.villages.items():
        friends = set(village.units)
        proper = len(friends) == len(village.units) and all(seat < count for seat in village.units)
        ensure(proper, f"Villages: at most one unit per seat is in {hex} (EP-105).")
        ensure(
            village.sacks == count - len(friends),
            f"Villages: {hex} has one sack for each seat without a unit there (EP-104).",
        )
    ashore = sum(village.sacks for village in position.villages.values())
    aboard = sum(carried(state, "spice") for state in position.seats)
    ensure(ashore + aboard <= edition.sacks, "Villages: there are no more sacks than in the box.")


def check_wealth(position: Position, edition: Edition) -> None:
    """No card and no gold is lost or added (EP-28, EP-29)."""
    for resource in RESOURCES:
        there: int = getattr(position.bank, resource)
        there += sum(getattr(state.resources, resource) for state in position.seats)
        ensure(there == edition.cards_each, f"Cards: there are {edition.cards_each} of {resource}, not {there}.")
    gold = position.bank.gold + sum(state.gold for state in position.seats)
    ensure(gold == edition.gold_total, f"Gold: there is {edition.gold_total} in all, not {gold}.")


def check_buildings(position: Position) -> None:
    """Buildings stand on land and keep the distance rule (EP-22)."""
    corners = [*position.neutral.settlements, *position.neutral.harbors]
    for state in position.seats:
        corners += (*state.settlements, *state.harbors)
    board, taken, land = position.board, set(corners), position.chart.land_corners
    ensure(len(taken) == len(corners), "Buildings: one building per corner.")
    for corner in corners:
        ensure(corner in land, f"Buildings: {corner} is a corner of land.")
        ensure(taken.isdisjoint(board.next_corners[corner]), f"Buildings: {corner} keeps the distance rule (EP-22).")
    neutral = position.neutral
    pieces = len(neutral.roads) + len(neutral.settlements) + len(neutral.harbors)
    ensure(len(position.seats) == 2 or pieces == 0, "Buildings: only two seats play with neutral pieces (EP-8).")


def check_roads(position: Position) -> None:
    """Roads lie on paths, one on each."""
    edges = [*position.neutral.roads]
    for state in position.seats:
        edges += state.roads
    ensure(len(set(edges)) == len(edges), "Roads: one road per path.")
    ensure(position.chart.paths.issuperset(edges), "Roads: every road lies on a path (EP-20).")


def check_ships(position: Position, edition: Edition) -> None:
    """Ships have ids of their seat, lie on sea routes with room, and point at no face-down tile (EP-79)."""
    chart, there = position.chart, Counter[str]()
    for seat, state in enumerate(position.seats):
        for id, ship in state.ships.items():
            named = id in {f"{seat}-{k}" for k in range(1, edition.supply.ship + 1)}
            ensure(named, f"Ships: {id} is the id of a ship of seat {seat}.")
            ensure(ship.edge in chart.routes, f"Ships: {id} lies on a sea route.")
            ensure(ship.edge not in chart.discoveries, f"Ships: {id} points at no face-down tile.")
            there[ship.edge] += 1
    room, passing = edition.ships_per_route, passing_ship(position, edition)
    for edge, count in there.items():
        passed = passing is not None and position.seats[position.active_seat].ships[passing].edge == edge
        ensure(count <= room + passed, f"Ships: at most {room} lie on {edge}, besides the current ship (EP-75).")


def check_supplies(position: Position, edition: Edition) -> None:
    """No seat has more pieces than the box (EP-26), no hold more than it takes (EP-30)."""
    scenario = scenario_of(position)
    for seat, state in enumerate(position.seats):
        left = asdict(supply_left(position, Seat(seat), edition))
        for piece, most in asdict(edition.supply).items():
            ensure(left[piece] >= 0, f"Supply: seat {seat} has at most {most} of {piece}.")
        ensure(
            all(fits(cargo, edition) for cargo in holds_and_basins(state)),
            f"Cargo: no hold of seat {seat} is overfull.",
        )
        ensure(
            scenario.has_units or not units_in_use(position, Seat(seat)), "Cargo: there are no units in this scenario."
        )
        _check_goods(state, scenario.missions)


def _check_goods(state: SeatState, missions: tuple[str, ...]) -> None:
    ensure("fish" in missions or not carried(state, "fish"), "Cargo: there are no fish in this scenario.")
    ensure("spices" in missions or not carried(state, "spice"), "Cargo: there is no spice in this scenario.")


def check_sea(position: Position, edition: Edition) -> None:
    """Fish lie on face-up shoals; the pirate ship stands on a legal hex without a fish."""
    shoals = _face_up(position, frozenset(SHOALS))
    fish, pirate = position.fish, position.pirate
    ensure(
        len(set(fish)) == len(fish) and shoals.issuperset(fish),
        "Fish: at most one is on every face-up shoal, and none elsewhere.",
    )
    caught = sum(carried(state, "fish") for state in position.seats)
    ensure(len(fish) + caught <= edition.fish, "Fish: there are no more than in the box.")
    if pirate is None:
        return
    ensure(scenario_of(position).has_pirates, "Pirate: there are no pirate ships in this scenario.")
    ensure(pirate.seat < len(position.seats), "Pirate: it belongs to a seat.")
    ensure(pirate.hex in position.chart.pirate_places, "Pirate: it stands on the sea, away from the island (EP-42).")
    ensure(pirate.hex not in fish, "Pirate: there is no fish where it stands (EP-46).")


def check_missions(position: Position, edition: Edition) -> None:
    """Every mission of the scenario has a track with one marker of each seat."""
    missions = position.missions
    ensure(missions.keys() == set(scenario_of(position).missions), "Missions: those of the scenario have a track.")
    for mission, track in missions.items():
        spaces = len(edition.track_points[mission])
        ensure(len(track) == spaces, f"Missions: the track of {mission} has {spaces} spaces, S included.")
        markers = sorted(seat for stack in track for seat in stack)
        ensure(markers == list(range(len(position.seats))), f"Missions: each seat has one marker on {mission}.")
