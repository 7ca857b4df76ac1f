"""From the structs of a ruleset: JSON Schemas for the documentation, marshmallow schemas for clients of Python."""

from functools import cache
from typing import Any

import msgspec

from referee.kernel.message import Move, schema_of, tag
from referee.kernel.ruleset import Ruleset

REF = "#/components/schemas/{name}"


def prefix_of(ruleset: Ruleset) -> str:
    """What the component names of a ruleset begin with."""
    return "".join(part.capitalize() for part in ruleset.slug.replace("&", "and").split("-"))


@cache
def components(ruleset: Ruleset) -> dict[str, dict[str, Any]]:
    """Every struct of a ruleset as a JSON Schema, by component name."""
    types = (
        ruleset.options_type,
        ruleset.position_type,
        ruleset.view_type,
        *ruleset.moves.values(),
        *ruleset.events.values(),
    )
    prefix = prefix_of(ruleset)
    _, found = msgspec.json.schema_components(types, ref_template=f"#/components/schemas/{prefix}{{name}}")
    together = {kind.__name__: kind.schema for kind in ruleset.moves.values()}
    return {prefix + name: {**schema, **together.get(name, {})} for name, schema in found.items()}


def inline_schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """One struct as a JSON Schema that stands alone."""
    return msgspec.json.schema(kind)


def message_schemas(messages: dict[str, Any]) -> list[dict[str, Any]]:
    """The types of moves or events, each with its description and its JSON Schema."""
    return [
        {
            "type": tag(kind),
            "description": (kind.__doc__ or "").strip(),
            "schema": schema_of(kind) if issubclass(kind, Move) else inline_schema(kind),
        }
        for kind in messages.values()
    ]
