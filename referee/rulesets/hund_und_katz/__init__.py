"""Wie Hund und Katz!: feed your favourites well, and the others' badly."""

from functools import partial
from typing import Final

from referee.kernel.clauses import read_rulebook
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.rulesets.hund_und_katz.actions import actions
from referee.rulesets.hund_und_katz.alike import alike
from referee.rulesets.hund_und_katz.candidates import candidates
from referee.rulesets.hund_und_katz.edition import EDITION, PACKAGE, Edition
from referee.rulesets.hund_und_katz.feeding import feeding
from referee.rulesets.hund_und_katz.flow import awaited, before, default, due
from referee.rulesets.hund_und_katz.food_actions import food_actions
from referee.rulesets.hund_und_katz.greedy import greedy
from referee.rulesets.hund_und_katz.invariants import check
from referee.rulesets.hund_und_katz.outlook import outlook
from referee.rulesets.hund_und_katz.pawn_actions import pawn_actions
from referee.rulesets.hund_und_katz.pawns import pawns
from referee.rulesets.hund_und_katz.position import SLUG, Options, Position
from referee.rulesets.hund_und_katz.scoring import ranking, scoring
from referee.rulesets.hund_und_katz.setup import blank, setup
from referee.rulesets.hund_und_katz.turns import turns
from referee.rulesets.hund_und_katz.view import View, view

RULEBOOK: Final = read_rulebook((PACKAGE / "rules.md").read_text(encoding="utf-8"))

CHAPTERS: Final = (setup, turns, pawns, feeding, actions, food_actions, pawn_actions, scoring)


def most_commits(edition: Edition) -> int:
    """A turn that feeds takes four commits and lays a card, one with an action takes two and spends it (HK-64)."""
    cards = len(edition.food_cards) + edition.action_copies
    return 4 * cards + 2 * edition.actions_per_seat * edition.seats_max + 2


def build(edition: Edition) -> Ruleset:
    """The rules with the numbers of an edition."""
    return Ruleset(
        slug=SLUG,
        title="Wie Hund und Katz!",
        version="1",
        rulebook=RULEBOOK,
        edition=edition,
        seats=edition.seats,
        moves_max=most_commits(edition),
        options_type=Options,
        position_type=Position,
        view_type=View,
        chapters=CHAPTERS,
        variants=(Options(), Options(first_seat=Seat(0)), Options(first_seat=Seat(1))),
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
        greedy=partial(greedy, edition),
        outlook=partial(outlook, edition),
        horizon=3,
    )


HUND_UND_KATZ: Final = build(EDITION)
