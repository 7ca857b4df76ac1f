"""Words to write JSON Schemas with."""

from collections.abc import Iterable, Mapping
from typing import Any

Shape = dict[str, Any]

OPENAPI_VERSION = "3.1.0"
REF = "#/components/schemas/"
NULL: Shape = {"type": "null"}


def ref(name: str) -> Shape:
    """A component by its name."""
    return {"$ref": REF + name}


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


def told_apart(field: str, names: Mapping[str, str], description: str) -> Shape:
    """One of several components; a field says which one."""
    return {
        "description": description,
        "oneOf": [ref(name) for name in names.values()],
        "discriminator": {
            "propertyName": field,
            "mapping": {value: ref(name)["$ref"] for value, name in names.items()},
        },
    }


def any_of(names: Iterable[str], description: str) -> Shape:
    """One of several components that no single field distinguishes."""
    return {"description": description, "anyOf": [ref(name) for name in names]}
