"""What the referee owes at the table: default moves after missed deadlines, takeovers, the end of abandoned games."""

from typing import Any

from msgspec import Struct

from referee.kernel.message import Event, Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.table.moves import Adjudicate, AnnulGame, GameAnnulled, SeatTakenOver, TakeOverSeat, end_by_adjudication
from referee.table.record import Deadline
from referee.table.state import DEADLINE, TableState
from referee.table.terms import Clock, Terms
from referee.table.times import timestamp

ABANDONED = "All players have left the game."


class Duty(Struct, frozen=True):
    """A move of the referee at the table, with its events."""

    move: Move
    events: tuple[Event, ...]


def table_duty(ruleset: Ruleset, terms: Terms, table: TableState, position: Any) -> Duty | None:
    """What the referee owes because of the clock; nothing at a table without one."""
    clock, clocks = terms.clock, table.clocks
    if clock is None or clocks is None or table.status_at(position) != "running":
        return None
    players = table.players(terms)
    absent = [seat for seat in players if clocks.is_absent(clock, seat)]
    if absent and clock.on_absence == "end":
        return Duty(Adjudicate(), (end_by_adjudication(ruleset.ranking(position), tuple(absent)),))
    if absent:
        taken = SeatTakenOver(seat=absent[0], bot=terms.takeover_bot)
        return Duty(TakeOverSeat(seat=absent[0]), (taken,))
    if terms.players and not players:
        return _abandoned(ruleset, clock, terms.players, position)
    return None


def _abandoned(ruleset: Ruleset, clock: Clock, absent: tuple[Seat, ...], position: Any) -> Duty | None:
    match clock.on_abandonment:
        case "adjudicate":
            return Duty(Adjudicate(), (end_by_adjudication(ruleset.ranking(position), absent),))
        case "annul":
            return Duty(AnnulGame(reason=ABANDONED), (GameAnnulled(reason=ABANDONED),))
    return None


def first_missed_deadline(terms: Terms, table: TableState, at: int) -> tuple[Seat, int] | None:
    """The seat with the earliest deadline before this time, with that deadline; None: no deadline has passed."""
    passed = [
        (deadline, seat)
        for seat in table.players(terms)
        if (deadline := table.deadline(terms, seat)) is not None and deadline < at
    ]
    if not passed:
        return None
    deadline, seat = min(passed)
    return seat, deadline


def deadlines(terms: Terms, table: TableState) -> tuple[Deadline, ...]:
    """The deadlines of the running clocks, earliest first."""
    if table.clocks is None:
        return ()
    found = [(table.deadline(terms, seat), seat) for seat in terms.players]
    return tuple(Deadline(timestamp(at), seat) for at, seat in sorted((at, seat) for at, seat in found if at))


def missed_deadline_cause(deadline: int, table: TableState, seat: Seat) -> dict[str, Any]:
    """The cause of the default move for a seat that missed its deadline."""
    assert table.clocks is not None
    return {DEADLINE: timestamp(deadline), "missed_deadlines": table.clocks.missed[seat] + 1}
