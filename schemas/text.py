"""Text that people read: it has no hidden characters, and cannot look empty or like another text."""

import re
import unicodedata
from typing import Any

from marshmallow import ValidationError, fields, validate

MARKS_MAX = 4
"""The longest row of combining marks that a script in use needs."""

_HIDDEN = {
    "Cc": "a control character",
    "Cf": "a format character",
    "Cs": "half of a character",
    "Co": "a private character",
    "Cn": "not assigned",
    "Zl": "a line separator",
    "Zp": "a paragraph separator",
}
_MARKS = {"Mn", "Mc", "Me"}

_BLANK = re.compile(
    "[\N{COMBINING GRAPHEME JOINER}\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}\N{KHMER VOWEL INHERENT AQ}"
    "\N{KHMER VOWEL INHERENT AA}\u180b-\u180f\N{BRAILLE PATTERN BLANK}\N{HANGUL FILLER}\ufe00-\ufe0f"
    "\N{HALFWIDTH HANGUL FILLER}\U000e0100-\U000e01ef]"
)
"""Letters, signs and marks that show nothing."""


def text(longest: int, shortest: int = 0, **kwargs: Any) -> fields.String:
    """A string within these lengths, without hidden characters, kept as it was sent."""
    return fields.String(**_checked(longest, shortest, kwargs))


def visible(longest: int, shortest: int = 0, **kwargs: Any) -> fields.String:
    """Text for others to read, kept composed (NFC) and without surplus white space; it is empty only if it may be."""
    return _Visible(longest, **_checked(longest, shortest, kwargs))


def _checked(longest: int, shortest: int, kwargs: dict[str, Any]) -> dict[str, Any]:
    metadata = {"pattern": "^[^\\x00-\\x1f\\x7f]*$", **kwargs.pop("metadata", {})}
    return {"validate": [validate.Length(min=shortest, max=longest), require_legible], "metadata": metadata, **kwargs}


class _Visible(fields.String):
    """The length is bounded before as well as after: composing long rows of marks takes quadratic time."""

    def __init__(self, longest: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._is_short = validate.Length(max=longest)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        sent = super()._deserialize(value, attr, data, **kwargs)
        self._is_short(sent)
        require_legible(sent)
        composed = " ".join(unicodedata.normalize("NFC", sent).split())
        if composed and all(_is_faint(each) for each in composed):
            raise ValidationError("The text is invisible: it has no letters, digits or signs.")
        if composed and _is_faint(composed[0]):
            raise ValidationError("The text begins with a combining mark; a combining mark must follow a letter.")
        return composed


def _is_faint(character: str) -> bool:
    return character == " " or unicodedata.category(character) in _MARKS


def require_legible(text: str) -> None:
    """Raises ValidationError for a character that cannot be seen, and for marks that pile up."""
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        why = _HIDDEN.get(category) or ("blank" if _BLANK.match(character) else None)
        if why is not None:
            raise ValidationError(f"The character U+{ord(character):04X} is {why}; only visible ones are allowed.")
        marks = marks + 1 if category in _MARKS else 0
        if marks > MARKS_MAX:
            raise ValidationError(f"At most {MARKS_MAX} combining marks in a row.")
