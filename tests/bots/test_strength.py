"""The short form of `make arena`: few games, wide bounds. The long one tells how strong the bots are."""

import pytest

from referee.offline.arena import play
from referee.offline.match import Match, Score
from referee.rulesets import LATEST

ITERATIONS = 40

EVERY_TITLE = pytest.mark.parametrize("slug", list(LATEST))
QUICK_TITLES = pytest.mark.parametrize(("slug", "least"), [("hund-und-katz", 0.3), ("catham-city", 0.3)])


def score(slug: str, strong: str, weak: str, rounds: int) -> Score:
    seats = LATEST[slug].seats[0]
    return play(Match(slug, {}, seats, strong, weak, ITERATIONS, seed="short"), rounds * seats, jobs=1)


@EVERY_TITLE
def test_greedy_beats_random(slug: str) -> None:
    assert score(slug, "greedy", "random", rounds=2).share >= 1.25 / LATEST[slug].seats[0]


@QUICK_TITLES
def test_search_holds_its_own_against_greedy(slug: str, least: float) -> None:
    assert score(slug, "search", "greedy", rounds=2).share >= least
