"""Do what is due: the referee's triggers, default moves, the moves of bots, and the audit of a game that is over."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from referee.bots.budget import Budget, Milliseconds
from referee.bots.choices import Choice, answers_until, bot_at, bot_decisions, bots_choice
from referee.kernel.seat import Seat
from referee.service import races
from referee.service.audits import make_audit
from referee.service.commits import append
from referee.service.expiry import look_after_waiting
from referee.service.finding import relist
from referee.service.game import Game
from referee.service.metrics import BOT_SECONDS, LATE_SECONDS
from referee.service.problems import Problem
from referee.service.repository import Repository, now_ms
from referee.service.sealing import look_after_revealing
from referee.service.waking import owed_since, schedule
from referee.store.log import Conflict
from referee.table.commits import Prepared, prepare_due, prepare_move
from referee.table.match import State

KEPT_MS = 600_000


class Thought(msgspec.Struct, frozen=True):
    """A choice that is stored until it is due."""

    after: str
    """The hash of the commit that it answers."""
    due: int
    """When the move is to be made, in milliseconds."""
    seat: int
    move: msgspec.Raw
    cause: dict[str, Any]


_thoughts = msgspec.json.Decoder(Thought)


def keep(repository: Repository, game: Game, state: State, choice: Choice, due: int) -> Thought:
    """Store a bot's choice at this state until it is due."""
    move = msgspec.Raw(msgspec.json.encode(choice.move))
    thought = Thought(state.hash, due, choice.seat, move, choice.cause)
    repository.log.keep_thought(game.id, msgspec.json.encode(thought), KEPT_MS)
    return thought


def recall(repository: Repository, game: Game, state: State) -> Thought | None:
    """The stored choice of a bot at this state, if there is one."""
    body = repository.log.thought(game.id)
    thought = None if body is None else _thoughts.decode(body)
    return thought if thought is not None and thought.after == state.hash else None


def thoughts_commit(game: Game, state: State, thought: Thought) -> Prepared:
    """The commit of a stored choice, made now."""
    move = game.rules.read_move(bytes(thought.move))
    return prepare_move(game, state, Seat(thought.seat), move, thought.cause, now_ms())


STEPS_MAX = 100_000
"""The most commits of one nudge; the sweep continues the game later."""

BOTS_AT_ONCE_S = 1.0
"""The time for which the bots of one game play before those of another get their turn."""

THINKING_SHARE = 0.75
"""At a table with players a bot thinks for this share of its budget, so that it can move when all of it has passed."""

QUICK_BOTS_AT_ONCE_S = 0.1
"""The same for bots that do not think, because one job has several of their games."""

CALLED_MS = 5000
"""The time after which a game whose bots or audit were called is checked again: the worker may have died."""

WAITING_MS = 30_000
"""The same for a game that was already waiting for that work: the queue is long."""


class Calls(Protocol):
    """Queues work on a game for other workers; each call returns whether the work was not queued before."""

    def call_bots(self, game: Game, thinking: bool) -> bool:
        """Queue the moves of its bots; `thinking`: one of them is a bot that thinks."""

    def call_audit(self, game: Game) -> bool:
        """Queue its audit."""


def run(
    repository: Repository, game_id: str, calls: Calls | None = None, bots_for_s: float = 0.0, may_think: bool = True
) -> int:
    """Continue a game until it waits for a player; returns the number of commits that were tried.

    An early or repeated call does no harm, because the log accepts each version once. With `calls`, bots play here for
    `bots_for_s` seconds and are then queued, bots that think at once unless `may_think`; the audit of a game that is
    over is queued, too. Without `calls` everything is done here.
    """
    until = time.monotonic() + bots_for_s
    game = _started_game(repository, game_id)
    if game is None:
        return 0
    state = _listed_state(repository, game)
    for steps in range(STEPS_MAX):
        now = now_ms()
        race = races.pending(repository, game, state)
        if race is not None and race.closes <= now:
            state = races.close(repository, game, now)
            continue
        prepared = _owed(game, state, now) if race is None else None
        if prepared is None and (decisions := bot_decisions(game, state, now)):
            thinking = any(bot_at(game, state, each.seat).imagines for each in decisions)
            thought = _stored_thought(repository, game, state, now) if thinking else None
            is_over = time.monotonic() >= until or (thinking and not may_think)
            if thought is None and calls is not None and is_over:
                _call(repository, game, state, now, partial(calls.call_bots, game, thinking))
                return steps
            if races.enter_bots(repository, game, state, decisions, partial(Milliseconds, repository.bot_budget_ms)):
                continue
            prepared, due = _bots_step(repository, game, state, now, thought)
            if due is not None and calls is not None:
                _schedule_wake(repository, game, state, now, due)
                return steps
            if due is not None:
                time.sleep(max(0, due - now_ms()) / 1000)
                continue
        if prepared is None:
            _leave(repository, game, state, now, calls, None if race is None else race.closes)
            return steps
        append(repository, game, prepared)
        state = repository.known(game)
    return STEPS_MAX


