"""Setting up the table: EP-1 to EP-9."""

from collections import Counter
from typing import Any

import pytest

from referee.kernel.chance import Seeded
from referee.kernel.judge import set_up
from referee.kernel.rejection import InvalidChance, Rejection
from referee.kernel.seat import REFEREE
from referee.rulesets.explorers_and_pirates import EXPLORERS_AND_PIRATES
from referee.rulesets.explorers_and_pirates.edition import EDITION
from referee.rulesets.explorers_and_pirates.position import Options
from referee.rulesets.explorers_and_pirates.scenarios import SCENARIOS
from referee.rulesets.explorers_and_pirates.setup import GameSetUp, SetUp
from tests.clauses import clause
from tests.rulesets.explorers_and_pirates.tables import blank, fresh

GREEN = ["mountains", "sea", "pasture", "forest", "mountains", "hills", "sea", "fields"]


@clause("EP-1")
@pytest.mark.parametrize(
    ("options", "seats"),
    [
        ({"scenario": "the-great-caravan"}, 3),
        ({}, 1),
        ({}, 5),
        ({"first_seat": 3}, 3),
        ({"first_seat": -1}, 3),
        ({"random_island": True}, 3),
        ({"scenario": "fish-for-catan", "random_island": True}, 3),
        ({"scenario": "pirate-lairs", "starts": ("blue", "red", "white")}, 3),
        ({"starts": ("blue", "red")}, 3),
        ({"starts": ("blue", "red", "red")}, 3),
        ({"starts": ("blue", "red", "green")}, 3),
    ],
)
def test_invalid_options_are_refused(options: dict[str, Any], seats: int) -> None:
    with pytest.raises(Rejection) as refused:
        EXPLORERS_AND_PIRATES.blank(Options(**options), seats)
    assert refused.value.clause == "EP-1"


@clause("EP-1")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_map_of_the_scenario_is_used(scenario: str) -> None:
    position = fresh(scenario).position
    assert position.board.scenario == scenario
    assert position.areas.keys() == set(position.board.areas)


@clause("EP-2", "EP-R1")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_island_has_fourteen_loose_tiles_and_the_printed_pasture(scenario: str) -> None:
    first, second = (set_up(EXPLORERS_AND_PIRATES, Options(scenario=scenario), 3, Seeded(seed)) for seed in (1, 2))
    is_fixed = scenario in ("land-ho", "pirate-lairs")
    assert (first.island == second.island) == is_fixed
    assert first.island["0,0"] == second.island["0,0"] == "pasture"
    loose = Counter(terrain for hex, terrain in first.island.items() if hex != "0,0")
    assert loose == {"mountains": 3, "forest": 4, "pasture": 3, "fields": 2, "hills": 2}


@clause("EP-2")
def test_random_island_shuffles_the_island_of_pirate_lairs() -> None:
    fixed = fresh("pirate-lairs").position.island
    table = blank("pirate-lairs", random_island=True)
    tiles = ["hills", "hills", *["fields"] * 2, *["pasture"] * 3, *["forest"] * 4, *["mountains"] * 3]
    shuffled = table.when(REFEREE, SetUp(), ("island_tiles", tiles)).position.island
    assert (shuffled["3,-3"], shuffled["4,-3"], shuffled["1,3"]) == ("hills", "hills", "mountains")
    assert shuffled != fixed
    assert fixed["2,-1"] == "mountains"


@clause("EP-3", "EP-4", "EP-R4")
def test_tiles_lie_face_down_in_hex_order_and_tokens_in_stacks() -> None:
    table = blank("land-ho")
    position = table.when(REFEREE, SetUp(), ("north_tiles", GREEN), ("north_numbers", [9, 4, 10, 3, 6, 5])).position
    north = [hex for hex in position.areas if hex in position.board.north]
    assert [position.areas[hex].tile for hex in north] == GREEN
    assert north[:2] == ["7,-3", "8,-3"]
    assert not any(tile.up for tile in position.areas.values())
    assert position.stacks.north == (9, 4, 10, 3, 6, 5)
    assert sorted(position.stacks.south) == [4, 5, 8, 9, 10, 11]
    assert position.stacks.lairs == ()
    assert sorted(fresh("pirate-lairs").position.stacks.lairs) == [2, 3, 5, 6, 8, 11]


@clause("EP-3", "EP-R2")
def test_two_of_the_northern_shoals_are_drawn_unseen() -> None:
    drawn = set()
    for seed in range(30):
        position = set_up(EXPLORERS_AND_PIRATES, Options(scenario="fish-for-catan"), 2, Seeded(seed))
        shoals = {hex: tile.tile for hex, tile in position.areas.items() if tile.tile.startswith("fish")}
        north = {tile for hex, tile in shoals.items() if hex in position.board.north}
        drawn.add(frozenset(north))
        assert set(shoals.values()) - north == {"fish4", "fish5", "fish6"}
    assert drawn == {frozenset(pair) for pair in (("fish1", "fish2"), ("fish1", "fish3"), ("fish2", "fish3"))}


