"""From a move to the log: prepare a commit, append it, and try again if another writer was first."""

import random
import time
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.kernel.attempt import Attempt
from referee.kernel.canon import steady
from referee.kernel.chance import Derived
from referee.kernel.message import Move
from referee.kernel.rejection import Rejection
from referee.kernel.seat import REFEREE, Actor
from referee.service.game import Game, State, read_commit
from referee.service.problems import Problem
from referee.service.repository import Repository, now_ms
from referee.service.waking import Schedule, duty, expectations, schedule
from referee.store.log import Appended, Behind, IdempotencyKey, Repeated, Written
from referee.table.duties import deadlines, first_missed_deadline, missed_deadline_cause
from referee.table.record import AnyCommit, Commit, Entry, seal
from referee.table.rules import TableCase, TableRefusal, decide_at_table
from referee.table.state import TableState, after_move, after_table_move
from referee.table.times import timestamp
from schemas.play import Expectations

TRIED_S_MAX = 10.0
"""A request that loses every race for this long is asked to come back later."""
AT_ONCE = 20
"""The number of tries that follow one another without a pause."""
PAUSE_S_MAX = 0.05


class Prepared(msgspec.Struct, frozen=True):
    """A commit ready to be appended, the state after it, and who must act then."""

    entry: Entry
    commit: AnyCommit
    state: State
    schedule: Schedule


class Outcome(msgspec.Struct, frozen=True):
    """A move that is in the log: its commit with its hash, and who and what was expected after it."""

    commit: AnyCommit
    hash: str
    expectations: Expectations
    is_repeated: bool = False
    """Whether it was in the log before, under the same idempotency key."""


class Refused(Exception):
    """A move that the rules refuse, with the state they judged it by."""

    def __init__(self, game: Game, state: State, rejection: Rejection) -> None:
        super().__init__(game, rejection)
        self.game = game
        self.state = state
        self.rejection = rejection


class Tries:
    """Counts the tries of one request. While it pauses, a web process serves others."""

    def __init__(self) -> None:
        self._number = 0
        self._began = time.monotonic()

    def again(self) -> bool:
        """Call before each try; returns whether there was a pause, after which what is known may be old.

        Raises a problem when it has taken too long. Pauses are random and grow, so that the same rival does not win
        every time.
        """
        self._number += 1
        if self._number <= AT_ONCE:
            return False
        if time.monotonic() - self._began >= TRIED_S_MAX:
            detail = "Other requests changed this game first for ten seconds. Try again."
            raise Problem("too-busy", detail, retry_after=1)
        time.sleep(random.uniform(0, min(PAUSE_S_MAX, 0.001 * (self._number - AT_ONCE))))
        return True


def prepare_move(
    game: Game,
    state: State,
    actor: Actor,
    move: Move | Attempt,
    cause: dict[str, Any] | None,
    now: int | None = None,
) -> Prepared:
    """The commit of a move of the ruleset, made at `now` or at the present; raises Rejection."""
    rules = game.rules
    if rules.edition_hash != game.edition:
        raise Problem("edition-changed", "This game began with an edition that this referee no longer has.")
    chance = Derived(game.chance_key, state.table.drawn)
    events, position = rules.play(state.position, actor, move, chance)
    played = move.move if isinstance(move, Attempt) else move
    assert played is not None
    at = _moment(state, now)
    commit = _commit(game, state, actor, played, at, cause=cause, draws=len(chance.drawn), events=events)
    table = after_move(rules, game.terms, state.table, commit, at, state.position, position)
    return _prepared(game, commit, at, position, table)


def prepare_table_move(game: Game, state: State, actor: int | str, move: Move, now: int | None = None) -> Prepared:
    """The commit of a move at the table, made at `now` or at the present; raises TableRefusal."""
    at = _moment(state, now)
    events = decide_at_table(TableCase(game.rules, game.terms, state.table, state.position, actor, at), move)
    commit = _commit(game, state, actor, move, at, cause=None, draws=0, events=events)
    table, position = after_table_move(game.rules, game.terms, state.table, commit, at, state.position)
    return _prepared(game, commit, at, position, table)


