"""The subjects of the test suites: every title, the toy, and their other editions."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from referee.kernel.ruleset import Ruleset
from referee.rulesets import RULESETS
from referee.rulesets.editions import BOX, editions_of
from tests.toy import TOY

ROOT = Path(__file__).parent.parent

CLAUSED: tuple[Ruleset, ...] = (*RULESETS.values(), TOY)
"""The rulesets whose clauses tests may name."""


def package_name(ruleset: Ruleset) -> str:
    """The package of a ruleset."""
    return ".".join(ruleset.directory.relative_to(ROOT).parts)


@dataclass(frozen=True, repr=False)
class Subject:
    """A ruleset with one of its editions."""

    ruleset: Ruleset
    edition: str = ""

    def __str__(self) -> str:
        return f"{self.ruleset.slug}-{self.ruleset.version}{self.edition and '-'}{self.edition}"

    __repr__ = __str__


BOXES: tuple[Subject, ...] = tuple(Subject(ruleset) for ruleset in CLAUSED)
"""Every ruleset with its own edition."""

SUBJECTS: tuple[Subject, ...] = tuple(
    Subject(each, "" if name == BOX else name) for ruleset in CLAUSED for name, each in editions_of(ruleset).items()
)
"""Every ruleset with every edition."""


def _cases(subjects: tuple[Subject, ...]) -> list[object]:
    """One case per subject; the cases of one ruleset share a worker, which caches the games it has played."""
    return [pytest.param(subject, id=str(subject), marks=pytest.mark.xdist_group(str(subject))) for subject in subjects]


every_ruleset = pytest.mark.parametrize("subject", _cases(BOXES))
every_edition = pytest.mark.parametrize("subject", _cases(SUBJECTS))
