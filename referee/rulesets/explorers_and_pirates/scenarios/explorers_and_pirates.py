"""Explorers & Pirates: all three missions on the largest map."""

from referee.rulesets.explorers_and_pirates.scenarios.scenario import EVERYWHERE, Scenario

EXPLORERS_AND_PIRATES = Scenario(
    "explorers-and-pirates",
    chapters=(*EVERYWHERE, "founding", "pirates", "units", "tracks", "lairs", "captures", "council", "fish", "spices"),
)
