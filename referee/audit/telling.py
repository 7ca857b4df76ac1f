"""What the rules say to a move, where a record says something else, and whether luck could explain it."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from referee.kernel.canon import canonical, plain
from referee.kernel.chance import Chance, Derived, Source
from referee.kernel.ruleset import Attempt, Ruleset
from referee.kernel.seat import Actor

T = TypeVar("T")

TRIALS = 64
"""So often other luck is tried to see whether it could have changed an event."""


class Difference(NamedTuple):
    """Where the recorded events leave those that follow: the event, its field, and what stands there."""

    event: int
    field: str
    """`type` also where only one of the two has such an event."""
    recorded: Any
    following: Any

    def __str__(self) -> str:
        path, recorded, following = _leaf(self.field, self.recorded, self.following)
        return f"event {self.event + 1}, {path}: the record has {_brief(recorded)}, but {_brief(following)} follows"


class Telling(NamedTuple):
    """What the rules say to a move, event by event, and how much luck each event had behind it."""

    events: list[dict[str, Any]]
    drawn: list[tuple[str, Any]]
    drawn_before: list[int]
    """By event: the number of drawings before it was said."""


def tell(ruleset: Ruleset, position: Any, actor: Actor, move: Attempt, chance: Chance) -> Telling:
    """The events that follow from a legal move, as JSON, with the luck behind each."""
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
        return Telling(events, chance.drawn, drawn_before)


def first_difference(recorded: Sequence[Any], following: Sequence[Any]) -> Difference | None:
    """The first event, and the first field of it, in which the record is not what follows."""
    for number in range(max(len(recorded), len(following))):
        old = recorded[number] if number < len(recorded) else None
        new = following[number] if number < len(following) else None
        for field in ("type", *(new or {}), *(old or {})):
            if (old is None) != (new is None) or _shown(old, field) != _shown(new, field):
                return Difference(number, field, (old or {}).get(field), (new or {}).get(field))
    return None


def _shown(event: dict[str, Any] | None, field: str) -> bytes | None:
    """What an event has in a field, to be compared; None if it has no such field, or is none."""
    return None if event is None or field not in event else canonical(event[field])


def drawn_at(retell: Callable[[Chance], Telling], told: Telling, difference: Difference) -> str | None:
    """The point whose luck makes the difference, or None: then no luck explains it.

    The luck up to some drawing is kept, the rest is drawn anew. If all earlier events stay as they are and this
    field does not, then it shows luck that was not known before.
    """
    drawn_before = (*told.drawn_before, len(told.drawn))
    for kept in reversed(range(drawn_before[difference.event])):
        for trial in range(TRIALS):
            other = retell(_Kept(told.drawn[:kept], trial)).events
            here = first_difference(other, told.events)
            if here is not None and here.event == difference.event and _varies(other, told.events, difference):
                return told.drawn[kept][0]
    return None


def _varies(other: Sequence[Any], told: Sequence[Any], difference: Difference) -> bool:
    """Whether the event in question is of another type, or its field has another value."""
    here = slice(difference.event, difference.event + 1)

    def seen(events: Sequence[Any]) -> list[bytes | None]:
        return [_shown(event, field) for event in events[here] for field in ("type", difference.field)]

    return seen(other) != seen(told)


class _Kept(Chance):
    """The first drawings come out as before, the others anew."""

    def __init__(self, outcomes: Sequence[tuple[str, Any]], trial: int) -> None:
        super().__init__()
        self._outcomes = outcomes
        self._anew = Derived(b"other luck %d" % trial, 0)

    def _outcome(self, point: str, sample: Callable[[Source], T], read: Callable[[Any], T]) -> T:
        if len(self.drawn) < len(self._outcomes):
            outcome: T = self._outcomes[len(self.drawn)][1]
            return outcome
        return self._anew.draw(point, sample, read)


def _leaf(path: str, old: Any, new: Any) -> tuple[str, Any, Any]:
    """The first place inside two lists where they differ."""
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (left, right) in enumerate(zip(old, new, strict=True)):
            if canonical(left) != canonical(right):
                return _leaf(f"{path}[{number}]", left, right)
    return path, old, new


def _brief(value: Any) -> str:
    text = canonical(value).decode()
    return text if len(text) <= 80 else f"{text[:77]}..."
