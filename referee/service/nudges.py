"""Do what is due: the referee's triggers, clocks that ran out, the moves of bots, and noting the end of a game."""

import time
from collections.abc import Callable
from functools import partial
from typing import Protocol

from msgspec.structs import replace

from referee.bots import BOTS
from referee.bots.bot import bot_chance, first_of, luck_of, make_turn
from referee.bots.budget import Budget, Milliseconds
from referee.kernel.ruleset import Decision
from referee.kernel.rulings import first_lapsed, lapse_cause
from referee.kernel.seat import REFEREE
from referee.log.log import Conflict
from referee.service.audits import make_audit
from referee.service.commits import Made, append, at_the_table, awaits, bot_of, follow_rules, ruling
from referee.service.desk import Desk, now_ms
from referee.service.expiry import look_after_waiting
from referee.service.game import Game
from referee.service.lists import relist
from referee.service.problems import Problem
from referee.service.state import State
from referee.service.thoughts import Choice, Thought, keep, recall, thoughts_commit

STEPS_MAX = 100_000
"""A nudge carries a game on at most so far; the sweep sees to the rest."""

BOTS_AT_ONCE_S = 1.0
"""So long the bots of one game play on before those of another have their turn."""

THINKING_SHARE = 0.75
"""At a table with players a bot thinks for this share of its budget, so that it can move when all of it has passed."""

QUICK_BOTS_AT_ONCE_S = 0.1
"""The same for bots that answer at once, several games of which are in one job."""

CALLED_MS = 5000
"""A game whose bots or audit were asked for is looked at again after this time: who took the call may have died."""

WAITING_MS = 30_000
"""The same for a game that was waiting already when it was asked for again: the queue is long."""


class Calls(Protocol):
    """How to ask others for work on a game; each call returns whether nobody had asked for it already."""

    def call_bots(self, game: Game, thinking: bool) -> bool:
        """Ask for the moves of its bots; `thinking`: one of them takes its time."""

    def call_audit(self, game: Game) -> bool:
        """Ask for its audit."""


def run(desk: Desk, game_id: str, calls: Calls | None = None, bots_for_s: float = 0.0, may_think: bool = True) -> int:
    """Carry a game on until it waits for somebody outside; gives the number of commits that were tried.

    Harmless if it is done already, or early, or twice: the append's version check sees to that.
    Bots play for so many seconds, then they are called, if there is a way to call them; else they play on. So are bots
    that think, where they may not. The audit of a game that is over is asked for in the same way.
    """
    until = time.monotonic() + bots_for_s
    game = _begun(desk, game_id)
    if game is None:
        return 0
    state = desk.newest(game)
    if state.version == 0:
        # Whoever started the game may have been cut off before it was put on the lists, and told of.
        relist(desk, replace(game, status="waiting"), game)
        desk.announce(game)
    for steps in range(STEPS_MAX):
        now = now_ms()
        made = referees_commit(game, state, now)
        if made is None and (asked := bots_asked(game, state, now)):
            thinking = any(BOTS[str(bot_of(game, state, each.seat))].imagines for each in asked)
            decided = _decided(desk, game, state, now) if thinking else None
            is_over = time.monotonic() >= until or (thinking and not may_think)
            if decided is None and calls is not None and is_over:
                _call(desk, game, state, now, partial(calls.call_bots, game, thinking))
                return steps
            made, due = _bots_step(desk, game, state, now, decided)
            if due is not None and calls is not None:
                _note(desk, game, state, now, due)
                return steps
            if due is not None:
                time.sleep(max(0, due - now_ms()) / 1000)
                continue
        if made is None:
            _rest(desk, game, state, now, calls)
            return steps
        append(desk, game, made)
        state = desk.known(game)
    return STEPS_MAX


def _begun(desk: Desk, game_id: str) -> Game | None:
    """A game that has started. One that has not may have expired; one that is gone is not looked at again."""
    desk.games.forget(game_id)
    try:
        game = desk.game(game_id)
    except Problem:
        desk.log.wake(game_id, None)
        return None
    if game.is_started:
        return game
    look_after_waiting(desk, game, now_ms())
    return None


def _call(desk: Desk, game: Game, state: State, now: int, call: Callable[[], bool]) -> None:
    """Ask for work on a game, and look at it again in a while, should nobody have done it."""
    _note(desk, game, state, now, now + CALLED_MS)
    if not call():
        _note(desk, game, state, now, now + WAITING_MS)


def _rest(desk: Desk, game: Game, state: State, now: int, calls: Calls | None) -> None:
    """Leave a game that waits for somebody outside, or is over: then its audit is due, once."""
    if state.status not in ("finished", "annulled") or desk.log.audit(game.id) is not None:
        _note(desk, game, state, now)
    elif calls is not None:
        _call(desk, game, state, now, partial(calls.call_audit, game))
    else:
        _note(desk, game, state, now)
        make_audit(desk, game)


