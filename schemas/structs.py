"""JSON Schemas of structs, in the form that client generators understand best."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from referee.kernel.message import Move, schema_of, tag
from referee.kernel.ruleset import Ruleset
from schemas.answers import MessageType
from schemas.descriptions import field_texts
from schemas.shapes import NULL, REF, Shape


def prefix_of(ruleset: Ruleset) -> str:
    """What the component names of a ruleset begin with."""
    return "".join(part.capitalize() for part in ruleset.slug.replace("&", "and").split("-"))


def struct_components(kinds: Iterable[type[msgspec.Struct]], prefix: str = "") -> dict[str, Shape]:
    """Structs and all that they contain, by component name. The strings below their fields are the descriptions."""
    kinds = tuple(kinds)
    _, found = msgspec.json.schema_components(kinds, ref_template=f"{REF}{prefix}{{name}}")
    texts = field_texts(kinds)
    return {prefix + name: _described(tidy(schema), texts[name]) for name, schema in found.items()}


def _described(schema: Shape, texts: Mapping[str, str]) -> Shape:
    """The schema with the descriptions of its fields."""
    fields = schema["properties"]
    told = {name: {**field, "description": texts[name]} for name, field in fields.items() if name in texts}
    return {**schema, "properties": {**fields, **told}}


def answer_components(kinds: Iterable[type[msgspec.Struct]]) -> dict[str, Shape]:
    """Structs that the service sends: a field with a default is always there."""
    found = struct_components(kinds)
    for component in found.values():
        component["required"] = [
            *component["required"],
            *(name for name, field in component["properties"].items() if field.pop("default", UNSET) is not UNSET),
        ]
    return found


def tidy(schema: Any) -> Any:
    """The same schema in other words: closed objects, typed constants, pairs as lists, no titles.

    Titles would make generators give two components the same name.
    """
    if isinstance(schema, list):
        return [tidy(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if isinstance(schema.get("$ref"), str):
        return {key: part for key, part in schema.items() if key in ("$ref", "description", "default")}
    tidied = {key: tidy(part) for key, part in schema.items() if not (key == "title" and isinstance(part, str))}
    if isinstance(tidied.get("enum"), list):
        tidied = _words(tidied)
    if isinstance(tidied.get("prefixItems"), list):
        tidied = _pair(tidied)
    if isinstance(tidied.get("anyOf"), list):
        tidied = _choice(tidied)
    if "properties" in tidied and tidied.get("type") == "object":
        tidied.setdefault("additionalProperties", False)
    return tidied


def _words(schema: Shape) -> Shape:
    """An enumeration has a type, a single word is a constant, and null is no value."""
    values = [value for value in schema["enum"] if value is not None]
    rest = {key: part for key, part in schema.items() if key not in ("enum", "type")}
    if None in schema["enum"]:
        return {**rest, "anyOf": [_words({"enum": values}), NULL]}
    if values == [True]:
        return {"type": "boolean", **rest}
    assert all(isinstance(value, str) for value in values), f"{values} are not words"
    return {"type": "string", **rest, **({"const": values[0]} if len(values) == 1 else {"enum": values})}


def _pair(schema: Shape) -> Shape:
    """A list of fixed length whose items have one type; `minItems` and `maxItems` bound it."""
    first, *others = schema.pop("prefixItems")
    assert all(other == first for other in others), f"the items of {schema} differ"
    return {**schema, "items": first}


def _choice(schema: Shape) -> Shape:
    """One of several things: words become one enumeration, and parts that a field distinguishes become `oneOf`.

    The `type` that marshmallow fields add beside it is redundant.
    """
    parts = schema["anyOf"]
    schema = {key: part for key, part in schema.items() if key not in ("anyOf", "type", "additionalProperties")}
    if len(parts) == 1:
        return {**schema, **parts[0]}
    words = [word for part in parts for word in part.get("enum", [part["const"]] if "const" in part else [])]
    if words and all("enum" in part or "const" in part for part in parts):
        return {"type": "string", **schema, "enum": sorted(words)}
    return {**schema, ("oneOf" if "discriminator" in schema else "anyOf"): parts}


def with_defaults_in_words(schema: Shape) -> Shape:
    """The schema of something that clients send, with its defaults named in descriptions.

    Generators take a field with a `default` for one that is always there, so clients would have to send it.
    """
    fields = {name: _default_in_words(dict(field)) for name, field in schema.get("properties", {}).items()}
    return {**schema, "properties": fields} if fields else schema


def _default_in_words(field: Shape) -> Shape:
    default = field.pop("default", None)
    if default is None or "Default" in field.get("description", ""):
        return field
    told = f"Default: `{msgspec.json.encode(default).decode()}`."
    return {**field, "description": " ".join(filter(None, (field.get("description"), told)))}


def inline_schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """One struct as a JSON Schema that stands alone."""
    return msgspec.json.schema(kind)


def message_schemas(messages: Mapping[str, Any]) -> tuple[MessageType, ...]:
    """The types of moves or events, each with its description and its JSON Schema."""
    return tuple(
        MessageType(
            type=tag(kind),
            description=(kind.__doc__ or "").strip(),
            schema=schema_of(kind) if issubclass(kind, Move) else inline_schema(kind),
        )
        for kind in messages.values()
    )
