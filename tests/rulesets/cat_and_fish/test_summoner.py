"""The Summoner goes to the poorest: CF-76 to CF-79."""

import pytest

from referee.kernel.seat import REFEREE
from referee.rulesets.cat_and_fish.position import Card
from referee.rulesets.cat_and_fish.summoner import AwardSummoner, SummonerAwarded
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.cat_and_fish.tables import Cat, awaited, given, later

SUMMONER = Card("summoner", 0)


def summoning(*cats: Cat, **rest: object) -> Given:
    return given(*cats, phase="summoning", season="winter", **{"year": 3, **rest})


@clause("CF-77", "CF-79")
def test_the_seat_with_the_lowest_money_and_card_prices_gets_the_summoner() -> None:
    cats = (Cat(money=9), Cat("c2", money=1, cards="merchant"), Cat("c4", money=8))
    table = summoning(*cats).when(REFEREE, AwardSummoner()).says(SummonerAwarded(1, (9, 7, 8)))
    assert SUMMONER in table.position.seats[1].cards
    assert table.position.phase == "monster"
    assert awaited(table) == [1]


@clause("CF-77")
def test_fish_magic_cards_and_tokens_do_not_count() -> None:
    rich_in_fish = Cat(money=4, store="whale whale", magic="warp", penalties=0)
    in_debt = Cat("c3", money=5, penalties=3)
    summoning(rich_in_fish, in_debt).when(REFEREE, AwardSummoner()).says(SummonerAwarded(0, (4, 5)))


@clause("CF-77", "CF-R37")
def test_the_card_passes_from_its_former_owner_to_the_poorest() -> None:
    cats = (Cat(money=9, cards="summoner wizard"), Cat("c3", money=1))
    after = summoning(*cats, **later()).when(REFEREE, AwardSummoner()).says(SummonerAwarded(1, (12, 1))).position
    assert SUMMONER not in after.seats[0].cards
    assert after.seats[1].cards[-1] == SUMMONER
    assert after.monster == "0,3"


@clause("CF-77", "CF-79")
def test_a_seat_that_is_still_the_poorest_keeps_it_and_places_the_monster_again() -> None:
    cats = (Cat(money=1, cards="summoner"), Cat("c3", money=5))
    table = summoning(*cats, **later()).when(REFEREE, AwardSummoner()).says(SummonerAwarded(0, (1, 5)))
    assert table.position.seats[0].cards == (Card("fishing_rod", 0), SUMMONER)
    assert awaited(table) == [0]


@clause("CF-78", "CF-R36")
@pytest.mark.parametrize(
    ("first_seat", "awarded"), [(0, 3), (1, 0), (2, 1), (3, 1)], ids=["last", "wraps", "before_first", "next_to_last"]
)
def test_ties_go_to_less_money_then_to_the_later_in_turn_order(first_seat: int, awarded: int) -> None:
    """All have 5; seats 0, 1 and 3 have no money but cards, seat 2 has money."""
    cats = (
        Cat("c1", money=1, cards="cold_storage"),
        Cat("c2", money=1, cards="cold_storage"),
        Cat("c4", money=5),
        Cat("c5", money=1, cards="black_market"),
    )
    table = summoning(*cats, first_seat=first_seat)
    table.when(REFEREE, AwardSummoner()).says(SummonerAwarded(awarded, (5, 5, 5, 5)))


@clause("CF-78")
def test_less_money_breaks_a_tie_whatever_the_turn_order_is() -> None:
    cats = (Cat(money=3, cards="fishing_boat"), Cat("c3", money=5))
    for first_seat in (0, 1):
        summoning(*cats, first_seat=first_seat).when(REFEREE, AwardSummoner()).says(SummonerAwarded(0, (5, 5)))
