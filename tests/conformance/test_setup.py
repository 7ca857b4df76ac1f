"""Point 3: every game can begin."""

import pytest

from referee.kernel.chance import Seeded
from referee.kernel.judge import read_position
from referee.kernel.message import tag
from referee.kernel.rejection import Rejection
from referee.kernel.seat import REFEREE
from tests.conformance.play import accepts, careful_play
from tests.conformance.samples import as_json
from tests.subjects import Subject, every_edition


@every_edition
def test_set_up_works_with_each_number_of_seats_and_all_options(subject: Subject) -> None:
    ruleset = subject.ruleset
    for seats in ruleset.seats:
        for options in ruleset.variants:
            if not accepts(ruleset, options, seats):
                continue
            blank = ruleset.blank(options, seats)
            due = ruleset.due(blank)
            assert blank.phase == "setup"
            assert not ruleset.awaited(blank)
            assert due is not None and due.after_ms == 0 and tag(due.move) == "set_up"
            events, position = careful_play(ruleset, blank, REFEREE, due.move, Seeded(f"{seats}:{options}"))
            assert events
            assert position.phase != "setup"
            assert len(position.seats) == seats
            ruleset.check(position)


@every_edition
def test_each_number_of_seats_and_each_variant_can_be_played(subject: Subject) -> None:
    ruleset = subject.ruleset
    assert all(accepts(ruleset, ruleset.variants[0], seats) for seats in ruleset.seats), "the defaults fit all seats"
    for options in ruleset.variants:
        assert any(accepts(ruleset, options, seats) for seats in ruleset.seats), options


@every_edition
def test_too_few_or_too_many_seats_are_refused_with_a_clause(subject: Subject) -> None:
    ruleset = subject.ruleset
    for seats in (0, ruleset.seats[0] - 1, ruleset.seats[-1] + 1, 99):
        with pytest.raises(Rejection) as refused:
            ruleset.blank(ruleset.variants[0], seats)
        assert refused.value.clause in ruleset.rulebook.clauses


@every_edition
def test_a_position_before_the_set_up_needs_only_options_and_seats(subject: Subject) -> None:
    ruleset = subject.ruleset
    for seats in ruleset.seats:
        options = ruleset.variants[0]
        shortest = {
            "ruleset": ruleset.slug,
            "options": as_json(options),
            "phase": "setup",
            "seats": [{}] * seats,
        }
        blank = ruleset.blank(options, seats)
        assert read_position(ruleset, shortest) == blank
        assert read_position(ruleset, as_json(blank)) == blank
