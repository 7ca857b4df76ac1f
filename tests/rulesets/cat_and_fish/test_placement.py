"""Placement: CF-10 to CF-18, CF-88."""

import pytest

from referee.kernel.message import tag
from referee.kernel.seat import REFEREE
from referee.rulesets.cat_and_fish.names import SPACES
from referee.rulesets.cat_and_fish.placement import (
    FirstPlayerClaimed,
    MarkerPlaced,
    PlaceMarker,
    PlacementClosed,
    PlacingStopped,
    StopPlacing,
)
from referee.rulesets.cat_and_fish.seasons import EndSeason
from referee.rulesets.cat_and_fish.turns import RoundCompleted
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.cat_and_fish.tables import Cat, awaited, given, later


def placing(*cats: Cat, **rest: object) -> Given:
    return given(*cats, phase="placement", **rest)


def place(table: Given, *markers: tuple[int, str]) -> Given:
    """Seats place these markers one after the other."""
    for seat, space in markers:
        table = Given(table.ruleset, table.when(seat, PlaceMarker(space)).position)
    return table


@clause("CF-10", "CF-11")
def test_every_seat_places_two_markers_in_turn() -> None:
    table = placing(Cat("c0"), Cat("c2"), Cat("c4"), first_seat=1)
    order = []
    for space in ("fishing", "fishing", "selling", "selling", "buying", "buying"):
        (seat,) = awaited(table)
        order.append(seat)
        table = place(table, (seat, space))
    assert order == [1, 2, 0, 1, 2, 0]
    assert table.position.phase == "execution"


@clause("CF-10")
def test_with_membership_a_seat_places_three() -> None:
    table = placing(Cat("c0"), Cat("c3", cards="membership"))
    table = place(table, (0, "fishing"), (1, "fishing"), (0, "fishing"), (1, "fishing"))
    assert awaited(table) == [1]
    table = place(table, (1, "selling"))
    assert [len(state.placed) for state in table.position.seats] == [2, 3]
    assert table.position.phase == "execution"


@clause("CF-11")
def test_the_seat_with_the_fewest_markers_places_next_and_ties_go_to_the_earlier() -> None:
    assert awaited(placing(Cat(placed="fishing"), Cat("c2"), Cat("c4"), first_seat=2)) == [2]
    assert awaited(placing(Cat(placed="fishing"), Cat("c2"), Cat("c4", placed="oil"), first_seat=2)) == [1]
    assert awaited(placing(Cat(placed="fishing"), Cat("c2", placed="oil"), Cat("c4", placed="oil"), first_seat=1)) == [
        1
    ]


@clause("CF-88", "CF-R19")
def test_a_seat_may_stop_placing_with_any_number_of_markers() -> None:
    table = placing(Cat(cards="membership"), Cat("c3"))
    table = table.when(0, StopPlacing()).says(PlacingStopped(0))
    assert awaited(table) == [1]
    table = place(table, (1, "fishing"))
    assert awaited(table) == [1]
    table = table.when(1, StopPlacing()).says(PlacingStopped(1), PlacementClosed())
    assert [state.placed for state in table.position.seats] == [(), ("fishing",)]
    assert (table.position.stopped, awaited(table)) == ((), [1])


@clause("CF-11", "CF-88")
def test_only_the_seat_that_places_next_can_stop() -> None:
    placing().when(1, StopPlacing()).refused("CF-3")
    given(Cat(placed="fishing"), Cat("c3")).when(0, StopPlacing()).refused("CF-2")
    placing(Cat(placed="fishing"), Cat("c3"), stopped=(1,)).when(1, StopPlacing()).refused("CF-3")


@clause("CF-88")
def test_a_round_without_a_marker_is_complete_at_once() -> None:
    table = placing(stopped=(0,))
    table = table.when(1, StopPlacing()).says(PlacingStopped(1), PlacementClosed(), RoundCompleted(1, "spring"))
    assert table.position.phase == "season_end"


@clause("CF-88")
def test_a_seat_that_stopped_places_markers_again_in_the_next_round() -> None:
    table = placing(stopped=(0,)).when(1, StopPlacing()).tells("placing_stopped", "placement_closed", "round_completed")
    table = table.when(REFEREE, EndSeason()).tells("season_changed")
    assert awaited(table) == [1]
    table = place(table, (1, "fishing"), (0, "fishing"), (1, "fishing"))
    assert awaited(table) == [0]


def test_a_seat_may_put_a_marker_on_a_space_or_stop_but_not_end_its_turn() -> None:
    table = placing()
    table.when(0, {"type": "end_turn"}).refused("CF-2")
    assert {tag(move) for move in table.legal(0)} == {"place_marker", "stop_placing"}


@clause("CF-12", "CF-R3")
@pytest.mark.parametrize(
    ("space", "few", "many"),
    [("fishing", 4, 4), ("sailing", 2, 3), ("selling", 2, 3), ("buying", 2, 3), ("typhoon", 1, 1), ("oil", 1, 1)],
)
def test_a_space_takes_no_more_markers_than_its_capacity(space: str, few: int, many: int) -> None:
    for capacity, spots in ((few, ("c0", "c2", "c4")), (many, ("c1", "c2", "c4", "c5"))):

        def with_taken(count: int, spots: tuple[str, ...] = spots) -> Given:
            first, second = " ".join([space] * min(count, 2)), " ".join([space] * max(count - 2, 0))
            others = [Cat(spot) for spot in spots[2:]]
            return placing(Cat(spots[0], placed=first), Cat(spots[1], placed=second), *others, first_seat=2)

        with_taken(capacity).when(2, PlaceMarker(space)).refused("CF-12")
        with_taken(capacity - 1).when(2, PlaceMarker(space)).tells("marker_placed")