@clause("EP-3")
@pytest.mark.parametrize(
    "tiles", [GREEN[:-1], [*GREEN[:-1], "sea"], [*GREEN, "sea"], "mountains", [*GREEN[:-1], ["fields"]]]
)
def test_forced_tiles_that_are_not_in_the_box_are_invalid(tiles: Any) -> None:
    with pytest.raises(InvalidChance):
        blank("land-ho").when(REFEREE, SetUp(), ("north_tiles", tiles))


@clause("EP-3")
def test_the_same_shoal_is_not_drawn_twice() -> None:
    lands = ["hills", "forest", "pasture", "fields", "mountains", "mountains", *["gold_river"] * 3]
    table = blank("fish-for-catan")
    table.when(REFEREE, SetUp(), ("island_tiles", _loose()), ("north_tiles", [*lands, "fish1", "fish3"])).event(
        GameSetUp
    )
    with pytest.raises(InvalidChance):
        table.when(REFEREE, SetUp(), ("island_tiles", _loose()), ("north_tiles", [*lands, "fish1", "fish1"]))


def _loose() -> list[str]:
    return [terrain for terrain, count in EDITION.island_tiles.items() for _ in range(count)]


@clause("EP-5", "EP-R33")
def test_every_seat_has_two_gold_and_a_marker_on_the_start() -> None:
    position = fresh(seats=4, first_seat=2).position
    assert [state.gold for state in position.seats] == [2, 2, 2, 2]
    assert position.bank.gold == 140
    assert position.bank.ore == 19
    assert position.missions["lairs"] == ((2, 3, 0, 1), *((),) * 7)
    assert set(position.missions) == {"lairs", "fish", "spices"}
    assert [place.score for place in EXPLORERS_AND_PIRATES.ranking(position)] == [0, 0, 0, 0]


@clause("EP-6", "EP-R38")
def test_the_first_seat_is_chosen_or_drawn() -> None:
    assert fresh(seats=3, first_seat=2).position.first_seat == 2
    table = blank("land-ho", first_seat=None)
    assert table.when(REFEREE, SetUp(), ("draw_first_seat", 1)).position.first_seat == 1
    with pytest.raises(InvalidChance):
        table.when(REFEREE, SetUp(), ("draw_first_seat", 3))


@clause("EP-7")
def test_each_colour_has_its_fixed_start() -> None:
    position = fresh("land-ho", seats=4).position
    blue = position.seats[0]
    assert blue.harbors == {"1,3,N": ()}
    assert (blue.ships["0-1"].edge, blue.ships["0-1"].cargo) == ("1,3,NE", ("settler",))
    assert (blue.settlements, blue.roads) == (("3,-3,S",), ("3,-2,NW",))


@clause("EP-7")
def test_the_colours_may_be_chosen() -> None:
    position = fresh("land-ho", seats=2, starts=("orange", "white")).position
    assert [state.settlements for state in position.seats] == [("0,0,N",), ("0,1,N",)]


@clause("EP-8", "EP-R28", "EP-R29")
def test_only_two_seats_have_neutral_pieces() -> None:
    neutral = fresh("land-ho", seats=2).position.neutral
    assert neutral.harbors == ("2,0,S", "2,0,N")
    assert neutral.settlements == ("0,1,N", "0,0,N")
    assert neutral.roads == ("0,1,NE", "0,0,NE")
    for seats in (3, 4):
        assert fresh("land-ho", seats=seats).position.neutral.harbors == ()
    assert "0,0,N" not in [corner for state in fresh("land-ho").position.seats for corner in state.settlements]


@clause("EP-9")
def test_each_seat_takes_the_cards_of_its_settlement() -> None:
    table = blank("land-ho", seats=4, first_seat=3)
    then = table.when(REFEREE, SetUp())
    taken = [(event.seat, event.resources) for event in then.events if type(event).__name__ == "ResourcesGained"]
    assert taken == [
        (3, {"brick": 1, "wool": 1}),
        (0, {"wool": 1, "grain": 1, "ore": 1}),
        (1, {"brick": 1, "lumber": 1, "ore": 1}),
        (2, {"wool": 1, "grain": 1, "ore": 1}),
    ]
    assert (then.position.phase, then.position.active_seat, then.position.this_turn.number) == ("roll", 3, 1)


def test_the_set_up_yields_its_events_in_order() -> None:
    blank("land-ho", seats=2).when(REFEREE, SetUp()).tells(
        "game_set_up",
        *("harbor_placed", "settler_ship_placed", "settlement_placed", "road_placed") * 2,
        *("harbor_placed", "settlement_placed", "road_placed") * 2,
        *("resources_gained",) * 2,
        "turn_started",
    )
    blank("pirate-lairs").when(REFEREE, SetUp()).tells("game_set_up", "phase_started")
