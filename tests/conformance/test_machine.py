"""Point 20: Hypothesis tries legal and absurd moves in any order, and looks for the shortest sequence that fails.

`HYPOTHESIS_PROFILE=long` makes a campaign of it.
"""

import os
import random
from hashlib import sha256
from typing import Any

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from referee.kernel.canon import canonical
from referee.kernel.chance import Derived
from referee.kernel.judge import replay
from referee.kernel.message import Event
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE
from tests.conformance.play import accepts, any_legal_move, careful_play
from tests.conformance.samples import Absurd
from tests.subjects import Subject, every_ruleset

UNHURRIED = {"deadline": None, "suppress_health_check": list(HealthCheck), "print_blob": True}
PROFILES = {
    "default": settings(max_examples=6, stateful_step_count=30, derandomize=True, **UNHURRIED),
    "long": settings(max_examples=300, stateful_step_count=150, **UNHURRIED),
}
PROFILE = PROFILES[os.environ.get("HYPOTHESIS_PROFILE", "default")]

seeds = st.integers(0, 2**32 - 1)


class Table(RuleBasedStateMachine):
    """A game in which every actor may try any move."""

    ruleset: Ruleset

    @initialize(seats=st.integers(0, 99), variant=st.integers(0, 99), seed=seeds)
    def sit_down(self, seats: int, variant: int, seed: int) -> None:
        rules = self.ruleset
        count = rules.seats[seats % len(rules.seats)]
        options = rules.variants[variant % len(rules.variants)]
        self.blank = rules.blank(options if accepts(rules, options, count) else rules.variants[0], count)
        self.position = self.blank
        self.key = sha256(str(seed).encode()).digest()
        self.log: list[Event] = []
        self.drawn = 0

    def commit(self, actor: Any, move: Any) -> None:
        """Make a move, and check that the same luck gives the same events again."""
        before, chance = canonical(self.position), Derived(self.key, self.drawn)
        events, after = careful_play(self.ruleset, self.position, actor, move, chance)
        again = self.ruleset.decide(self.position, actor, move, Derived(self.key, self.drawn))
        assert canonical(again) == canonical(events)
        assert canonical(self.position) == before
        self.position, self.drawn = after, self.drawn + len(chance.drawn)
        self.log.extend(events)

    @precondition(lambda self: self.ruleset.awaited(self.position))
    @rule(who=st.integers(0, 99), seed=seeds)
    def make_a_legal_move(self, who: int, seed: int) -> None:
        seats = [decision.seat for decision in self.ruleset.awaited(self.position)]
        seat = seats[who % len(seats)]
        self.commit(seat, any_legal_move(self.ruleset, self.position, seat, random.Random(seed)))

    @precondition(lambda self: self.ruleset.due(self.position) is not None)
    @rule()
    def do_what_is_due(self) -> None:
        self.commit(REFEREE, self.ruleset.due(self.position).move)

    @rule(who=st.integers(-1, 9), seed=seeds)
    def try_something_absurd(self, who: int, seed: int) -> None:
        rng = random.Random(seed)
        for move in Absurd(self.ruleset, self.position, rng).moves(tuple(self.ruleset.moves), 3):
            try:
                self.commit(REFEREE if who == 9 else who, move)
            except Rejection as rejection:
                assert rejection.clause in self.ruleset.rulebook.clauses

    @invariant()
    def the_position_is_sound(self) -> None:
        if self.position.phase != "setup":
            self.ruleset.check(self.position)

    @invariant()
    def the_game_goes_on_until_its_end(self) -> None:
        going = bool(self.ruleset.awaited(self.position)) or self.ruleset.due(self.position) is not None
        assert going == (self.position.phase != "finished")

    def teardown(self) -> None:
        if self.log:
            assert replay(self.ruleset, self.blank, self.log) == self.position


@every_ruleset
def test_the_game_stays_sound_whatever_is_tried(subject: Subject) -> None:
    machine = type("TableOfSubject", (Table,), {"ruleset": subject.ruleset})
    run_state_machine_as_test(machine, settings=PROFILE)
