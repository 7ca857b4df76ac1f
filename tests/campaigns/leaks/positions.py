"""Positions from stored games, and other worlds that a reader cannot distinguish from them."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec

from referee.kernel.canon import canonical
from referee.kernel.chance import Seeded
from referee.kernel.judge import read_options, read_position, replay
from referee.kernel.ruleset import Ruleset
from referee.rulesets import LATEST
from referee.table.moves import TABLE_EVENTS
from referee.table.record import commit_type
from tests.conformance.play import kind_of
from tests.conformance.worlds import Reader
from tests.corpus.stored_games import DIRECTORY, SUFFIX, read_game

TRIES = 4


class Worlds(NamedTuple):
    """A position, and another one in which everything that the reader may know is the same."""

    ruleset: Ruleset
    reader: Reader
    here: Any
    there: Any


@cache
def _positions(slug: str) -> tuple[tuple[Any, ...], ...]:
    """Every position of a title's stored games before their end, by kind."""
    ruleset = LATEST[slug]
    kinds: dict[Any, list[Any]] = {}
    for file in sorted((DIRECTORY / slug).glob(f"*{SUFFIX}")):
        for position in _passed(ruleset, file):
            if position.phase not in ("setup", "finished"):
                kinds.setdefault((len(position.seats), kind_of(ruleset, position)), []).append(position)
    return tuple(map(tuple, kinds.values()))


def _passed(ruleset: Ruleset, file: Any) -> Iterator[Any]:
    record = read_game(file)
    header = record.header
    if header.edition != ruleset.edition_hash:
        return
    position = (
        ruleset.blank(read_options(ruleset, header.options), len(header.nonces))
        if header.position is None
        else read_position(ruleset, header.position)
    )
    decoder = msgspec.json.Decoder(commit_type(ruleset))
    for entry in record.entries:
        events = (event for event in decoder.decode(entry.body).events if not isinstance(event, TABLE_EVENTS))
        position = replay(ruleset, position, events)
        yield position


def some_positions(slug: str, rng: random.Random) -> Iterator[Any]:
    """An endless sequence of positions, of every kind in turn."""
    kinds = list(_positions(slug))
    while True:
        rng.shuffle(kinds)
        for positions in kinds:
            yield rng.choice(positions)


def worlds_of(ruleset: Ruleset, position: Any, reader: Reader, rng: random.Random) -> Worlds | None:
    """The position and one that differs only in what the reader may not know; None if nothing is hidden."""
    for _ in range(TRIES):
        other = ruleset.alike(position, reader, Seeded(rng.random()))
        if canonical(other) != canonical(position):
            return Worlds(ruleset, reader, position, other)
    return None
