"""The bot that makes any legal move, each as likely as the other."""

from referee.bots.bot import Turn
from referee.kernel.message import Move


class RandomBot:
    """Plays at random."""

    name = "random"
    version = "1"

    def choose(self, turn: Turn) -> Move:
        """Any of the legal moves."""
        return turn.moves[turn.chance.number("choose", 0, len(turn.moves) - 1)]
