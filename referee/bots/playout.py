"""Carrying a position on as everybody's plain but sensible play would, to see where a move leads."""

from typing import Any

from referee.kernel.chance import Chance
from referee.kernel.judge import pick_weighed, weighed_moves
from referee.kernel.message import Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Seat


def carry_on(ruleset: Ruleset, position: Any, chance: Chance, decisions: int) -> Any:
    """The position after so many further decisions of whichever seats, or at the end of the game."""
    while True:
        asked = [decision.seat for decision in ruleset.awaited(position) if decision.obliged]
        if asked:
            if decisions == 0:
                return position
            decisions -= 1
            move = sensible_move(ruleset, position, asked[0], chance)
            _, position = ruleset.play(position, asked[0], move, chance)
            continue
        due = ruleset.due(position)
        if due is None:
            return position
        _, position = ruleset.play(position, REFEREE, due.move, chance)


def sensible_move(ruleset: Ruleset, position: Any, seat: Seat, chance: Chance) -> Move:
    """What the ruleset advises to a seat; at random where it has no advice."""
    moves = weighed_moves(ruleset, position, seat)
    if len(moves) == 1:
        return moves[0].move
    if ruleset.greedy is None:
        return pick_weighed(moves, chance)
    return ruleset.greedy(ruleset.view(position, seat), seat, tuple(weighed.move for weighed in moves))
