"""Spices for Catan: fish and spices for the Council."""

from referee.rulesets.explorers_and_pirates.scenarios.scenario import EVERYWHERE, Scenario

SPICES_FOR_CATAN = Scenario(
    "spices-for-catan", chapters=(*EVERYWHERE, "founding", "pirates", "units", "tracks", "council", "fish", "spices")
)
