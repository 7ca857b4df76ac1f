"""A move's marshmallow schema reads exactly what the kernel reads, and writes what it writes."""

import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from marshmallow import ValidationError

from referee.kernel.message import Move, tag
from referee.kernel.ruleset import Ruleset
from schemas.derive import marshmallow_schema
from tests.conformance.damage import at, paths, with_at
from tests.conformance.play import games_of
from tests.conformance.samples import Absurd, as_json
from tests.subjects import Subject, every_ruleset

WRONG: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    3,
    2**70,
    1.0,
    0.5,
    "",
    "0",
    "absurd",
    "a\n",
    [],
    [None],
    {},
    {"a": 1},
)
"""JSON of every type."""

ABSURD_MOVES = 400
MOVES_OF_A_TYPE = 6


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.node.name)


def moves_of(subject: Subject, rng: random.Random) -> Iterator[Move]:
    """Every move of some games, and moves of every type that make no sense."""
    for game in games_of(subject):
        yield from (commit.move for commit in game.commits)
    position = games_of(subject)[0].end
    for name in subject.ruleset.moves:
        yield from Absurd(subject.ruleset, position, rng).moves((name,), ABSURD_MOVES // len(subject.ruleset.moves))


def some_of_each_type(subject: Subject, rng: random.Random) -> Iterator[Move]:
    """A few different moves of every type."""
    moves: dict[str, list[Move]] = {name: [] for name in subject.ruleset.moves}
    for move in moves_of(subject, rng):
        if move not in moves[tag(move)]:
            moves[tag(move)].append(move)
    for name, found in moves.items():
        assert found, f"no move of type {name}"
        yield from rng.sample(found, min(MOVES_OF_A_TYPE, len(found)))


def damaged(move: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The move with something missing, something more, or something of another type; `type` stays."""
    for path in paths(move):
        if path == ("type",):
            continue
        part = at(move, path)
        for value in WRONG:
            yield f"{path} is {value!r}", with_at(move, path, value)
        if isinstance(part, list):
            yield f"{path} is longer", with_at(move, path, [*part, *part, None])
        copied = deepcopy(move)
        del at(copied, path[:-1])[path[-1]]
        yield f"{path} is missing", copied
    for path in ((), *paths(move)):
        if isinstance(at(move, path), dict):
            copied = deepcopy(move)
            at(copied, path)["surplus"] = 1
            yield f"{path} has more", copied


def read_by_schema(kind: type[Move], raw: Any) -> Move | None:
    try:
        return marshmallow_schema(kind)().load(raw)
    except ValidationError:
        return None


def read_by_kernel(ruleset: Ruleset, raw: Any) -> Move | None:
    return ruleset.read_move(raw).move


@every_ruleset
def test_every_move_is_written_as_the_kernel_writes_it_and_read_again(subject: Subject, rng: random.Random) -> None:
    for move in moves_of(subject, rng):
        schema = marshmallow_schema(type(move))()
        assert schema.dump(move) == as_json(move)
        assert schema.load(as_json(move)) == move


@every_ruleset
def test_the_schema_refuses_what_the_kernel_refuses_and_nothing_else(subject: Subject, rng: random.Random) -> None:
    refused = 0
    for move in some_of_each_type(subject, rng):
        for name, raw in damaged(as_json(move)):
            expected = read_by_kernel(subject.ruleset, raw)
            assert read_by_schema(type(move), raw) == expected, f"{move}: {name}"
            refused += expected is None
    assert refused > len(subject.ruleset.moves)


@every_ruleset
def test_a_schema_reads_moves_of_its_type_only(subject: Subject, rng: random.Random) -> None:
    for move in some_of_each_type(subject, rng):
        raw = as_json(move)
        for name in (*subject.ruleset.moves, "", None, 1, ["set_up"]):
            assert (read_by_schema(type(move), {**raw, "type": name}) is None) == (name != tag(move))
        assert read_by_schema(type(move), {key: value for key, value in raw.items() if key != "type"}) is None


@every_ruleset
@pytest.mark.parametrize("raw", [None, True, 1, "set_up", [], [{"type": "set_up"}]])
def test_a_move_is_an_object(subject: Subject, raw: Any) -> None:
    for kind in subject.ruleset.moves.values():
        assert read_by_schema(kind, raw) is None
