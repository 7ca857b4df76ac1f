"""A little ruleset that has one of everything: what the kernel and the conformance suite are tried on."""

from functools import partial

from referee.kernel.clauses import read_rulebook
from referee.kernel.ruleset import Ruleset
from tests.toy import flow, position, rules, scoring
from tests.toy.edition import EDITION, PACKAGE, Edition

__all__ = ["TOY", "build"]


def build(edition: Edition) -> Ruleset:
    """The toy with the numbers of an edition."""
    return Ruleset(
        slug="toy",
        title="Toy",
        version="1",
        rulebook=read_rulebook((PACKAGE / "rules.md").read_text(encoding="utf-8")),
        edition=edition,
        seats=range(2, 5),
        moves_max=300,
        options_type=position.Options,
        position_type=position.Position,
        view_type=position.View,
        chapters=(rules.toy, scoring.scoring),
        variants=(position.Options(), position.Options(haggling=False), position.Options(first_seat=1)),
        blank=rules.blank,
        before=flow.before,
        awaited=flow.awaited,
        default=flow.default,
        due=partial(flow.due, edition),
        candidates=flow.candidates,
        check=partial(position.check, edition),
        view=position.view,
        alike=position.alike,
        ranking=partial(scoring.ranking, edition),
        build=build,
        families=flow.families,
    )


TOY = build(EDITION)
