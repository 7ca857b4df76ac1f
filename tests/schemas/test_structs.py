"""The components that structs become."""

from typing import Annotated, Any, Literal

import pytest
from msgspec import UNSET, Meta, Struct, UnsetType

from schemas.naming import Name, with_named_parts, words_in
from schemas.structs import answer_components, struct_components, tidy, with_defaults_in_words

Colour = Literal["red", "blue"]
"""A colour of the box."""


class Cat(Struct, tag_field="kind", tag="cat"):
    """A cat."""


class Dog(Struct, tag_field="kind", tag="dog"):
    """A dog."""


class Base(Struct):
    """Something with a name."""

    name: str
    """The name,
    on two lines."""


class House(Base):
    """A house."""

    colour: Colour
    pair: tuple[int, int]
    pet: Cat | Dog | None
    """Who lives there."""
    size: int = 3
    garden: bool | UnsetType = UNSET
    linked: Annotated[str, Meta(extra_json_schema={"$ref": "#/components/schemas/Linked"})] = ""


def house() -> dict[str, Any]:
    return struct_components((House,))["House"]


def test_the_string_below_a_field_is_its_description_even_if_the_field_is_inherited() -> None:
    fields = house()["properties"]
    assert fields["name"]["description"] == "The name, on two lines."
    assert fields["pet"]["description"] == "Who lives there."
    assert "description" not in fields["colour"]


def test_a_component_takes_no_other_fields_and_a_pair_is_a_list() -> None:
    assert house()["additionalProperties"] is False
    assert house()["properties"]["pair"] == {
        "type": "array",
        "items": {"type": "integer"},
        "minItems": 2,
        "maxItems": 2,
    }


def test_a_reference_has_no_type_beside_it() -> None:
    assert house()["properties"]["linked"] == {"$ref": "#/components/schemas/Linked", "default": ""}


def test_what_is_sent_is_required_unless_it_can_be_left_out() -> None:
    sent = answer_components((House,))["House"]
    assert set(sent["properties"]) - set(sent["required"]) == {"garden"}
    assert "default" not in sent["properties"]["size"]


def test_a_schema_of_a_request_names_its_defaults_in_descriptions() -> None:
    received = with_defaults_in_words(house())
    assert received["properties"]["size"] == {"type": "integer", "description": "Default: `3`."}
    assert "size" not in received["required"]


def test_words_and_unions_become_components() -> None:
    named = with_named_parts(struct_components((House,)), words_in("tests.schemas"))
    assert named["Colour"] == {"description": "A colour of the box.", "type": "string", "enum": ["blue", "red"]}
    assert named["House"]["properties"]["colour"] == {"$ref": "#/components/schemas/Colour"}
    assert named["House"]["properties"]["pet"]["anyOf"] == [
        {"$ref": "#/components/schemas/HousePet"},
        {"type": "null"},
    ]
    assert named["HousePet"]["discriminator"]["mapping"] == {
        "cat": "#/components/schemas/Cat",
        "dog": "#/components/schemas/Dog",
    }


def test_words_without_a_name_are_called_after_their_first_place() -> None:
    named = with_named_parts(struct_components((House,)), {})
    assert named["HouseColour"]["enum"] == ["blue", "red"]


def test_one_name_cannot_mean_two_things() -> None:
    taken = {("blue", "red"): Name("House")}
    with pytest.raises(AssertionError, match="House"):
        with_named_parts(struct_components((House,)), taken)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"enum": ["one"]}, {"type": "string", "const": "one"}),
        ({"enum": [True]}, {"type": "boolean"}),
        ({"enum": ["a", "b", None]}, {"anyOf": [{"type": "string", "enum": ["a", "b"]}, {"type": "null"}]}),
        ({"anyOf": [{"enum": ["b", "c"]}, {"enum": ["a"]}]}, {"type": "string", "enum": ["a", "b", "c"]}),
        ({"anyOf": [{"$ref": "#/x"}], "type": "object", "description": "X."}, {"description": "X.", "$ref": "#/x"}),
        ({"title": "X", "type": "string"}, {"type": "string"}),
    ],
)
def test_a_schema_keeps_its_meaning_in_the_words_of_generators(schema: Any, expected: Any) -> None:
    assert tidy(schema) == expected


def test_a_list_of_different_things_has_no_schema() -> None:
    with pytest.raises(AssertionError):
        tidy({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False})
