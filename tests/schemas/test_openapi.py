"""The OpenAPI document: complete, valid, up to date, and true of what the rulesets say."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from referee.app import create_app
from referee.kernel.audience import redact, redact_move
from referee.kernel.message import tag
from referee.kernel.ruleset import Ruleset
from referee.openapi import FILE, written
from referee.rulesets import LATEST
from referee.settings import Settings
from schemas.examples import examples, problem_examples
from schemas.paths import PATH_PARAMETERS, REQUEST_HEADERS, STATUSES
from schemas.problems import PROBLEMS
from schemas.structs import prefix_of
from tests.conformance.play import games_of
from tests.conformance.samples import as_json
from tests.schemas.document import keeps_to, the_document, validator
from tests.subjects import Subject

COMMITS_MAX = 40

every_title = pytest.mark.parametrize("ruleset", LATEST.values(), ids=LATEST)


def schemas() -> dict[str, Any]:
    found: dict[str, Any] = the_document()["components"]["schemas"]
    return found


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in the_document()["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def references(part: Any) -> Iterator[str]:
    """Every reference within a part of the document."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key == "$ref":
                yield value
            elif key == "mapping":
                yield from value.values()
            else:
                yield from references(value)
    elif isinstance(part, list):
        for value in part:
            yield from references(value)


def test_the_file_is_up_to_date() -> None:
    assert FILE.read_text(encoding="utf-8") == written(), "`make openapi` writes it again"


def test_the_document_is_valid() -> None:
    assert the_document()["openapi"] == "3.1.0"
    OpenAPIV31SpecValidator(the_document()).validate()


def test_every_route_of_the_api_is_documented_and_nothing_else() -> None:
    app = create_app(Settings(redis_url="unix:///nowhere", log_level="CRITICAL"))
    routes = {
        (rule.rule.replace("<int:", "<").replace("<", "{").replace(">", "}"), method.lower())
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
        if method not in ("HEAD", "OPTIONS") and not rule.endpoint.startswith(("pages.", "guides."))
        if "<path:" not in rule.rule  # the tiles of the log: OpenAPI has no parameters with slashes
    }
    assert routes == {(path, method) for path, method, _ in operations()}


def test_every_reference_leads_somewhere_and_every_component_is_used() -> None:
    document = the_document()
    used = set(references(document))
    components = {
        f"#/components/{kind}/{name}"
        for kind in ("schemas", "responses", "headers", "parameters")
        for name in document["components"][kind]
    }
    assert used == components


def test_every_call_has_words_a_tag_and_problems() -> None:
    names = [operation["operationId"] for _, _, operation in operations()]
    assert len(set(names)) == len(names)
    tags = {each["name"] for each in the_document()["tags"]}
    for path, _, operation in operations():
        assert operation["summary"].endswith((".", "?"))
        assert set(operation["tags"]) <= tags
        assert {"422", "500"} <= operation["responses"].keys()
        assert ("{" in path) == ("404" in operation["responses"] and "{" in path)
        needs_key = operation["security"] not in ([], [{}, {"bearer": []}])
        assert needs_key <= ("401" in operation["responses"])
        for parameter in operation["parameters"]:
            assert "$ref" in parameter or parameter["description"]


def test_every_code_of_a_problem_is_documented() -> None:
    assert schemas()["ProblemCode"]["enum"] == list(PROBLEMS)
    assert STATUSES.keys() == problem_examples().keys()
    for status, example in problem_examples().items():
        validator("Problem").validate(example)
        assert example["status"] == status and PROBLEMS[example["code"]] == (status, example["title"])


def test_examples_keep_to_their_components() -> None:
    for name, found in examples().items():
        for example in found.values():
            validator(name).validate(as_json(example["value"]))
    for shape in (*PATH_PARAMETERS.values(), *REQUEST_HEADERS.values()):
        assert shape["description"].endswith(".")


@every_title
def test_every_move_is_told_apart_by_its_type(ruleset: Ruleset) -> None:
    prefix = prefix_of(ruleset)
    for union, kinds in (
        ("Move", {name: kind for name, kind in ruleset.moves.items() if name not in ruleset.triggers}),
        ("Trigger", ruleset.triggers),
        ("Event", ruleset.events),
    ):
        schema = schemas()[prefix + union]
        expected = {name: f"#/components/schemas/{prefix}{kind.__name__}" for name, kind in kinds.items()}
        assert schema["discriminator"] == {"propertyName": "type", "mapping": expected}
        assert [part["$ref"] for part in schema["oneOf"]] == list(expected.values())
        for name, kind in kinds.items():
            component = schemas()[prefix + kind.__name__]
            assert component["properties"]["type"] == {"type": "string", "const": name}
            assert "type" in component["required"] and component["description"]
    assert {"$ref": f"#/components/schemas/{prefix}Move"} in schemas()["AnyMove"]["anyOf"]


@every_title
def test_what_is_played_keeps_to_the_document(ruleset: Ruleset) -> None:
    prefix, rng = prefix_of(ruleset), random.Random(ruleset.slug)
    commits = [(game, commit) for game in games_of(Subject(ruleset)) for commit in game.commits]
    for game, commit in rng.sample(commits, min(len(commits), COMMITS_MAX)):
        is_trigger = tag(commit.move) in ruleset.triggers
        validator(f"{prefix}Trigger" if is_trigger else f"{prefix}Move").validate(as_json(commit.move))
        reader = rng.choice((None, *range(game.seats)))
        seen = redact_move(commit.move, commit.actor, reader)
        assert seen is None or keeps_to(f"{prefix}MoveSeen", as_json(seen))
        for event in commit.events:
            validator(f"{prefix}Event").validate(as_json(event))
            validator(f"{prefix}Event").validate(as_json(redact(event, reader)))
        validator(f"{prefix}Position").validate(as_json(commit.after))
        validator(f"{prefix}View").validate(as_json(ruleset.view(commit.after, reader)))


@every_title
def test_options_and_blank_tables_keep_to_the_document(ruleset: Ruleset) -> None:
    prefix = prefix_of(ruleset)
    for options in ruleset.variants:
        validator(f"{prefix}Options").validate(as_json(options))
    blank = as_json(ruleset.blank(ruleset.variants[0], ruleset.seats.start))
    validator("AnyPosition").validate(blank)
    validator("AnyPosition").validate({**blank, "seats": [{}] * ruleset.seats.start})


@every_title
def test_only_what_is_a_position_is_closed_to_other_fields(ruleset: Ruleset) -> None:
    position = as_json(games_of(Subject(ruleset))[0].end)
    assert keeps_to("AnyPosition", position)
    assert not keeps_to("AnyPosition", {**position, "surplus": 1})
    assert not keeps_to(
        f"{prefix_of(ruleset)}View",
        {**as_json(ruleset.view(ruleset.blank(ruleset.variants[0], ruleset.seats.start), None)), "surplus": 1},
    )


def test_every_component_that_is_not_of_a_ruleset_has_a_description() -> None:
    prefixes = tuple(prefix_of(ruleset) for ruleset in LATEST.values())
    parts = {name: part for name, part in schemas().items() if not name.startswith(prefixes)}
    assert not [name for name, part in parts.items() if not part.get("description")]
