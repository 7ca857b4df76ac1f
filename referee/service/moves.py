"""Moves of players and admins: by the rules of the game, or at its table."""

import secrets
import time
from collections.abc import Callable
from hashlib import sha256

import msgspec
from msgspec.structs import replace

from referee.bots.choices import bot_of
from referee.kernel.attempt import Attempt
from referee.kernel.canon import canonical, digest
from referee.kernel.judge import awaited_seats, refusal
from referee.kernel.message import Move
from referee.kernel.rejection import Rejection
from referee.kernel.seat import Seat
from referee.service import races
from referee.service.commits import Outcome, Refused, append, commit, repeat
from referee.service.game import Game
from referee.service.problems import Problem, not_started, stale
from referee.service.repository import Repository, now_ms
from referee.store.log import IdempotencyKey
from referee.table.commits import Prepared, prepare_due, prepare_move, prepare_table_move
from referee.table.linking import read_linked_move, require_link
from referee.table.match import State
from referee.table.moves import AnnulGame, PauseGame, ResumeGame, Undo
from referee.table.record import ADMIN
from referee.table.rules import TableRefusal, require_player, require_time

UNDO_REFUSED = "undo-refused"


class Expected(msgspec.Struct, frozen=True):
    """The version whose position the caller knows, and the problem if the position has changed since."""

    version: int
    problem: str = "stale-version"


def submit(
    repository: Repository,
    game: Game,
    seat: Seat,
    body: bytes,
    expected: Expected | None = None,
    key: str | None = None,
    judged: Callable[[State, int], object] | None = None,
) -> Outcome:
    """Judge a move and append it; raises Refused, TableRefusal or Problem.

    A move for which seats race is appended when the race closes; the caller waits for that. `judged` is called with
    each state that the move is judged by, and the time in milliseconds.
    """
    attempt, link = read_linked_move(game.rules, body)

    def prepare(state: State) -> Prepared:
        now = max(now_ms(), state.at)
        if judged is not None:
            judged(state, now)
        _require_open(game, state, seat, expected)
        require_link(state.table, seat, link)
        early = _too_early(game, state, seat, attempt, now)
        if early is not None:
            raise early
        prepared = prepare_move(game, state, seat, attempt, None, now, link)
        _require_time(repository, game, state, seat, prepared.state.at)
        if races.race_of(game, state, seat, attempt) is not None:
            raise _Races
        return prepared

    idempotency_key = None if key is None else IdempotencyKey(key_of(seat, key), sha256(body).hexdigest())
    try:
        return commit(repository, game, prepare, idempotency_key, duty_first=True)
    except _Races:
        if idempotency_key is not None and (seen := repository.log.repeated(game.id, idempotency_key.key)):
            return repeat(repository, game, idempotency_key, seen)
        entry = idempotency_key or IdempotencyKey(f"race:{seat}:{secrets.token_hex(8)}", sha256(body).hexdigest())
        _wait_for_race(repository, game, seat, attempt, entry, link)
    try:
        outcome = commit(repository, game, prepare, entry, duty_first=True)
    except _Races:
        raise Problem("too-busy", "The race of your move was not decided in time. Try again.", retry_after=1) from None
    return replace(outcome, is_repeated=False)


class _Races(Exception):
    """Seats race for this move, so it is not made at once."""


def _wait_for_race(
    repository: Repository, game: Game, seat: Seat, attempt: Attempt, entry: IdempotencyKey, link: str | None
) -> None:
    """Enter a legal move into its race, and wait until the moves of the race are made, this one among them or not."""
    state = repository.newest(game)
    decision = races.race_of(game, state, seat, attempt)
    if decision is None:
        return
    move = msgspec.Raw(msgspec.json.encode(attempt.move))
    entrant = races.Entrant(seat, move, now_ms(), entry.key, entry.fingerprint, link=link)
    competes, closes = races.enter(repository, game, state, entrant, decision.race_ms or 0)
    time.sleep(max(0, closes - now_ms()) / 1000)
    races.close(repository, game, now_ms())
    if not competes:
        owed = prepare_due(game, repository.newest(game), now_ms())
        if owed is not None:
            append(repository, game, owed)


