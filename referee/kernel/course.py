"""What a commit changes beside the position: status, stand-ins, clocks, and what may be taken back.

The service and the audit work it out by the same function, from the log alone.
"""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from referee.kernel.changes import put
from referee.kernel.clocks import (
    Clocks,
    counted,
    halted,
    restarted,
    returned,
    taken_back,
    ticked,
    turned,
    wound_up,
)
from referee.kernel.message import Event, Move
from referee.kernel.ruleset import Decision, Ruleset
from referee.kernel.seat import REFEREE, Actor, Seat
from referee.kernel.table import (
    TABLE_EVENTS,
    GamePaused,
    GameResumed,
    MoveUndone,
    PauseAgreed,
    ResumeAgreed,
    SeatTakenBack,
    SeatTakenOver,
    Status,
    Table,
    table_after,
)
from referee.kernel.terms import Clock, Terms
from referee.kernel.undo import Past, past_after

DEADLINE = "deadline"
"""The member of a commit's cause that tells that the clock made the move."""


PAUSE_S_MAX = 7 * 86400
"""After a pause of so many seconds one player is enough to go on."""


class Course(Struct, frozen=True):
    """A game beside its position."""

    table: Table = Table()
    clocks: Clocks | None = None
    past: tuple[Past, ...] = ()
    paused_at: int | None = None
    """When the players agreed to a pause."""
    moved_at: int | None = None
    """Since when the position counts: what has to wait is counted from here, whatever is said at the table.

    None before the first move, of which the log does not tell since when it was awaited.
    """
    changed: int = 0
    """The last version that changed the position."""
    votes: tuple[Seat, ...] = ()
    """The seats that changed their vote since then, as often as they did."""
    undone: tuple[Seat, ...] = ()
    """The seats that took back a move, as often as they did."""
    drawn: int = 0
    """The number of drawings so far, those of undone moves included."""
    decided: tuple[int, ...] = ()
    """By seat: the number of decisions that a bot has made for it."""

    def status(self, position: Any) -> Status:
        """The status of the game at its position."""
        return "finished" if position.phase == "finished" else self.table.status

    def is_pause_long(self, at: int) -> bool:
        """Whether the players' pause has lasted so long that any of them may end it."""
        return self.paused_at is not None and at - self.paused_at >= PAUSE_S_MAX * 1000

    def bot(self, terms: Terms, seat: int) -> str | None:
        """The bot that plays for a seat, if one does."""
        stand_in = self.table.stand_in(seat)
        return terms.bots[seat] if stand_in is None else stand_in

    def players(self, terms: Terms) -> tuple[Seat, ...]:
        """The seats that players play for themselves."""
        return tuple(seat for seat in terms.players if self.table.stand_in(seat) is None)

    def deadline(self, terms: Terms, seat: Seat) -> int | None:
        """When the time of a seat runs out; None: it has no clock, or it does not run."""
        if self.clocks is None or terms.clock is None or self.table.status != "running":
            return None
        return self.clocks.deadline(terms.clock, seat)


class Fact(Struct, frozen=True):
    """What a commit says."""

    version: int
    at: int
    actor: int | str
    move: Move
    cause: dict[str, Any] | None
    events: tuple[Event, ...]
    draws: int = 0


def start_course(terms: Terms) -> Course:
    """The course of a game before its first commit."""
    seats = len(terms.bots)
    return Course(clocks=None if terms.clock is None else wound_up(terms.clock, seats), decided=(0,) * seats)


def by_the_rules(ruleset: Ruleset, terms: Terms, course: Course, fact: Fact, before: Any, after: Any) -> Course:
    """The course after a move of the ruleset that led from one position to another."""
    if terms.undo != "never":
        course = replace(course, past=_past(course, fact, before))
    if course.clocks is not None and terms.clock is not None:
        owed = _owed(ruleset, terms, course, after)
        course = replace(course, clocks=_ticked(course.clocks, terms, course, fact, owed, (before, after)))
    return replace(
        course,
        moved_at=fact.at,
        changed=fact.version,
        votes=(),
        drawn=course.drawn + fact.draws,
        decided=_decided(terms, course, fact.actor),
    )