def referees_commit(game: Game, state: State, now: int) -> Made | None:
    """What the referee owes at this time: a trigger, a ruling at the table, or the move of a seat whose time is up."""
    if state.status != "running":
        return None
    now = max(now, state.at)  # as the commit will say: time never goes back within a game
    due = game.rules.due(state.position)
    if due is not None and state.moved_at + due.after_s * 1000 <= now:
        return follow_rules(game, state, REFEREE, due.move, None, now)
    ruled = ruling(game, state)
    if ruled is not None:
        return at_the_table(game, state, REFEREE, ruled.move, now)
    lapsed = first_lapsed(game.terms, state.course, now)
    if lapsed is None:
        return None
    seat, deadline = lapsed
    cause = lapse_cause(deadline, state.course, seat)
    return follow_rules(game, state, seat, game.rules.default(state.position, seat), cause, now)


def bots_asked(game: Game, state: State, now: int) -> list[Decision]:
    """What bots are asked at this time: the first of them that owes a move, or all of them that may make one."""
    if state.status != "running":
        return []
    asked = [each for each in game.rules.awaited(state.position) if bot_of(game, state, each.seat) is not None]
    for decision in asked:
        if decision.obliged:
            return [decision]
    return [decision for decision in asked if state.moved_at + decision.not_before_s * 1000 <= now]


def _takes_its_time(game: Game, state: State, now: int) -> bool:
    """Whether the bot that owes a move thinks, at a table with a player who could learn from how long it does."""
    asked = [each.seat for each in bots_asked(game, state, now) if each.obliged] if game.terms.players else []
    return bool(asked) and BOTS[str(bot_of(game, state, asked[0]))].imagines


def _decided(desk: Desk, game: Game, state: State, now: int) -> Thought | None:
    return recall(desk, game, state) if _takes_its_time(game, state, now) else None


def _bots_step(
    desk: Desk, game: Game, state: State, now: int, decided: Thought | None
) -> tuple[Made | None, int | None]:
    """The move of a bot; or when it will be made, if the time of its budget has not passed yet."""
    budget_ms = desk.bot_budget_ms
    if not _takes_its_time(game, state, now):
        return bots_commit(game, state, partial(Milliseconds, budget_ms), now, None), None
    if decided is None:
        choice = bots_choice(game, state, partial(Milliseconds, round(THINKING_SHARE * budget_ms)), now)
        assert choice is not None, "a bot that owes a move makes one"
        # A bot that thought too long because the machine is busy is late by whole budgets.
        budgets = 1 + (now_ms() - now) // budget_ms if budget_ms else 0
        decided = keep(desk, game, state, choice, now + budgets * budget_ms)
    if decided.due > now_ms():
        return None, decided.due
    return thoughts_commit(game, state, decided), None


def bots_commit(game: Game, state: State, budgets: Callable[[], Budget], now: int, made_at: int | None) -> Made | None:
    """The move of a bot that owes one or wants to make one.

    Unless it is said when the move is made, it is when the bot has thought: the time for that is nobody else's.
    """
    choice = bots_choice(game, state, budgets, now)
    return None if choice is None else follow_rules(game, state, choice.seat, choice.move, choice.cause, made_at)


def bots_choice(game: Game, state: State, budgets: Callable[[], Budget], now: int) -> Choice | None:
    """What a bot does that owes a move or wants to make one.

    Where several want to, luck decides who is first; each has a budget of its own.
    """
    asked, decided = bots_asked(game, state, now), state.course.decided
    order = bot_chance(game.chance_key, first_of(decided))
    for decision in order.shuffle("first", asked) if len(asked) > 1 else asked:
        seat, name = decision.seat, str(bot_of(game, state, decision.seat))
        bot, luck, budget = BOTS[name], luck_of(seat, decided[seat]), budgets()
        turn = make_turn(bot, game.rules, state.position, seat, bot_chance(game.chance_key, luck), budget)
        if not turn.moves:
            continue
        move = bot.choose(turn)
        if decision.obliged or bot.acts(turn, move):
            cause = {"bot": name, "version": bot.version, "luck": luck, "iterations": budget.spent}
            return Choice(seat, move, cause)
    return None


def _note(desk: Desk, game: Game, state: State, now: int, at_latest: int | None = None) -> None:
    """Carry the status of the log over to the head and the lists, then let the game sleep until its next time."""
    if state.status != game.status:
        noted = replace(game, status=state.status, revision=game.revision + 1)
        relist(desk, game, noted)
        try:
            desk.keep(noted)
            game = noted
        except Conflict:
            desk.games.forget(game.id)
            game = desk.game(game.id)
    times = [at for at in (awaits(game, state, now).wake_at, at_latest) if at is not None]
    desk.log.wake(game.id, min(times, default=None), state.version)
