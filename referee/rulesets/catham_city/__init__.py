"""Catham City: play cards of factions, and be the first seat to reach the threshold of influence."""

from itertools import combinations
from typing import Final

from referee.kernel.changes import replace
from referee.kernel.clauses import read_rulebook
from referee.kernel.ruleset import Contract, Ruleset
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.advice import ADVICE
from referee.rulesets.catham_city.alike import alike
from referee.rulesets.catham_city.candidates import candidates
from referee.rulesets.catham_city.edition import EDITION, PACKAGE, Edition
from referee.rulesets.catham_city.factions.bureaucrats import bureaucrats
from referee.rulesets.catham_city.factions.detectives import detectives
from referee.rulesets.catham_city.factions.hackers import hackers
from referee.rulesets.catham_city.factions.journalists import journalists
from referee.rulesets.catham_city.factions.mafia import mafia
from referee.rulesets.catham_city.factions.police import police
from referee.rulesets.catham_city.factions.robocats import robocats
from referee.rulesets.catham_city.factions.scientists import scientists
from referee.rulesets.catham_city.flow import awaited, before, default, due
from referee.rulesets.catham_city.invariants import check
from referee.rulesets.catham_city.piles import piles
from referee.rulesets.catham_city.playing import playing
from referee.rulesets.catham_city.position import SLUG, Options, Position
from referee.rulesets.catham_city.questions import questions
from referee.rulesets.catham_city.resolving import resolving
from referee.rulesets.catham_city.scoring import ranking, scoring
from referee.rulesets.catham_city.setup import blank, setup
from referee.rulesets.catham_city.taking import taking
from referee.rulesets.catham_city.turns import turns
from referee.rulesets.catham_city.view import View, view


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


def seats(edition: Edition) -> range:
    """The numbers of seats that the edition allows."""
    return edition.seats


def commits_max(edition: Edition) -> int:
    """Far above the longest game of random moves that was ever seen."""
    return 2000


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
    check=check,
    view=view,
    alike=alike,
    ranking=ranking,
)

CATHAM_CITY: Final = Ruleset(
    slug=SLUG,
    title="Catham City",
    version="1",
    directory=PACKAGE,
    rulebook=read_rulebook((PACKAGE / "rules.md").read_text(encoding="utf-8")),
    edition=EDITION,
    options_type=Options,
    position_type=Position,
    view_type=View,
    chapters=(
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
        scoring,
    ),
    contract=CONTRACT,
    advice=ADVICE,
)
