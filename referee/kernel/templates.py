"""The templates of sentences: text with holes, in a small part of the ICU message format.

A hole names a field of the message: `{seat}`. What it becomes can be said after a comma: `{price, of, euro}` counts a
thing, `{path, last}` says the last item of a list, `{scores, by_seat}` names the seats of a list, and `plural` and
`select` choose a text. Any other word is a form of the thing: `{tile, a}` has an article, `{tile, dative}` whatever the
words call so. A field that is absent (null, empty, or hidden from the reader) becomes the text after `|`:
`{card|a card}`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

NUMBER: Final = "#"
"""In a text of `plural`: the number itself."""

ABSENT: Final = "none"
"""The case of `select` for a field that is absent."""

BRANCHING: Final = ("plural", "select")
WAYS: Final = ("", "of", "last", "by_seat", *BRANCHING)
"""How a field can be said, apart from the forms of a thing."""


@dataclass(frozen=True)
class Hole:
    """A place in a template that a field of the message fills."""

    name: str
    way: str = ""
    """How the field is said: one of `WAYS`, or a form of the thing."""
    noun: str = ""
    """With `of`: the thing that is counted, or the field that names it."""
    cases: Mapping[str, "Template"] = field(default_factory=dict)
    """With `plural` and `select`: the texts to choose from."""
    otherwise: "Template | None" = None
    """What is said if the field is absent; None: the field must be there."""


Template = tuple[str | Hole, ...]


def read_template(text: str) -> Template:
    """Read a template; raises ValueError if it is not well formed."""
    reader = _Reader(text)
    template = reader.template("")
    if reader.at < len(text):
        raise ValueError(f"`{text}`: the brace at {reader.at} closes nothing")
    return template


def holes(template: Template) -> Iterator[Hole]:
    """Every hole of a template, those in its cases included."""
    for part in template:
        if isinstance(part, Hole):
            yield part
            for inner in (*part.cases.values(), part.otherwise or ()):
                yield from holes(inner)


class _Reader:
    """Reads a template from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.at = 0

    def template(self, number_of: str) -> Template:
        """Read until the brace that closes the template, or until the end of the text."""
        parts: list[str | Hole] = []
        while (stop := self._until("{}" + NUMBER * bool(number_of))) is not None:
            found, sign = stop
            parts += [found] if found else []
            if sign == "}":
                self.at -= 1
                return tuple(parts)
            parts.append(self._hole(number_of) if sign == "{" else Hole(number_of, "plural"))
        rest = self._text[self.at :]
        self.at = len(self._text)
        return (*parts, rest) if rest else tuple(parts)

    def _until(self, signs: str) -> tuple[str, str] | None:
        """The text up to the next of these signs, and that sign; None if there is none."""
        found = [at for sign in signs if (at := self._text.find(sign, self.at)) >= 0]
        if not found:
            return None
        text, self.at = self._text[self.at : min(found)], min(found) + 1
        return text, self._text[min(found)]

    def _word(self, signs: str) -> tuple[str, str]:
        stop = self._until(signs)
        if stop is None:
            raise ValueError(f"`{self._text}`: a hole is not closed")
        return stop[0].strip(), stop[1]

    def _hole(self, number_of: str) -> Hole:
        name, sign = self._word(",|}")
        way = noun = ""
        if sign == ",":
            way, sign = self._word(",|}{")
            if way in BRANCHING:
                return Hole(name, way, cases=self._cases(name if way == "plural" else number_of))
            if way == "of":
                noun, sign = self._word("|}")
        otherwise = None
        if sign == "|":
            otherwise = self.template(number_of)
            self._word("}")
        return Hole(name, way, noun, otherwise=otherwise)

    def _cases(self, number_of: str) -> dict[str, Template]:
        cases: dict[str, Template] = {}
        while True:
            name, sign = self._word("{}")
            if sign == "}":
                break
            cases[name] = self.template(number_of)
            self._word("}")
        if "other" not in cases:
            raise ValueError(f"`{self._text}`: the case `other` is missing")
        return cases
