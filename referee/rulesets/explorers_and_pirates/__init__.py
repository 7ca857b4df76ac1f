"""Catan: Explorers & Pirates: be the first to have the scenario's victory points in your own turn.

No rule keeps a seat from sailing in circles, or from loading and unloading for ever. The candidates name the moves that
bring the game forward several times (`pressing.py`), so a random choice among them ends the game. A random choice from
the list of legal moves, which names each move once, ends `land-ho` after some thousand moves, but the larger scenarios
only after hundreds of thousands.
"""

from typing import Final

from referee.kernel.chapter import Chapter
from referee.kernel.clauses import read_rulebook
from referee.kernel.ruleset import Contract, Ruleset
from referee.rulesets.explorers_and_pirates.advice import ADVICE
from referee.rulesets.explorers_and_pirates.alike import alike
from referee.rulesets.explorers_and_pirates.building import building
from referee.rulesets.explorers_and_pirates.candidates import candidates
from referee.rulesets.explorers_and_pirates.cargo import cargo
from referee.rulesets.explorers_and_pirates.discards import discards
from referee.rulesets.explorers_and_pirates.discovery import discovery
from referee.rulesets.explorers_and_pirates.edition import EDITION, PACKAGE, Edition
from referee.rulesets.explorers_and_pirates.exchanges import exchanges
from referee.rulesets.explorers_and_pirates.families import families
from referee.rulesets.explorers_and_pirates.flow import awaited, before, default, due
from referee.rulesets.explorers_and_pirates.founding import founding
from referee.rulesets.explorers_and_pirates.invariants import check
from referee.rulesets.explorers_and_pirates.missions.captures import captures
from referee.rulesets.explorers_and_pirates.missions.council import council
from referee.rulesets.explorers_and_pirates.missions.fish import fish
from referee.rulesets.explorers_and_pirates.missions.lairs import lairs
from referee.rulesets.explorers_and_pirates.missions.spices import spices
from referee.rulesets.explorers_and_pirates.missions.tracks import tracks
from referee.rulesets.explorers_and_pirates.movement import movement
from referee.rulesets.explorers_and_pirates.offers import offers
from referee.rulesets.explorers_and_pirates.pirates import pirates
from referee.rulesets.explorers_and_pirates.placing import placing
from referee.rulesets.explorers_and_pirates.position import SLUG, Options, Position
from referee.rulesets.explorers_and_pirates.production import production
from referee.rulesets.explorers_and_pirates.scenarios import SCENARIOS
from referee.rulesets.explorers_and_pirates.scoring import ranking, scoring
from referee.rulesets.explorers_and_pirates.settlers import settlers
from referee.rulesets.explorers_and_pirates.setup import SEATS, blank, setup
from referee.rulesets.explorers_and_pirates.turns import turns
from referee.rulesets.explorers_and_pirates.units import units
from referee.rulesets.explorers_and_pirates.view import View, view

CHAPTERS: Final[dict[str, Chapter]] = {
    "setup": setup,
    "placing": placing,
    "founding": founding,
    "turns": turns,
    "production": production,
    "discards": discards,
    "pirates": pirates,
    "offers": offers,
    "exchanges": exchanges,
    "building": building,
    "units": units,
    "cargo": cargo,
    "movement": movement,
    "discovery": discovery,
    "settlers": settlers,
    "tracks": tracks,
    "lairs": lairs,
    "captures": captures,
    "council": council,
    "fish": fish,
    "spices": spices,
    "scoring": scoring,
}
"""Every chapter, by the name that scenarios use for it."""


def seats(edition: Edition) -> range:
    """Two to four seats play."""
    return SEATS


def commits_max(edition: Edition) -> int:
    """Random play ends before this number of commits, although the rules do not limit sailing."""
    return 40_000


def variants(edition: Edition) -> tuple[Options, ...]:
    """Every scenario, and every option in a scenario where it matters."""
    return (
        *(Options(scenario=scenario) for scenario in SCENARIOS),
        Options(scenario="pirate-lairs", random_island=True, first_seat=1),
        Options(scenario="land-ho", starts=("orange", "white"), first_seat=0),
        Options(scenario="land-ho", starts=("white", "blue", "orange")),
        Options(scenario="land-ho", starts=("red", "orange", "blue", "white")),
    )


CONTRACT: Final = Contract(
    seats=seats,
    commits_max=commits_max,
    variants=variants,
    blank=blank,
    before=before,
    awaited=awaited,
    default=default,
    due=due,
    candidates=candidates,
    families=families,
    check=check,
    view=view,
    alike=alike,
    ranking=ranking,
)

EXPLORERS_AND_PIRATES: Final = Ruleset(
    slug=SLUG,
    title="Catan: Explorers & Pirates",
    version="1",
    directory=PACKAGE,
    rulebook=read_rulebook((PACKAGE / "rules.md").read_text(encoding="utf-8")),
    edition=EDITION,
    options_type=Options,
    position_type=Position,
    view_type=View,
    chapters=tuple(CHAPTERS.values()),
    contract=CONTRACT,
    advice=ADVICE,
)
