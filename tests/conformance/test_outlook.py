"""What a ruleset says a position promises, if it says so: what a bot that looks ahead compares."""

import random

import pytest

from referee.kernel.ruleset import Ruleset
from tests.conformance.play import games_of, moments_of
from tests.subjects import Subject, every_edition


def foreseeing(subject: Subject) -> Ruleset:
    """The ruleset, if it does not leave it to the scores."""
    if subject.ruleset.outlook is None:
        pytest.skip("the title leaves it to the scores")
    return subject.ruleset


@every_edition
def test_the_outlook_is_a_number_for_each_seat(subject: Subject, rng: random.Random) -> None:
    ruleset = foreseeing(subject)
    ends = [game.end for game in games_of(subject)]
    for position in (*(moment.position for moment in moments_of(subject, rng, 16)), *ends):
        assert [type(each) for each in ruleset.outlook(position)] == [int] * len(position.seats)


@every_edition
def test_nobody_has_a_better_outlook_than_who_has_won(subject: Subject) -> None:
    ruleset = foreseeing(subject)
    for game in games_of(subject):
        told = ruleset.outlook(game.end)
        first = [place.seat for place in ruleset.ranking(game.end) if place.rank == 1]
        assert all(told[seat] == max(told) for seat in first), f"{told} at the end of {game}"
