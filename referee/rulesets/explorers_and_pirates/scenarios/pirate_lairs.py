"""The Pirate Lairs: free founding, units and pirate ships, and the lairs on the gold rivers."""

from referee.rulesets.explorers_and_pirates.scenarios.scenario import EVERYWHERE, Scenario

PIRATE_LAIRS = Scenario(
    "pirate-lairs", chapters=(*EVERYWHERE, "founding", "pirates", "units", "tracks", "lairs", "captures")
)
