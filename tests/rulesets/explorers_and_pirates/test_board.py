"""The geometry of the maps: section 2, EP-19 to EP-21, EP-61, EP-79."""

import random

import pytest

from referee.rulesets.explorers_and_pirates.board import BOARDS, Board, Chart, chart_for
from referee.rulesets.explorers_and_pirates.edition import EDITION
from referee.rulesets.explorers_and_pirates.names import LAND_TILES, is_north
from referee.rulesets.explorers_and_pirates.waters import heading, voyages
from tests.clauses import clause
from tests.rulesets.explorers_and_pirates.tables import a_position, seat

every_board = pytest.mark.parametrize("board", [pytest.param(board, id=name) for name, board in BOARDS.items()])

SIZES = {
    "land-ho": (51, 128, 178),
    "pirate-lairs": (58, 144, 201),
    "fish-for-catan": (58, 144, 201),
    "spices-for-catan": (65, 160, 224),
    "explorers-and-pirates": (72, 176, 247),
}


def uncovered(board: Board, share: float, seed: str) -> Chart:
    """A chart with some share of the tiles face up."""
    rng = random.Random(seed)
    numbers = EDITION.scenarios[board.scenario]
    tiles = []
    for area, box in ((board.north, numbers.north), (board.south, numbers.south)):
        laid = [*box.fixed, *box.drawn_from[: box.drawn]]
        rng.shuffle(laid)
        tiles += zip(area, laid, strict=True)
    faces = {hex: tile if rng.random() < share else None for hex, tile in tiles}
    return chart_for(board, tuple(faces[hex] for hex in board.areas))


@every_board
def test_the_maps_have_their_sizes(board: Board) -> None:
    hexes, corners, edges = SIZES[board.scenario]
    assert (len(board.hexes), len(board.hexes_at), len(board.ends)) == (hexes, corners, edges)
    assert corners - edges + hexes == 1
    assert len(board.map.harbor_sites) == 14
    assert all(len(corners) == 6 for corners in board.corners_of.values())


@every_board
def test_neighbours_are_mutual(board: Board) -> None:
    for edge, others in board.next_edges.items():
        assert 2 <= len(others) <= 4
        assert all(edge in board.next_edges[other] for other in others)
    for corner, others in board.next_corners.items():
        assert 2 <= len(others) <= 3
        assert all(corner in board.next_corners[other] for other in others)


