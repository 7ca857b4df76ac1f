"""What client generators need from the document: each of these was a fault that one of them stumbled over."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.schemas.document import the_document

TYPESCRIPT_OWN = {"Record", "Partial", "Required", "Readonly", "Pick", "Omit", "Exclude", "Extract", "Awaited"}
CONDITIONS = {"oneOf", "anyOf", "allOf", "if", "maxProperties"}


def schemas() -> dict[str, Any]:
    found: dict[str, Any] = the_document()["components"]["schemas"]
    return found


def parts(value: Any, place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object within a part of the document, with its place."""
    if isinstance(value, dict):
        yield place, value
        for key, each in value.items():
            if key not in ("example", "examples"):
                yield from parts(each, f"{place}/{key}")
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from parts(each, f"{place}/{number}")


def inner_parts() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every part of a component that is not a component itself, and every part of a call."""
    for name, component in schemas().items():
        for key, each in component.items():
            yield from parts(each, f"{name}/{key}")
    yield from parts(the_document()["paths"], "paths")


def properties() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, component in schemas().items():
        for place, part in parts(component, name):
            if isinstance(part.get("properties"), dict) and part.get("type") == "object":
                yield from ((f"{place}/{field}", each) for field, each in part["properties"].items())


def operations() -> Iterator[tuple[str, dict[str, Any]]]:
    for path, calls in the_document()["paths"].items():
        yield from ((f"{method} {path}", call) for method, call in calls.items())


def test_no_property_is_only_null() -> None:
    assert not [place for place, part in properties() if part.get("type") == "null"]


def test_a_single_value_is_a_constant() -> None:
    assert not [place for place, part in parts(the_document()) if _is_list(part.get("enum")) and len(part["enum"]) < 2]
    assert {type(part["const"]) for _, part in properties() if "const" in part} == {str}


def test_every_enumeration_is_a_component() -> None:
    assert not [place for place, part in inner_parts() if _is_list(part.get("enum"))]
    words = [tuple(sorted(part["enum"])) for name, part in schemas().items() if "enum" in part and not _ruleset(name)]
    assert len(words) == len(set(words))


def test_every_union_is_a_component_or_something_or_null() -> None:
    for place, part in inner_parts():
        for key in ("anyOf", "oneOf"):
            if _is_list(part.get(key)):
                assert len(part[key]) == 2 and part[key][1] == {"type": "null"}, place


def test_every_union_of_objects_with_a_common_constant_has_a_discriminator() -> None:
    for name in ("Game", "Verdict", "MyMessage", "CatAndFishMove", "CatAndFishPositionPending"):
        union = schemas()[name]
        field = union["discriminator"]["propertyName"]
        for value, target in union["discriminator"]["mapping"].items():
            assert schemas()[target.rpartition("/")[2]]["properties"][field]["const"] == value
        assert {part["$ref"] for part in union["oneOf"]} == set(union["discriminator"]["mapping"].values())


def test_a_component_of_objects_has_no_conditions_beside_its_properties() -> None:
    for name, component in schemas().items():
        assert "properties" not in component or not component.keys() & CONDITIONS, name


def test_the_fields_that_an_action_card_asks_for_are_described() -> None:
    described = schemas()["HundUndKatzPlayAction"]["description"]
    assert "If `card` is `return_food`: `animal`, `food`." in described
    assert "`swap_pawns`: `animal_a`, `owner_a`, `animal_b`, `owner_b`." in described


def test_no_component_hides_a_type_of_typescript() -> None:
    assert not schemas().keys() & TYPESCRIPT_OWN


def test_every_list_has_one_type_of_items() -> None:
    for place, part in parts(the_document()):
        assert "prefixItems" not in part, place
        assert part.get("type") != "array" or isinstance(part.get("items"), dict), place


def test_the_kinds_of_seats_have_names() -> None:
    assert schemas()["NewGame"]["properties"]["seats"]["items"] == {"$ref": "#/components/schemas/SeatAssignment"}
    names = [part["$ref"].rpartition("/")[2] for part in schemas()["SeatAssignment"]["oneOf"]]
    assert names == ["SeatKeyword", "BotSeat", "PlayerSeat"]


def test_the_request_id_is_no_parameter_and_is_explained_once() -> None:
    assert "X-Request-Id" not in the_document()["components"]["parameters"]
    for _, call in operations():
        assert not [each for each in call["parameters"] if each.get("name") == "X-Request-Id"]
    assert the_document()["info"]["description"].count("X-Request-Id") == 1


def test_a_request_has_no_defaults_that_would_make_a_field_required() -> None:
    """Some generators take a field with a default for one that is always there."""
    sent = {"ClockWish", *(name for name in schemas() if name.endswith("Options"))}
    for _, call in operations():
        if "requestBody" in call:
            sent.add(call["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2])
    for name in sent:
        for field, part in schemas()[name].get("properties", {}).items():
            assert "default" not in part, f"{name}.{field}"


@pytest.mark.parametrize(
    ("event", "data"),
    [
        ("awaited", "MoveAwaited"),
        ("asked", "ConsentAsked"),
        ("taken_over", "SeatTakenOver"),
        ("invited", "Invitation"),
        ("withdrawn", "Invitation"),
        ("finished", "GameOver"),
        ("annulled", "GameOver"),
        ("recovered", "KeysReplaced"),
    ],
)
def test_every_message_of_my_stream_has_a_shape_of_its_own(event: str, data: str) -> None:
    message = schemas()[schemas()["MyMessage"]["discriminator"]["mapping"][event].rpartition("/")[2]]
    assert message["properties"]["event"] == {"type": "string", "const": event}
    assert message["properties"]["data"] == {"$ref": f"#/components/schemas/{data}"}
    assert schemas()[data]["required"] == list(schemas()[data]["properties"])


@pytest.mark.parametrize(
    ("path", "media", "component"),
    [
        ("/v1/games/{game_id}/events", "application/jsonl", "Commit"),
        ("/v1/games/{game_id}/events", "text/event-stream", "GameMessage"),
        ("/v1/games/{game_id}/record", "application/jsonl", "GameRecord"),
        ("/v1/me/events", "text/event-stream", "MyMessage"),
    ],
)
def test_the_schema_of_a_stream_is_that_of_one_item(path: str, media: str, component: str) -> None:
    call = the_document()["paths"][path]["get"]
    answer = call["responses"]["200"]
    assert answer["content"][media]["schema"] == {"$ref": f"#/components/schemas/{component}"}
    assert media in answer["description"] and "one" in answer["description"]


def test_every_call_has_a_description_beside_its_summary() -> None:
    for name, call in operations():
        assert call.get("description", "").endswith("."), name
        assert call["description"] != call["summary"]


def test_the_document_names_its_licence_and_whom_to_ask() -> None:
    info = the_document()["info"]
    assert info["license"] == {"name": "MIT", "identifier": "MIT"}
    assert info["contact"]["name"]


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _ruleset(component: str) -> bool:
    return component.startswith(("CatAndFish", "CathamCity", "ExplorersAndPirates", "Fangfrisch", "HundUndKatz"))
