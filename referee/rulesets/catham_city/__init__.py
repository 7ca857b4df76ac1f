"""Catham City: be the first whose influence carries the election."""

from functools import partial
from itertools import combinations
from typing import Final

from referee.kernel.changes import replace
from referee.kernel.clauses import read_rulebook
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.alike import alike
from referee.rulesets.catham_city.candidates import candidates
from referee.rulesets.catham_city.edition import EDITION, PACKAGE, Edition, require_playable
from referee.rulesets.catham_city.ending import ending, ranking
from referee.rulesets.catham_city.factions.bureaucrats import bureaucrats
from referee.rulesets.catham_city.factions.detectives import detectives
from referee.rulesets.catham_city.factions.hackers import hackers
from referee.rulesets.catham_city.factions.journalists import journalists
from referee.rulesets.catham_city.factions.mafia import mafia
from referee.rulesets.catham_city.factions.police import police
from referee.rulesets.catham_city.factions.robocats import robocats
from referee.rulesets.catham_city.factions.scientists import scientists
from referee.rulesets.catham_city.flow import awaited, before, default, due
from referee.rulesets.catham_city.greedy import greedy
from referee.rulesets.catham_city.invariants import check
from referee.rulesets.catham_city.outlook import outlook
from referee.rulesets.catham_city.piles import piles
from referee.rulesets.catham_city.playing import playing
from referee.rulesets.catham_city.position import SLUG, Options, Position
from referee.rulesets.catham_city.questions import questions
from referee.rulesets.catham_city.resolving import resolving
from referee.rulesets.catham_city.setup import blank, setup
from referee.rulesets.catham_city.taking import taking
from referee.rulesets.catham_city.turns import turns
from referee.rulesets.catham_city.view import View, view

RULEBOOK: Final = read_rulebook((PACKAGE / "rules.md").read_text(encoding="utf-8"))

CHAPTERS: Final = (
    setup,
    turns,
    piles,
    taking,
    playing,
    journalists,
    detectives,
    bureaucrats,
    scientists,
    robocats,
    mafia,
    police,
    hackers,
    questions,
    resolving,
    ending,
)


def variants(edition: Edition) -> tuple[Options, ...]:
    """The defaults, every other choice of factions, and the other options where they matter."""
    usual = Options(factions=edition.default_factions)
    choices = [Options(factions=five) for five in combinations(edition.factions, edition.factions_in_play)]
    with_journalists = next(options for options in choices if "journalist" in options.factions)
    return (
        usual,
        *(options for options in choices if options != usual),
        replace(usual, expert=True),
        replace(usual, first_seat=Seat(1)),
        replace(with_journalists, journalists_bonus="active"),
        replace(with_journalists, journalists_bonus="active", expert=True, first_seat=Seat(0)),
    )


def build(edition: Edition) -> Ruleset:
    """The rules with the numbers of an edition."""
    require_playable(edition)
    return Ruleset(
        slug=SLUG,
        title="Catham City",
        version="1",
        rulebook=RULEBOOK,
        edition=edition,
        seats=edition.seats,
        moves_max=2000,
        options_type=Options,
        position_type=Position,
        view_type=View,
        chapters=CHAPTERS,
        variants=variants(edition),
        blank=partial(blank, edition),
        before=before,
        awaited=partial(awaited, edition),
        default=partial(default, edition),
        due=partial(due, edition),
        candidates=partial(candidates, edition),
        check=partial(check, edition),
        view=view,
        alike=partial(alike, edition),
        ranking=ranking,
        build=build,
        greedy=partial(greedy, edition),
        outlook=partial(outlook, edition),
        horizon=5,
    )


CATHAM_CITY: Final = build(EDITION)
