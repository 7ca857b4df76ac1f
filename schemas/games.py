"""Requests about games."""

from typing import Any

from marshmallow import ValidationError, fields, validate

from schemas.base import Request, StrictInteger, nonce, text

STATUSES = ("waiting", "running", "paused", "finished", "annulled")
SEATS_MAX = 16
PAGE_MAX = 100


class SeatWish(fields.Field[Any]):
    """`"me"`, `"open"`, `{"bot": name}` or `{"player": id}`."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if value in ("me", "open"):
            return value
        if isinstance(value, dict) and len(value) == 1:
            ((kind, who),) = value.items()
            if kind in ("bot", "player") and isinstance(who, str) and 1 <= len(who) <= 80:
                return value
        raise ValidationError('A seat is "me", "open", {"bot": name} or {"player": id}.')


SEAT_WISH_SCHEMA = {
    "oneOf": [
        {"type": "string", "enum": ["me", "open"]},
        {
            "type": "object",
            "properties": {"bot": {"type": "string", "minLength": 1, "maxLength": 80}},
            "required": ["bot"],
            "additionalProperties": False,
        },
        {
            "type": "object",
            "properties": {"player": {"type": "string", "minLength": 1, "maxLength": 80}},
            "required": ["player"],
            "additionalProperties": False,
        },
    ]
}


class NewGame(Request):
    """What you want to play."""

    ruleset = text(60, 1, required=True, metadata={"description": "The slug of a ruleset."})
    options = fields.Dict(keys=fields.String(), load_default=dict, metadata={"description": "As the ruleset says."})
    seats = fields.List(
        SeatWish(metadata=SEAT_WISH_SCHEMA),
        required=True,
        validate=validate.Length(min=1, max=SEATS_MAX),
        metadata={"description": "Who sits where, clockwise."},
    )
    visibility = fields.String(
        load_default="public",
        validate=validate.OneOf(("public", "private")),
        metadata={"description": "A private game is unknown to all but those who sit at it."},
    )
    join_code = text(
        64, 1, load_default=None, allow_none=True, metadata={"description": "Needed by whoever sits down."}
    )
    nonce = nonce()
    on_resignation = fields.String(
        load_default="bot",
        validate=validate.OneOf(("bot", "end")),
        metadata={"description": "What follows when a seat concedes: a bot plays on, or the game ends."},
    )
    position = fields.Dict(
        load_default=None, allow_none=True, metadata={"description": "A position to start from; the game is casual."}
    )


class NewSeat(Request):
    """Where you want to sit."""

    seat = StrictInteger(
        load_default=None, allow_none=True, metadata={"description": "The number of a seat; null: the first open one."}
    )
    nonce = nonce()
    join_code = text(64, load_default=None, allow_none=True, metadata={"description": "The game's join code."})


class Ruling(Request):
    """What an admin does to a game, and why."""

    action = fields.String(required=True, validate=validate.OneOf(("pause", "resume", "annul")))
    reason = text(500, 1, required=True, metadata={"description": "Recorded in the log, for everybody to read."})


class GamesQuery(Request):
    """Which games to list."""

    ruleset = text(60, 1, metadata={"description": "Only games of this ruleset."})
    status = fields.String(validate=validate.OneOf(STATUSES), metadata={"description": "Only games in this status."})
    player = text(60, 1, metadata={"description": "Only games that this player sits at."})
    mine = fields.Boolean(metadata={"description": "Only games that you sit at or made."})
    awaiting = fields.Boolean(metadata={"description": "Only running games that wait for you."})
    cursor = text(100, 1, metadata={"description": "Where the page before ended."})
    limit = fields.Integer(
        load_default=20, validate=validate.Range(1, PAGE_MAX), metadata={"description": "The length of a page."}
    )


class GameQuery(Request):
    """Which moment of a game, and through whose eyes."""

    at = fields.Integer(validate=validate.Range(0, 2**53), metadata={"description": "The game after this version."})
    seat = text(10, 1, metadata={"description": "One of your seats; after the end any seat, or `all`."})


class SeatQuery(Request):
    """For which of your seats."""

    seat = fields.Integer(
        validate=validate.Range(0, SEATS_MAX),
        load_default=None,
        metadata={"description": "Which of your seats, if you hold several."},
    )


class MoveQuery(SeatQuery):
    """How a move is to be judged."""

    dry_run = fields.Boolean(
        load_default=False, metadata={"description": "Judge only: nothing is kept, no luck drawn."}
    )
    version = fields.Integer(
        validate=validate.Range(0, 2**53),
        load_default=None,
        metadata={"description": "The version you know; if it is not the newest, the answer is 409."},
    )


class EventsQuery(Request):
    """Which commits."""

    after = fields.Integer(
        validate=validate.Range(0, 2**53), load_default=0, metadata={"description": "Only commits after this version."}
    )
    limit = fields.Integer(
        load_default=100, validate=validate.Range(1, 1000), metadata={"description": "The length of a page."}
    )
    wait = fields.Integer(
        load_default=0,
        validate=validate.Range(0, 3600),
        metadata={"description": "Seconds to wait for a commit if there is none yet; the service may wait less."},
    )
    seat = text(10, 1, metadata={"description": "One of your seats; after the end any seat, or `all`."})


class NoQuery(Request):
    """A call without parameters."""
