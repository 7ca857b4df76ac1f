"""How promising a position is for each seat, in hundredths of influence: what a bot that looks ahead compares."""

from typing import Final

from referee.rulesets.catham_city.edition import Edition
from referee.rulesets.catham_city.greedy import INFLUENCE, worth_of_hand, worth_of_sets
from referee.rulesets.catham_city.position import Position

VICTORY: Final = 10 * INFLUENCE
"""What it is worth to have won."""


def outlook(edition: Edition, position: Position) -> tuple[int, ...]:
    """The influence, and what the hands promise until the end."""
    influence = [state.influence for state in position.seats]
    if position.phase == "finished":
        best = max(influence)
        return tuple(INFLUENCE * each + (VICTORY if each == best else 0) for each in influence)
    sets = worth_of_sets(edition, len(position.options.factions))
    return tuple(INFLUENCE * state.influence + worth_of_hand(edition, sets, state.hand) for state in position.seats)
