"""Cat & Fish: cats fish around an island for five years; the richest wins."""

from typing import Final

from referee.kernel.clauses import read_rulebook
from referee.kernel.ruleset import Contract, Ruleset
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.advice import ADVICE
from referee.rulesets.cat_and_fish.alike import alike
from referee.rulesets.cat_and_fish.candidates import candidates
from referee.rulesets.cat_and_fish.catastrophes import SPACE_OF, catastrophes
from referee.rulesets.cat_and_fish.decks import decks
from referee.rulesets.cat_and_fish.dues import dues
from referee.rulesets.cat_and_fish.edition import EDITION, PACKAGE, PLAYERS, Edition
from referee.rulesets.cat_and_fish.fishing import fishing
from referee.rulesets.cat_and_fish.flight import flight
from referee.rulesets.cat_and_fish.flow import awaited, before, default, due
from referee.rulesets.cat_and_fish.invariants import check
from referee.rulesets.cat_and_fish.names import SEASONS
from referee.rulesets.cat_and_fish.placement import placement
from referee.rulesets.cat_and_fish.position import SLUG, Options, Position
from referee.rulesets.cat_and_fish.restocking import restocking
from referee.rulesets.cat_and_fish.sailing import sailing
from referee.rulesets.cat_and_fish.scoring import ranking, scoring
from referee.rulesets.cat_and_fish.seasons import seasons
from referee.rulesets.cat_and_fish.setup import blank, setup
from referee.rulesets.cat_and_fish.summoner import summoner
from referee.rulesets.cat_and_fish.thief import thief
from referee.rulesets.cat_and_fish.trading import trading
from referee.rulesets.cat_and_fish.turns import turns
from referee.rulesets.cat_and_fish.view import View, view
from referee.rulesets.cat_and_fish.wizard import wizard


def commits_max(edition: Edition) -> int:
    """A bound on the commits of a game: each seat places and spends every marker and answers every strike."""
    seats = PLAYERS[-1]
    strikes = sum(edition.capacity(space, seats) for space in SPACE_OF.values())
    season = seats * (2 * edition.membership_markers + strikes) + 1
    year = len(SEASONS) * season + seats + 1
    award = 2 + seats
    return 1 + edition.years * year + len(edition.award_years) * award


def seats(edition: Edition) -> range:
    """The numbers of seats that can play."""
    return PLAYERS


def variants(edition: Edition) -> tuple[Options, ...]:
    """The default options, options that name the first seat, and magic for all."""
    return (Options(), Options(first_seat=Seat(1)), Options(magic_for_all=True))


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

CAT_AND_FISH: Final = Ruleset(
    slug=SLUG,
    title="Cat & Fish",
    version="1",
    directory=PACKAGE,
    rulebook=read_rulebook((PACKAGE / "rules.md").read_text(encoding="utf-8")),
    edition=EDITION,
    options_type=Options,
    position_type=Position,
    view_type=View,
    chapters=(
        setup,
        placement,
        turns,
        wizard,
        restocking,
        fishing,
        sailing,
        trading,
        decks,
        catastrophes,
        flight,
        thief,
        seasons,
        dues,
        summoner,
        scoring,
    ),
    contract=CONTRACT,
    advice=ADVICE,
)