def prepare_due(game: Game, state: State, now: int) -> Prepared | None:
    """What the referee owes by now: a trigger, a duty at the table, or the default move of a missed deadline."""
    if state.status != "running":
        return None
    now = max(now, state.at)
    due = game.rules.due(state.position)
    if due is not None and state.moved_at + due.after_s * 1000 <= now:
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


def _moment(state: State, now: int | None) -> int:
    """Time never goes back within a game."""
    return max(now_ms() if now is None else now, state.at)


def _commit(game: Game, state: State, actor: int | str, move: Move, at: int, **parts: Any) -> AnyCommit:
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


def _prepared(game: Game, commit: AnyCommit, at: int, position: Any, table: TableState) -> Prepared:
    if game.terms.clock is not None:
        commit = replace(commit, deadlines=deadlines(game.terms, table))
    entry = seal(commit)
    state = State(commit.version, entry.hash, at, position, table)
    return Prepared(entry, commit, state, schedule(game, state))


def append(repository: Repository, game: Game, prepared: Prepared, key: IdempotencyKey | None = None) -> Appended:
    """Append a commit and remember its state; if the log had gone on, remember the newer state instead."""
    follows, wake_at = prepared.commit.prev, prepared.schedule.wake_at
    status = prepared.state.status
    leaf = status if status in ("finished", "annulled") else "head"
    appended = repository.log.append(game.id, prepared.entry, key, wake_at, follows, leaf)
    if isinstance(appended, Written):
        repository.remember(game, prepared.state)
    elif isinstance(appended, Behind):
        repository.catch_up(game, appended.entries)
    return appended


def commit(
    repository: Repository,
    game: Game,
    prepare: Callable[[State], Prepared],
    key: IdempotencyKey | None,
    duty_first: bool = False,
) -> Outcome:
    """Prepare a commit and append it, again and again until no other writer was first.

    It begins with the state that this process knows, so that a move costs one round trip; only the newest state
    refuses. `duty_first`: the referee first does what it owes at the table. Raises Refused, TableRefusal or Problem.
    """
    state, is_newest, tries = repository.known(game), False, Tries()
    while True:
        if tries.again():
            state, is_newest = repository.newest(game), True
        if duty_first and duty(game, state) is not None:
            # Otherwise an absent player could move without reclaiming the seat.
            owed = prepare_due(game, state, now_ms())
            assert owed is not None, "a duty is owed at once"
            append(repository, game, owed)
            repository.nudge(game.id)
            state, is_newest = repository.known(game), True
            continue
        try:
            prepared = prepare(state)
        except (Rejection, TableRefusal, Problem) as refusal:
            if key is not None and (seen := repository.log.repeated(game.id, key.key)):
                return _repeat(repository, game, key, seen)
            if is_newest:
                raise (Refused(game, state, refusal) if isinstance(refusal, Rejection) else refusal) from None
            state, is_newest = repository.newest(game), True
            continue
        outcome = _append_once(repository, game, prepared, key)
        if outcome is not None:
            if prepared.schedule.ours_now and not outcome.is_repeated:
                repository.nudge(game.id)
            return outcome
        state, is_newest = repository.known(game), True


def _append_once(repository: Repository, game: Game, prepared: Prepared, key: IdempotencyKey | None) -> Outcome | None:
    """Append a commit, or find the one that its key was used for; None if the log had gone on."""
    expected = expectations(game, prepared.state, prepared.schedule)
    key_with_note = key and replace(key, note=steady(expected))
    appended = append(repository, game, prepared, key_with_note)
    if isinstance(appended, Behind):
        return None
    if isinstance(appended, Repeated):
        assert key is not None
        return _repeat(repository, game, key, appended)
    return Outcome(prepared.commit, prepared.entry.hash, expected)


def _repeat(repository: Repository, game: Game, key: IdempotencyKey, seen: Repeated) -> Outcome:
    """The first answer again, from its entry and the note beside it; raises a problem for another request."""
    if seen.fingerprint != key.fingerprint:
        raise Problem("idempotency-key-reused", "You used this Idempotency-Key for another request.")
    (entry,) = repository.log.read(game.id, seen.version - 1, 1)
    noted: Any = msgspec.json.decode(seen.note, type=dict[str, msgspec.Raw])
    return Outcome(read_commit(game, entry), entry.hash, Expectations(**noted), is_repeated=True)
