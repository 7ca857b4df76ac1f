"""Lines of code that two titles share and that the kernel could offer once.

python -m tests.repeated        lists every run of six lines or more that two titles share
"""

import io
import tokenize
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from referee.rulesets import TITLES
from tests.subjects import ROOT

LINES_MAX = 5
"""The longest run of equal lines that two titles may share."""

NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


class Line(NamedTuple):
    """A line of code: its tokens, its file and its number."""

    tokens: tuple[str, ...]
    file: Path
    number: int


class Run(NamedTuple):
    """Consecutive lines that two files share."""

    one: Line
    other: Line
    length: int

    def __str__(self) -> str:
        places = (f"{line.file.relative_to(ROOT)}:{line.number}" for line in (self.one, self.other))
        return f"{' and '.join(places)} share {self.length} lines"


def lines_of(file: Path) -> list[Line]:
    """The lines of a module that count.

    Not counted are imports, blank lines, comments, docstrings, lone punctuation, and wiring: a line of a call that
    only hands on a name, such as `view=view,`. Every title hands the same parts to the same contract.
    """
    found: dict[int, list[tokenize.TokenInfo]] = {}
    skipped: set[int] = set()
    statement: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(file.read_text(encoding="utf-8")).readline):
        if token.type == tokenize.NEWLINE:
            if statement and (statement[0].string in ("import", "from") or _is_text(statement)):
                skipped.update(range(statement[0].start[0], statement[-1].end[0] + 1))
            statement = []
        elif token.type not in NO_CODE:
            statement.append(token)
            found.setdefault(token.start[0], []).append(token)
    return [
        Line(tuple(token.string for token in tokens), file, number)
        for number, tokens in sorted(found.items())
        if number not in skipped and any(token.type != tokenize.OP for token in tokens) and not _is_wiring(tokens)
    ]


def _is_wiring(tokens: list[tokenize.TokenInfo]) -> bool:
    """Whether a line is `name=another_name,`."""
    kinds = [token.type for token in tokens]
    return kinds == [tokenize.NAME, tokenize.OP, tokenize.NAME, tokenize.OP] and tokens[3].string == ","


def _is_text(statement: list[tokenize.TokenInfo]) -> bool:
    return all(token.type == tokenize.STRING for token in statement)


def shared_runs(one: list[Line], other: list[Line]) -> Iterator[Run]:
    """Every longest run of more than `LINES_MAX` lines that two files share."""
    places: dict[tuple[str, ...], list[int]] = {}
    for at, line in enumerate(other):
        places.setdefault(line.tokens, []).append(at)
    lengths: dict[int, int] = {}
    for here, line in enumerate(one):
        lengths = {there: lengths.get(there - 1, 0) + 1 for there in places.get(line.tokens, ())}
        for there, length in lengths.items():
            is_last = here + 1 == len(one) or there + 1 == len(other) or one[here + 1].tokens != other[there + 1].tokens
            if length > LINES_MAX and is_last:
                yield Run(one[here - length + 1], other[there - length + 1], length)


def repeated() -> list[Run]:
    """The runs of lines that any two titles share."""
    titles = [[lines_of(file) for file in sorted(title.directory.rglob("*.py"))] for title in TITLES]
    return [
        run
        for one, other in combinations(titles, 2)
        for file in one
        for beside in other
        for run in shared_runs(file, beside)
    ]


if __name__ == "__main__":
    for run in sorted(repeated(), key=lambda run: -run.length):
        print(run)