@clause("CF-13")
def test_several_markers_of_a_seat_may_share_a_space() -> None:
    table = place(placing(), (0, "fishing"), (1, "fishing"), (0, "fishing"), (1, "fishing"))
    assert [state.placed for state in table.position.seats] == [("fishing", "fishing")] * 2


@clause("CF-14", "CF-R51")
def test_a_deck_that_is_empty_cannot_be_chosen() -> None:
    table = placing(treasure_deck=(), magic_deck="")
    table.when(0, PlaceMarker("treasure_island")).refused("CF-14")
    table.when(0, PlaceMarker("magic_library")).refused("CF-14")
    table = placing(treasure_deck=(5,), magic_deck="blank")
    table.when(0, PlaceMarker("treasure_island")).tells("marker_placed")
    table.when(0, PlaceMarker("magic_library")).tells("marker_placed")


@clause("CF-15")
@pytest.mark.parametrize("season", ["spring", "summer", "autumn"])
def test_the_thief_can_be_chosen_in_winter_only(season: str) -> None:
    placing(season=season).when(0, PlaceMarker("thief")).refused("CF-15")
    placing(season="winter").when(0, PlaceMarker("thief")).tells("marker_placed", "first_player_claimed")


@clause("CF-16", "CF-R41", "CF-R49")
def test_a_seat_that_chooses_the_thief_places_no_more_and_claims_the_first_player_tile() -> None:
    table = placing(Cat(cards="membership", placed="fishing"), Cat("c3", placed="fishing"), season="winter")
    table = table.when(0, PlaceMarker("thief")).says(MarkerPlaced(0, "thief"), FirstPlayerClaimed(0))
    assert table.position.thief == 0
    assert table.position.first_seat == 0
    assert awaited(table) == [1]
    table = place(table, (1, "selling"))
    assert table.position.phase == "execution"
    assert table.position.seats[0].placed == ("fishing", "thief")


@clause("CF-12", "CF-R49")
def test_only_one_seat_can_choose_the_thief() -> None:
    table = placing(Cat(placed="thief"), Cat("c3"), season="winter", thief=0)
    table.when(1, PlaceMarker("thief")).refused("CF-12")


@clause("CF-16", "CF-R42")
def test_the_thief_of_the_last_winter_claims_no_spring() -> None:
    table = placing(Cat(cards="summoner membership"), Cat("c3"), **later(year=5, season="winter"))
    table = table.when(0, PlaceMarker("thief")).says(MarkerPlaced(0, "thief"))
    assert table.position.thief is None
    table = place(table, (1, "fishing"))
    assert awaited(table) == [1]


@clause("CF-17")
def test_only_the_owner_of_the_summoner_chooses_it() -> None:
    owner = placing(Cat(cards="summoner"), Cat("c3"), **later())
    owner.when(0, PlaceMarker("summoner")).tells("marker_placed")
    other = placing(Cat(), Cat("c3", cards="summoner"), **later())
    other.when(0, PlaceMarker("summoner")).refused("CF-17")


@clause("CF-12")
def test_the_summoner_takes_one_marker() -> None:
    table = placing(Cat(cards="summoner", placed="summoner"), Cat("c3", placed="oil"), **later())
    table.when(0, PlaceMarker("summoner")).refused("CF-12")


@clause("CF-18")
def test_the_execution_begins_when_every_seat_is_finished() -> None:
    table = placing(Cat(placed="fishing fishing"), Cat("c3", placed="selling"))
    table = table.when(1, PlaceMarker("buying")).says(MarkerPlaced(1, "buying"), PlacementClosed())
    assert table.position.phase == "execution"
    assert awaited(table) == [0]


@clause("CF-16", "CF-18")
def test_the_thief_may_close_the_placement() -> None:
    table = placing(Cat(placed="fishing fishing"), Cat("c3"), season="winter")
    table.when(1, PlaceMarker("thief")).says(MarkerPlaced(1, "thief"), FirstPlayerClaimed(1), PlacementClosed())


def test_the_space_is_checked_in_the_order_of_the_rules() -> None:
    """Season, then owner, then deck, then room."""
    table = placing(Cat(placed="thief"), Cat("c3"), season="spring")
    table.when(1, PlaceMarker("thief")).refused("CF-15")
    table = placing(Cat(placed="magic_library"), Cat("c3"), magic_deck="")
    table.when(1, PlaceMarker("magic_library")).refused("CF-14")


def test_every_space_that_is_open_is_listed() -> None:
    table = placing(Cat(cards="summoner"), Cat("c3"), magic_deck="wind", **later(season="winter"))
    assert table.legal(0) == (*map(PlaceMarker, SPACES), StopPlacing())
    assert table.legal(1) == ()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_marker_always_finds_a_place(players: int) -> None:
    """Without decks, thief and Summoner, everybody with the most markers."""
    spots = ("c0", "c2", "c4", "c5")
    cats = [Cat(spots[seat], cards="membership") for seat in range(players)]
    table = placing(*cats, treasure_deck=(), magic_deck="")
    while table.position.phase == "placement":
        (seat,) = awaited(table)
        table = place(table, (seat, table.legal(seat)[-2].space))
    assert [len(state.placed) for state in table.position.seats] == [3] * players