@every_board
def test_the_row_of_a_hex_shows_whether_it_is_in_the_north(board: Board) -> None:
    assert all(is_north(hex) for hex in board.north)
    assert not any(is_north(hex) for hex in board.south)
    assert len(board.north) == len(board.south) == (len(board.areas) // 2)


@every_board
def test_ids_name_corners_and_edges_as_agreed(board: Board) -> None:
    for hex, corners in board.corners_of.items():
        q, r = map(int, hex.split(","))
        names = {f"{q},{r},N", f"{q + 1},{r - 1},S", f"{q},{r + 1},N", f"{q},{r},S", f"{q - 1},{r + 1},N"}
        assert set(corners) == names | {f"{q},{r - 1},S"}
    for edge, ends in board.ends.items():
        q, r, side = edge.split(",")
        column, row = int(q), int(r)
        top, south_east = f"{q},{r},N", f"{q},{row + 1},N"
        north_east, north_west = f"{column + 1},{row - 1},S", f"{q},{row - 1},S"
        pairs = {"E": {north_east, south_east}, "NE": {top, north_east}, "NW": {top, north_west}}
        assert set(ends) == pairs[side]


@clause("EP-19", "EP-20")
@every_board
def test_land_sea_and_face_down_tiles_make_paths_and_routes(board: Board) -> None:
    covered = chart_for(board, (None,) * len(board.areas))
    assert covered.land == set(board.island)
    assert covered.sea == set(board.sea)
    assert covered.covered == set(board.areas)
    chart = uncovered(board, 0.5, "half")
    for edge, around in board.sides.items():
        on_frame = len(around) == 1 and around[0] not in chart.covered
        assert (edge in chart.routes) == (on_frame or any(hex in chart.sea for hex in around))
        assert (edge in chart.paths) == any(hex in chart.land for hex in around)
    assert chart.paths & chart.routes, "a coastal edge is both"


@clause("EP-19", "EP-103")
def test_the_council_is_a_sea_hex() -> None:
    board = BOARDS["fish-for-catan"]
    chart = chart_for(board, (None,) * len(board.areas))
    assert board.map.council is not None and board.map.council.hex == "3,0"
    assert "3,0" in chart.sea
    sides = [edge for edge, around in board.sides.items() if "3,0" in around]
    assert [edge for edge in sides if edge in chart.paths] == ["2,0,E"]
    assert {corner for corner in board.corners_of["3,0"] if corner in chart.land_corners} == set(board.ends["2,0,E"])
    assert BOARDS["land-ho"].docks == frozenset()


@clause("EP-20")
def test_the_frame_along_a_face_down_tile_is_no_route() -> None:
    board = BOARDS["land-ho"]
    edge = next(edge for edge, around in board.sides.items() if around == ("8,-3",))
    assert edge not in chart_for(board, (None,) * len(board.areas)).routes
    faces = tuple("fields" if hex == "8,-3" else None for hex in board.areas)
    assert edge in chart_for(board, faces).routes


@clause("EP-21")
def test_a_ship_points_at_the_hexes_of_its_ends_and_lies_along_those_of_its_sides() -> None:
    board = BOARDS["explorers-and-pirates"]
    assert set(board.sides["3,0,NE"]) == {"3,0", "4,-1"}
    assert board.pointed_at["3,0,NE"] == {"3,0", "4,-1", "3,-1", "4,0"}


@clause("EP-61")
@every_board
def test_no_path_leads_from_the_island_or_from_one_area_to_another(board: Board) -> None:
    chart = chart_for(board, tuple("fields" for _ in board.areas))
    lands = [set(board.island), set(board.north), set(board.south)]
    for edge in chart.paths:
        for one in lands:
            if one & set(board.sides[edge]):
                near = {hex for end in board.ends[edge] for hex in board.hexes_at[end]}
                assert all(not near & other for other in lands if other is not one)


@clause("EP-79")
@every_board
def test_a_step_never_discovers_more_than_one_tile(board: Board) -> None:
    for share in (0.0, 0.2, 0.4, 0.6, 0.8):
        chart = uncovered(board, share, f"{share}")
        for edge in chart.routes - chart.discoveries.keys():
            for step in chart.steps[edge]:
                assert len(chart.covered & board.pointed_at[step]) <= 1


@clause("EP-42", "EP-R3")
@every_board
def test_pirates_stand_on_the_sea_away_from_the_island(board: Board) -> None:
    places = uncovered(board, 1.0, "all").pirate_places
    near = {hex for around in board.sides.values() if set(around) & set(board.island) for hex in around}
    assert not near & set(places)
    assert "3,0" not in places
    assert {hex for hex in board.sea if hex not in near} <= set(places)
    assert len(chart_for(board, (None,) * len(board.areas)).pirate_places) > 1


@every_board
def test_voyages_are_shortest_and_end_at_discoveries(board: Board) -> None:
    chart = uncovered(board, 0.3, "some")
    start = next(edge for edge in board.ends if edge in chart.routes and edge not in chart.discoveries)
    far = voyages(chart, start, None)
    for edge, path in far.items():
        assert path[-1] == edge
        steps = zip((start, *path), path, strict=False)
        assert all(after in chart.steps[before] for before, after in steps)
        assert not any(step in chart.discoveries for step in path[:-1])
    lengths = [len(path) for path in far.values()]
    assert lengths == sorted(lengths)


@every_board
def test_voyages_within_reach_are_the_first_of_all(board: Board) -> None:
    chart = uncovered(board, 0.3, "some")
    start = next(edge for edge in board.ends if edge in chart.routes and edge not in chart.discoveries)
    far = voyages(chart, start, None)
    for reach in range(8):
        near = voyages(chart, start, None, reach)
        assert list(near.items()) == [way for way in far.items() if len(way[1]) <= reach]


def test_voyages_avoid_a_hex() -> None:
    chart = a_position(seat(), seat()).chart
    shunned = voyages(chart, "2,0,NE", "4,0")
    assert all("4,0" not in chart.board.sides[step] for path in shunned.values() for step in path)
    assert len(shunned) < len(voyages(chart, "2,0,NE", None))


def test_a_ship_heads_for_the_nearest_goal() -> None:
    chart = a_position(seat(), seat()).chart
    assert heading(chart, "2,0,NE", frozenset({"3,0,N"})) == ("3,0,NW",)
    assert heading(chart, "3,0,NW", frozenset({"3,0,N"})) == ()


def test_no_tile_is_both_land_and_sea() -> None:
    assert "gold_river" in LAND_TILES
    assert "fish1" not in LAND_TILES
