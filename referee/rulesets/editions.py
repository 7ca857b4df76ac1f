"""The editions of each ruleset: the numbers of its box, those in its `editions/`, and any that its owner brings.

A file in `editions/` is offered to players by its name. Those in `editions/unlisted/` are known, so that their games
can be played on and proved, but players cannot choose them: boxes for tests, and numbers that have been corrected.
"""

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


@cache
def offered_editions(ruleset: Ruleset) -> dict[str, Ruleset]:
    """A ruleset with each edition that players can choose, by name: first that of the box."""
    return {BOX: ruleset, **_read(ruleset, "editions/*.toml")}


@cache
def editions_of(ruleset: Ruleset) -> dict[str, Ruleset]:
    """A ruleset with each of its editions, by name: first those that players can choose."""
    return {**offered_editions(ruleset), **_read(ruleset, "editions/unlisted/*.toml")}


def _read(ruleset: Ruleset, files: str) -> dict[str, Ruleset]:
    found = sorted(ruleset.directory.glob(files))
    return {file.stem: with_edition(ruleset, file.read_text(encoding="utf-8")) for file in found}


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
    """Register a ruleset with an edition from a file, for this process."""
    _brought[ruleset.slug, ruleset.version, ruleset.edition_hash] = ruleset


def with_edition_of(ruleset: Ruleset, edition_hash: str) -> Ruleset | None:
    """The ruleset with the edition that has this hash, if it is known here."""
    if ruleset.edition_hash == edition_hash:
        return ruleset
    brought = _brought.get((ruleset.slug, ruleset.version, edition_hash))
    name = name_of_edition(ruleset, edition_hash)
    return brought or (None if name is None else editions_of(ruleset)[name])


def name_of_edition(ruleset: Ruleset, edition_hash: str) -> str | None:
    """The name of the edition that has this hash, if it ships with the ruleset."""
    return _names(ruleset).get(edition_hash)


@cache
def _names(ruleset: Ruleset) -> dict[str, str]:
    return {each.edition_hash: name for name, each in editions_of(ruleset).items()}
