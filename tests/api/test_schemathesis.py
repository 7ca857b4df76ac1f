"""Random requests get answers that the OpenAPI document describes, and never a 5xx.

The suite has a short run; `make fuzz-api` takes longer.
"""

import os
import random
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.specs.openapi.schemas import OpenApiSchema

from referee.api.docs import openapi
from referee.app import create_app
from referee.rulesets import LATEST
from tests.api.requests import damaged, real_body
from tests.api.world import World

assert create_app, "every part of the application has declared its calls"

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "12"))
"""The number of random requests of each kind for each call."""

EDGES = EXAMPLES * 5
"""The number of requests at the limits of the schemas of a call."""

CHECKS = [
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    negative_data_rejection,
]

quickly = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    derandomize="FUZZ_EXAMPLES" not in os.environ,
    suppress_health_check=list(HealthCheck),
)

OPERATIONS = [
    pytest.param(path, method, id=operation["operationId"])
    for path, methods in openapi()["paths"].items()
    for method, operation in methods.items()
]

every_call = pytest.mark.parametrize(("path", "method"), OPERATIONS)


@pytest.fixture(scope="module")
def schema(world: World) -> OpenApiSchema:
    """Return the document as the application serves it, without keys, because the tests have real ones."""
    schema = schemathesis.openapi.from_wsgi("/openapi.json", world.app)
    schema.config.generation.with_security_parameters = False
    schema.config.checks.negative_data_rejection.expected_statuses = ["4xx"]
    return schema


def aim(case: Case, world: World, rng: random.Random) -> None:
    """Make most requests refer to something that exists."""
    known = {
        "game_id": (*world.games, *world.elsewhere),
        "slug": tuple(LATEST),
        "seat": ("0", "1"),
        "key_id": (world.spare_key,),
        "player_id": (world.id_of_spare,),
        "clause": ("CC-1", "CC-R1"),
        "edition_hash": tuple(rules.edition_hash for rules in LATEST.values()),
        "code": ("move-refused",),
        "version": ("1", "2"),
    }
    for name in case.path_parameters or {}:
        if rng.random() < 0.8:
            case.path_parameters[name] = rng.choice(known[name])


def send(case: Case, world: World, key: str | None) -> int:
    """Send a request, and return the status of the answer, which must be as documented; restore what it changed.

    Without a server nobody unpacks a compressed answer.
    """
    case.headers = {**(case.headers or {}), "Accept-Encoding": "identity"}
    if key is not None:
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {key}"}
    status = case.call_and_validate(checks=CHECKS).status_code
    if status < 300 and case.method != "GET":
        world.renew()
    return status


@every_call
def test_random_requests_are_answered_as_documented(
    world: World, schema: OpenApiSchema, path: str, method: str
) -> None:
    operation = schema[path][method]
    modes = st.one_of([operation.as_strategy(generation_mode=mode) for mode in GenerationMode])

    @quickly
    @given(case=modes, key=st.sampled_from((None, *world.keys)), seed=st.integers(0, 2**32))
    def check(case: Case, key: str | None, seed: int) -> None:
        aim(case, world, random.Random(seed))
        send(case, world, key)

    check()


@every_call
def test_requests_at_the_limits_of_the_schemas_are_answered_as_documented(
    world: World, schema: OpenApiSchema, path: str, method: str
) -> None:
    operation = schema[path][method]
    rng = random.Random(f"{method} {path}")
    cases = list(
        schema.iter_coverage_cases(
            operation, generation_modes=list(GenerationMode), generation_config=schema.config.generation
        )
    )
    for case in rng.sample(cases, min(len(cases), EDGES)):
        aim(case, world, rng)
        if case.method.lower() == method:
            send(case, world, rng.choice(world.keys))
        else:
            assert case.call().status_code == (200 if case.method in ("HEAD", "OPTIONS") else 405)


BODIES = [
    pytest.param(path, method, id=operation["operationId"])
    for path, methods in openapi()["paths"].items()
    for method, operation in methods.items()
    if "requestBody" in operation
]


@pytest.mark.parametrize(("path", "method"), BODIES)
def test_valid_and_damaged_requests_are_answered_as_documented(
    world: World, schema: OpenApiSchema, path: str, method: str
) -> None:
    operation = schema[path][method]
    name = operation.definition.raw["operationId"]
    places = {"game_id": lambda: world.game_for(name), "slug": lambda: world.ruleset, "seat": lambda: "0"}
    for number in range(EXAMPLES * 2):
        rng = random.Random(f"{name} {number}")
        body = real_body(world, name, rng)
        case = operation.Case(
            path_parameters={key: value() for key, value in places.items() if f"{{{key}}}" in path},
            body=body if number % 2 else damaged(body, rng),
            media_type="application/json",
        )
        status = send(case, world, world.key_for(name))
        assert number % 2 == 0 or status < 300, f"{body}: {status}"


@every_call
def test_every_success_is_documented_with_its_answer(path: str, method: str) -> None:
    responses: dict[str, Any] = openapi()["paths"][path][method]["responses"]
    successes = [status for status in responses if status < "400"]
    assert successes
    for status in successes:
        assert ("content" in responses[status]) == (status not in ("204", "304"))
