"""Requests about games."""

from typing import Any, get_args

from marshmallow import ValidationError, fields, validate

from referee.kernel.table import Status
from referee.kernel.terms import DAYS_MAX, LAPSES_MAX, SECONDS_MAX
from schemas.base import QueryBoolean, QueryInteger, Request, StrictBoolean, StrictInteger, nonce
from schemas.shapes import ref
from schemas.text import text, visible

STATUSES: tuple[str, ...] = get_args(Status)
VERSION_MAX = 2**53
SEATS_MAX = 16
PAGE_MAX = 100
BOT_POLICIES = ("allowed", "forbidden", "required")


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


class ClockWish(Request):
    """How long a seat may think."""

    decision_s = StrictInteger(
        validate=validate.Range(0, SECONDS_MAX), metadata={"description": "Seconds for each decision."}
    )
    days = StrictInteger(
        validate=validate.Range(1, DAYS_MAX),
        metadata={"description": "Days for each decision, instead of `decision_s`: for play by correspondence."},
    )
    bank_s = StrictInteger(
        validate=validate.Range(0, SECONDS_MAX),
        metadata={"description": "Seconds for all decisions of a seat together, beyond the time of each."},
    )
    increment_s = StrictInteger(
        validate=validate.Range(0, SECONDS_MAX), metadata={"description": "What the bank gains with each decision."}
    )
    lapses = StrictInteger(
        validate=validate.Range(1, LAPSES_MAX),
        metadata={"description": "With so many lapsed decisions in a row a seat is absent. Default: 3."},
    )
    on_absence = fields.String(
        validate=validate.OneOf(("bot", "end")),
        metadata={"description": "What follows when a seat is absent: a bot stands in, or the game ends."},
    )
    on_abandonment = fields.String(
        validate=validate.OneOf(("adjudicate", "annul", "bots")),
        metadata={
            "description": "When no player is left: the game ends as it stands (the default), it is annulled, or bots "
            "play it to its end."
        },
    )


class NewGame(Request):
    """What you want to play."""

    ruleset = text(60, 1, required=True, metadata={"description": "The slug of a ruleset."})
    options = fields.Dict(
        load_default=dict, metadata={"description": "As the ruleset says.", "anyOf": [ref("AnyOptions")]}
    )
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
        64,
        8,
        load_default=None,
        allow_none=True,
        metadata={"description": "What others need to sit down; null: none, or a generated one."},
    )
    with_join_code = StrictBoolean(
        load_default=False,
        metadata={"description": "Whether to generate a join code if you give none; a private game always has one."},
    )
    nonce = nonce()
    bots = fields.String(
        load_default="allowed",
        validate=validate.OneOf(BOT_POLICIES),
        metadata={"description": "Whether bots, built-in ones and bot accounts, may, may not or must hold the seats."},
    )
    on_resignation = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.OneOf(("bot", "end")),
        metadata={
            "description": "What follows when a seat concedes: a bot plays on, or the game ends. "
            "Null: a bot plays on, unless the table takes none."
        },
    )
    clock = fields.Nested(
        ClockWish,
        load_default=None,
        allow_none=True,
        metadata={"description": "How long a seat may think; null: as long as it likes."},
    )
    stand_in = text(
        60,
        1,
        load_default=None,
        allow_none=True,
        metadata={"description": "The bot that plays on for a seat; null: the plainest sensible one."},
    )
    undo = fields.String(
        load_default="never",
        validate=validate.OneOf(("never", "free")),
        metadata={"description": "Whether a seat may take back a move that told nobody anything and drew no luck."},
    )
    position = fields.Dict(
        load_default=None,
        allow_none=True,
        metadata={
            "description": "A position to start from; the game is casual. Its numbers lie between -10^9 and 10^9.",
            "anyOf": [ref("AnyPosition"), {"type": "null"}],
        },
    )


class NewSeat(Request):
    """Where you want to sit."""

    seat = StrictInteger(
        load_default=None, allow_none=True, metadata={"description": "The number of a seat; null: the first open one."}
    )
    nonce = nonce()
    join_code = text(64, load_default=None, allow_none=True, metadata={"description": "The game's join code."})


class Agreement(Request):
    """Whether you agree."""

    agreed = StrictBoolean(load_default=True, metadata={"description": "False: you no longer do."})


class Ruling(Request):
    """What an admin does to a game, and why."""

    action = fields.String(required=True, validate=validate.OneOf(("pause", "resume", "annul")))
    reason = visible(500, 1, required=True, metadata={"description": "Recorded in the log, for everybody to read."})


def seen_by() -> fields.String:
    """Through whose eyes a game is seen."""
    return fields.String(
        validate=validate.Regexp(r"^(all|[0-9]{1,2})$"),
        metadata={"description": "One of your seats; after the end any seat, or `all`."},
    )


class GamesQuery(Request):
    """Which games to list."""

    ruleset = text(60, 1, metadata={"description": "Only games of this ruleset."})
    status = fields.String(validate=validate.OneOf(STATUSES), metadata={"description": "Only games in this status."})
    player = text(60, 1, metadata={"description": "Only games that this player sits at."})
    bots = fields.String(
        validate=validate.OneOf(BOT_POLICIES), metadata={"description": "Only tables with this policy about bots."}
    )
    mine = QueryBoolean(metadata={"description": "Only games that you sit at or made."})
    awaiting = QueryBoolean(metadata={"description": "Only running games that wait for you."})
    invited = QueryBoolean(metadata={"description": "Only games that you are invited to and have not answered."})
    cursor = text(
        100,
        1,
        metadata={
            "description": "`next` of the page before: sealed, for the same list and the same caller, for a day."
        },
    )
    limit = QueryInteger(
        load_default=20, validate=validate.Range(1, PAGE_MAX), metadata={"description": "The length of a page."}
    )


class GameQuery(Request):
    """Which moment of a game, and through whose eyes."""

    at = QueryInteger(validate=validate.Range(0, VERSION_MAX), metadata={"description": "The game after this version."})
    seat = seen_by()


class SeatQuery(Request):
    """For which of your seats."""

    seat = QueryInteger(
        validate=validate.Range(0, SEATS_MAX - 1),
        metadata={"description": "Which of your seats, if you hold several."},
    )


def known_version() -> QueryInteger:
    """A parameter for the version that a move is made at."""
    told = "The version you know; if the position has changed since, the answer is 409."
    return QueryInteger(validate=validate.Range(0, VERSION_MAX), metadata={"description": told})


class MoveQuery(SeatQuery):
    """How a move is to be judged."""

    dry_run = QueryBoolean(load_default=False, metadata={"description": "Judge only: nothing is kept, no luck drawn."})
    version = known_version()


class TableQuery(SeatQuery):
    """For which of your seats, and at which version."""

    version = known_version()


class ReturnQuery(Request):
    """At which version."""

    version = known_version()


class EventsQuery(Request):
    """Which commits."""

    after = QueryInteger(
        validate=validate.Range(0, VERSION_MAX),
        load_default=0,
        metadata={"description": "Only commits after this version."},
    )
    limit = QueryInteger(
        load_default=100, validate=validate.Range(1, 1000), metadata={"description": "The length of a page."}
    )
    wait = QueryInteger(
        load_default=0,
        validate=validate.Range(0, 3600),
        metadata={"description": "Seconds to wait for a commit if there is none yet; the service may wait less."},
    )
    seat = seen_by()
