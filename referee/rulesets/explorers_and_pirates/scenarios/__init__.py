"""The five scenarios by name."""

from typing import Final

from referee.rulesets.explorers_and_pirates.position import Position
from referee.rulesets.explorers_and_pirates.scenarios.explorers_and_pirates import EXPLORERS_AND_PIRATES
from referee.rulesets.explorers_and_pirates.scenarios.fish_for_catan import FISH_FOR_CATAN
from referee.rulesets.explorers_and_pirates.scenarios.land_ho import LAND_HO
from referee.rulesets.explorers_and_pirates.scenarios.pirate_lairs import PIRATE_LAIRS
from referee.rulesets.explorers_and_pirates.scenarios.scenario import Scenario
from referee.rulesets.explorers_and_pirates.scenarios.spices_for_catan import SPICES_FOR_CATAN

SCENARIOS: Final[dict[str, Scenario]] = {
    scenario.name: scenario
    for scenario in (LAND_HO, PIRATE_LAIRS, FISH_FOR_CATAN, SPICES_FOR_CATAN, EXPLORERS_AND_PIRATES)
}


def scenario_of(position: Position) -> Scenario:
    """The scenario that is played."""
    return SCENARIOS[position.options.scenario]
