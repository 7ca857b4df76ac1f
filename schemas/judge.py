"""Requests to the stateless referee."""

from typing import Any

from marshmallow import ValidationError, fields, validate

from schemas.base import Request, StrictInteger, edition
from schemas.games import SEATS_MAX
from schemas.shapes import ref
from schemas.text import text

OUTCOMES_MAX = 200


class ActorField(fields.Field[Any]):
    """A seat number or `"referee"`."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if value == "referee" or (type(value) is int and value >= 0):
            return value
        raise ValidationError('The actor is a seat number or "referee".')


class ForcedOutcome(Request):
    """An outcome that you choose instead of chance."""

    point = text(
        60, 1, required=True, metadata={"description": "The name of the chance point.", "example": "shuffle_deck"}
    )
    outcome = fields.Raw(
        required=True,
        allow_none=True,
        metadata={"description": "The outcome, in the form in which the judge reports it."},
    )


class JudgeRequest(Request):
    """A question to the judge: may this actor make this move in this position?"""

    edition = edition()
    position = fields.Dict(
        required=True, metadata={"description": "The complete position.", "anyOf": [ref("AnyPosition")]}
    )
    actor = ActorField(
        required=True,
        metadata={
            "description": "The seat that moves, or `referee`.",
            "oneOf": [{"type": "integer", "minimum": 0}, {"type": "string", "const": "referee"}],
        },
    )
    move = fields.Raw(
        required=True,
        allow_none=True,
        metadata={
            "description": "A move as the ruleset describes it. Any other value is judged, too: the verdict rejects it."
        },
    )
    chance = fields.List(
        fields.Nested(ForcedOutcome),
        load_default=list,
        validate=validate.Length(max=OUTCOMES_MAX),
        metadata={"description": "Forced outcomes, used in this order. All other outcomes are drawn."},
    )


class LegalRequest(Request):
    """A question about a position: which moves may this seat make?"""

    position = fields.Dict(
        required=True, metadata={"description": "The complete position.", "anyOf": [ref("AnyPosition")]}
    )
    seat = StrictInteger(
        required=True,
        validate=validate.Range(0, SEATS_MAX - 1),
        metadata={"description": "The seat whose moves are listed."},
    )
    edition = edition()


class PositionRequest(Request):
    """The position that you want."""

    edition = edition()
    options = fields.Dict(
        load_default=dict, metadata={"description": "The options of the ruleset.", "anyOf": [ref("AnyOptions")]}
    )
    seats = StrictInteger(
        required=True, validate=validate.Range(1, SEATS_MAX), metadata={"description": "The number of seats."}
    )
    seed = text(
        128,
        load_default=None,
        allow_none=True,
        metadata={"description": "The same seed gives the same position; null: a random seed."},
    )
