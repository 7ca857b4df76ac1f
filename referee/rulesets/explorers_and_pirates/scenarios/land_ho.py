"""Land Ho!: fixed starts, no pirates, no missions."""

from referee.rulesets.explorers_and_pirates.scenarios.scenario import EVERYWHERE, Scenario

LAND_HO = Scenario("land-ho", chapters=EVERYWHERE)
