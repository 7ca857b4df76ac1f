"""The components of the rulesets: options, positions, views, events, and every type of move."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.common import resolve_schema_cls
from marshmallow import fields

from referee.kernel.audience import hidden_fields
from referee.kernel.message import Move, tag
from referee.kernel.ruleset import Ruleset
from referee.kernel.table import TABLE_EVENTS, TABLE_MOVES
from schemas.derive import marshmallow_schema, prefix_of
from schemas.shapes import Shape, any_of, closed, told_apart

OPENAPI_VERSION = "3.1.0"
SEEN = "Seen"
TABLE = "Table"


def plugin(prefix: str = "") -> MarshmallowPlugin:
    """Makes components of marshmallow schemas, named as their classes with a prefix."""

    def name_of(schema: Any) -> str:
        kind = resolve_schema_cls(schema)
        assert isinstance(kind, type)
        return prefix + kind.__name__

    return MarshmallowPlugin(schema_name_resolver=name_of)


def new_spec(marshmallow: MarshmallowPlugin, **options: Any) -> APISpec:
    """An empty document."""
    spec = APISpec(openapi_version=OPENAPI_VERSION, plugins=[marshmallow], **options)
    assert marshmallow.converter is not None
    add: Any = marshmallow.converter.add_attribute_function
    add(_property_names)
    return spec


def _property_names(converter: Any, field: Any, **kwargs: Any) -> Shape:
    """What the keys of an object may be, which apispec leaves out."""
    if isinstance(field, fields.Dict) and field.key_field is not None:
        names = converter.field2property(field.key_field)
        return {"propertyNames": names} if names != {"type": "string"} else {}
    return {}


@cache
def rules_components(ruleset: Ruleset) -> dict[str, Shape]:
    """Everything of one ruleset, by component name; each name begins with the ruleset's."""
    prefix = prefix_of(ruleset)
    kinds = (ruleset.options_type, ruleset.position_type, ruleset.view_type, *ruleset.events.values())
    structs = json_components(prefix, kinds)
    for kind in ruleset.events.values():
        structs[prefix + kind.__name__] = _without_hidden(structs[prefix + kind.__name__], kind)
    moves = move_components(prefix, ruleset.moves.values())
    seats_moves = {name: kind for name, kind in ruleset.moves.items() if name not in ruleset.triggers}
    unions = {
        f"{prefix}Move": _union(prefix, seats_moves, f"A move of a seat in {ruleset.title}."),
        f"{prefix}Trigger": _union(prefix, ruleset.triggers, f"A move of the referee in {ruleset.title}."),
        f"{prefix}Event": _union(prefix, ruleset.events, f"A fact of {ruleset.title}."),
        f"{prefix}Move{SEEN}": _seen_union(prefix, ruleset.moves, f"A move of {ruleset.title} as a reader may see it."),
    }
    assert not unions.keys() & (structs.keys() | moves.keys()), f"{prefix}: a struct has the name of a union"
    return {**structs, **moves, **unions}


def json_components(prefix: str, kinds: Iterable[type[msgspec.Struct]]) -> dict[str, Shape]:
    """Structs as they are written, by component name."""
    _, found = msgspec.json.schema_components(kinds, ref_template=f"#/components/schemas/{prefix}{{name}}")
    return {prefix + name: _tidied(schema) for name, schema in found.items()}


def _tidied(schema: Any) -> Any:
    """The schema with what client generators need: no other fields, types of enumerations, no title that two share.

    A list of fixed length is bounded by `maxItems` already; `items: false` beside it would be taken for a name.
    """
    if isinstance(schema, list):
        return [_tidied(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    tidied = {key: _tidied(part) for key, part in schema.items() if key != "title" and (key, part) != ("items", False)}
    if "enum" in schema and "type" not in schema and all(isinstance(value, str) for value in schema["enum"]):
        tidied = {"type": "string", **tidied}
    if "properties" in schema and "type" in schema:
        tidied.setdefault("additionalProperties", False)
    return tidied


def _without_hidden(schema: Shape, kind: type[msgspec.Struct]) -> Shape:
    """The schema of a message whose hidden fields may be left out."""
    hidden = {name for name, audience in hidden_fields(kind) if not audience.own_entry}
    names = {each.encode_name for each in msgspec.structs.fields(kind) if each.name in hidden}
    return {**schema, "required": [name for name in schema["required"] if name not in names]}


def move_components(prefix: str, kinds: Iterable[type[Move]]) -> dict[str, Shape]:
    """Every type of move, from its marshmallow schema; those with a hidden field also as others see them."""
    kinds = tuple(kinds)
    spec = new_spec(plugin(prefix), title=prefix, version="1")
    for kind in kinds:
        spec.components.schema(prefix + kind.__name__, schema=marshmallow_schema(kind))
    found: dict[str, Shape] = spec.to_dict()["components"]["schemas"]
    for kind in kinds:
        name = prefix + kind.__name__
        found[name] = {"description": (kind.__doc__ or "").strip(), **found[name], **kind.schema}
        if hidden_fields(kind):
            found[name + SEEN] = _without_hidden(found[name], kind)
    return found


def _union(prefix: str, kinds: Mapping[str, type[msgspec.Struct]], description: str) -> Shape:
    return told_apart("type", {name: prefix + kind.__name__ for name, kind in kinds.items()}, description)


def _seen_union(prefix: str, kinds: Mapping[str, type[msgspec.Struct]], description: str) -> Shape:
    names = {name: prefix + kind.__name__ + SEEN * bool(hidden_fields(kind)) for name, kind in kinds.items()}
    return told_apart("type", names, description)


def table_components() -> dict[str, Shape]:
    """What can happen at every table, whatever is played on it."""
    moves = {tag(kind): kind for kind in TABLE_MOVES}
    events = {tag(kind): kind for kind in TABLE_EVENTS}
    return {
        **move_components(TABLE, TABLE_MOVES),
        **json_components(TABLE, TABLE_EVENTS),
        f"{TABLE}Move": _union(TABLE, moves, "What can be done at every table: conceding, and what admins do."),
        f"{TABLE}Event": _union(TABLE, events, "A fact of a table, whatever is played on it."),
    }


def any_components(rulesets: Iterable[Ruleset]) -> dict[str, Shape]:
    """What belongs to one of the rulesets. The same `type` may occur in several: first find the ruleset."""
    prefixes = [prefix_of(ruleset) for ruleset in rulesets]

    def of_each(part: str) -> list[str]:
        return [prefix + part for prefix in prefixes]

    return {
        "AnyMove": any_of(of_each("Move"), "A move of a seat, as the game's ruleset has it."),
        "AnyTrigger": any_of(of_each("Trigger"), "A move of the referee, as the ruleset has it."),
        "AnyEvent": any_of([*of_each("Event"), f"{TABLE}Event"], "A fact that followed from a move."),
        "AnyMoveSeen": any_of([*of_each(f"Move{SEEN}"), f"{TABLE}Move"], "A move as its reader may see it."),
        "AnyOptions": any_of(of_each("Options"), "Options of the ruleset; what is left out has its default."),
        "AnyPosition": any_of([*of_each("Position"), "BlankPosition"], "A complete position of the ruleset."),
        "BlankPosition": {
            **closed(
                "A position before the set-up needs no more than this.",
                {
                    "ruleset": {"type": "string"},
                    "options": {"type": "object"},
                    "phase": {"type": "string", "enum": ["setup"]},
                    "seats": {"type": "array", "items": {"type": "object"}},
                },
            ),
            "additionalProperties": True,
        },
    }
