"""Turns in the execution: CF-19 to CF-22."""

from referee.rulesets.cat_and_fish.trading import Sell
from referee.rulesets.cat_and_fish.turns import EndTurn, RoundCompleted, TurnEnded
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.cat_and_fish.tables import Cat, awaited, given


@clause("CF-5", "CF-19")
def test_seats_act_one_after_the_other_from_the_first_seat_on() -> None:
    cats = (Cat("c0", placed="oil"), Cat("c2", placed="oil"), Cat("c4", placed="oil"))
    table = given(*cats, first_seat=1)
    order = []
    while table.position.phase == "execution":
        (seat,) = awaited(table)
        order.append(seat)
        table = Given(table.ruleset, table.when(seat, EndTurn()).position)
    assert order == [1, 2, 0]


@clause("CF-19")
def test_a_seat_carries_out_its_actions_in_any_order() -> None:
    table = given(Cat(placed="buying selling", money=1, store="crab shrimp"), Cat("c3", placed="oil"))
    table = table.when(0, Sell(("crab", "shrimp"))).tells("tiles_sold")
    assert table.position.seats[0].placed == ("buying",)
    assert awaited(table) == [0]


@clause("CF-19")
def test_a_turn_ends_by_itself_with_the_last_marker_and_the_round_with_the_last_seat() -> None:
    table = given(Cat(placed="selling", store="crab"), Cat("c3", placed="selling", store="crab"), season="autumn")
    table = table.when(0, Sell(("crab",))).tells("tiles_sold")
    assert awaited(table) == [1]
    table = table.when(1, Sell(("crab",))).tells("tiles_sold", "round_completed")
    assert table.position.phase == "season_end"
    assert awaited(table) == []


@clause("CF-20")
def test_an_action_needs_a_marker_on_its_own_space() -> None:
    table = given(Cat(placed="fishing", store="crab"), Cat("c3"))
    table.when(0, Sell(("crab",))).refused("CF-20")


@clause("CF-21", "CF-R19")
def test_actions_are_optional() -> None:
    table = given(Cat(placed="fishing oil"), Cat("c3", placed="buying"))
    table = table.when(0, EndTurn()).says(TurnEnded(0, ("fishing", "oil")))
    assert table.position.seats[0].placed == ()
    table = table.when(1, EndTurn()).says(TurnEnded(1, ("buying",)), RoundCompleted(1, "spring"))
    assert table.position.phase == "season_end"


@clause("CF-21")
def test_ending_the_turn_is_always_listed() -> None:
    table = given(Cat(placed="selling"), Cat("c3"))
    assert table.legal(0) == (EndTurn(),)


@clause("CF-22")
def test_no_other_seat_acts_during_a_turn() -> None:
    table = given(Cat(placed="oil"), Cat("c3", placed="selling", store="crab"))
    table.when(1, Sell(("crab",))).refused("CF-3")
    table.when(1, EndTurn()).refused("CF-3")
    assert table.legal(1) == ()
