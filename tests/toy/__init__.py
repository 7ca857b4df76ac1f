"""A small auction of fish that has one of everything that rules can need."""

from typing import Final

from referee.kernel.clauses import read_rulebook
from referee.kernel.ruleset import Contract, Ruleset
from referee.kernel.seat import Seat
from tests.toy.alike import alike
from tests.toy.bidding import bidding
from tests.toy.candidates import candidates
from tests.toy.edition import EDITION, PACKAGE, Edition
from tests.toy.families import families
from tests.toy.flow import awaited, before, default, due
from tests.toy.haggling import haggling
from tests.toy.invariants import check
from tests.toy.position import SLUG, Options, Position
from tests.toy.scoring import ranking, scoring
from tests.toy.setup import blank, setup
from tests.toy.turns import turns
from tests.toy.view import View, view


def seats(edition: Edition) -> range:
    """The numbers of seats that the rules allow (TY-S1)."""
    return range(2, 5)


def commits_max(edition: Edition) -> int:
    """A bound on every game: a turn takes at most one offer, a bid of each other seat and two steps of the referee."""
    return 300


def variants(edition: Edition) -> tuple[Options, ...]:
    """The defaults, and each option with another value."""
    return (Options(), Options(haggling=False), Options(first_seat=Seat(1)))


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

TOY: Final = Ruleset(
    slug=SLUG,
    title="Toy",
    version="1",
    directory=PACKAGE,
    rulebook=read_rulebook((PACKAGE / "rules.md").read_text(encoding="utf-8")),
    edition=EDITION,
    options_type=Options,
    position_type=Position,
    view_type=View,
    chapters=(setup, turns, bidding, haggling, scoring),
    contract=CONTRACT,
)
