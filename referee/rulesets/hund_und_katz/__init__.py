"""Wie Hund und Katz!: feed the animals that carry your pawns well, and the others badly."""

from typing import Final

from referee.kernel.clauses import read_rulebook
from referee.kernel.ruleset import Contract, Ruleset
from referee.kernel.seat import Seat
from referee.rulesets.hund_und_katz.actions import actions
from referee.rulesets.hund_und_katz.advice import ADVICE
from referee.rulesets.hund_und_katz.alike import alike
from referee.rulesets.hund_und_katz.candidates import candidates
from referee.rulesets.hund_und_katz.edition import EDITION, PACKAGE, Edition
from referee.rulesets.hund_und_katz.feeding import feeding
from referee.rulesets.hund_und_katz.flow import awaited, before, default, due
from referee.rulesets.hund_und_katz.food_actions import food_actions
from referee.rulesets.hund_und_katz.invariants import check
from referee.rulesets.hund_und_katz.pawn_actions import pawn_actions
from referee.rulesets.hund_und_katz.pawns import pawns
from referee.rulesets.hund_und_katz.position import SLUG, Options, Position
from referee.rulesets.hund_und_katz.scoring import ranking, scoring
from referee.rulesets.hund_und_katz.setup import blank, setup
from referee.rulesets.hund_und_katz.turns import turns
from referee.rulesets.hund_und_katz.view import View, view


def commits_max(edition: Edition) -> int:
    """A turn that lays a card takes at most four commits; one that spends an action card takes two (HK-64)."""
    cards = len(edition.food_cards) + edition.action_copies
    return 4 * cards + 2 * edition.actions_per_seat * edition.seats_max + 2


def seats(edition: Edition) -> range:
    """The numbers of seats that the edition allows."""
    return edition.seats


def variants(edition: Edition) -> tuple[Options, ...]:
    """The defaults, and each way to name the first seat."""
    return (Options(), Options(first_seat=Seat(0)), Options(first_seat=Seat(1)))


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

HUND_UND_KATZ: Final = Ruleset(
    slug=SLUG,
    title="Wie Hund und Katz!",
    version="1",
    directory=PACKAGE,
    rulebook=read_rulebook((PACKAGE / "rules.md").read_text(encoding="utf-8")),
    edition=EDITION,
    options_type=Options,
    position_type=Position,
    view_type=View,
    chapters=(setup, turns, pawns, feeding, actions, food_actions, pawn_actions, scoring),
    contract=CONTRACT,
    advice=ADVICE,
)
