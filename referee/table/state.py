"""The state of a game beside its position: status, who plays for each seat, clocks, votes, what can be undone.

The service and the audit fold the log with the same functions.
"""

from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from referee.kernel.changes import put
from referee.kernel.message import Event
from referee.kernel.ruleset import Decision, Ruleset
from referee.kernel.seat import REFEREE, Actor, Seat
from referee.table import clocks as clock_rules
from referee.table.clocks import Clocks
from referee.table.fresh import FreshLuck
from referee.table.moves import (
    TABLE_EVENTS,
    GameAdjudicated,
    GameAnnulled,
    GamePaused,
    GameResigned,
    GameResumed,
    MoveUndone,
    PauseAgreed,
    PlayerReturned,
    ResumeAgreed,
    SeatResealed,
    SeatResigned,
    SeatTakenOver,
    Status,
)
from referee.table.record import AnyCommit
from referee.table.terms import Clock, Terms
from referee.table.times import milliseconds
from referee.table.undo import Past, past_after

DEADLINE = "deadline"
"""The member of a commit's cause that marks a move made by the clock."""

RECEIVED = "received"
"""The member of a commit's cause that says when the service received the move, if it was made later (a race)."""

PAUSE_S_MAX = 7 * 86400
"""After a pause of this length a single player can resume the game."""


class TableState(Struct, frozen=True):
    """What the log has made of a table so far."""

    status: Status = "running"
    """The status at the table; a game that its rules have ended is finished whatever this is, see `status_at`."""
    resigned: tuple[Seat, ...] = ()
    bots: tuple[tuple[Seat, str], ...] = ()
    """Seats that a bot took over, with its name."""
    agreed: tuple[Seat, ...] = ()
    """Seats that agree to a pause or, during a pause, to its end."""
    ranks: tuple[int, ...] | None = None
    """By seat, if the game ended at the table and not by its rules."""
    clocks: Clocks | None = None
    past: tuple[Past, ...] = ()
    paused_at: int | None = None
    """When the players agreed to a pause."""
    moved_at: int | None = None
    """When the position last changed: waiting times are counted from here, whatever happens at the table.

    None before the first move: the log does not record since when it was awaited.
    """
    due_since: int | None = None
    """When the time of the referee's trigger began: at `moved_at`, unless the trigger runs on over several moves."""
    changed: int = 0
    """The last version that changed the position."""
    votes: tuple[Seat, ...] = ()
    """The seats that changed their vote since then, once for each change."""
    undone: tuple[Seat, ...] = ()
    """The seats that undid a move, once for each move."""
    drawn: int = 0
    """The number of drawings so far, those of undone moves included."""
    decided: tuple[int, ...] = ()
    """By seat: the number of decisions that a bot has made for it."""
    luck: FreshLuck | None = None
    """The links that the seats have added to the luck; None: all luck is fixed."""

    def status_at(self, position: Any) -> Status:
        """The status of the game at its position."""
        return "finished" if position.phase == "finished" else self.status

    def is_pause_long(self, at: int) -> bool:
        """Whether the players' pause has lasted long enough for any of them to end it."""
        return self.paused_at is not None and at - self.paused_at >= PAUSE_S_MAX * 1000

    def takeover_bot(self, seat: int) -> str | None:
        """The bot that took a seat over, if one did."""
        for taken, bot in self.bots:
            if taken == seat:
                return bot
        return None

    def bot(self, terms: Terms, seat: int) -> str | None:
        """The bot that plays for a seat, if one does."""
        taken_over_by = self.takeover_bot(seat)
        return terms.bots[seat] if taken_over_by is None else taken_over_by

    def players(self, terms: Terms) -> tuple[Seat, ...]:
        """The seats that players play for themselves."""
        return tuple(seat for seat in terms.players if self.takeover_bot(seat) is None)

    def deadline(self, terms: Terms, seat: Seat) -> int | None:
        """When the time of a seat runs out; None: it has no clock, or its clock is not running."""
        if self.clocks is None or terms.clock is None or self.status != "running":
            return None
        return self.clocks.deadline(terms.clock, seat)


