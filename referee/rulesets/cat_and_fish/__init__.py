"""Cat & Fish: fish around the island for five years and be the richest cat."""

from functools import partial
from typing import Final

from referee.kernel.clauses import read_rulebook
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.alike import alike
from referee.rulesets.cat_and_fish.candidates import candidates
from referee.rulesets.cat_and_fish.catastrophes import SPACE_OF, catastrophes
from referee.rulesets.cat_and_fish.decks import decks
from referee.rulesets.cat_and_fish.dues import dues
from referee.rulesets.cat_and_fish.edition import EDITION, PACKAGE, PLAYERS, Edition, require_playable
from referee.rulesets.cat_and_fish.fishing import fishing
from referee.rulesets.cat_and_fish.flight import flight
from referee.rulesets.cat_and_fish.flow import awaited, before, default, due
from referee.rulesets.cat_and_fish.greedy import greedy
from referee.rulesets.cat_and_fish.invariants import check
from referee.rulesets.cat_and_fish.names import SEASONS
from referee.rulesets.cat_and_fish.outlook import is_pause, outlook
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

RULEBOOK: Final = read_rulebook((PACKAGE / "rules.md").read_text(encoding="utf-8"))

CHAPTERS: Final = (
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
)


def moves_max(edition: Edition) -> int:
    """No game has more commits: every marker placed and used, every strike answered by every seat."""
    seats = PLAYERS[-1]
    strikes = sum(edition.capacity(space, seats) for space in SPACE_OF.values())
    season = seats * (2 * edition.membership_markers + strikes) + 1
    year = len(SEASONS) * season + seats + 1
    award = 2 + seats
    return 1 + edition.years * year + len(edition.award_years) * award


def build(edition: Edition) -> Ruleset:
    """The rules with the numbers of an edition."""
    require_playable(edition)
    return Ruleset(
        slug=SLUG,
        title="Cat & Fish",
        version="1",
        rulebook=RULEBOOK,
        edition=edition,
        seats=PLAYERS,
        moves_max=moves_max(edition),
        options_type=Options,
        position_type=Position,
        view_type=View,
        chapters=CHAPTERS,
        variants=(Options(), Options(first_seat=Seat(1))),
        blank=partial(blank, edition),
        before=before,
        awaited=partial(awaited, edition),
        default=partial(default, edition),
        due=partial(due, edition),
        candidates=partial(candidates, edition),
        check=partial(check, edition),
        view=view,
        alike=partial(alike, edition),
        ranking=partial(ranking, edition),
        build=build,
        greedy=partial(greedy, edition),
        outlook=partial(outlook, edition),
        horizon=1,
        is_pause=is_pause,
    )


CAT_AND_FISH: Final = build(EDITION)
