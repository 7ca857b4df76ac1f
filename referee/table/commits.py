"""From a move to a commit: what a move, a move at the table or the referee's duty writes into the log."""

from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from referee.kernel.attempt import Attempt
from referee.kernel.chance import Derived
from referee.kernel.message import Move
from referee.kernel.seat import REFEREE, Actor, Seat
from referee.table.duties import Duty, deadlines, first_missed_deadline, missed_deadline_cause, table_duty
from referee.table.match import Match, State
from referee.table.record import AnyCommit, Commit, Entry, seal
from referee.table.rules import TableCase, decide_at_table
from referee.table.state import TableState, after_move, after_table_move
from referee.table.times import timestamp


class EditionChanged(Exception):
    """The game began with an edition that is not known here."""


class Prepared(msgspec.Struct, frozen=True):
    """A commit ready to be appended, and the state after it."""

    entry: Entry
    commit: AnyCommit
    state: State


def prepare_move(
    game: Match,
    state: State,
    actor: Actor,
    move: Move | Attempt,
    cause: dict[str, Any] | None,
    now: int,
    link: str | None = None,
) -> Prepared:
    """The commit of a move of the ruleset, made at `now`; raises Rejection or EditionChanged.

    `link`: the next one of the seat's chain, where luck is fresh. Only a move that draws uses it up.
    """
    rules = game.rules
    if rules.edition_hash != game.edition:
        raise EditionChanged(game.id)
    chance = Derived(luck_key(game.chance_key, state.table, actor, link), state.table.drawn)
    events, position = rules.play(state.position, actor, move, chance)
    played = move.move if isinstance(move, Attempt) else move
    assert played is not None
    at = _moment(state, now)
    used = UNSET if link is None or not chance.drawn else link
    commit = _commit(game, state, actor, played, at, cause=cause, draws=len(chance.drawn), events=events, link=used)
    table = after_move(rules, game.terms, state.table, commit, at, state.position, position)
    return _prepared(game, commit, at, position, table)


def luck_key(key: bytes, table: TableState, actor: Actor, link: str | None) -> bytes:
    """The key of the drawings of a move: that of the game or, where luck is fresh, with all links up to this one."""
    if table.luck is None:
        return key
    return table.luck.pool if link is None else table.luck.with_link(Seat(int(actor)), link).pool


def prepare_table_move(game: Match, state: State, actor: int | str, move: Move, now: int) -> Prepared:
    """The commit of a move at the table, made at `now`; raises TableRefusal."""
    at = _moment(state, now)
    events = decide_at_table(TableCase(game.rules, game.terms, state.table, state.position, actor, at), move)
    commit = _commit(game, state, actor, move, at, cause=None, draws=0, events=events)
    table, position = after_table_move(game.rules, game.terms, state.table, commit, at, state.position)
    return _prepared(game, commit, at, position, table)


def prepare_due(game: Match, state: State, now: int) -> Prepared | None:
    """What the referee owes by now: a trigger, a duty at the table, or the default move of a missed deadline."""
    if state.status != "running":
        return None
    now = max(now, state.at)
    due = game.rules.due(state.position)
    if due is not None and state.due_since + due.after_ms <= now:
        return prepare_move(game, state, REFEREE, due.move, None, now)
    owed = duty(game, state)
    if owed is not None:
        return prepare_table_move(game, state, REFEREE, owed.move, now)
    missed = first_missed_deadline(game.terms, state.table, now)
    if missed is None:
        return None
    seat, deadline = missed
    cause = missed_deadline_cause(deadline, state.table, seat)
    return prepare_move(game, state, seat, game.rules.default(state.position, seat), cause, now)


def due_at(game: Match, state: State) -> int | None:
    """When the referee's trigger is due; None: nothing is due."""
    due = game.rules.due(state.position)
    return None if due is None else state.due_since + due.after_ms


def duty(game: Match, state: State) -> Duty | None:
    """What the referee owes at the table."""
    return table_duty(game.rules, game.terms, state.table, state.position)


def _moment(state: State, now: int) -> int:
    """Time never goes back within a game."""
    return max(now, state.at)


def _commit(game: Match, state: State, actor: int | str, move: Move, at: int, **parts: Any) -> AnyCommit:
    version = state.version + 1
    return Commit(
        actor=actor,
        at=timestamp(at),
        move=move,
        prev=state.hash,
        salt=game.secret.blind(version),
        version=version,
        **parts,
    )


def _prepared(game: Match, commit: AnyCommit, at: int, position: Any, table: TableState) -> Prepared:
    if game.terms.clock is not None:
        commit = replace(commit, deadlines=deadlines(game.terms, table))
    entry = seal(commit)
    state = State(commit.version, entry.hash, at, position, table)
    return Prepared(entry, commit, state)
