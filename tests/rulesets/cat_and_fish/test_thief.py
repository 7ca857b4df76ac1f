"""Thief: CF-66 to CF-68."""

import pytest

from referee.rulesets.cat_and_fish.thief import FishStolen, Steal
from referee.rulesets.cat_and_fish.turns import EndTurn
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.cat_and_fish.tables import Cat, given


def stealing(*cats: Cat, **rest: object) -> Given:
    return given(*cats, **{"season": "winter", "thief": 0, **rest})


@clause("CF-66")
def test_the_thief_takes_a_fish_of_its_choice_from_another_store() -> None:
    table = stealing(Cat(store="crab", placed="thief oil"), Cat("c2"), Cat("c4", store="tuna shark", placed="oil"))
    table = table.when(0, Steal(2, "shark")).says(FishStolen(0, 2, "shark"))
    assert table.position.seats[0].store == ("crab", "shark")
    assert table.position.seats[2].store == ("tuna",)
    assert table.position.seats[0].placed == ("oil",)


@clause("CF-21", "CF-66")
def test_stealing_is_optional() -> None:
    table = stealing(Cat(placed="thief"), Cat("c3", store="tuna"))
    assert table.when(0, EndTurn()).tells("turn_ended", "round_completed").position.thief == 0


@clause("CF-67")
def test_the_thief_needs_a_free_place() -> None:
    stealing(Cat(store="crab green_bone", placed="thief"), Cat("c3", store="tuna")).when(0, Steal(1, "tuna")).refused(
        "CF-67"
    )
    roomy = Cat(cards="cold_storage", store="crab green_bone", placed="thief")
    stealing(roomy, Cat("c3", store="tuna")).when(0, Steal(1, "tuna")).tells("fish_stolen", "round_completed")


@clause("CF-68", "CF-R31")
@pytest.mark.parametrize(
    ("seat", "tile"), [(0, "crab"), (1, "shark"), (1, "pink_bone"), (2, "tuna"), (1, "pink_treasure")]
)
def test_only_a_fish_that_another_seat_holds_can_be_stolen(seat: int, tile: str) -> None:
    table = stealing(Cat(store="crab", placed="thief"), Cat("c2", store="tuna pink_bone"), Cat("c4"))
    table.when(0, Steal(seat, tile)).refused("CF-68")


@clause("CF-68", "CF-R47")
def test_a_whale_can_be_stolen() -> None:
    table = stealing(Cat(placed="thief oil"), Cat("c3", store="whale pink_bone"))
    table.when(0, Steal(1, "whale")).tells("fish_stolen")
    assert table.legal(0)[0:1] != (Steal(1, "pink_bone"),)
    assert [move for move in table.legal(0) if isinstance(move, Steal)] == [Steal(1, "whale")]


@clause("CF-20")
def test_stealing_needs_the_marker() -> None:
    stealing(Cat(placed="fishing"), Cat("c3", store="tuna"), thief=None).when(0, Steal(1, "tuna")).refused("CF-20")


def test_stealing_is_checked_in_the_order_of_the_rules() -> None:
    """Marker, place, then the seat and its fish."""
    stealing(Cat(store="crab crab", placed="oil"), Cat("c3")).when(0, Steal(0, "tuna")).refused("CF-20")
    stealing(Cat(store="crab crab", placed="thief"), Cat("c3")).when(0, Steal(0, "tuna")).refused("CF-67")
