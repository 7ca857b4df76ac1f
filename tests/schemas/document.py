"""The OpenAPI document, and whether something keeps to one of its components."""

from functools import cache
from importlib import import_module
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from referee.api.docs import openapi

ADDRESS = "https://example.org/openapi"


def the_document() -> dict[str, Any]:
    """The document of all calls."""
    import_module("referee.app")
    return openapi()


@cache
def validator(component: str) -> Draft202012Validator:
    """Checks whether a value keeps to a component."""
    return validator_of(the_document(), component)


def validator_of(document: dict[str, Any], component: str) -> Draft202012Validator:
    """Checks whether a value keeps to a component of any document."""
    registry = Registry().with_resource(ADDRESS, Resource(document, DRAFT202012))
    schema = {"$ref": f"{ADDRESS}#/components/schemas/{component}"}
    return Draft202012Validator(schema, registry=registry, format_checker=Draft202012Validator.FORMAT_CHECKER)


def keeps_to(component: str, value: Any) -> bool:
    """Whether a value keeps to a component."""
    return validator(component).is_valid(value)


def validate_message(stream: str, message: dict[str, Any]) -> None:
    """Raises unless a server-sent event keeps to the component of its stream's messages."""
    validator(f"{stream}Message").validate({name: part for name, part in message.items() if part is not None})