def dry_run(repository: Repository, game: Game, seat: Seat, body: bytes, expected: Expected | None = None) -> State:
    """Judge a move only: nothing is appended and no luck is drawn; raises Refused, TableRefusal or Problem.

    It ignores links: anybody who has seen a link can foresee what the seat draws next.
    """
    attempt, _ = read_linked_move(game.rules, body)
    state = repository.newest(game)
    _require_open(game, state, seat, expected)
    rejection = refusal(game.rules, state.position, seat, attempt) or _too_early(game, state, seat, attempt, now_ms())
    if rejection is not None:
        raise Refused(game, state, rejection)
    _require_time(repository, game, state, seat, now_ms())
    return state


def act(
    repository: Repository,
    game: Game,
    actor: int | str,
    move: Move,
    expected: Expected | None = None,
    key: str | None = None,
) -> Outcome:
    """Make a move at the table: resign, pause by consent, return, undo, or what an admin does.

    Raises TableRefusal or Problem."""
    if not game.is_started:
        raise not_started(game.status)

    def prepare(state: State) -> Prepared:
        _require_version(state, expected)
        return _prepare_at_table(repository, game, state, actor, move)

    idempotency_key = None if key is None else IdempotencyKey(key_of(actor, key), digest(canonical(move)))
    return commit(repository, game, prepare, idempotency_key)


def administer_game(
    repository: Repository, game: Game, kind: type[PauseGame | ResumeGame | AnnulGame], reason: str
) -> Outcome:
    """Make a move of an admin. The log gets the hash of the reason; its text lies beside the log."""
    hash = repository.keep_text(game.id, reason)
    try:
        return act(repository, game, ADMIN, kind(reason=hash))
    except (Problem, TableRefusal):
        repository.log.erase(game.id, (hash,), ())
        raise


def _prepare_at_table(repository: Repository, game: Game, state: State, actor: int | str, move: Move) -> Prepared:
    """The commit of a move at the table. Judging an undo is slow, so it runs aside and its refusal is remembered."""
    if not isinstance(move, Undo):
        return prepare_table_move(game, state, actor, move, now_ms())
    known = repository.final_undos.get((state.hash, actor))
    if known is not None:
        raise TableRefusal(UNDO_REFUSED, known)
    try:
        return repository.aside(lambda: prepare_table_move(game, state, actor, move, now_ms()))
    except TableRefusal as refusal:
        if refusal.code == UNDO_REFUSED:
            repository.final_undos.put((state.hash, actor), refusal.detail)
        raise


def is_awaited(repository: Repository, game: Game, seat: Seat) -> bool:
    """Whether the game now waits for the player of a seat."""
    if not game.is_started or bot_of(game, state := repository.newest(game), seat) is not None:
        return False
    return state.status == "running" and seat in awaited_seats(game.rules, state.position)


def key_of(actor: int | str, key: str) -> str:
    """The name of an idempotency key in a game: each seat has keys of its own."""
    return f"{actor}:{key}"


def _require_time(repository: Repository, game: Game, state: State, seat: Seat, at: int) -> None:
    """A player moves before the deadline of the seat; afterwards the referee does, and is nudged to."""
    try:
        require_time(game.terms, state.table, seat, at)
    except TableRefusal:
        repository.nudge(game.id)
        raise


def _require_open(game: Game, state: State, seat: Seat, expected: Expected | None) -> None:
    """A move needs a started game that is neither paused nor annulled, at the version named, and no bot on the seat."""
    if not game.is_started:
        raise not_started(game.status)
    _require_version(state, expected)
    if state.table.status != "running":
        raise Problem(f"game-{state.table.status}", f"The game is {state.table.status}.")
    require_player(game.terms, state.table, seat)


def _require_version(state: State, expected: Expected | None) -> None:
    """Refuse what was meant for another position than the newest."""
    if expected is not None and not state.table.changed <= expected.version <= state.version:
        raise stale(expected.problem, state.version)


def _too_early(game: Game, state: State, seat: Seat, attempt: Attempt, now: int) -> Rejection | None:
    """The refusal of a decision whose waiting time has not passed; the rules themselves see no clock."""
    if attempt.move is None:
        return None
    for decision in game.rules.awaited(state.position):
        if decision.seat == seat and decision.not_before_s and attempt.move.__struct_config__.tag in decision.moves:
            wait_ms = state.moved_at + decision.not_before_s * 1000 - now
            if wait_ms > 0:
                assert decision.not_before_clause is not None
                kind, wait_s = attempt.move.__struct_config__.tag, decision.not_before_s
                text = f"`{kind}` must wait until {wait_s} s after the last move; {wait_ms} ms are left."
                return Rejection(decision.not_before_clause, text)
    return None
