"""What the referee owes at the table: the safe default of who has no time left, a stand-in for the absent, the end."""

from typing import Any

from msgspec import Struct

from referee.kernel.course import DEADLINE, Course
from referee.kernel.message import Event, Move
from referee.kernel.moment import timestamp
from referee.kernel.record import Deadline
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.kernel.table import Adjudicate, AnnulGame, GameAnnulled, SeatTakenOver, StandIn, adjudicated
from referee.kernel.terms import Clock, Terms

ABANDONED = "Nobody plays any more."


class TableRuling(Struct, frozen=True):
    """A move of the referee at the table, with its events."""

    move: Move
    events: tuple[Event, ...]


def table_ruling(ruleset: Ruleset, terms: Terms, course: Course, position: Any) -> TableRuling | None:
    """What the clock of a table makes the referee do; nothing at a table without a clock."""
    clock, clocks = terms.clock, course.clocks
    if clock is None or clocks is None or course.status(position) != "running":
        return None
    players = course.players(terms)
    absent = [seat for seat in players if clocks.is_absent(clock, seat)]
    if absent and clock.on_absence == "end":
        return TableRuling(Adjudicate(), (adjudicated(ruleset.ranking(position), tuple(absent)),))
    if absent:
        taken = SeatTakenOver(seat=absent[0], bot=terms.stand_in)
        return TableRuling(StandIn(seat=absent[0]), (taken,))
    if terms.players and not players:
        return _abandoned(ruleset, clock, terms.players, position)
    return None


def _abandoned(ruleset: Ruleset, clock: Clock, absent: tuple[Seat, ...], position: Any) -> TableRuling | None:
    match clock.on_abandonment:
        case "adjudicate":
            return TableRuling(Adjudicate(), (adjudicated(ruleset.ranking(position), absent),))
        case "annul":
            return TableRuling(AnnulGame(reason=ABANDONED), (GameAnnulled(reason=ABANDONED),))
    return None


def first_lapsed(terms: Terms, course: Course, at: int) -> tuple[Seat, int] | None:
    """The seat whose time ran out first before a moment, with its deadline."""
    passed = [
        (deadline, seat)
        for seat in course.players(terms)
        if (deadline := course.deadline(terms, seat)) is not None and deadline < at
    ]
    if not passed:
        return None
    deadline, seat = min(passed)
    return seat, deadline


def deadlines(terms: Terms, course: Course) -> tuple[Deadline, ...]:
    """When the clocks that run will have run out, earliest first."""
    if course.clocks is None:
        return ()
    found = [(course.deadline(terms, seat), seat) for seat in terms.players]
    return tuple(Deadline(timestamp(at), seat) for at, seat in sorted((at, seat) for at, seat in found if at))


def lapse_cause(deadline: int, course: Course, seat: Seat) -> dict[str, Any]:
    """The cause of a move that is made for a seat whose time ran out."""
    assert course.clocks is not None
    return {DEADLINE: timestamp(deadline), "lapse": course.clocks.lapses[seat] + 1}
