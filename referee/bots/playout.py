"""Plays on from a position with the moves that the ruleset advises to every seat, to see where a move leads."""

from typing import Any

from referee.kernel.chance import Chance
from referee.kernel.judge import pick_weighed, weighed_moves
from referee.kernel.message import Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Seat


def play_out(ruleset: Ruleset, position: Any, seat: Seat, chance: Chance, depth: int) -> Any:
    """Return the position `depth` checkpoints after the next one, or at the end of the game.

    At a checkpoint, the consequences of different moves of a seat can be compared.
    """
    is_checkpoint = ruleset.advice.is_checkpoint
    while True:
        awaited = next((decision.seat for decision in ruleset.awaited(position) if decision.obliged), None)
        if awaited is not None:
            if awaited != seat if is_checkpoint is None else is_checkpoint(position, ruleset.edition):
                if depth == 0:
                    return position
                depth -= 1
            seat = awaited
            move = advised_move(ruleset, position, seat, chance)
            _, position = ruleset.play(position, seat, move, chance)
            continue
        due = ruleset.due(position)
        if due is None:
            return position
        _, position = ruleset.play(position, REFEREE, due.move, chance)


def search_depth(ruleset: Ruleset, seats: int) -> int:
    """Return the number of checkpoints that a search passes before it compares positions."""
    return ruleset.advice.depth * (seats if ruleset.advice.is_checkpoint is None else 1)


def advised_move(ruleset: Ruleset, position: Any, seat: Seat, chance: Chance) -> Move:
    """Return the move that the ruleset advises, or a random one if it has no advice."""
    choose = ruleset.advice.choose
    moves = weighed_moves(ruleset, position, seat)
    if len(moves) == 1:
        return moves[0].move
    if choose is None:
        return pick_weighed(moves, chance)
    return choose(ruleset.view(position, seat), seat, tuple(weighed.move for weighed in moves), ruleset.edition)
