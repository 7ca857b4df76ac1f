"""The editions of each ruleset: the numbers of its box, those in its `editions/`, and any that its owner brings."""

from dataclasses import replace
from functools import cache
from pathlib import Path

from referee.kernel.edition import read_edition
from referee.kernel.ruleset import Ruleset

BOX = "box"
"""The name of the edition that games are played with unless another one is asked for."""

BYTES_MAX = 1 << 20
"""No edition comes near this; a longer file is none, and is not read to its end."""

_brought: dict[tuple[str, str, str], Ruleset] = {}


def editions_of(ruleset: Ruleset) -> dict[str, Ruleset]:
    """A ruleset with each of its editions, by name: first that of the box."""
    files = sorted(ruleset.directory.glob("editions/*.toml"))
    return {BOX: ruleset, **{file.stem: with_edition(ruleset, file.read_text(encoding="utf-8")) for file in files}}


def read_file(name: str) -> str:
    """The text of a file that may hold an edition; raises OSError, or ValueError if it holds no text."""
    with Path(name).open("rb") as file:
        text = file.read(BYTES_MAX + 1)
    if len(text) > BYTES_MAX:
        raise ValueError(f"longer than {BYTES_MAX} bytes")
    return text.decode()


def with_edition(ruleset: Ruleset, toml: str) -> Ruleset:
    """The ruleset with the numbers of an edition's text; raises ValueError if no game can be played with them."""
    return replace(ruleset, edition=read_edition(toml, type(ruleset.edition)))


def add_edition(ruleset: Ruleset) -> None:
    """Let this process know a ruleset with an edition of its owner's."""
    _brought[ruleset.slug, ruleset.version, ruleset.edition_hash] = ruleset


def with_edition_of(ruleset: Ruleset, edition_hash: str) -> Ruleset | None:
    """The ruleset with the edition that has this hash, if it is known here."""
    if ruleset.edition_hash == edition_hash:
        return ruleset
    brought = _brought.get((ruleset.slug, ruleset.version, edition_hash))
    return brought or _by_hash(ruleset).get(edition_hash)


@cache
def _by_hash(ruleset: Ruleset) -> dict[str, Ruleset]:
    return {each.edition_hash: each for each in editions_of(ruleset).values()}
