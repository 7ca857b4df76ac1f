"""The components of the rulesets: options, positions, views, events, and every type of move."""

from collections.abc import Iterable, Mapping
from functools import cache

import msgspec

from referee.kernel.audience import hidden_fields
from referee.kernel.message import Move, tag
from referee.kernel.ruleset import Ruleset
from referee.table.moves import TABLE_EVENTS, TABLE_MOVES
from schemas.naming import Name, with_named_parts, words_in
from schemas.shapes import Shape, any_of, closed, told_apart
from schemas.structs import prefix_of, struct_components, with_defaults_in_words

SEEN = "Seen"
TABLE = "Table"


@cache
def rules_components(ruleset: Ruleset) -> dict[str, Shape]:
    """Everything of one ruleset, by component name; each name begins with the ruleset's."""
    prefix = prefix_of(ruleset)
    kinds = (ruleset.options_type, ruleset.position_type, ruleset.view_type, *ruleset.events.values())
    structs = struct_components(kinds, prefix)
    options = prefix + ruleset.options_type.__name__
    structs[options] = with_defaults_in_words(structs[options])
    for kind in ruleset.events.values():
        structs[prefix + kind.__name__] = _without_hidden(structs[prefix + kind.__name__], kind)
    moves = move_components(prefix, ruleset.moves.values())
    seats_moves = {name: kind for name, kind in ruleset.moves.items() if name not in ruleset.triggers}
    unions = {
        f"{prefix}Move": _union(prefix, seats_moves, f"A move of a seat in {ruleset.title}."),
        f"{prefix}Trigger": _union(prefix, ruleset.triggers, f"A move of the referee in {ruleset.title}."),
        f"{prefix}Event": _union(prefix, ruleset.events, f"What can happen in {ruleset.title}."),
        f"{prefix}Move{SEEN}": _seen_union(prefix, ruleset.moves, f"A move in {ruleset.title} as you may see it."),
    }
    assert not unions.keys() & (structs.keys() | moves.keys()), f"{prefix}: a struct has the name of a union"
    return with_named_parts({**structs, **moves, **unions}, _words_of(ruleset))


def _words_of(ruleset: Ruleset) -> dict[tuple[str, ...], Name]:
    """The names of the ruleset's enumerations, by their words."""
    package = ruleset.position_type.__module__.rpartition(".")[0]
    return {words: Name(prefix_of(ruleset) + name, text) for words, (name, text) in words_in(package).items()}


def _without_hidden(schema: Shape, kind: type[msgspec.Struct]) -> Shape:
    """The schema of a message whose hidden fields may be left out."""
    hidden = {name for name, audience in hidden_fields(kind) if not audience.own_entry}
    names = {each.encode_name for each in msgspec.structs.fields(kind) if each.name in hidden}
    return {**schema, "required": [name for name in schema["required"] if name not in names]}


def move_components(prefix: str, kinds: Iterable[type[Move]]) -> dict[str, Shape]:
    """Every type of move; those with a hidden field also as others see them."""
    kinds = tuple(kinds)
    found = {name: with_defaults_in_words(part) for name, part in struct_components(kinds, prefix).items()}
    for kind in kinds:
        name = prefix + kind.__name__
        found[name]["description"] += _which_go_together(kind)
        if hidden_fields(kind):
            found[name + SEEN] = _without_hidden(found[name], kind)
    return found


def _which_go_together(kind: type[Move]) -> str:
    """Which fields a move has, depending on another field; in words, because client generators cannot express it."""
    sentences = []
    for case in kind.schema.get("oneOf", ()):
        ((field, allowed),) = case["properties"].items()
        values = ", ".join(f"`{value}`" for value in allowed["enum"])
        sentences.append(f"If `{field}` is {values}: {', '.join(f'`{name}`' for name in case['required'])}.")
    return " ".join((" Which other fields it has:", *sentences)) if sentences else ""


def _union(prefix: str, kinds: Mapping[str, type[msgspec.Struct]], description: str) -> Shape:
    return told_apart("type", {name: prefix + kind.__name__ for name, kind in kinds.items()}, description)


def _seen_union(prefix: str, kinds: Mapping[str, type[msgspec.Struct]], description: str) -> Shape:
    names = {name: prefix + kind.__name__ + SEEN * bool(hidden_fields(kind)) for name, kind in kinds.items()}
    return told_apart("type", names, description)


def table_components() -> dict[str, Shape]:
    """The moves and events that every table has, whatever the ruleset."""
    moves = {tag(kind): kind for kind in TABLE_MOVES}
    events = {tag(kind): kind for kind in TABLE_EVENTS}
    return {
        **move_components(TABLE, TABLE_MOVES),
        **struct_components(TABLE_EVENTS, TABLE),
        f"{TABLE}Move": _union(TABLE, moves, "A move that is possible at a table of any ruleset."),
        f"{TABLE}Event": _union(TABLE, events, "An event that is possible at a table of any ruleset."),
    }


def any_components(rulesets: Iterable[Ruleset]) -> dict[str, Shape]:
    """What belongs to one of the rulesets. The same `type` may occur in several: first find the ruleset."""
    prefixes = [prefix_of(ruleset) for ruleset in rulesets]

    def of_each(part: str) -> list[str]:
        return [prefix + part for prefix in prefixes]

    return {
        "AnyMove": any_of(of_each("Move"), "A move of a seat, in any ruleset."),
        "AnyTrigger": any_of(of_each("Trigger"), "A move of the referee, in any ruleset."),
        "AnyEvent": any_of([*of_each("Event"), f"{TABLE}Event"], "What followed from a move."),
        "AnyMoveSeen": any_of([*of_each(f"Move{SEEN}"), f"{TABLE}Move"], "A move, without what is hidden from you."),
        "AnyOptions": any_of(of_each("Options"), "The options of a ruleset. Any of them can be left out."),
        "AnyPosition": any_of([*of_each("Position"), "BlankPosition"], "A complete position, in any ruleset."),
        "BlankPosition": {
            **closed(
                "A position before the set-up. It needs no other fields.",
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
