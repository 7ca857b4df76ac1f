"""The language of rule tests: given a position, when an actor moves, then these events follow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from referee.kernel.judge import judge, legal_moves, replay
from referee.kernel.message import Event, Move, tag
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Actor


@dataclass(frozen=True)
class Given:
    """A position that keeps every invariant."""

    ruleset: Ruleset
    position: Any

    def __post_init__(self) -> None:
        if self.position.phase != "setup":
            self.ruleset.check(self.position)

    def when(self, actor: Actor | int, move: Move | dict[str, Any], *chance: tuple[str, Any]) -> Then:
        """Let an actor make a move, given as an object or as JSON, with forced outcomes as (point, outcome)."""
        attempt = move if isinstance(move, Move) else self.ruleset.read_move(move)
        verdict = judge(self.ruleset, self.position, actor, attempt, chance)
        return Then(self, verdict)

    def legal(self, seat: int) -> tuple[Move, ...]:
        """The legal moves of a seat."""
        return legal_moves(self.ruleset, self.position, seat)


@dataclass(frozen=True)
class Then:
    """The verdict of the rules."""

    given: Given
    verdict: Any

    def refused(self, clause: str) -> None:
        """Assert that this clause refused the move."""
        assert isinstance(self.verdict, Rejection), f"accepted: {self.verdict.events}"
        assert self.verdict.clause == clause, f"{self.verdict.clause}: {self.verdict.message}"

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of an accepted move."""
        assert not isinstance(self.verdict, Rejection), f"{self.verdict.clause}: {self.verdict.message}"
        return self.verdict.events

    @property
    def position(self) -> Any:
        """The position after an accepted move; it keeps every invariant."""
        after = replay(self.given.ruleset, self.given.position, self.events)
        assert after == self.verdict.position
        self.given.ruleset.check(after)
        return after

    def says(self, *events: Event) -> Given:
        """Assert that exactly these events followed; returns the position after them."""
        assert self.events == events
        return Given(self.given.ruleset, self.position)

    def tells(self, *types: str) -> Given:
        """Assert that events of these types followed in this order; returns the position after them."""
        assert tuple(tag(event) for event in self.events) == types
        return Given(self.given.ruleset, self.position)

    def event(self, kind: type[Event]) -> Any:
        """The only event of this kind."""
        found: Iterable[Event] = [event for event in self.events if isinstance(event, kind)]
        (only,) = found
        return only
