"""Random values: of a JSON Schema, of a message class, and damaged JSON."""

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from referee.kernel.message import Move
from referee.kernel.ruleset import Ruleset

ITEMS_MAX = 4
HUGE = 10**18


def from_schema(schema: dict[str, Any], rng: random.Random, root: dict[str, Any] | None = None) -> Any:
    """A random value that a JSON Schema allows; it supports the parts of JSON Schema that describe moves."""
    root = schema if root is None else root
    if "$ref" in schema:
        return from_schema(root["$defs"][schema["$ref"].rpartition("/")[2]], rng, root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return rng.choice(schema["enum"])
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return from_schema(rng.choice(schema[word]), rng, root)
    kind = schema.get("type", "object")
    return _OF_TYPE[rng.choice(kind) if isinstance(kind, list) else kind](schema, rng, root)


def _object(schema: dict[str, Any], rng: random.Random, root: dict[str, Any]) -> Any:
    required = schema.get("required", ())
    value = {
        name: from_schema(part, rng, root)
        for name, part in schema.get("properties", {}).items()
        if name in required or rng.random() < 0.5
    }
    others, names = schema.get("additionalProperties"), schema.get("propertyNames")
    if isinstance(others, dict) and names is not None:
        for _ in range(rng.randint(schema.get("minProperties", 0), schema.get("maxProperties", ITEMS_MAX))):
            value[from_schema(names, rng, root)] = from_schema(others, rng, root)
    return value


def _array(schema: dict[str, Any], rng: random.Random, root: dict[str, Any]) -> Any:
    first = schema.get("prefixItems", [])
    low = schema.get("minItems", 0)
    size = rng.randint(low, schema.get("maxItems", low + ITEMS_MAX))
    items: list[Any] = []
    for at in range(size):
        for _ in range(20):
            item = from_schema(first[at] if at < len(first) else schema.get("items", {}), rng, root)
            if not schema.get("uniqueItems") or item not in items:
                items.append(item)
                break
    return items


def _integer(schema: dict[str, Any], rng: random.Random, root: dict[str, Any]) -> int:
    low = schema.get("minimum", schema.get("exclusiveMinimum", -2) + 1)
    high = schema.get("maximum", schema.get("exclusiveMaximum", low + 8) - 1)
    if "maximum" not in schema and "exclusiveMaximum" not in schema and rng.random() < 0.05:
        return HUGE
    return rng.randint(low, max(low, high))


_OF_TYPE = {
    "object": _object,
    "array": _array,
    "integer": _integer,
    "string": lambda schema, rng, root: rng.choice(("", "absurd")),
    "boolean": lambda schema, rng, root: rng.random() < 0.5,
    "null": lambda schema, rng, root: None,
}


def as_json(value: Any) -> Any:
    """What the JSON of a value decodes to."""
    return msgspec.json.decode(msgspec.json.encode(value))


class Absurd:
    """Well-formed but absurd moves, made of words and numbers from the position they are tried in."""

    def __init__(self, ruleset: Ruleset, position: Any, rng: random.Random) -> None:
        self._ruleset = ruleset
        self._rng = rng
        leaves = list(_leaves(as_json(position)))
        self._words = sorted({leaf for leaf in leaves if isinstance(leaf, str)})
        self._schemas = {
            name: msgspec.json.schema(kind, ref_template="#/$defs/{name}") for name, kind in ruleset.moves.items()
        }

    def moves(self, names: tuple[str, ...], count: int) -> Iterator[Move]:
        """The given number of moves of the named types."""
        while count > 0:
            count -= 1
            raw = self._with_words(from_schema(self._schemas[self._rng.choice(names)], self._rng))
            attempt = self._ruleset.read_move(raw)
            if attempt.move is not None:
                yield attempt.move

    def _with_words(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: part if name == "type" else self._with_words(part) for name, part in value.items()}
        if isinstance(value, list):
            return [self._with_words(part) for part in value]
        if value in ("", "absurd") and self._words and self._rng.random() < 0.9:
            return self._rng.choice(self._words)
        return value


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from _leaves(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _leaves(part)
    else:
        yield value
