"""Catan: Explorers & Pirates: be the first to have the scenario's victory points in your own turn.

Nothing in the rules keeps a seat from sailing in circles, loading and unloading for ever. Who picks at random from the
candidates comes to an end, because they name what brings the game forward more often (`pressing.py`); who picks
at random from the list of legal moves, which names each move once, plays `land-ho` to its end in some thousand moves
but the larger scenarios for hundreds of thousands.
"""

from functools import partial
from typing import Final

from referee.kernel.clauses import read_rulebook
from referee.kernel.ruleset import Chapter, Ruleset
from referee.rulesets.explorers_and_pirates.alike import alike
from referee.rulesets.explorers_and_pirates.building import building
from referee.rulesets.explorers_and_pirates.candidates import candidates
from referee.rulesets.explorers_and_pirates.cargo import cargo
from referee.rulesets.explorers_and_pirates.defaults import default
from referee.rulesets.explorers_and_pirates.discards import discards
from referee.rulesets.explorers_and_pirates.discovery import discovery
from referee.rulesets.explorers_and_pirates.edition import EDITION, PACKAGE, Edition, require_playable
from referee.rulesets.explorers_and_pirates.ending import ending, ranking
from referee.rulesets.explorers_and_pirates.exchanges import exchanges
from referee.rulesets.explorers_and_pirates.families import families
from referee.rulesets.explorers_and_pirates.flow import awaited, before, due
from referee.rulesets.explorers_and_pirates.founding import founding
from referee.rulesets.explorers_and_pirates.greedy import greedy
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
from referee.rulesets.explorers_and_pirates.promise import outlook
from referee.rulesets.explorers_and_pirates.scenarios import SCENARIOS
from referee.rulesets.explorers_and_pirates.settlers import settlers
from referee.rulesets.explorers_and_pirates.setup import SEATS, blank, setup
from referee.rulesets.explorers_and_pirates.turns import turns
from referee.rulesets.explorers_and_pirates.units import units
from referee.rulesets.explorers_and_pirates.view import View, view

RULEBOOK: Final = read_rulebook((PACKAGE / "rules.md").read_text(encoding="utf-8"))

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
    "ending": ending,
}
"""Every chapter by the name that scenarios list it under."""

VARIANTS: Final = (
    *(Options(scenario=scenario) for scenario in SCENARIOS),
    Options(scenario="pirate-lairs", random_island=True, first_seat=1),
    Options(scenario="land-ho", starts=("orange", "white"), first_seat=0),
    Options(scenario="land-ho", starts=("white", "blue", "orange")),
    Options(scenario="land-ho", starts=("red", "orange", "blue", "white")),
)


def build(edition: Edition) -> Ruleset:
    """The rules with the numbers of an edition."""
    require_playable(edition)
    return Ruleset(
        slug=SLUG,
        title="Catan: Explorers & Pirates",
        version="1",
        rulebook=RULEBOOK,
        edition=edition,
        seats=SEATS,
        moves_max=40_000,
        options_type=Options,
        position_type=Position,
        view_type=View,
        chapters=tuple(CHAPTERS.values()),
        variants=VARIANTS,
        blank=partial(blank, edition),
        before=before,
        awaited=awaited,
        default=partial(default, edition),
        due=due,
        candidates=partial(candidates, edition),
        check=partial(check, edition),
        view=view,
        alike=partial(alike, edition),
        ranking=partial(ranking, edition),
        build=build,
        families=partial(families, edition),
        greedy=partial(greedy, edition),
        outlook=partial(outlook, edition),
        horizon=1,
        glance=0,
    )


EXPLORERS_AND_PIRATES: Final = build(EDITION)
