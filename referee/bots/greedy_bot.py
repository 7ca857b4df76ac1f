"""The bot that follows the advice of the ruleset."""

from typing import Any

import msgspec

from referee.bots.bot import Turn, is_worth, lets_others_move
from referee.kernel.advice import Choose
from referee.kernel.message import Move
from referee.kernel.ruleset import Ruleset


class GreedyBot:
    """Makes the move that looks best now, in titles with several plans by one of them."""

    name = "greedy"
    version = "1"
    imagines = False

    def __init__(self, plan: str | None = None) -> None:
        self._plan = plan
        if plan is not None:
            self.name = f"{GreedyBot.name}:{plan}"

    def plays(self, ruleset: Ruleset) -> bool:
        """Whether the ruleset has advice to follow, and the plan if the bot has one."""
        advice = ruleset.advice
        return advice.choose is not None and (self._plan is None or self._plan in advice.plans)

    def choose(self, turn: Turn) -> Move:
        """Return the move that the ruleset advises for this view."""
        ruleset = turn.ruleset
        view = msgspec.json.decode(turn.view, type=ruleset.view_type)
        choose = self._way(turn, view)
        return choose(view, turn.seat, tuple(weighed.move for weighed in turn.moves), ruleset.edition)

    def acts(self, turn: Turn, move: Move) -> bool:
        """Whether the ruleset advises to move."""
        return is_worth(turn, move)

    def waits(self, turn: Turn, move: Move) -> bool:
        """Whether the ruleset advises to let others move first."""
        return lets_others_move(turn, move)

    def _way(self, turn: Turn, view: Any) -> Choose:
        """Return how to choose: by the bot's plan; or by the first that fits, in an order drawn from its first luck.

        The order is the same in every turn, and a plan fits what was bought by it, so the bot keeps its plan. A bot
        that takes over a seat goes on with a plan that fits what the seat owns.
        """
        advice = turn.ruleset.advice
        if not advice.plans:
            assert advice.choose is not None
            return advice.choose
        if self._plan is not None:
            return advice.plans[self._plan].choose
        order = turn.first_luck.shuffle("plan", [*advice.plans.values()])
        return next((plan for plan in order if plan.fits(view, turn.seat, turn.ruleset.edition)), order[0]).choose
