"""Every drawing of a game: its numbers, its outcome, and where its events show it."""

from collections.abc import Sequence
from typing import Any

import msgspec

from referee.audit.replay import Replay, replay_move
from referee.kernel.attempt import Attempt
from referee.kernel.canon import canonical
from referee.kernel.chance import Derived, Source
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Actor


class ShownBy(msgspec.Struct, frozen=True):
    """The event of a commit that shows an outcome."""

    event: int
    """Its place among the events of the commit, counted from 0."""
    field: str
    """The field that holds the outcome."""


class Drawing(msgspec.Struct, frozen=True):
    """One drawing of luck. Anybody can make its numbers again from the seed, the nonces and the label."""

    number: int
    """The number of drawings before it."""
    version: int
    """The commit that drew it."""
    point: str
    """The name that the rules give to this kind of luck."""
    label: str
    """What its numbers are derived from, together with the key of the game: the number and the point."""
    bounds: tuple[int, ...]
    """The bound of each number: a number is at least 0 and below its bound."""
    numbers: tuple[int, ...]
    outcome: Any
    """What the numbers decided: a face, a seat, cards in their order."""
    shown: ShownBy | None
    """The first field of the next event that holds the outcome; null: no field holds it as a whole."""


class _NotedSource(Source):
    """A source that remembers its numbers."""

    def __init__(self, key: bytes, label: str) -> None:
        super().__init__(key, label)
        self.label = label
        self.rows: list[tuple[int, int]] = []

    def below(self, bound: int) -> int:
        """A uniform integer from 0 to bound - 1."""
        number = super().below(bound)
        self.rows.append((bound, number))
        return number


class _Noted(Derived):
    """The luck of a game, with the numbers of every drawing."""

    def __init__(self, key: bytes, before: int) -> None:
        super().__init__(key, before)
        self.sources: list[_NotedSource] = []

    def source(self, label: str) -> Source:
        """The numbers of one drawing, which are remembered."""
        self.sources.append(_NotedSource(self._key, label))
        return self.sources[-1]


def drawings_of(
    ruleset: Ruleset, position: Any, actor: Actor, move: Attempt, key: bytes, before: int, version: int
) -> list[Drawing]:
    """The drawings of a legal move; `number` counts the drawings before it."""
    chance = _Noted(key, before)
    replayed = replay_move(ruleset, position, actor, move, chance)
    return [
        Drawing(
            number=before + at,
            version=version,
            point=point,
            label=source.label,
            bounds=tuple([bound for bound, _ in source.rows]),
            numbers=tuple([number for _, number in source.rows]),
            outcome=outcome,
            shown=_shown_by(replayed, at, outcome),
        )
        for at, ((point, outcome), source) in enumerate(zip(replayed.drawn, chance.sources, strict=True))
    ]


def _shown_by(replayed: Replay, drawing: int, outcome: Any) -> ShownBy | None:
    """The field of the first event after a drawing that holds its outcome."""
    event = next((at for at, drawn in enumerate(replayed.drawn_before) if drawn > drawing), None)
    if event is None:
        return None
    fields: Sequence[str] = [name for name in replayed.events[event] if name != "type"]
    written = canonical(outcome)
    found = (name for name in fields if canonical(replayed.events[event][name]) == written)
    return next((ShownBy(event, name) for name in found), None)
