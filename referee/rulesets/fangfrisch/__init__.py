"""Fangfrisch (Cash-a-Catch): a fish auction with a bell, for 3 to 5 seats, in turn pace or live."""

from functools import partial
from typing import Final

from referee.kernel.clauses import read_rulebook
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.alike import alike
from referee.rulesets.fangfrisch.auction import auction
from referee.rulesets.fangfrisch.bell import bell
from referee.rulesets.fangfrisch.candidates import candidates
from referee.rulesets.fangfrisch.canning import canning
from referee.rulesets.fangfrisch.closing import closing, ranking
from referee.rulesets.fangfrisch.edition import EDITION, PACKAGE, Edition, require_playable
from referee.rulesets.fangfrisch.families import families
from referee.rulesets.fangfrisch.flow import awaited, before, default, due
from referee.rulesets.fangfrisch.greedy import greedy, is_worth
from referee.rulesets.fangfrisch.invariants import check
from referee.rulesets.fangfrisch.outlook import outlook
from referee.rulesets.fangfrisch.position import SLUG, Options, Position
from referee.rulesets.fangfrisch.purchase import purchase
from referee.rulesets.fangfrisch.selling import selling
from referee.rulesets.fangfrisch.setup import blank, setup
from referee.rulesets.fangfrisch.stowing import stowing
from referee.rulesets.fangfrisch.thieving import thieving
from referee.rulesets.fangfrisch.turns import turns
from referee.rulesets.fangfrisch.view import View, view

MOVES_MAX: Final = 1600
"""No game is longer: up to 103 cards are answered by 5 seats, and each of up to 102 auctions has a sale before it,
four steps of the buyer after it, and no more than 5 idle turns between it and the next."""

RULEBOOK: Final = read_rulebook((PACKAGE / "rules.md").read_text(encoding="utf-8"))

VARIANTS: Final = (
    Options(),
    Options(pace="live"),
    Options(pace="live", reveal_seconds=1, first_seat=Seat(2)),
    Options(reveal_seconds=60, first_seat=Seat(0)),
)


def build(edition: Edition) -> Ruleset:
    """The rules with the numbers of an edition."""
    require_playable(edition)
    return Ruleset(
        slug=SLUG,
        title="Fangfrisch",
        version="1",
        rulebook=RULEBOOK,
        edition=edition,
        seats=range(min(edition.seats), max(edition.seats) + 1),
        moves_max=MOVES_MAX,
        options_type=Options,
        position_type=Position,
        view_type=View,
        chapters=(setup, turns, selling, auction, bell, purchase, thieving, stowing, canning, closing),
        variants=VARIANTS,
        blank=partial(blank, edition),
        before=before,
        awaited=partial(awaited, edition),
        default=default,
        due=due,
        candidates=partial(candidates, edition),
        check=partial(check, edition),
        view=view,
        alike=partial(alike, edition),
        ranking=ranking,
        build=build,
        families=partial(families, edition),
        greedy=partial(greedy, edition),
        is_worth=partial(is_worth, edition),
        outlook=partial(outlook, edition),
        horizon=3,
    )


FANGFRISCH: Final = build(EDITION)
