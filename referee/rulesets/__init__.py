"""The one list of titles: every ruleset that the referee knows, by slug and version."""

from referee.kernel.ruleset import Ruleset
from referee.rulesets.cat_and_fish import CAT_AND_FISH
from referee.rulesets.catham_city import CATHAM_CITY
from referee.rulesets.explorers_and_pirates import EXPLORERS_AND_PIRATES
from referee.rulesets.fangfrisch import FANGFRISCH
from referee.rulesets.hund_und_katz import HUND_UND_KATZ

TITLES: tuple[Ruleset, ...] = (CAT_AND_FISH, CATHAM_CITY, EXPLORERS_AND_PIRATES, FANGFRISCH, HUND_UND_KATZ)

RULESETS: dict[tuple[str, str], Ruleset] = {(ruleset.slug, ruleset.version): ruleset for ruleset in TITLES}

LATEST: dict[str, Ruleset] = {slug: ruleset for (slug, _), ruleset in RULESETS.items()}
"""The version that new games are played by."""
