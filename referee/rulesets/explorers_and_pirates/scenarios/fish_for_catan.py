"""Fish for Catan: the lairs, and fish for the Council."""

from referee.rulesets.explorers_and_pirates.scenarios.scenario import EVERYWHERE, Scenario

FISH_FOR_CATAN = Scenario(
    "fish-for-catan",
    chapters=(*EVERYWHERE, "founding", "pirates", "units", "tracks", "lairs", "captures", "council", "fish"),
)