def _decided(terms: Terms, course: Course, actor: int | str) -> tuple[int, ...]:
    if isinstance(actor, str) or course.bot(terms, actor) is None:
        return course.decided
    return put(course.decided, actor, course.decided[actor] + 1)


def _ticked(
    clocks: Clocks, terms: Terms, course: Course, fact: Fact, owed: list[Decision], around: tuple[Any, Any]
) -> Clocks:
    """The clocks after a move of the ruleset between two positions."""
    assert terms.clock is not None
    clocks, again, lapsed = replace(clocks, relieved=()), False, DEADLINE in (fact.cause or {})
    if isinstance(fact.actor, int) and not fact.move.talk:
        clocks, again = turned(clocks, Seat(fact.actor), *around)
    mover = Seat(fact.actor) if isinstance(fact.actor, int) and course.bot(terms, fact.actor) is None else None
    gains = not lapsed and not again and _passes_on(clocks, mover, owed)
    talk, again = fact.move.talk and not lapsed, again and not lapsed
    clocks = ticked(clocks, terms.clock, fact.at, owed, mover, gains, talk, again)
    return clocks if mover is None else counted(clocks, mover, lapsed)


def _passes_on(clocks: Clocks, mover: Seat | None, owed: list[Decision]) -> bool:
    """Whether a seat owed a decision, and now owes none."""
    return mover is not None and clocks.is_running(mover) and mover not in [decision.seat for decision in owed]


def _past(course: Course, fact: Fact, before: Any) -> tuple[Past, ...]:
    if fact.cause is not None:
        return ()
    actor: Actor = REFEREE if isinstance(fact.actor, str) else Seat(fact.actor)
    latest = Past(fact.version, actor, fact.move, before, fact.at, course.clocks, course.moved_at)
    return past_after(course.past, latest)


def _owed(ruleset: Ruleset, terms: Terms, course: Course, position: Any) -> list[Decision]:
    """The decisions that a clock runs for."""
    return [
        decision
        for decision in ruleset.awaited(position)
        if decision.obliged and course.bot(terms, decision.seat) is None
    ]


def at_the_table(ruleset: Ruleset, terms: Terms, course: Course, fact: Fact, position: Any) -> tuple[Course, Any]:
    """The course and the position after a move at the table."""
    clocks = course.clocks
    for event in fact.events:
        course = replace(course, table=table_after(course.table, event))
        if isinstance(event, GamePaused):
            course = replace(course, paused_at=fact.at if isinstance(fact.actor, int) else None)
        if isinstance(event, GameResumed):
            course = replace(course, moved_at=fact.at)
        if isinstance(event, PauseAgreed | ResumeAgreed):
            course = replace(course, votes=(*course.votes, event.seat))
        if isinstance(event, MoveUndone):
            (undone,) = (each for each in course.past if each.version == event.version)
            left = tuple(each for each in course.past if each.version < event.version)
            course = replace(course, past=left, moved_at=undone.moved_at, changed=fact.version, votes=())
            course = replace(course, undone=(*course.undone, event.seat))
            position = undone.position
            if clocks is not None and undone.clocks is not None:
                clocks = taken_back(clocks, undone.clocks, event.seat, undone.at, fact.at)
        if clocks is not None and terms.clock is not None:
            clocks = _clocks_after(clocks, terms.clock, event, fact.at)
    if clocks is not None and terms.clock is not None:
        owed = _owed(ruleset, terms, course, position) if course.table.status in ("running", "paused") else []
        course = replace(course, clocks=ticked(clocks, terms.clock, fact.at, owed, None))
    return course, position


def _clocks_after(clocks: Clocks, clock: Clock, event: Event, at: int) -> Clocks:
    match event:
        case GamePaused():
            return halted(clocks, at)
        case GameResumed():
            return restarted(clocks, at)
        case SeatTakenOver():
            return replace(clocks, relieved=(*clocks.relieved, event.seat))
        case SeatTakenBack():
            return returned(clocks, clock, event.seat)
    return clocks


def is_at_the_table(events: tuple[Event, ...]) -> bool:
    """Whether a commit was made at the table and not by the rules."""
    return bool(events) and isinstance(events[0], TABLE_EVENTS)
