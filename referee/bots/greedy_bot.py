"""The bot that follows the ruleset's own advice for a plain but sensible player."""

import msgspec

from referee.bots.bot import Turn, is_worth
from referee.kernel.message import Move
from referee.kernel.ruleset import Ruleset


class GreedyBot:
    """Takes what looks best now."""

    name = "greedy"
    version = "1"
    imagines = False

    def plays(self, ruleset: Ruleset) -> bool:
        """Whether the ruleset has advice to follow."""
        return ruleset.greedy is not None

    def choose(self, turn: Turn) -> Move:
        """The move that the ruleset advises to who sees this view."""
        assert turn.ruleset.greedy is not None
        view = msgspec.json.decode(turn.view, type=turn.ruleset.view_type)
        return turn.ruleset.greedy(view, turn.seat, tuple(weighed.move for weighed in turn.moves))

    def acts(self, turn: Turn, move: Move) -> bool:
        """If a plain but sensible player would."""
        return is_worth(turn, move)
