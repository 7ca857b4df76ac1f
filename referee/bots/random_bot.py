"""The bot that makes random legal moves.

Where the rules would let a seat move on for ever, as when sailing, moves that advance the game have more weight.
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
        """Return True: every ruleset has legal moves."""
        return True

    def choose(self, turn: Turn) -> Move:
        """Return a random legal move, by weight."""
        return pick_weighed(turn.moves, turn.chance)

    def acts(self, turn: Turn, move: Move) -> bool:
        """Toss a coin, once for each view that the seat sees."""
        luck = turn.chance.number("toss_coin", 0, LUCK_MAX)
        return sha256(b"%d " % luck + turn.view).digest()[0] % 2 == 1

    def waits(self, turn: Turn, move: Move) -> bool:
        """Return False: it has no reason to wait."""
        return False
