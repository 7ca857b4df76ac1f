"""Replays a move, finds the first difference from the record, and decides whether luck explains it."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from referee.kernel.attempt import Attempt
from referee.kernel.canon import canonical, plain
from referee.kernel.chance import Chance, Derived, Source
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Actor

T = TypeVar("T")

TRIALS = 64
"""The number of trials with other luck before an event counts as independent of it."""


class Difference(NamedTuple):
    """The first difference between the recorded events and those that follow: event, field and values."""

    event: int
    field: str
    """`type` if only one of the two has this event."""
    recorded: Any
    following: Any

    def __str__(self) -> str:
        path, recorded, following = _leaf(self.field, self.recorded, self.following)
        return f"event {self.event + 1}, {path}: the record has {_brief(recorded)}, but {_brief(following)} follows"


class Replay(NamedTuple):
    """The events of a move of the ruleset, and the draws made before each of them."""

    events: list[dict[str, Any]]
    drawn: list[tuple[str, Any]]
    drawn_before: list[int]
    """The number of draws before each event."""


def replay_move(ruleset: Ruleset, position: Any, actor: Actor, move: Attempt, chance: Chance) -> Replay:
    """Return the events of a legal move as JSON, with the draws before each."""
    says = ruleset.start(position, actor, move, chance)
    events: list[dict[str, Any]] = []
    drawn_before: list[int] = []
    try:
        event = next(says)
        while True:
            events.append(plain(event))
            drawn_before.append(len(chance.drawn))
            position = ruleset.apply(position, event)
            event = says.send(position)
    except StopIteration:
        return Replay(events, chance.drawn, drawn_before)


def first_difference(recorded: Sequence[Any], following: Sequence[Any]) -> Difference | None:
    """Return the first field of the first event in which the record differs from what follows."""
    for number in range(max(len(recorded), len(following))):
        old = recorded[number] if number < len(recorded) else None
        new = following[number] if number < len(following) else None
        for field in ("type", *(new or {}), *(old or {})):
            if (old is None) != (new is None) or _encoded(old, field) != _encoded(new, field):
                return Difference(number, field, (old or {}).get(field), (new or {}).get(field))
    return None


def _encoded(event: dict[str, Any] | None, field: str) -> bytes | None:
    """Return a field of an event for comparison; None if the event or the field is missing."""
    return None if event is None or field not in event else canonical(event[field])


def deciding_draw(replay_with: Callable[[Chance], Replay], replayed: Replay, difference: Difference) -> str | None:
    """Return the point of the draw that the difference comes from, or None if no luck explains it.

    Each trial keeps the first draws and repeats the rest with other luck. If all earlier events stay the same and this
    field changes, the field depends on the first draw that was not kept.
    """
    drawn_before = (*replayed.drawn_before, len(replayed.drawn))
    for kept in reversed(range(drawn_before[difference.event])):
        for trial in range(TRIALS):
            other = replay_with(_PartlyKept(replayed.drawn[:kept], trial)).events
            here = first_difference(other, replayed.events)
            if here is not None and here.event == difference.event and _varies(other, replayed.events, difference):
                return replayed.drawn[kept][0]
    return None


def _varies(other: Sequence[Any], replayed: Sequence[Any], difference: Difference) -> bool:
    """Whether the event of the difference has another type, or its field another value."""
    here = slice(difference.event, difference.event + 1)

    def values(events: Sequence[Any]) -> list[bytes | None]:
        return [_encoded(event, field) for event in events[here] for field in ("type", difference.field)]

    return values(other) != values(replayed)


class _PartlyKept(Chance):
    """Luck that repeats the given outcomes for the first draws and makes new ones for the others."""

    def __init__(self, outcomes: Sequence[tuple[str, Any]], trial: int) -> None:
        super().__init__()
        self._outcomes = outcomes
        self._other = Derived(b"other luck %d" % trial, 0)

    def _outcome(self, point: str, sample: Callable[[Source], T], read: Callable[[Any], T]) -> T:
        if len(self.drawn) < len(self._outcomes):
            outcome: T = self._outcomes[len(self.drawn)][1]
            return outcome
        return self._other.draw(point, sample, read)


def _leaf(path: str, old: Any, new: Any) -> tuple[str, Any, Any]:
    """Return the first place inside two lists where they differ."""
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (left, right) in enumerate(zip(old, new, strict=True)):
            if canonical(left) != canonical(right):
                return _leaf(f"{path}[{number}]", left, right)
    return path, old, new


def _brief(value: Any) -> str:
    text = canonical(value).decode()
    return text if len(text) <= 80 else f"{text[:77]}..."
