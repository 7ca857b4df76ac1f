"""A short form of `make arena`, with few games and wide bounds."""

import pytest

from referee.offline.arena import play
from referee.offline.match import Match, Score
from referee.rulesets import LATEST

EVERY_TITLE = pytest.mark.parametrize("slug", list(LATEST))


def score(slug: str, strong: str, weak: str, rounds: int, iterations: int = 0) -> Score:
    seats = LATEST[slug].seats[0]
    return play(Match(slug, {}, seats, strong, weak, iterations, seed="short"), rounds * seats, jobs=1)


@EVERY_TITLE
def test_greedy_beats_random(slug: str) -> None:
    assert score(slug, "greedy", "random", rounds=2).share >= 1.25 / LATEST[slug].seats[0]


@pytest.mark.parametrize(
    ("slug", "rounds", "iterations", "least"),
    [
        ("hund-und-katz", 3, 60, 0.5),
        ("catham-city", 1, 40, 0.3),
        ("fangfrisch", 1, 20, 0.3),
        ("cat-and-fish", 1, 40, 0.3),
        ("explorers-and-pirates", 2, 40, 0.5),
    ],
)
def test_search_keeps_up_with_greedy(slug: str, rounds: int, iterations: int, least: float) -> None:
    assert score(slug, "search", "greedy", rounds, iterations).share >= least
