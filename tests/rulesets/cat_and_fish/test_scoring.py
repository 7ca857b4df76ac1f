"""The end: CF-85 to CF-87."""

from referee.kernel.ranking import Place
from referee.kernel.seat import REFEREE
from referee.rulesets.cat_and_fish.scoring import GameFinished, ScoreGame
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.cat_and_fish.tables import Cat, given, later


def last_winter(*cats: Cat) -> Given:
    return given(*cats, phase="season_end", **later(year=5, season="winter"))


@clause("CF-85")
def test_the_game_ends_after_the_fifth_winter_without_dues_refill_and_summoner() -> None:
    table = last_winter(Cat(money=7, cards="summoner"), Cat("c2", money=9))
    after = table.when(REFEREE, ScoreGame()).says(GameFinished((7, 9), (2, 1))).position
    assert after.phase == "finished"
    assert after.board == table.position.board
    assert after.seats == table.position.seats


@clause("CF-2", "CF-85")
def test_no_other_season_is_scored() -> None:
    spring = given(Cat(cards="summoner"), Cat("c2"), phase="season_end", **later(year=5, season="autumn"))
    spring.when(REFEREE, ScoreGame()).refused("CF-2")
    winter = given(Cat(cards="summoner"), Cat("c2"), phase="season_end", **later(year=4, season="winter"))
    winter.when(REFEREE, ScoreGame()).refused("CF-2")


@clause("CF-86", "CF-R31")
def test_the_score_is_money_and_fish_less_three_per_token() -> None:
    cats = (
        Cat(money=30, store="whale pink_bone", penalties=1),
        Cat("c1", money=1, cards="summoner cold_storage", store="crab tuna whale squid", magic="warp"),
        Cat("c4", money=0, penalties=2),
    )
    last_winter(*cats).when(REFEREE, ScoreGame()).says(GameFinished((28, 5, -6), (1, 2, 3)))


@clause("CF-87", "CF-R43")
def test_equal_scores_share_the_rank_whatever_they_are_made_of() -> None:
    cats = (
        Cat("c0", money=8, cards="summoner", store="crab crab"),
        Cat("c1", money=13, penalties=1),
        Cat("c4", money=9, store="tuna"),
        Cat("c4", money=11),
    )
    table = last_winter(*cats)
    then = table.when(REFEREE, ScoreGame())
    then.says(GameFinished((10, 10, 10, 11), (2, 2, 2, 1)))


@clause("CF-87")
def test_the_ranking_names_every_seat_the_best_first_and_the_clause_that_decides() -> None:
    table = last_winter(Cat(money=9, cards="summoner"), Cat("c1", money=12, penalties=1), Cat("c4", money=20))
    assert table.ruleset.ranking(table.position) == (
        Place(seat=2, rank=1, score=20, clause="CF-86"),
        Place(seat=0, rank=2, score=9, clause="CF-87"),
        Place(seat=1, rank=2, score=9, clause="CF-87"),
    )
