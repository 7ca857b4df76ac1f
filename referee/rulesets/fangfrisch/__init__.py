"""Fangfrisch (Cash-a-Catch): a fish auction with a bell, for 3 to 5 seats, in turn pace or live."""

from typing import Final

from referee.kernel.clauses import read_rulebook
from referee.kernel.ruleset import Contract, Ruleset
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.advice import ADVICE
from referee.rulesets.fangfrisch.alike import alike
from referee.rulesets.fangfrisch.auction import auction
from referee.rulesets.fangfrisch.bell import bell
from referee.rulesets.fangfrisch.candidates import candidates
from referee.rulesets.fangfrisch.canning import canning
from referee.rulesets.fangfrisch.edition import EDITION, PACKAGE, Edition
from referee.rulesets.fangfrisch.families import families
from referee.rulesets.fangfrisch.flow import awaited, before, default, due
from referee.rulesets.fangfrisch.invariants import check
from referee.rulesets.fangfrisch.position import SLUG, Options, Position
from referee.rulesets.fangfrisch.purchase import purchase
from referee.rulesets.fangfrisch.scoring import ranking, scoring
from referee.rulesets.fangfrisch.selling import selling
from referee.rulesets.fangfrisch.setup import blank, setup
from referee.rulesets.fangfrisch.stowing import stowing
from referee.rulesets.fangfrisch.thieving import thieving
from referee.rulesets.fangfrisch.turns import turns
from referee.rulesets.fangfrisch.view import View, view


def seats(edition: Edition) -> range:
    """The numbers of seats that the edition allows."""
    return range(min(edition.seats), max(edition.seats) + 1)


def commits_max(edition: Edition) -> int:
    """A bound on every game: up to 103 cards are announced and shown, and each of up to 102 auctions has a sale before
    it, four rings and their end, four steps of the buyer after it, and no more than 5 idle turns before the next."""
    return 1800


def variants(edition: Edition) -> tuple[Options, ...]:
    """Both paces, and every option with other values than its default."""
    return (
        Options(),
        Options(pace="live"),
        Options(pace="live", reveal_seconds=1, bell_window_ms=0, first_seat=Seat(2)),
        Options(reveal_seconds=60, first_seat=Seat(0)),
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

FANGFRISCH: Final = Ruleset(
    slug=SLUG,
    title="Fangfrisch",
    version="1",
    directory=PACKAGE,
    rulebook=read_rulebook((PACKAGE / "rules.md").read_text(encoding="utf-8")),
    edition=EDITION,
    options_type=Options,
    position_type=Position,
    view_type=View,
    chapters=(setup, turns, selling, auction, bell, purchase, thieving, stowing, canning, scoring),
    contract=CONTRACT,
    advice=ADVICE,
)
