"""The advice of a ruleset for bots, where it has some."""

import random
from typing import Any

import pytest

from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Ruleset
from tests.conformance.play import games_of, moments_of
from tests.greedy import assert_advice_is_that_of_the_view, end_of_game, wins_against_random
from tests.subjects import Subject, every_edition, every_ruleset

SEATS = 3
VARIANTS_MAX = 6
"""The advice is compared with itself in alike positions of about this number of variants."""


def advised(subject: Subject) -> Ruleset:
    """The ruleset, if it has a move to advise."""
    if subject.ruleset.advice.choose is None:
        pytest.skip("the title has no advice")
    return subject.ruleset


def seats_for(ruleset: Ruleset, options: Any) -> int:
    """A number of seats that the options allow, three if possible."""
    for seats in (SEATS, *ruleset.seats):
        try:
            ruleset.blank(options, seats)
        except Rejection:
            continue
        return seats
    raise AssertionError(f"no number of seats goes with {options}")


@every_ruleset
def test_games_of_advised_seats_end_with_any_number_of_seats(subject: Subject) -> None:
    ruleset = advised(subject)
    for seats in ruleset.seats:
        assert end_of_game(ruleset, seats, range(seats), "end").phase == "finished"


@every_ruleset
def test_games_of_advised_seats_end_with_any_options(subject: Subject) -> None:
    ruleset = advised(subject)
    for options in ruleset.variants:
        seats = seats_for(ruleset, options)
        assert end_of_game(ruleset, seats, range(seats), "end", options).phase == "finished"


@every_ruleset
def test_the_advice_wins_most_games_against_random_moves(subject: Subject) -> None:
    ruleset = advised(subject)
    assert wins_against_random(ruleset, min(ruleset.seats), games=10) >= 8
    assert wins_against_random(ruleset, max(ruleset.seats), games=8) >= 5


@every_ruleset
def test_the_advice_follows_from_the_view(subject: Subject) -> None:
    ruleset = advised(subject)
    for options in ruleset.variants[:: max(1, len(ruleset.variants) // VARIANTS_MAX)]:
        assert_advice_is_that_of_the_view(ruleset, seats_for(ruleset, options), options)


def evaluation(ruleset: Ruleset, position: Any) -> tuple[int, ...]:
    """The title's evaluation of a position for each seat; skips the test if there is none."""
    if ruleset.advice.evaluate is None:
        pytest.skip("the title leaves it to the scores")
    return ruleset.advice.evaluate(position, ruleset.edition)


@every_edition
def test_an_evaluation_is_a_number_for_each_seat(subject: Subject, rng: random.Random) -> None:
    ends = [game.end for game in games_of(subject)]
    for position in (*(moment.position for moment in moments_of(subject, rng, 16)), *ends):
        values = evaluation(subject.ruleset, position)
        assert [type(each) for each in values] == [int] * len(position.seats)


@every_edition
def test_nobody_is_evaluated_better_than_the_winner(subject: Subject) -> None:
    for game in games_of(subject):
        values = evaluation(subject.ruleset, game.end)
        first = [place.seat for place in subject.ruleset.ranking(game.end) if place.rank == 1]
        assert all(values[seat] == max(values) for seat in first), f"{values} at the end of {game}"
