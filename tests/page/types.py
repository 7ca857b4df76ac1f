"""Writes `referee/web/page/api.d.ts`, the types of what the service answers: `python -m tests.page.types`.

The page knows no title, so its types do not either: a move, an event, a position of any title is an object.
"""

import tempfile
from pathlib import Path
from typing import Any

import yaml

from referee.openapi import FILE as DOCUMENT
from referee.rulesets import RULESETS
from tests.generators import tools
from tests.page.modules import PAGE

FILE = PAGE / "api.d.ts"
TITLES = tuple(["".join(word.capitalize() for word in slug.split("-")) for slug, _ in RULESETS])
ANYTHING = {"type": "object", "additionalProperties": True}


def written() -> str:
    """The types, from the schemas of the OpenAPI document as it is checked in."""
    document = yaml.safe_load(DOCUMENT.read_text(encoding="utf-8"))
    all_schemas = document["components"]["schemas"]
    schemas = {name: plain(part) for name, part in all_schemas.items() if not is_of_title(name)}
    schemas |= {"Game": plain(all_schemas[f"{TITLES[0]}Game"]), "RulesetSlug": {"type": "string"}}
    schemas["Game"]["properties"]["ruleset"] = {"$ref": "#/components/schemas/RulesetSlug"}
    reduced = {
        "openapi": document["openapi"],
        "info": document["info"],
        "paths": {},
        "components": {"schemas": schemas},
    }
    with tempfile.TemporaryDirectory() as directory:
        source, target = Path(directory, "openapi.yaml"), Path(directory, "api.d.ts")
        source.write_text(yaml.safe_dump(reduced, sort_keys=False), encoding="utf-8")
        tools.run_node("types", "openapi-typescript", source, "--output", target)
        return target.read_text(encoding="utf-8")


def is_of_title(name: str) -> bool:
    """Whether a component belongs to one title."""
    return name.startswith(TITLES)


def plain(part: Any) -> Any:
    """A part of the document without examples and without what belongs to one title."""
    if isinstance(part, list):
        kept = [plain(each) for each in part]
        return [each for at, each in enumerate(kept) if each not in kept[:at]]
    if not isinstance(part, dict):
        return part
    if is_of_title(part.get("$ref", "").rpartition("/")[2]):
        return ANYTHING
    return {name: plain(each) for name, each in part.items() if name not in ("example", "examples", "discriminator")}


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
