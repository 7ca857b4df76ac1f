"""The gaps between clauses, code and tests that a whole run leaves.

A clause needs a test that shows it and a line of code that cites it; a clause that a `require` cites must also have
refused something. Rulings only explain, so for them only the last rule holds.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Ruleset
from tests.subjects import CLAUSED

CLAUSE_ID = re.compile(r"\b[A-Z]{2}-[A-Z]?\d+\b")
CITING_CALLS = frozenset({"require", "Rejection", "known", "readable"})


@dataclass
class Sightings:
    """What a run, or one worker's part of it, has seen."""

    shown: dict[str, set[str]] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    is_partial: bool = False
    unknown: str = ""
    """The error if tests name unknown clauses."""

    def watch_refusals(self) -> None:
        """Record the clause of every rejection from now on."""
        plain = Rejection.__init__

        def recording(rejection: Rejection, clause: str, message: str) -> None:
            self.refused.add(clause)
            plain(rejection, clause, message)

        Rejection.__init__ = recording

    def written(self) -> dict[str, object]:
        """The form in which a worker sends its sightings."""
        shown = {clause: sorted(tests) for clause, tests in self.shown.items()}
        return {
            "shown": shown,
            "refused": sorted(self.refused),
            "is_partial": self.is_partial,
            "unknown": self.unknown,
        }

    def add(self, written: dict[str, object]) -> None:
        """Add what a worker has sent."""
        for clause, tests in written["shown"].items():
            self.shown.setdefault(clause, set()).update(tests)
        self.refused.update(written["refused"])
        self.is_partial |= written["is_partial"]
        self.unknown = self.unknown or written["unknown"]


def is_whole(session: pytest.Session) -> bool:
    """Whether the run includes every test."""
    option, config = session.config.option, session.config
    narrowed = ("keyword", "markexpr", "lf", "stepwise", "deselect", "ignore", "ignore_glob", "collectonly")
    if any(getattr(option, name, None) for name in narrowed) or session.shouldstop or session.shouldfail:
        return False
    starts = {(config.invocation_params.dir / argument).resolve() for argument in config.args}
    return starts == {config.rootpath / "tests"}


def clauses_shown(items: Iterable[pytest.Item]) -> dict[str, set[str]]:
    """The tests that show each clause, without their parameters."""
    tests: dict[str, set[str]] = {}
    for item in items:
        for mark in item.iter_markers("clause"):
            for clause in mark.args:
                tests.setdefault(clause, set()).add(item.nodeid.partition("[")[0])
    return tests


def known_ids() -> frozenset[str]:
    """Every clause and ruling of every rules.md."""
    return frozenset(clause for ruleset in CLAUSED for clause in ruleset.rulebook.clauses)


def gaps(sightings: Sightings) -> Iterator[str]:
    """What is missing, line by line."""
    for ruleset in CLAUSED:
        clauses = ruleset.rulebook.clauses
        ruled = {id for id, clause in clauses.items() if clause.kind == "clause"}
        required = cited_by_requirements(ruleset)
        missing = {
            "no test": ruled - sightings.shown.keys(),
            "no code cites it": ruled - cited_anywhere(ruleset),
            "refused nothing": (required & clauses.keys()) - sightings.refused,
            "cited, but not in rules.md": required - clauses.keys(),
        }
        for fault, ids in missing.items():
            if ids:
                yield f"{ruleset.slug}: {fault}: {', '.join(sorted(ids, key=_natural))}"


def cited_anywhere(ruleset: Ruleset) -> frozenset[str]:
    """The ids that the source of a ruleset names, comments and data included."""
    return frozenset(id for text in _sources(ruleset, ".py", ".toml") for id in CLAUSE_ID.findall(text))


def cited_by_requirements(ruleset: Ruleset) -> frozenset[str]:
    """The ids that a refusal can cite: the first arguments of `require` and similar calls."""
    return frozenset(id for text in _sources(ruleset, ".py") for id in refusing_ids(ast.parse(text)))


def refusing_ids(tree: ast.AST) -> Iterator[str]:
    """The ids in the first argument of every call that can refuse."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and _name(node.func) in CITING_CALLS:
            for part in ast.walk(node.args[0]):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield from CLAUSE_ID.findall(part.value)


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _sources(ruleset: Ruleset, *suffixes: str) -> Iterable[str]:
    files: Iterable[Path] = sorted(ruleset.directory.rglob("*"))
    return (file.read_text(encoding="utf-8") for file in files if file.suffix in suffixes)


def _natural(id: str) -> tuple[str, int]:
    """A sort key that puts CC-9 before CC-10."""
    digits = re.search(r"\d+$", id)
    return id[: digits.start()], int(digits[0])
