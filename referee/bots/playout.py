"""Carrying a position on as everybody's plain but sensible play would, to see where a move leads."""

from typing import Any

from referee.kernel.chance import Chance
from referee.kernel.judge import pick_weighed, weighed_moves
from referee.kernel.message import Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Seat


def carry_on(ruleset: Ruleset, position: Any, seat: Seat, chance: Chance, pauses: int) -> Any:
    """The position at the pause after so many others, or at the end of the game.

    Cut off at a pause, what follows from one move of a seat can be compared with what follows from another.
    """
    while True:
        asked = next((decision.seat for decision in ruleset.awaited(position) if decision.obliged), None)
        if asked is not None:
            if asked != seat if ruleset.is_pause is None else ruleset.is_pause(position):
                if pauses == 0:
                    return position
                pauses -= 1
            seat = asked
            move = sensible_move(ruleset, position, asked, chance)
            _, position = ruleset.play(position, asked, move, chance)
            continue
        due = ruleset.due(position)
        if due is None:
            return position
        _, position = ruleset.play(position, REFEREE, due.move, chance)


def pauses_ahead(ruleset: Ruleset, seats: int) -> int:
    """How many pauses one who looks ahead lets pass."""
    return ruleset.horizon * (seats if ruleset.is_pause is None else 1)


def sensible_move(ruleset: Ruleset, position: Any, seat: Seat, chance: Chance) -> Move:
    """What the ruleset advises to a seat; at random where it has no advice."""
    moves = weighed_moves(ruleset, position, seat)
    if len(moves) == 1:
        return moves[0].move
    if ruleset.greedy is None:
        return pick_weighed(moves, chance)
    return ruleset.greedy(ruleset.view(position, seat), seat, tuple(weighed.move for weighed in moves))
