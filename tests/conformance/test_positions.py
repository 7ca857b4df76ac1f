"""Point 16: positions stay sound, and unsound ones are refused."""

import random
from typing import Any

import pytest

from referee.kernel.chance import Seeded
from referee.kernel.judge import legal_moves, read_position
from referee.kernel.rejection import Malformed
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE
from tests.conformance.damage import damaged, disturbed
from tests.conformance.play import games_of, moments_of
from tests.subjects import Subject, every_edition

KINDS_OF_DAMAGE = 20
CHECKS_A_GAME = 1500


@every_edition
def test_the_position_is_sound_after_each_commit(subject: Subject) -> None:
    """In very long games only every second or third commit is checked."""
    for game in games_of(subject):
        for commit in game.commits[:: 1 + len(game.commits) // CHECKS_A_GAME]:
            game.ruleset.check(commit.after)
        game.ruleset.check(game.end)


@every_edition
def test_damaged_positions_are_refused(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    kinds: set[str] = set()
    for moment in moments_of(subject, rng, 25):
        for name, raw in damaged(ruleset, moment.position, rng):
            with pytest.raises(Malformed) as refused:
                read_position(ruleset, raw)
                pytest.fail(f"{name}: was read as sound. {moment}")
            assert refused.value.invariant.endswith("."), f"an invariant is a sentence: {refused.value.invariant!r}"
            kinds.add(name)
    assert len(kinds) >= KINDS_OF_DAMAGE


@every_edition
def test_a_disturbed_position_is_refused_or_can_be_played(subject: Subject, rng: random.Random) -> None:
    """The judge accepts positions from everybody, so no position that passes the check may make a rule fail."""
    ruleset = subject.ruleset
    for moment in moments_of(subject, rng, 25):
        for _ in range(40):
            raw = disturbed(moment.position, rng)
            try:
                position = read_position(ruleset, raw)
            except Malformed:
                continue
            try:
                play_a_little(ruleset, position, rng)
            except Exception as fault:
                raise AssertionError(f"{raw} passes the check") from fault


def play_a_little(ruleset: Ruleset, position: Any, rng: random.Random) -> None:
    """Call every function of the ruleset on a position, and make one move."""
    due, decisions = ruleset.due(position), ruleset.awaited(position)
    assert decisions or due or position.phase == "finished", "nobody is awaited and nothing is due"
    ruleset.ranking(position)
    for seat in (None, *range(len(position.seats))):
        ruleset.view(position, seat)
    for decision in decisions:
        moves = legal_moves(ruleset, position, decision.seat)
        if moves:
            ruleset.play(position, decision.seat, rng.choice(moves), Seeded(0))
    if due is not None:
        ruleset.play(position, REFEREE, due.move, Seeded(0))
