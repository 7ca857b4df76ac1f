"""The document allows exactly those moves that the kernel reads."""

import random
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from referee.kernel.message import Move, tag
from referee.kernel.ruleset import Ruleset
from schemas.rules import rules_components
from schemas.structs import prefix_of
from tests.conformance.damage import at, paths, with_at
from tests.conformance.play import games_of
from tests.conformance.samples import Absurd, as_json
from tests.schemas.document import validator_of
from tests.subjects import Subject, every_ruleset

WRONG: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    3,
    2**70,
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
"""JSON of every type, but for 1.0, which is an integer to JSON Schema and none to the kernel."""

ASKED_FURTHER = {
    *("give", "want", "resources"),  # Which keys they may have, msgspec does not write down.
    *("load", "unload"),  # One of them is not empty.
    "place",  # It has one of its fields.
}
"""Fields of which the document does not say exactly what the kernel reads."""

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
        if path[0] == "type" or path[0] in ASKED_FURTHER:
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
        if isinstance(at(move, path), dict) and not ASKED_FURTHER & {*path[:1]}:
            copied = deepcopy(move)
            at(copied, path)["surplus"] = 1
            yield f"{path} has more", copied


def is_valid(subject: Subject, kind: type[Move], raw: Any) -> bool:
    """Whether the components of the ruleset allow this for a type of move."""
    return _validator(subject.ruleset, prefix_of(subject.ruleset) + kind.__name__).is_valid(raw)


@cache
def _validator(ruleset: Ruleset, component: str) -> Draft202012Validator:
    return validator_of({"components": {"schemas": rules_components(ruleset)}}, component)


@every_ruleset
def test_every_move_keeps_to_its_component(subject: Subject, rng: random.Random) -> None:
    for move in some_of_each_type(subject, rng):
        assert is_valid(subject, type(move), as_json(move))


@every_ruleset
def test_the_document_refuses_what_the_kernel_refuses_and_nothing_else(subject: Subject, rng: random.Random) -> None:
    refused = 0
    for move in some_of_each_type(subject, rng):
        for name, raw in damaged(as_json(move)):
            is_read = subject.ruleset.read_move(raw).move is not None
            assert is_valid(subject, type(move), raw) == is_read, f"{move}: {name}"
            refused += not is_read
    assert refused > len(subject.ruleset.moves)


@every_ruleset
def test_a_component_allows_moves_of_its_type_only(subject: Subject, rng: random.Random) -> None:
    for move in some_of_each_type(subject, rng):
        raw = as_json(move)
        for name in (*subject.ruleset.moves, "", None, 1, ["set_up"]):
            assert is_valid(subject, type(move), {**raw, "type": name}) == (name == tag(move))
        assert not is_valid(subject, type(move), {key: value for key, value in raw.items() if key != "type"})


@every_ruleset
@pytest.mark.parametrize("raw", [None, True, 1, "set_up", [], [{"type": "set_up"}]])
def test_a_move_is_an_object(subject: Subject, raw: Any) -> None:
    for kind in subject.ruleset.moves.values():
        assert not is_valid(subject, kind, raw)
