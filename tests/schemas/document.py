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
    """What tells whether a value keeps to a component."""
    registry = Registry().with_resource(ADDRESS, Resource(the_document(), DRAFT202012))
    schema = {"$ref": f"{ADDRESS}#/components/schemas/{component}"}
    return Draft202012Validator(schema, registry=registry, format_checker=Draft202012Validator.FORMAT_CHECKER)


def keeps_to(component: str, value: Any) -> bool:
    """Whether a value keeps to a component."""
    return validator(component).is_valid(value)
