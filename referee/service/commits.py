"""From a commit to the log: append it, and try again if another writer was first."""

import random
import time
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.kernel.canon import steady
from referee.kernel.rejection import Rejection
from referee.service.game import Game
from referee.service.metrics import count_commit, count_refusal
from referee.service.problems import Problem
from referee.service.repository import Repository, now_ms
from referee.service.waking import Schedule, expectations, schedule
from referee.store.log import Appended, Behind, IdempotencyKey, Repeated, Written
from referee.table.commits import EditionChanged, Prepared, duty, prepare_due
from referee.table.match import State, read_commit
from referee.table.record import AnyCommit
from referee.table.rules import TableRefusal
from schemas.play import Expectations

TRIED_S_MAX = 10.0
"""A request that loses every race for this long is asked to come back later."""
AT_ONCE = 20
"""The number of tries that follow one another without a pause."""
PAUSE_S_MAX = 0.05


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


def append(
    repository: Repository,
    game: Game,
    prepared: Prepared,
    key: IdempotencyKey | None = None,
    after: Schedule | None = None,
) -> Appended:
    """Append a commit and remember its state; if the log had gone on, remember the newer state instead.

    `after` is the schedule after the commit, if the caller has it.
    """
    wake_at = (after or schedule(game, prepared.state)).wake_at
    status = prepared.state.status
    leaf = status if status in ("finished", "annulled") else "head"
    appended = repository.log.append(game.id, prepared.entry, key, wake_at, prepared.commit.prev, leaf)
    if isinstance(appended, Written):
        repository.remember(game, prepared.state)
        count_commit(game.ruleset, prepared.commit.actor, prepared.commit.cause)
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
    refuses. `duty_first`: the referee first does what it owes at the table. Raises Refused, TableRefusal,
    EditionChanged or Problem.
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
        except (Rejection, TableRefusal, EditionChanged, Problem) as refusal:
            if key is not None and (seen := repository.log.repeated(game.id, key.key)):
                return repeat(repository, game, key, seen)
            if is_newest:
                if isinstance(refusal, Rejection):
                    count_refusal(refusal.clause)
                raise (Refused(game, state, refusal) if isinstance(refusal, Rejection) else refusal) from None
            state, is_newest = repository.newest(game), True
            continue
        after = schedule(game, prepared.state)
        outcome = _append_once(repository, game, prepared, key, after)
        if outcome is not None:
            if after.ours_now and not outcome.is_repeated:
                repository.nudge(game.id)
            return outcome
        state, is_newest = repository.known(game), True


def _append_once(
    repository: Repository, game: Game, prepared: Prepared, key: IdempotencyKey | None, after: Schedule
) -> Outcome | None:
    """Append a commit, or find the one that its key was used for; None if the log had gone on."""
    expected = expectations(game, prepared.state, after)
    key_with_note = key and replace(key, note=steady(expected))
    appended = append(repository, game, prepared, key_with_note, after)
    if isinstance(appended, Behind):
        return None
    if isinstance(appended, Repeated):
        assert key is not None
        return repeat(repository, game, key, appended)
    return Outcome(prepared.commit, prepared.entry.hash, expected)


def repeat(repository: Repository, game: Game, key: IdempotencyKey, seen: Repeated) -> Outcome:
    """The first answer again, from its entry and the note beside it; raises a problem for another request."""
    if seen.fingerprint != key.fingerprint:
        raise Problem("idempotency-key-reused", "You used this Idempotency-Key for another request.")
    (entry,) = repository.log.read(game.id, seen.version - 1, 1)
    noted: Any = msgspec.json.decode(seen.note, type=dict[str, msgspec.Raw])
    return Outcome(read_commit(game, entry), entry.hash, Expectations(**noted), is_repeated=True)
