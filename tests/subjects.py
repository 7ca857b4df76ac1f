"""What the suites run over: every ruleset of the list, the toy, and their editions with other numbers."""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest

from referee.kernel.ruleset import Ruleset
from referee.rulesets import RULESETS
from tests.toy import TOY

ROOT = Path(__file__).parent.parent

CLAUSED: tuple[Ruleset, ...] = (*RULESETS.values(), TOY)
"""The rulesets whose clauses tests may name."""


def package_name(ruleset: Ruleset) -> str:
    """The package of a ruleset: its slug, with underscores."""
    parent = "tests" if ruleset.slug == TOY.slug else "referee.rulesets"
    return f"{parent}.{ruleset.slug.replace('-', '_')}"


def package_directory(ruleset: Ruleset) -> Path:
    """Where the source of a ruleset lies."""
    return Path(import_module(package_name(ruleset)).__file__).parent


@dataclass(frozen=True, repr=False)
class Subject:
    """A ruleset with one of its editions."""

    ruleset: Ruleset
    edition: str = ""

    def __str__(self) -> str:
        return f"{self.ruleset.slug}-{self.ruleset.version}{self.edition and '-'}{self.edition}"

    __repr__ = __str__


def _with_other_numbers(ruleset: Ruleset) -> tuple[Subject, ...]:
    """The ruleset once for each file in `editions/` of its package."""
    files = sorted(package_directory(ruleset).glob("editions/*.toml"))
    read_edition = import_module(f"{package_name(ruleset)}.edition").read_edition
    return tuple(Subject(ruleset.build(read_edition(file.read_text(encoding="utf-8"))), file.stem) for file in files)


BOXES: tuple[Subject, ...] = tuple(Subject(ruleset) for ruleset in CLAUSED)
"""Every ruleset with the numbers of its box."""

SUBJECTS: tuple[Subject, ...] = tuple(subject for box in BOXES for subject in (box, *_with_other_numbers(box.ruleset)))
"""Every ruleset with every edition."""


def _cases(subjects: tuple[Subject, ...]) -> list[object]:
    """One case per subject; those of one ruleset share a worker, which keeps the games it has played."""
    return [pytest.param(subject, id=str(subject), marks=pytest.mark.xdist_group(str(subject))) for subject in subjects]


every_ruleset = pytest.mark.parametrize("subject", _cases(BOXES))
every_edition = pytest.mark.parametrize("subject", _cases(SUBJECTS))
