"""Reads the clauses and rulings of a rules.md, which the API, the docs and the clause report cite."""

import re
from dataclasses import dataclass
from typing import Literal

import msgspec

_BULLET = re.compile(r"^- \*\*([A-Z]{2}-[A-Z]?\d+)\*\* ?(.*)$")
_ROW = re.compile(r"^\| *(?:\*\*)?([A-Z]{2}-R\d+)(?:\*\*)? *\|(.*)\|\s*$")
_HEADING = re.compile(r"^#+ (?:[\d.]+ )?(.*)$")
_SOURCE = re.compile(r" *\{source: ([^{}]+)\}")


class Clause(msgspec.Struct, frozen=True):
    """One numbered, testable rule, or a ruling where the rulebook is silent."""

    id: str
    kind: Literal["clause", "ruling"]
    section: str
    """The heading under which it stands."""
    text: str
    """Its text, in Markdown."""
    source: str | None = None
    """Where the rule comes from, for example `rulebook`; null: not stated."""


@dataclass(frozen=True)
class Rulebook:
    """The clauses and rulings of a ruleset, in the order of its rules.md."""

    clauses: dict[str, Clause]

    def text(self, clause: str) -> str:
        """The text of a clause."""
        return self.clauses[clause].text


def read_rulebook(markdown: str) -> Rulebook:
    """Read a rulebook: clauses are bullets that begin with a bold id; rulings are such bullets or rows of a table.

    `{source: rulebook}` at the end of a clause, or before its table, names its source.
    """
    texts: dict[str, list[str]] = {}
    sections: dict[str, str] = {}
    section = ""
    current: list[str] | None = None
    for line in markdown.splitlines():
        if heading := _HEADING.match(line):
            section, current = heading[1].strip(), None
        elif found := _BULLET.match(line):
            current = [found[2]]
        elif found := _ROW.match(line):
            current = [" — ".join(cell.strip() for cell in found[2].split("|") if cell.strip())]
        elif current is not None and _continues(line):
            current.append(line.strip())
            continue
        else:
            current = None
        if current is not None and (found := _BULLET.match(line) or _ROW.match(line)):
            assert found[1] not in texts, f"{found[1]} is stated twice"
            texts[found[1]] = current
            sections[found[1]] = section
    return Rulebook({id: _clause(id, sections[id], "\n".join(lines).strip()) for id, lines in texts.items()})


def _clause(id: str, section: str, words: str) -> Clause:
    sources = _SOURCE.findall(words)
    assert len(sources) <= 1, f"{id} names its source twice"
    return Clause(id, _kind(id), section, _SOURCE.sub("", words), sources[0] if sources else None)


def _continues(line: str) -> bool:
    """Whether a line belongs to the clause above it: it is indented, part of a table, or empty."""
    return not line.strip() or line.startswith(("  ", "|"))


def _kind(id: str) -> Literal["clause", "ruling"]:
    return "ruling" if id.split("-")[1].startswith("R") else "clause"
