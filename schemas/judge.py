"""Requests to the stateless referee."""

from typing import Any

from marshmallow import ValidationError, fields, validate

from schemas.base import Request, StrictInteger
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
    """Luck that is given instead of drawn."""

    point = text(60, 1, required=True, metadata={"description": "The chance point.", "example": "shuffle_deck"})
    outcome = fields.Raw(
        required=True, allow_none=True, metadata={"description": "As the ruleset describes the point's outcome."}
    )


class JudgeRequest(Request):
    """A question to the referee: may this actor make this move in this position?"""

    position = fields.Dict(
        required=True, metadata={"description": "The complete position.", "anyOf": [ref("AnyPosition")]}
    )
    actor = ActorField(
        required=True,
        metadata={"oneOf": [{"type": "integer", "minimum": 0}, {"type": "string", "const": "referee"}]},
    )
    move = fields.Raw(
        required=True,
        allow_none=True,
        metadata={
            "description": "The move; one that cannot be read is a verdict, too.",
            "anyOf": [ref("AnyMove"), ref("AnyTrigger"), {}],
        },
    )
    chance = fields.List(
        fields.Nested(ForcedOutcome),
        load_default=list,
        validate=validate.Length(max=OUTCOMES_MAX),
        metadata={"description": "Forced outcomes, used in order; what is not forced is drawn."},
    )


class PositionRequest(Request):
    """A fresh position."""

    options = fields.Dict(
        load_default=dict, metadata={"description": "As the ruleset says.", "anyOf": [ref("AnyOptions")]}
    )
    seats = StrictInteger(required=True, validate=validate.Range(1, SEATS_MAX), metadata={"description": "How many."})
    seed = text(128, load_default=None, allow_none=True, metadata={"description": "The same seed, the same position."})