def _owed(game: Game, state: State, now: int) -> Prepared | None:
    """What the referee owes by now; how late it is, is measured for operators."""
    prepared = prepare_due(game, state, now)
    if prepared is not None:
        LATE_SECONDS.observe(max(0, now - owed_since(game, state, now)) / 1000)
    return prepared


def _listed_state(repository: Repository, game: Game) -> State:
    """The newest state; a game without a commit is listed and announced, in case the process that started it died."""
    state = repository.newest(game)
    if state.version == 0:
        relist(repository, replace(game, status="waiting"), game)
        repository.announce(game)
    return state


def _started_game(repository: Repository, game_id: str) -> Game | None:
    """A game if it has started. One that has not may have expired; one that was removed is not woken again."""
    repository.games.forget(game_id)
    try:
        game = repository.game(game_id)
    except Problem:
        repository.log.wake(game_id, None)
        return None
    if game.status == "revealing":
        game = look_after_revealing(repository, game, now_ms())
    if game.is_started:
        return game
    if game.status != "revealing":
        look_after_waiting(repository, game, now_ms())
    return None


def _call(repository: Repository, game: Game, state: State, now: int, call: Callable[[], bool]) -> None:
    """Queue work on a game, and schedule a check in case no worker does it."""
    _schedule_wake(repository, game, state, now, now + CALLED_MS)
    if not call():
        _schedule_wake(repository, game, state, now, now + WAITING_MS)


def _leave(repository: Repository, game: Game, state: State, now: int, calls: Calls | None, closes: int | None) -> None:
    """Leave a game that waits for a player, or for the end of a race, or is over: then its audit is due, once."""
    is_over = state.status in ("finished", "annulled")
    is_audited = is_over and repository.log.audit(game.id) is not None
    pack_at = repository.pack_at(game, state) if is_audited else None
    if not is_over or (is_audited and (calls is None or pack_at is None or pack_at > now)):
        waits = any(decision.obliged for decision in bot_decisions(game, state, now))
        times = (closes, answers_until(state) if waits else None, pack_at)
        _schedule_wake(repository, game, state, now, min((at for at in times if at is not None), default=None))
    elif calls is not None:
        _call(repository, game, state, now, partial(calls.call_audit, game))
    else:
        _schedule_wake(repository, game, state, now)
        make_audit(repository, game)


def _takes_whole_budget(game: Game, state: State, now: int) -> bool:
    """Whether a bot that thinks owes a move at a table with players, who could learn from the time that it takes."""
    seats = [each.seat for each in bot_decisions(game, state, now) if each.obliged] if game.terms.players else []
    return bool(seats) and bot_at(game, state, seats[0]).imagines


def _stored_thought(repository: Repository, game: Game, state: State, now: int) -> Thought | None:
    return recall(repository, game, state) if _takes_whole_budget(game, state, now) else None


def _bots_step(
    repository: Repository, game: Game, state: State, now: int, thought: Thought | None
) -> tuple[Prepared | None, int | None]:
    """The commit of a bot; or the time when it is due, if the bot's budget has not passed yet."""
    budget_ms = repository.bot_budget_ms
    if not _takes_whole_budget(game, state, now):
        return bots_commit(game, state, partial(Milliseconds, budget_ms), now), None
    if thought is None:
        choice = _timed_choice(game, state, partial(Milliseconds, round(THINKING_SHARE * budget_ms)), now)
        if choice is None:
            return None, None
        # A bot that exceeds its budget because the machine is busy moves after a whole number of budgets.
        budgets = 1 + (now_ms() - now) // budget_ms if budget_ms else 0
        thought = keep(repository, game, state, choice, now + budgets * budget_ms)
    if thought.due > now_ms():
        return None, thought.due
    return thoughts_commit(game, state, thought), None


def _timed_choice(game: Game, state: State, budgets: Callable[[], Budget], now: int) -> Choice | None:
    """The choice of a bot, whose thinking time is measured for operators."""
    began = time.perf_counter()
    choice = bots_choice(game, state, budgets, now)
    if choice is not None:
        BOT_SECONDS.labels(game.ruleset, choice.cause["bot"]).observe(time.perf_counter() - began)
    return choice


def bots_commit(game: Game, state: State, budgets: Callable[[], Budget], now: int) -> Prepared | None:
    """The commit of a bot that owes a move at `now` or wants to make one.

    It is made when the bot has chosen, so that other seats do not pay for its thinking time.
    """
    choice = _timed_choice(game, state, budgets, now)
    return None if choice is None else prepare_move(game, state, choice.seat, choice.move, choice.cause, now_ms())


def _schedule_wake(repository: Repository, game: Game, state: State, now: int, at_latest: int | None = None) -> None:
    """Copy the status of the log to the stored game and the lists, then note when to wake the game."""
    if state.status != game.status:
        changed = replace(game, status=state.status, revision=game.revision + 1)
        relist(repository, game, changed)
        try:
            repository.keep(changed)
            game = changed
        except Conflict:
            repository.games.forget(game.id)
            game = repository.game(game.id)
            relist(repository, changed, game)
    times = [at for at in (schedule(game, state, now).wake_at, at_latest) if at is not None]
    repository.log.wake(game.id, min(times, default=None), state.version)
