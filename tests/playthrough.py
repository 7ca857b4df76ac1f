"""Playthroughs: games as text, to be read in review and replayed line by line.

A section begins with the options of the game; then come its commits, each with the actor and the move, the events, the
hash of the commit chained with the one before, and what changed in the views: in all of them, or in those of single
readers (`-` is a spectator). `python -m tests.record` writes them again; recorded moves stay while they are legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from referee.kernel.canon import canonical, digest
from referee.kernel.chance import Derived
from referee.kernel.judge import read_options, read_position
from referee.kernel.message import Event, Move, tag
from referee.kernel.rejection import Malformed, Rejection
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Actor
from tests.conformance.play import Commit, Game
from tests.conformance.samples import as_json
from tests.conformance.worlds import readers

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
HASH_DIGITS = 16
INDENT = "    "


@dataclass(frozen=True)
class Start:
    """The start of a section: a blank table, or the position before some version of a longer game."""

    options: Any
    seats: int
    seed: str
    version: int
    drawn: int
    """The number of drawings before it."""
    position: Any

    @classmethod
    def of_game(cls, game: Game) -> Start:
        """The blank table of a whole game."""
        return cls(game.options, game.seats, game.seed, 1, 0, game.ruleset.blank(game.options, game.seats))

    @classmethod
    def before(cls, game: Game, version: int) -> Start:
        """The position of a game before some version."""
        commit = game.commits[version - 1]
        return cls(game.options, game.seats, game.seed, version, commit.drawn, commit.before)

    def lines(self, title: str) -> Iterator[str]:
        """The first lines of a section."""
        yield f"== {title} =="
        yield f"options {_json(self.options)}"
        yield f"seats {self.seats}"
        yield f"seed {self.seed}"
        if self.version > 1:
            yield f"version {self.version}"
            yield f"drawn {self.drawn}"
            yield f"position {_json(self.position)}"


@dataclass(frozen=True)
class Section:
    """A section of a file: its start, and its moves with their actors."""

    title: str
    start: Start
    moves: tuple[tuple[Actor, Any], ...]
    lines: tuple[str, ...]


def replayed(ruleset: Ruleset, start: Start, moves: Iterable[tuple[Actor, Any]]) -> Iterator[Commit]:
    """The commits of these moves, with the luck of the seed."""
    key, position, drawn = sha256(start.seed.encode()).digest(), start.position, start.drawn
    for version, (actor, raw) in enumerate(moves, start.version):
        move = raw if isinstance(raw, Move) else ruleset.read_move(raw).readable("a move on record is well formed")
        chance = Derived(key, drawn)
        events, after = ruleset.play(position, actor, move, chance)
        yield Commit(version, actor, move, events, position, after, drawn)
        position, drawn = after, drawn + len(chance.drawn)


def as_lines(ruleset: Ruleset, title: str, start: Start, commits: Iterable[Commit]) -> Iterator[str]:
    """A section as text."""
    yield from start.lines(title)
    hash_before = ""
    views = _views(ruleset, start.position)
    for commit in commits:
        yield ""
        yield f"{commit.version} {commit.actor} {_json(commit.move)}"
        for event in commit.events:
            yield INDENT + _event(event)
        hash_before = digest(canonical([hash_before, commit.written()]))
        yield f"{INDENT}hash {hash_before[:HASH_DIGITS]}"
        seen = _views(ruleset, commit.after)
        yield from (INDENT + line for line in _changes(views, seen))
        views = seen


def _event(event: Event) -> str:
    fields = as_json(event)
    del fields["type"]
    return f"{tag(event)} {_json(fields)}"


def _views(ruleset: Ruleset, position: Any) -> list[Any]:
    return [as_json(ruleset.view(position, reader)) for reader in readers(len(position.seats))]


def _changes(before: list[Any], after: list[Any]) -> Iterator[str]:
    """The changes of the views: on one line those in all views, on further lines those for single readers."""
    changed = [dict(_differences(old, new)) for old, new in zip(before, after, strict=True)]
    common = {path: part for path, part in changed[0].items() if all(each.get(path) == part for each in changed)}
    if common:
        yield f"all see {_list(common)}"
    for number, each in enumerate(changed):
        own = {path: part for path, part in each.items() if path not in common}
        if own:
            yield f"{number if number < len(changed) - 1 else '-'} sees {_list(own)}"


def _differences(old: Any, new: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if old == new:
        return
    alike = isinstance(old, dict) and isinstance(new, dict)
    rows = isinstance(old, list) and isinstance(new, list) and len(old) == len(new)
    if rows and any(isinstance(part, (dict, list)) for part in new):
        old, new, alike = dict(enumerate(old)), dict(enumerate(new)), True
    if not alike:
        yield path, _json(new)
        return
    for name in old | new:
        below = f"{path}.{name}" if path else str(name)
        if name not in new:
            yield below, "gone"
        else:
            yield from _differences(old.get(name), new[name], below)


def _list(changes: dict[str, str]) -> str:
    return "; ".join(f"{path} {part}" for path, part in changes.items())


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def files_of(ruleset: Ruleset) -> list[Path]:
    """The files of a ruleset's playthroughs."""
    return sorted((PLAYTHROUGHS / ruleset.slug).glob("*.txt"))


def read_sections(ruleset: Ruleset, file: Path) -> Iterator[Section]:
    """The sections of a file."""
    lines = file.read_text(encoding="utf-8").splitlines()
    heads = [number for number, line in enumerate(lines) if line.startswith("== ")]
    for first, last in zip(heads, [*heads[1:], len(lines) + 1], strict=True):
        yield _read_section(ruleset, lines[first : last - 1])


def _read_section(ruleset: Ruleset, lines: list[str]) -> Section:
    head = dict(line.split(" ", 1) for line in lines[1 : lines.index("")])
    options, seats = read_options(ruleset, msgspec.json.decode(head["options"])), int(head["seats"])
    if "position" in head:
        position = read_position(ruleset, msgspec.json.decode(head["position"]))
    else:
        position = ruleset.blank(options, seats)
    moves = []
    for line in lines:
        if line[:1].isdigit():
            _, actor, move = line.split(" ", 2)
            moves.append((int(actor) if actor.isdigit() else actor, msgspec.json.decode(move)))
    start = Start(options, seats, head["seed"], int(head.get("version", "1")), int(head.get("drawn", "0")), position)
    return Section(lines[0].strip("= "), start, tuple(moves), tuple(lines))


def still_legal(ruleset: Ruleset, file: Path) -> list[Section]:
    """The sections of a file if all their moves are still legal, else none."""
    try:
        sections = list(read_sections(ruleset, file))
        for section in sections:
            list(replayed(ruleset, section.start, section.moves))
    except (Malformed, Rejection, msgspec.ValidationError):
        return []
    return sections


def write_file(ruleset: Ruleset, name: str, sections: Iterable[Section]) -> None:
    """Write a file of these sections, separated by empty lines."""
    texts = [
        "\n".join(as_lines(ruleset, section.title, section.start, replayed(ruleset, section.start, section.moves)))
        for section in sections
    ]
    file = PLAYTHROUGHS / ruleset.slug / f"{name}.txt"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n\n".join(texts) + "\n", encoding="utf-8")
