"""The choices of the bots that hold seats: which of them moves now, and what it does."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import msgspec

from referee.bots import find_bot
from referee.bots.bot import Bot, bot_chance, first_of, luck_of, make_turn, reaction_ms
from referee.bots.budget import Budget
from referee.kernel.message import Move, tag
from referee.kernel.ruleset import Decision
from referee.kernel.seat import Seat
from referee.table.commits import due_at
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


def reaction_of(game: Match, state: State, seat: Seat) -> int:
    """The reaction time of the bot that plays for a seat, at this state."""
    luck = luck_of(seat, state.table.decided[seat])
    return reaction_ms(game.chance_key, luck, msgspec.json.encode(game.rules.view(state.position, seat)))


def ready_at(game: Match, state: State, decision: Decision) -> int:
    """When a bot may make a decision: after its waiting time and, where seats race, after its reaction time."""
    reaction = 0 if decision.race_ms is None else reaction_of(game, state, decision.seat)
    return state.moved_at + max(decision.not_before_s * 1000, reaction)


def bot_decisions(game: Match, state: State, now: int) -> list[Decision]:
    """The decisions of bots at this time: the first that a bot owes, or all that bots may make."""
    if state.status != "running":
        return []
    decisions = [each for each in game.rules.awaited(state.position) if bot_of(game, state, each.seat) is not None]
    for decision in decisions:
        if decision.obliged:
            return [decision]
    return [decision for decision in decisions if ready_at(game, state, decision) <= now]


def choose(game: Match, state: State, decision: Decision, budget: Budget) -> Choice | None:
    """The choice of the bot that plays for a seat; None: it does not have to move, and waits."""
    seat, bot = decision.seat, bot_at(game, state, decision.seat)
    luck = luck_of(seat, state.table.decided[seat])
    own_luck, first_luck = (bot_chance(game.chance_key, name) for name in (luck, luck_of(seat, 0)))
    turn = make_turn(bot, game.rules, state.position, seat, own_luck, budget, first_luck)
    if not turn.moves:
        return None
    move = bot.choose(turn)
    if tag(move) not in decision.moves or not (decision.obliged or bot.acts(turn, move)):
        return None
    cause = {"bot": bot.name, "version": bot.version, "luck": luck, "iterations": budget.spent}
    if decision.race_ms is not None:
        cause["reaction_ms"] = reaction_of(game, state, seat)
    return Choice(seat, move, cause, decision.obliged and bot.waits(turn, move))


def answers_until(state: State) -> int:
    """When a bot no longer waits for the answers of players."""
    return state.moved_at + ANSWERS_MS


def bots_choice(game: Match, state: State, budgets: Callable[[], Budget], now: int) -> Choice | None:
    """The choice of a bot that owes a move or wants to make one. Moves for which seats race are not made here.

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

    Where several bots may move, the one that was ready first is asked first; luck decides among equals. Each has its
    own budget.
    """
    decisions = [decision for decision in decisions if not decision.race_ms]
    if len(decisions) > 1:
        order = bot_chance(game.chance_key, first_of(state.table.decided)).shuffle("first", decisions)
        decisions = sorted(order, key=partial(ready_at, game, state))
    return next((choice for each in decisions if (choice := choose(game, state, each, budgets()))), None)


def racing(decisions: Iterable[Decision]) -> list[Decision]:
    """The decisions for which seats race."""
    return [decision for decision in decisions if decision.race_ms]


def race_of_bots(game: Match, state: State, budgets: Callable[[], Budget]) -> list[tuple[int, Choice]]:
    """The moves of a race in which every bot enters when its reaction time has passed, each with that time."""
    if state.status != "running":
        return []
    decisions = racing(each for each in game.rules.awaited(state.position) if bot_of(game, state, each.seat))
    found = [(ready_at(game, state, each), choose(game, state, each, budgets())) for each in decisions]
    entered = sorted([(at, choice) for at, choice in found if choice is not None], key=lambda each: each[0])
    due = due_at(game, state)
    in_time = [each for each in entered if due is None or each[0] < due]
    return [each for each in in_time if each[0] <= in_time[0][0] + (decisions[0].race_ms or 0)]
