"""The short form of `make arena`: few games, wide bounds. The long one tells how strong the bots are."""

import pytest

from referee.offline.arena import play
from referee.offline.match import Match, Score
from referee.rulesets import LATEST
from tests.conformance.play import Moment, moments_of
from tests.subjects import every_edition

ITERATIONS = 40

EVERY_TITLE = pytest.mark.parametrize("slug", list(LATEST))
QUICK_TITLES = pytest.mark.parametrize(("slug", "least"), [("hund-und-katz", 0.5), ("catham-city", 0.3)])


def score(slug: str, strong: str, weak: str, rounds: int) -> Score:
    seats = LATEST[slug].seats[0]
    return play(Match(slug, {}, seats, strong, weak, ITERATIONS, seed="short"), rounds * seats, jobs=1)


@EVERY_TITLE
def test_greedy_beats_random(slug: str) -> None:
    assert score(slug, "greedy", "random", rounds=2).share >= 1.25 / LATEST[slug].seats[0]


@QUICK_TITLES
def test_search_holds_its_own_against_greedy(slug: str, least: float) -> None:
    assert score(slug, "search", "greedy", rounds=3).share >= least


@every_edition
def test_the_outlook_is_a_number_for_each_seat(subject, rng) -> None:
    ruleset = subject.ruleset
    if ruleset.outlook is None:
        pytest.skip("the title leaves it to the scores")
    for moment in (*moments_of(subject, rng, 16), *ends(subject, rng)):
        told = ruleset.outlook(moment.position)
        assert [type(each) for each in told] == [int] * moment.game.seats


@every_edition
def test_who_has_won_has_the_best_outlook(subject, rng) -> None:
    ruleset = subject.ruleset
    if ruleset.outlook is None:
        pytest.skip("the title leaves it to the scores")
    for moment in ends(subject, rng):
        told = ruleset.outlook(moment.game.end)
        first = [place.seat for place in ruleset.ranking(moment.game.end) if place.rank == 1]
        assert all(told[seat] == max(told) for seat in first), f"{told} at the end of {moment.game}"


def ends(subject, rng) -> list[Moment]:
    """The last moments of the games."""
    games = {str(moment.game): moment.game for moment in moments_of(subject, rng, 64)}
    return [Moment(game, game.commits[-1]) for game in games.values()]
