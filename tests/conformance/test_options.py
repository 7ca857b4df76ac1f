"""A form can be made of the schema of a ruleset's options, and it offers what the rules know."""

from typing import Any

from schemas.structs import inline_schema
from tests.subjects import Subject, every_ruleset

Shape = dict[str, Any]


def fields_of(subject: Subject) -> dict[str, Shape]:
    schema = inline_schema(subject.ruleset.options_type)
    fields: dict[str, Shape] = schema["$defs"][subject.ruleset.options_type.__name__]["properties"]
    return fields


def parts_of(schema: Shape) -> list[Shape]:
    """What a value may be, inside lists and apart from null."""
    inner = [part for each in schema.get("anyOf", ()) for part in parts_of(each)]
    items = parts_of(schema["items"]) if "items" in schema else []
    return [*inner, *items] or [schema]


@every_ruleset
def test_every_option_has_a_description_and_a_default(subject: Subject) -> None:
    for name, field in fields_of(subject).items():
        assert field.get("description", "").endswith("."), name
        assert "default" in field, name


@every_ruleset
def test_every_text_of_an_option_is_one_of_some_words_and_every_number_has_bounds(subject: Subject) -> None:
    for name, field in fields_of(subject).items():
        for part in parts_of(field):
            kind = part.get("type", "string" if "enum" in part else None)
            assert kind in ("string", "integer", "boolean", "null"), name
            if kind == "string":
                assert part.get("enum") or part.get("pattern"), name
            if kind == "integer":
                assert part["minimum"] <= part["maximum"], name


@every_ruleset
def test_an_option_that_names_a_seat_offers_those_of_the_largest_table(subject: Subject) -> None:
    for name, field in fields_of(subject).items():
        if name.endswith("seat"):
            bounds = [(part["minimum"], part["maximum"]) for part in parts_of(field) if part["type"] == "integer"]
            assert bounds == [(0, subject.ruleset.seats.stop - 2)], name


@every_ruleset
def test_the_forms_that_a_table_can_have_fit_the_schema(subject: Subject) -> None:
    """Every variant that the ruleset plays is one that the form can be filled in with."""
    for options in subject.ruleset.variants:
        for name, field in fields_of(subject).items():
            value = getattr(options, name)
            values = value if isinstance(value, tuple) else (value,)
            allowed = [word for part in parts_of(field) for word in part.get("enum", ())]
            if allowed:
                assert {each for each in values if each is not None} <= set(allowed), name
