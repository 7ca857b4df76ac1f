"""What the schemas have in common."""

from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields

from referee.rulesets.editions import BOX
from schemas.text import text

NONCE_LENGTH_MAX = 128
DIGITS_MAX = 18


class Request(Schema):
    """A request body: unknown fields are refused."""

    class Meta:
        """Unknown fields are faults."""

        unknown = RAISE


class StrictInteger(fields.Integer):
    """A JSON integer: neither a string nor a boolean nor a fraction."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(strict=True, **kwargs)

    def _validated(self, value: Any) -> Any:
        if isinstance(value, (str, bool, float)):
            raise self.make_error("invalid", input=value)
        return super()._validated(value)


class StrictBoolean(fields.Boolean):
    """A JSON boolean."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class QueryInteger(fields.Integer):
    """Digits in a query: no sign, no blanks, no underscores."""

    def _validated(self, value: Any) -> Any:
        if not isinstance(value, str) or not value.isascii() or not value.isdigit() or len(value) > DIGITS_MAX:
            raise self.make_error("invalid", input=value)
        return super()._validated(value)


class QueryBoolean(fields.Boolean):
    """`true` or `false` in a query; `True` and `False`, as Python writes them, are accepted too."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(truthy={"true", "True"}, falsy={"false", "False"}, **kwargs)


def edition() -> fields.String:
    """The field for the edition, chosen by its name."""
    return text(
        60,
        1,
        load_default=BOX,
        metadata={"description": "The name of an edition of the ruleset: the numbers to play with."},
    )


class QueryWords(fields.String):
    """Some of a few words, comma-separated, each at most once."""

    def __init__(self, *words: str, **kwargs: Any) -> None:
        self._words = words
        any_word = f"({'|'.join(words)})"
        metadata = {"pattern": f"^{any_word}(,{any_word})*$", **kwargs.pop("metadata", {})}
        super().__init__(load_default=frozenset, metadata=metadata, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        found = str(super()._deserialize(value, attr, data, **kwargs)).split(",")
        if len(set(found)) < len(found) or not set(found) <= set(self._words):
            raise ValidationError(f"Expected one or more of {', '.join(self._words)}, comma-separated, each once.")
        return frozenset(found)


def nonce() -> fields.String:
    """The field for what a player adds to the luck of a game."""
    return text(
        NONCE_LENGTH_MAX,
        load_default="",
        metadata={
            "description": "64 hexadecimal digits, or any text, of which the hash counts. It goes into the luck of the "
            "game, so that nobody can have chosen the luck alone."
        },
    )
