"""Requests about players and keys."""

import re
from datetime import UTC, datetime
from typing import Any, get_args

from marshmallow import fields, validate

from schemas.base import Request, StrictBoolean
from schemas.text import visible
from schemas.types import Scope

SCOPES = get_args(Scope)


_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)


class Moment(fields.AwareDateTime):
    """A time as RFC 3339 writes it, in UTC."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(format="iso", **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> datetime:
        if not isinstance(value, str) or _DATE_TIME.fullmatch(value) is None:
            raise self.make_error("invalid", input=value, obj_type=self.OBJ_TYPE)
        try:
            return super()._deserialize(value, attr, data, **kwargs).astimezone(UTC)
        except OverflowError:
            raise self.make_error("invalid", input=value, obj_type=self.OBJ_TYPE) from None


def scopes() -> fields.List[Any]:
    """The field for the scopes of a key."""
    return fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        load_default=("play", "watch"),
        validate=validate.Length(min=1, max=len(SCOPES)),
        metadata={"description": "What the key may be used for."},
    )


class NewPlayer(Request):
    """The player that you want to create."""

    name = visible(40, 1, required=True, metadata={"description": "The name that other players see.", "example": "ada"})
    bot = StrictBoolean(
        load_default=False, metadata={"description": "Whether a program plays under this name (a bot account)."}
    )
    scopes = scopes()


class NewKey(Request):
    """Another key: it has no scope that your key lacks, and expires no later."""

    scopes = scopes()
    expires_at = Moment(
        load_default=None,
        allow_none=True,
        metadata={"description": "When the key expires, such as 2030-01-31T12:00:00Z; null: when your key expires."},
    )
    label = visible(80, load_default="", metadata={"description": "A note for yourself."})
