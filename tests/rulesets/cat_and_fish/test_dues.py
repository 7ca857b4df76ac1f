"""Union dues and loans: CF-71 to CF-76, CF-8 and CF-9."""

import pytest

from referee.kernel.audience import redact, redact_move
from referee.kernel.seat import REFEREE, Seat
from referee.rulesets.cat_and_fish.dues import DuesCalled, DuesChosen, DuesClosed, DuesPaid, LoanGranted, PayDues
from referee.rulesets.cat_and_fish.position import DuesAnswer, DuesCall
from referee.rulesets.cat_and_fish.seasons import EndSeason
from tests.clauses import clause
from tests.given import Given, Then
from tests.rulesets.cat_and_fish.tables import Cat, awaited, given, later, seats

MONEY = PayDues("money")


def fish(tile: str) -> PayDues:
    return PayDues("fish", tile)


def winter_ends(*cats: Cat, **rest: object) -> Then:
    return given(*cats, phase="season_end", season="winter", **rest).when(REFEREE, EndSeason())


def owing(*cats: Cat, **rest: object) -> Given:
    """These seats have a choice."""
    call = DuesCall(seats(*range(len(cats))), {})
    return given(*cats, phase="dues", season="winter", **{"pending": call, **rest})


@clause("CF-72")
def test_a_seat_that_can_pay_in_two_ways_chooses() -> None:
    cats = (Cat(money=2, store="crab"), Cat("c3", money=1, store="tuna crab"))
    table = winter_ends(*cats).says(DuesCalled((0, 1)))
    assert table.position.phase == "dues"
    assert awaited(table) == [0, 1]
    assert table.legal(0) == (MONEY, fish("crab"))
    assert table.legal(1) == (fish("tuna"), fish("crab"))


@clause("CF-8", "CF-72")
def test_a_seat_with_one_way_to_pay_pays_at_once() -> None:
    cats = (Cat(money=3, store="whale pink_bone"), Cat("c2", money=1, store="crab crab"), Cat("c4", money=0))
    table = winter_ends(*cats, first_seat=1, discards="shrimp").says(
        DuesCalled(()),
        DuesPaid(1, "fish", 0, "crab"),
        LoanGranted(2),
        DuesPaid(0, "money", 2, None),
        DuesClosed("year_end"),
    )
    assert [state.money for state in table.position.seats] == [1, 1, 0]
    assert table.position.seats[1].store == ("crab",)
    assert table.position.discards.green == ("shrimp", "crab")
    assert table.position.phase == "year_end"


@clause("CF-8", "CF-71")
def test_forced_payments_do_not_wait_for_seats_that_choose() -> None:
    cats = (Cat(money=5, store="tuna"), Cat("c3", money=5))
    table = winter_ends(*cats).says(DuesCalled((0,)), DuesPaid(1, "money", 2, None))
    assert table.position.pending == DuesCall(seats(0), {})
    assert awaited(table) == [0]


@clause("CF-73")
def test_paying_dues_with_money_needs_two_euros() -> None:
    owing(Cat(money=1, store="tuna crab"), Cat("c3", store="tuna")).when(0, MONEY).refused("CF-73")
    owing(Cat(money=2, store="tuna"), Cat("c3", store="tuna")).when(0, MONEY).tells("dues_chosen")


@clause("CF-7", "CF-74", "CF-R31", "CF-R47")
@pytest.mark.parametrize("tile", ["shark", "whale", "pink_bone", "pink_treasure"])
def test_the_union_takes_fish_from_the_store_but_no_bones_and_no_whales(tile: str) -> None:
    cat = Cat(cards="cold_storage", store="tuna whale pink_bone")
    owing(cat, Cat("c3", store="tuna")).when(0, fish(tile)).refused("CF-74")


@clause("CF-75", "CF-R30", "CF-R32")
def test_a_seat_that_cannot_pay_gets_a_loan_and_a_penalty_token() -> None:
    then = winter_ends(Cat(money=1, store="whale green_bone", penalties=1), Cat("c3"))
    then.says(DuesCalled(()), LoanGranted(0), DuesPaid(1, "money", 2, None), DuesClosed("year_end"))
    assert then.position.seats[0].money == 1
    assert then.position.seats[0].penalties == 2
    assert then.position.seats[0].store == ("whale", "green_bone")


@clause("CF-75", "CF-R33", "CF-R34")
def test_tokens_do_not_run_out() -> None:
    after = winter_ends(Cat(money=0, penalties=3), Cat("c3", money=0, penalties=3)).position
    assert [state.penalties for state in after.seats] == [4, 4]


@clause("CF-76")
@pytest.mark.parametrize(("year", "phase"), [(1, "year_end"), (2, "year_end"), (3, "summoning"), (4, "summoning")])
def test_in_years_3_and_4_the_summoner_is_awarded_before_the_new_year(year: int, phase: str) -> None:
    late = later(year=year) if year == 4 else {"year": year}
    cats = (Cat(cards="summoner" if year == 4 else ""), Cat("c4"))
    then = winter_ends(*cats, **late)
    assert then.event(DuesClosed) == DuesClosed(phase)
    assert then.position.phase == phase


@clause("CF-9")
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_answers_come_in_any_order_and_are_carried_out_once_from_the_first_seat_on(order: tuple[int, ...]) -> None:
    cats = (Cat(store="crab"), Cat("c2", store="shrimp"), Cat("c4", store="squid"))
    answers = {0: fish("crab"), 1: fish("shrimp"), 2: MONEY}
    table = winter_ends(*cats, first_seat=1).says(DuesCalled((1, 2, 0)))
    for seat in order[:-1]:
        table = table.when(seat, answers[seat]).tells("dues_chosen")
        assert [state.money for state in table.position.seats] == [5, 5, 5]
    then = table.when(order[-1], answers[order[-1]])
    assert then.events[1:] == (
        DuesPaid(1, "fish", 0, "shrimp"),
        DuesPaid(2, "money", 2, None),
        DuesPaid(0, "fish", 0, "crab"),
        DuesClosed("year_end"),
    )
    assert then.position.discards.green == ("shrimp", "crab")
    assert [state.money for state in then.position.seats] == [5, 5, 3]
    assert then.position.pending is None


@clause("CF-9")
def test_an_answer_cannot_be_changed() -> None:
    table = owing(Cat(store="tuna"), Cat("c3", store="tuna")).when(0, MONEY).says(DuesChosen(0, "money", None))
    assert table.position.pending.answers == {"0": DuesAnswer("money", None)}
    table.when(0, fish("tuna")).refused("CF-3")


@clause("CF-9")
def test_an_answer_stays_hidden_until_all_have_answered() -> None:
    event = DuesChosen(0, "fish", "tuna")
    assert redact(event, Seat(0)) == event
    for reader in (None, Seat(1)):
        assert redact(event, reader) == DuesChosen(0)
        assert redact_move(fish("tuna"), Seat(0), reader) is None


@clause("CF-1")
def test_a_tile_is_named_exactly_with_fish() -> None:
    table = owing(Cat(store="tuna"), Cat("c3", store="tuna"))
    table.when(0, {"type": "pay_dues", "with": "money", "tile": "tuna"}).refused("CF-1")
    table.when(0, {"type": "pay_dues", "with": "fish"}).refused("CF-1")
    table.when(0, {"type": "pay_dues", "with": "fish", "tile": None}).refused("CF-1")
    table.when(0, {"type": "pay_dues", "with": "cards"}).refused("CF-1")