def start_table(terms: Terms, luck: FreshLuck | None = None) -> TableState:
    """The table before the first commit; `luck` if moves bring links."""
    seats = len(terms.bots)
    clocks = None if terms.clock is None else clock_rules.start(terms.clock, seats)
    return TableState(clocks=clocks, decided=(0,) * seats, luck=luck)


def after_move(
    ruleset: Ruleset, terms: Terms, table: TableState, commit: AnyCommit, at: int, before: Any, after: Any
) -> TableState:
    """The table after a move of the ruleset, made at this time, that led from one position to another."""
    if terms.undo != "never":
        table = replace(table, past=_past(table, commit, at, before))
    if table.clocks is not None and terms.clock is not None:
        owed = _owed(ruleset, terms, table, after)
        table = replace(table, clocks=_clocks_after_move(table.clocks, terms, table, commit, at, owed, (before, after)))
    return replace(
        table,
        moved_at=at,
        due_since=_due_since(ruleset, table, commit, at, before, after),
        changed=commit.version,
        votes=(),
        drawn=table.drawn + commit.draws,
        decided=_decided(terms, table, commit.actor),
        luck=_luck(table, commit),
    )


def _luck(table: TableState, commit: AnyCommit) -> FreshLuck | None:
    if table.luck is None or commit.link is UNSET:
        return table.luck
    assert isinstance(commit.actor, int), "only seats add links"
    return table.luck.with_link(commit.actor, commit.link)


def _due_since(ruleset: Ruleset, table: TableState, commit: AnyCommit, at: int, before: Any, after: Any) -> int:
    """When the time of the trigger began that is due after a move."""
    due = ruleset.due(after)
    if due is None or not due.runs_on:
        return at
    if due == ruleset.due(before) and table.due_since is not None:
        return table.due_since
    return received_at(commit, at)


def received_at(commit: AnyCommit, at: int) -> int:
    """When the service received the move of a commit that was made at this time."""
    received = (commit.cause or {}).get(RECEIVED)
    return at if received is None else milliseconds(received)


def _decided(terms: Terms, table: TableState, actor: int | str) -> tuple[int, ...]:
    if isinstance(actor, str) or table.bot(terms, actor) is None:
        return table.decided
    return put(table.decided, actor, table.decided[actor] + 1)


def _clocks_after_move(
    clocks: Clocks,
    terms: Terms,
    table: TableState,
    commit: AnyCommit,
    at: int,
    owed: list[Decision],
    around: tuple[Any, Any],
) -> Clocks:
    """The clocks after a move of the ruleset between two positions."""
    assert terms.clock is not None
    clocks, again, missed = replace(clocks, relieved=()), False, DEADLINE in (commit.cause or {})
    if isinstance(commit.actor, int) and not commit.move.talk:
        clocks, again = clock_rules.note_turn(clocks, Seat(commit.actor), *around)
    mover = Seat(commit.actor) if isinstance(commit.actor, int) and table.bot(terms, commit.actor) is None else None
    gains = not missed and not again and _turn_ends(clocks, mover, owed)
    talk, again = commit.move.talk and not missed, again and not missed
    clocks = clock_rules.step(clocks, terms.clock, at, owed, mover, gains, talk, again)
    return clocks if mover is None else clock_rules.count_missed(clocks, mover, missed)


def _turn_ends(clocks: Clocks, mover: Seat | None, owed: list[Decision]) -> bool:
    """Whether a seat owed a decision and now owes none."""
    return mover is not None and clocks.is_running(mover) and mover not in [decision.seat for decision in owed]


def _past(table: TableState, commit: AnyCommit, at: int, before: Any) -> tuple[Past, ...]:
    if commit.cause is not None:
        return ()
    actor: Actor = REFEREE if isinstance(commit.actor, str) else Seat(commit.actor)
    latest = Past(commit.version, actor, commit.move, before, at, table.clocks, table.moved_at)
    return past_after(table.past, latest)


