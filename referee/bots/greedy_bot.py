"""The bot that follows the advice of the ruleset."""

import msgspec

from referee.bots.bot import Turn, is_worth, lets_others_move
from referee.kernel.message import Move
from referee.kernel.ruleset import Ruleset


class GreedyBot:
    """Makes the move that looks best now."""

    name = "greedy"
    version = "1"
    imagines = False

    def plays(self, ruleset: Ruleset) -> bool:
        """Whether the ruleset has advice to follow."""
        return ruleset.advice.choose is not None

    def choose(self, turn: Turn) -> Move:
        """Return the move that the ruleset advises for this view."""
        ruleset = turn.ruleset
        assert ruleset.advice.choose is not None
        view = msgspec.json.decode(turn.view, type=ruleset.view_type)
        return ruleset.advice.choose(view, turn.seat, tuple(weighed.move for weighed in turn.moves), ruleset.edition)

    def acts(self, turn: Turn, move: Move) -> bool:
        """Whether the ruleset advises to move."""
        return is_worth(turn, move)

    def waits(self, turn: Turn, move: Move) -> bool:
        """Whether the ruleset advises to let others move first."""
        return lets_others_move(turn, move)
