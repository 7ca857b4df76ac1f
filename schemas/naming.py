"""Components for what the schemas of structs and requests write inline: enumerations and unions.

Generators give an inline enumeration a name of their own for each field, and an inline union a number.
"""

import sys
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, get_args, get_origin

from schemas.descriptions import alias_texts
from schemas.shapes import NULL, Shape, ref

Words = tuple[str, ...]


class Name(NamedTuple):
    """The name of a set of words, and its description, if it has one."""

    name: str
    text: str = ""


def words_in(package: str) -> dict[Words, Name]:
    """The names that the modules of a package give to sets of words: `Phase = Literal["setup", "turn"]`."""
    found: dict[Words, Name] = {}
    for module in sorted(name for name in sys.modules if name.startswith(f"{package}.")):
        for name, value in vars(sys.modules[module]).items():
            if get_origin(value) is Literal and not name.startswith("_"):
                known = Name(name, alias_texts(module).get(name, ""))
                words = tuple(sorted(get_args(value)))
                if known.text or words not in found:
                    found[words] = known
    return found


def with_named_parts(components: Mapping[str, Shape], names: Mapping[Words, Name]) -> dict[str, Shape]:
    """The components with a component of its own for each enumeration and each union within them.

    `names` are the names of enumerations by their sorted words. What has no name is called after the component and
    the field in which it stands first.
    """
    naming = Naming(names)
    found = {name: naming.within(shape, name) for name, shape in components.items()}
    assert not found.keys() & naming.found.keys(), f"names taken twice: {found.keys() & naming.found.keys()}"
    return {**found, **naming.found}


class Naming:
    """Replaces inline parts by references, and keeps the components that these lead to."""

    def __init__(self, names: Mapping[Words, Name]) -> None:
        self._names = dict(names)
        self.found: dict[str, Shape] = {}

    def within(self, shape: Shape, place: str) -> Shape:
        """A component whose own form stays, while its parts get names."""
        return {key: self._part(key, part, place) for key, part in shape.items()}

    def replaced(self, part: Any, place: str) -> Any:
        """A part of a component, or the reference that takes its place."""
        if isinstance(part, list):
            return [self.replaced(each, place) for each in part]
        if not isinstance(part, dict):
            return part
        part = self.within(part, place)
        if isinstance(part.get("enum"), list):
            return self._words(part, place)
        for key in ("anyOf", "oneOf"):
            if isinstance(part.get(key), list):
                return self._union(part, key, place)
        return part

    def _part(self, key: str, part: Any, place: str) -> Any:
        if key == "properties":
            return {name: self.replaced(each, place + _camel(name)) for name, each in part.items()}
        return part if key in ("discriminator", "examples", "example", "default") else self.replaced(part, place)

    def _words(self, part: Shape, place: str) -> Shape:
        words = part.pop("enum")
        del part["type"]
        name, text = self._names.setdefault(tuple(sorted(words)), Name(place))
        described = {"description": text} if text else {}
        kept = self.found.setdefault(name, {**described, "type": "string", "enum": words})
        assert sorted(kept["enum"]) == sorted(words), f"{name} would have two meanings"
        return {**part, **ref(name)}

    def _union(self, part: Shape, key: str, place: str) -> Shape:
        options = part.pop(key)
        real = [each for each in options if each != NULL]
        if len(real) == 1:
            return {**part, key: options} if NULL in options else {**part, **real[0]}
        beside: Shape = {name: part.pop(name) for name in ("description", "default") if name in part}
        words = {"description": beside["description"]} if "description" in beside else {}
        shape = {**words, **part, key: real}
        assert self.found.setdefault(place, shape) == shape, f"{place} would have two meanings"
        return _referring(place, beside, is_nullable=NULL in options)


def _referring(name: str, beside: Shape, is_nullable: bool) -> Shape:
    """A reference with what else is said of the place."""
    return {**beside, "anyOf": [ref(name), NULL]} if is_nullable else {**beside, **ref(name)}


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
