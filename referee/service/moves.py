"""Moves of seats: judged by the rules and appended, or refused by a clause."""

from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.kernel.canon import steady
from referee.kernel.judge import awaited_seats, refusal
from referee.kernel.record import AnyCommit
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Attempt
from referee.kernel.seat import Seat
from referee.kernel.table_rules import TableRefusal, require_player, require_time
from referee.log.log import Behind, Once, Repeated
from referee.service.commits import Made, append, bot_of, expectations, follow_rules, ruling
from referee.service.desk import Desk, now_ms
from referee.service.game import Game
from referee.service.nudges import referees_commit
from referee.service.problems import Problem, not_started, refused_at_table, stale
from referee.service.state import State, read_commit
from referee.service.tries import Tries


class Expected(msgspec.Struct, frozen=True):
    """The version whose position the caller knows, and the status of the answer if the position has changed since."""

    version: int
    status: int


class Outcome(msgspec.Struct, frozen=True):
    """A move that is in the log: its commit with its hash, and who and what was expected after it."""

    commit: AnyCommit
    hash: str
    expectations: dict[str, Any]
    is_repeated: bool = False
    """Whether it was in the log before, under the same idempotency key."""


class Refused(Exception):
    """A refused move, with the state of the game whose rules refuse it."""

    def __init__(self, game: Game, state: State, rejection: Rejection) -> None:
        super().__init__(game, rejection)
        self.game = game
        self.state = state
        self.rejection = rejection


def submit(
    desk: Desk, game: Game, seat: Seat, body: bytes, expected: Expected | None = None, key: str | None = None
) -> Outcome:
    """Judge a move and append it; raises Refused, or a problem."""
    attempt = game.rules.read_move(body)
    once = None if key is None else Once(once_key(seat, key), sha256(body).hexdigest())
    state = desk.known(game)
    fresh, tries = False, Tries()
    while True:
        if tries.again():
            state, fresh = desk.newest(game), True
        if ruling(game, state) is not None:
            # Nobody moves before the referee has ruled: who is absent would come back without having returned.
            owed = referees_commit(game, state, now_ms())
            assert owed is not None, "a ruling is owed at once"
            append(desk, game, owed)
            desk.nudge(game.id)
            state, fresh = desk.known(game), True
            continue
        try:
            made = _judge(desk, game, state, seat, attempt, expected)
        except (Rejection, Problem) as refusal:
            if once is not None and (seen := desk.log.repeated(game.id, once.key)):
                return repeat(desk, game, once, seen)
            if fresh:
                raise _refused(game, state, refusal) from None
            state, fresh = desk.newest(game), True
            continue
        outcome = commit_once(desk, game, made, once)
        if outcome is None:
            state, fresh = desk.known(game), True
            continue
        if made.awaits.ours_now and not outcome.is_repeated:
            desk.nudge(game.id)
        return outcome


def is_owed(desk: Desk, game: Game, seat: Seat) -> bool:
    """Whether a seat is awaited now."""
    if not game.is_started or bot_of(game, state := desk.newest(game), seat) is not None:
        return False
    return state.status == "running" and seat in awaited_seats(game.rules, state.position)


def once_key(actor: int | str, key: str) -> str:
    """The name of a key in a game: each seat has keys of its own."""
    return f"{actor}:{key}"


def dry_run(desk: Desk, game: Game, seat: Seat, body: bytes, expected: Expected | None = None) -> State:
    """Judge a move only: nothing is appended and no luck is drawn; raises Refused."""
    attempt = game.rules.read_move(body)
    state = desk.newest(game)
    _require_open(game, state, seat, expected)
    rejection = refusal(game.rules, state.position, seat, attempt) or _too_early(game, state, seat, attempt)
    if rejection is not None:
        raise Refused(game, state, rejection)
    _require_time(desk, game, state, seat, now_ms())
    return state


def _judge(desk: Desk, game: Game, state: State, seat: Seat, attempt: Attempt, expected: Expected | None) -> Made:
    _require_open(game, state, seat, expected)
    early = _too_early(game, state, seat, attempt)
    if early is not None:
        raise early
    made = follow_rules(game, state, seat, attempt, None)
    _require_time(desk, game, state, seat, made.state.at)
    return made


def _require_time(desk: Desk, game: Game, state: State, seat: Seat, at: int) -> None:
    """A move is made before the clock of its seat runs out; after that the referee makes it, and is told so."""
    try:
        require_time(game.terms, state.course, seat, at)
    except TableRefusal as refusal:
        desk.nudge(game.id)
        raise refused_at_table(refusal) from None


def _require_open(game: Game, state: State, seat: Seat, expected: Expected | None) -> None:
    """A move needs a started game that is neither paused nor annulled, at the version named, and no bot on the seat."""
    if not game.is_started:
        raise not_started(game.status)
    require_version(state, expected)
    if state.table.status != "running":
        raise Problem(409, f"game-{state.table.status}", f"The game is {state.table.status}.")
    try:
        require_player(game.terms, state.course, seat)
    except TableRefusal as refusal:
        raise refused_at_table(refusal) from None


def require_version(state: State, expected: Expected | None) -> None:
    """Refuse what was meant for another position than the newest."""
    if expected is not None and not state.course.changed <= expected.version <= state.version:
        raise stale(expected.status, state.version)


def _too_early(game: Game, state: State, seat: Seat, attempt: Attempt) -> Rejection | None:
    """The clause of a decision that has to wait, if its time has not come: a position has no clock."""
    if attempt.move is None:
        return None
    for decision in game.rules.awaited(state.position):
        if decision.seat == seat and decision.not_before_s and attempt.move.__struct_config__.tag in decision.moves:
            wait_ms = state.moved_at + decision.not_before_s * 1000 - now_ms()
            if wait_ms > 0:
                assert decision.not_before_clause is not None
                return Rejection(decision.not_before_clause, f"Wait another {wait_ms} ms.")
    return None


def _refused(game: Game, state: State, refusal: Rejection | Problem) -> Exception:
    return Refused(game, state, refusal) if isinstance(refusal, Rejection) else refusal


def commit_once(desk: Desk, game: Game, made: Made, once: Once | None) -> Outcome | None:
    """Append a commit, or find what its key stands for already; None if the log had gone on."""
    expected = expectations(game, made.state, made.awaits)
    noted = once and replace(once, note=steady(expected))
    appended = append(desk, game, made, noted)
    if isinstance(appended, Behind):
        return None
    if isinstance(appended, Repeated):
        assert once is not None
        return repeat(desk, game, once, appended)
    return Outcome(made.commit, made.entry.hash, expected)


def repeat(desk: Desk, game: Game, once: Once, seen: Repeated) -> Outcome:
    """The first answer again, from its entry and the note beside it; another request under the same key is a fault."""
    if seen.fingerprint != once.fingerprint:
        raise Problem(422, "idempotency-key-reused", "This Idempotency-Key was used for another request.")
    (entry,) = desk.log.read(game.id, seen.version - 1, 1)
    expected = msgspec.json.decode(seen.note, type=dict[str, msgspec.Raw])
    return Outcome(read_commit(game, entry), entry.hash, dict(expected), is_repeated=True)
