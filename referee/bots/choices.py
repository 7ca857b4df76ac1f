"""The choices of the bots that hold seats: which of them moves now, and what it does."""

from collections.abc import Callable
from typing import Any

import msgspec

from referee.bots import find_bot
from referee.bots.bot import Bot, bot_chance, first_of, luck_of, make_turn
from referee.bots.budget import Budget
from referee.kernel.message import Move
from referee.kernel.ruleset import Decision
from referee.kernel.seat import Seat
from referee.table.match import Match, State

ANSWERS_MS = 20_000
"""The time that players have for an answer, such as to an offer, before a bot that waits for it continues."""


class Choice(msgspec.Struct, frozen=True):
    """The move of a bot, with all that is needed to find it again."""

    seat: Seat
    move: Move
    cause: dict[str, Any]
    waits: bool = False
    """Whether the bot lets seats move first that may."""


def bot_of(game: Match, state: State, seat: int) -> str | None:
    """The bot that plays for a seat, if one does."""
    return state.table.bot(game.terms, seat)


def bot_at(game: Match, state: State, seat: Seat) -> Bot:
    """The bot that plays for a seat that has one."""
    bot = find_bot(str(bot_of(game, state, seat)), game.rules)
    assert bot is not None, "a game has only bots that play its ruleset"
    return bot


def bot_decisions(game: Match, state: State, now: int) -> list[Decision]:
    """The decisions of bots at this time: the first that a bot owes, or all that bots may make."""
    if state.status != "running":
        return []
    decisions = [each for each in game.rules.awaited(state.position) if bot_of(game, state, each.seat) is not None]
    for decision in decisions:
        if decision.obliged:
            return [decision]
    return [decision for decision in decisions if state.moved_at + decision.not_before_s * 1000 <= now]


def answers_until(state: State) -> int:
    """When a bot no longer waits for the answers of players."""
    return state.moved_at + ANSWERS_MS


def bots_choice(game: Match, state: State, budgets: Callable[[], Budget], now: int) -> Choice | None:
    """The choice of a bot that owes a move or wants to make one.

    A bot that owes a move may let others move first: bots at once, players for some time.
    """
    choice = _first_choice(game, state, bot_decisions(game, state, now), budgets)
    if choice is None or not choice.waits:
        return choice
    free = [decision for decision in game.rules.awaited(state.position) if not decision.obliged]
    bots = [decision for decision in free if bot_of(game, state, decision.seat) is not None]
    answer = _first_choice(game, state, bots, budgets)
    if answer is None and len(bots) < len(free) and now < answers_until(state):
        return None
    return answer or choice


def _first_choice(game: Match, state: State, decisions: list[Decision], budgets: Callable[[], Budget]) -> Choice | None:
    """The choice of the first bot that makes one.

    Where several bots may move, luck decides which comes first; each has its own budget.
    """
    decided = state.table.decided
    order = bot_chance(game.chance_key, first_of(decided))
    for decision in order.shuffle("first", decisions) if len(decisions) > 1 else decisions:
        seat, bot = decision.seat, bot_at(game, state, decision.seat)
        luck, budget = luck_of(seat, decided[seat]), budgets()
        own_luck, first_luck = (bot_chance(game.chance_key, name) for name in (luck, luck_of(seat, 0)))
        turn = make_turn(bot, game.rules, state.position, seat, own_luck, budget, first_luck)
        if not turn.moves:
            continue
        move = bot.choose(turn)
        if decision.obliged or bot.acts(turn, move):
            cause = {"bot": bot.name, "version": bot.version, "luck": luck, "iterations": budget.spent}
            return Choice(seat, move, cause, decision.obliged and bot.waits(turn, move))
    return None
