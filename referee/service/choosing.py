"""What a bot does with a decision: the move, and everything that an audit needs to find it again."""

from typing import Any

import msgspec

from referee.bots import BOTS
from referee.bots.bot import bot_chance, luck_of, make_turn
from referee.bots.budget import Budget
from referee.kernel.message import Move, tag
from referee.kernel.ruleset import Decision
from referee.kernel.seat import Seat
from referee.service.game import Game, State
from referee.service.waking import bot_of, reaction_of


class Choice(msgspec.Struct, frozen=True):
    """The move of a bot, with all that is needed to find it again."""

    seat: Seat
    move: Move
    cause: dict[str, Any]


def choose(game: Game, state: State, decision: Decision, budget: Budget) -> Choice | None:
    """The choice of the bot that plays for a seat; None: it does not have to move, and waits."""
    seat, name = decision.seat, str(bot_of(game, state, decision.seat))
    bot, luck = BOTS[name], luck_of(seat, state.table.decided[seat])
    turn = make_turn(bot, game.rules, state.position, seat, bot_chance(game.chance_key, luck), budget)
    if not turn.moves:
        return None
    move = bot.choose(turn)
    if tag(move) not in decision.moves or not (decision.obliged or bot.acts(turn, move)):
        return None
    cause = {"bot": name, "version": bot.version, "luck": luck, "iterations": budget.spent}
    if decision.race_ms is not None:
        cause["reaction_ms"] = reaction_of(game, state, seat)
    return Choice(seat, move, cause)
