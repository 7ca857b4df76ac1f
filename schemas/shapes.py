"""Words to write JSON Schemas with."""

from collections.abc import Iterable, Mapping
from typing import Any

Shape = dict[str, Any]


def ref(name: str) -> Shape:
    """A component by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def closed(description: str, properties: Mapping[str, Shape], optional: Iterable[str] = ()) -> Shape:
    """An object with exactly these properties; those that are optional may be left out."""
    left_out = set(optional)
    return {
        "type": "object",
        "description": description,
        "properties": dict(properties),
        "required": [name for name in properties if name not in left_out],
        "additionalProperties": False,
    }


def array(items: Shape, description: str | None = None) -> Shape:
    """A list."""
    return described({"type": "array", "items": items}, description)


def nullable(shape: Shape, description: str | None = None) -> Shape:
    """The shape, or null."""
    if isinstance(shape.get("type"), str) and "enum" not in shape:
        return described({**shape, "type": [shape["type"], "null"]}, description)
    return described({"anyOf": [shape, {"type": "null"}]}, description)


def described(shape: Shape, description: str | None) -> Shape:
    """The shape with other words."""
    return shape if description is None else {**shape, "description": description}


def string(description: str | None = None, **constraints: Any) -> Shape:
    """A string."""
    return described({"type": "string", **constraints}, description)


def word(*words: str, description: str | None = None) -> Shape:
    """One of these words."""
    return described({"type": "string", "enum": list(words)}, description)


def count(description: str | None = None, least: int = 0) -> Shape:
    """A whole number that is not negative."""
    return described({"type": "integer", "minimum": least}, description)


def boolean(description: str | None = None) -> Shape:
    """True or false."""
    return described({"type": "boolean"}, description)


def json_schema(description: str) -> Shape:
    """A JSON Schema, or another object whose members depend on the ruleset."""
    return {"type": "object", "description": description}


def told_apart(field: str, names: Mapping[str, str], description: str) -> Shape:
    """One of several components, told apart by the word in a field."""
    return {
        "description": description,
        "oneOf": [ref(name) for name in names.values()],
        "discriminator": {
            "propertyName": field,
            "mapping": {value: ref(name)["$ref"] for value, name in names.items()},
        },
    }


def any_of(names: Iterable[str], description: str) -> Shape:
    """One of several components that no single field tells apart."""
    return {"description": description, "anyOf": [ref(name) for name in names]}


TIME = string("UTC, to the millisecond.", format="date-time", pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
HASH = string("SHA-256 in hexadecimal.", pattern="^[0-9a-f]{64}$")
SEAT = count("A seat, 0 to n-1 clockwise.")
VERSION = count("The number of commits.")
NEXT = nullable(string(), "Where the next page begins; null: this is the last one.")


def id_of(letter: str, description: str | None = None) -> Shape:
    """The form of an id."""
    return string(description, pattern=f"^{letter}_[0-9a-f]{{24}}$")