def _owed(ruleset: Ruleset, terms: Terms, table: TableState, position: Any) -> list[Decision]:
    """The decisions that a clock runs for."""
    return [
        decision
        for decision in ruleset.awaited(position)
        if decision.obliged and table.bot(terms, decision.seat) is None
    ]


def after_table_move(
    ruleset: Ruleset, terms: Terms, table: TableState, commit: AnyCommit, at: int, position: Any
) -> tuple[TableState, Any]:
    """The table and the position after a move at the table, made at this time."""
    for event in commit.events:
        if isinstance(event, MoveUndone):
            table, position = _undo(table, event, commit.version, at)
        if isinstance(event, SeatResealed) and table.luck is not None:
            table = replace(table, luck=table.luck.with_seal(event.seat, event.seal, commit.version))
        table = after_event(table, event, commit.actor, at)
        if table.clocks is not None and terms.clock is not None:
            table = replace(table, clocks=_clocks_after_event(table.clocks, terms.clock, event, at))
    if table.clocks is not None and terms.clock is not None:
        owed = _owed(ruleset, terms, table, position) if table.status in ("running", "paused") else []
        table = replace(table, clocks=clock_rules.step(table.clocks, terms.clock, at, owed, None))
    return table, position


def after_event(table: TableState, event: Event, actor: int | str, at: int) -> TableState:
    """The table after one of its events, clocks and undo aside; events of a ruleset change nothing here."""
    match event:
        case GamePaused():
            return replace(table, status="paused", agreed=(), paused_at=at if isinstance(actor, int) else None)
        case GameResumed():
            return replace(table, status="running", agreed=(), moved_at=at, due_since=at)
        case GameAnnulled():
            return replace(table, status="annulled")
        case GameResigned() | GameAdjudicated():
            return replace(table, status="finished", ranks=event.ranks)
        case SeatResigned():
            return replace(table, resigned=(*table.resigned, event.seat))
        case SeatTakenOver():
            return replace(table, bots=(*table.bots, (event.seat, event.bot)))
        case PlayerReturned():
            return replace(table, bots=tuple(pair for pair in table.bots if pair[0] != event.seat))
        case PauseAgreed() | ResumeAgreed():
            others = tuple(seat for seat in table.agreed if seat != event.seat)
            agreed = (*others, event.seat) if event.agreed else others
            return replace(table, agreed=agreed, votes=(*table.votes, event.seat))
    return table


def _undo(table: TableState, event: MoveUndone, version: int, at: int) -> tuple[TableState, Any]:
    """The table and the position when a move is undone."""
    (undone,) = (each for each in table.past if each.version == event.version)
    clocks = table.clocks
    if clocks is not None and undone.clocks is not None:
        clocks = clock_rules.take_back(clocks, undone.clocks, event.seat, undone.at, at)
    table = replace(
        table,
        clocks=clocks,
        past=tuple(each for each in table.past if each.version < event.version),
        moved_at=undone.moved_at,
        due_since=undone.moved_at,
        changed=version,
        votes=(),
        undone=(*table.undone, event.seat),
    )
    return table, undone.position


def _clocks_after_event(clocks: Clocks, clock: Clock, event: Event, at: int) -> Clocks:
    match event:
        case GamePaused():
            return clock_rules.stop(clocks, at)
        case GameResumed():
            return clock_rules.resume(clocks, at)
        case SeatTakenOver():
            return replace(clocks, relieved=(*clocks.relieved, event.seat))
        case PlayerReturned():
            return clock_rules.give_back(clocks, clock, event.seat)
    return clocks


def is_table_commit(events: tuple[Event, ...]) -> bool:
    """Whether a commit was made at the table and not by the rules."""
    return bool(events) and isinstance(events[0], TABLE_EVENTS)
