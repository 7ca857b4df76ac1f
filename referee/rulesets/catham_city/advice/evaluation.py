"""How good a position is for each seat, in hundredths of influence: what the bot `search` compares."""

from typing import Final

from referee.rulesets.catham_city.advice.greedy import INFLUENCE, worth_of_hand, worth_of_sets
from referee.rulesets.catham_city.edition import Edition
from referee.rulesets.catham_city.position import Position

VICTORY: Final = 10 * INFLUENCE
"""What it is worth to have won."""


def evaluate(position: Position, edition: Edition) -> tuple[int, ...]:
    """The influence, and what the hands promise until the end."""
    influence = [state.influence for state in position.seats]
    if position.phase == "finished":
        best = max(influence)
        return tuple(INFLUENCE * each + (VICTORY if each == best else 0) for each in influence)
    sets = worth_of_sets(len(position.options.factions), edition)
    return tuple(INFLUENCE * state.influence + worth_of_hand(sets, state.hand, edition) for state in position.seats)
