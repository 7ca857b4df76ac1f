"""The bot that makes any legal move.

Where the rules let a seat dawdle for ever, as they do in sailing, what brings the game forward is likelier.
"""

from hashlib import sha256

from referee.bots.bot import Turn
from referee.kernel.judge import pick_weighed
from referee.kernel.message import Move
from referee.kernel.ruleset import Ruleset

LUCK_MAX = 2**62


class RandomBot:
    """Plays at random."""

    name = "random"
    version = "1"
    imagines = False

    def plays(self, ruleset: Ruleset) -> bool:
        """Every ruleset has moves to pick from."""
        return True

    def choose(self, turn: Turn) -> Move:
        """Any of the legal moves, by weight."""
        return pick_weighed(turn.moves, turn.chance)

    def acts(self, turn: Turn, move: Move) -> bool:
        """As a coin falls, which is tossed anew for everything that the seat sees."""
        luck = turn.chance.number("toss_coin", 0, LUCK_MAX)
        return sha256(b"%d " % luck + turn.view).digest()[0] % 2 == 1
