"""Requests about games."""

from collections.abc import Mapping
from typing import Any, get_args

from marshmallow import ValidationError, fields, validate

from referee.table.moves import Status
from referee.table.terms import DAYS_MAX, MISSED_DEADLINES_LIMIT, REVEAL_S_MAX, SECONDS_MAX
from schemas.base import QueryBoolean, QueryInteger, Request, StrictBoolean, StrictInteger, edition, nonce
from schemas.shapes import Shape, closed, described, ref, string, word
from schemas.text import text, visible
from schemas.types import (
    AdminAction,
    BotOrEnd,
    BotPolicy,
    LuckPolicy,
    OnAbandonment,
    UndoPolicy,
    Unrevealed,
    Visibility,
)

STATUSES: tuple[str, ...] = get_args(Status)
VERSION_MAX = 2**53
SEATS_MAX = 16
PAGE_MAX = 100


class SeatWish(fields.Field[Any]):
    """A seat of a new game: `"me"`, `"open"`, `{"bot": name}` or `{"player": id}`."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if value in ("me", "open"):
            return value
        if isinstance(value, dict) and len(value) == 1:
            ((kind, who),) = value.items()
            if kind in ("bot", "player") and isinstance(who, str) and 1 <= len(who) <= 80:
                return value
        raise ValidationError('A seat is "me", "open", {"bot": name} or {"player": id}.')


_NAME = string(minLength=1, maxLength=80)
SEATS: Mapping[str, Shape] = {
    "SeatAssignment": {
        "description": "Who gets a seat of a new game.",
        "oneOf": [ref("SeatKeyword"), ref("BotSeat"), ref("PlayerSeat")],
    },
    "SeatKeyword": word("me", "open", description="`me`: you. `open`: the first player who sits down."),
    "BotSeat": closed("A built-in bot gets the seat.", {"bot": described(_NAME, "The name of the bot.")}),
    "PlayerSeat": closed("You invite a player to the seat.", {"player": described(_NAME, "The id of the player.")}),
}


class ClockWish(Request):
    """The time that a seat has to think."""

    decision_s = StrictInteger(
        validate=validate.Range(0, SECONDS_MAX), metadata={"description": "Seconds for each turn."}
    )
    days = StrictInteger(
        validate=validate.Range(1, DAYS_MAX),
        metadata={"description": "Days for each turn, instead of `decision_s`: for correspondence play."},
    )
    bank_s = StrictInteger(
        validate=validate.Range(0, SECONDS_MAX),
        metadata={
            "description": "Seconds in the bank of a seat: it is used when a turn takes longer than its own time."
        },
    )
    increment_s = StrictInteger(
        validate=validate.Range(0, SECONDS_MAX),
        metadata={
            "description": "Seconds added to the bank when a seat completes its turn in time (Fischer increment)."
        },
    )
    missed_deadlines_max = StrictInteger(
        validate=validate.Range(1, MISSED_DEADLINES_LIMIT),
        metadata={"description": "Consecutive missed deadlines after which the seat counts as absent. Default: 3."},
    )
    on_absence = fields.String(
        validate=validate.OneOf(get_args(BotOrEnd)),
        metadata={"description": "What happens when a seat is absent: a bot takes over, or the game ends."},
    )
    on_abandonment = fields.String(
        validate=validate.OneOf(get_args(OnAbandonment)),
        metadata={
            "description": "What happens when no player is left: the game ends, ranked as it stands (the default); "
            "it is annulled; or bots play it to its end."
        },
    )


class NewGame(Request):
    """The game that you want to create."""

    ruleset = text(60, 1, required=True, metadata={"description": "The slug of a ruleset."})
    edition = edition()
    options = fields.Dict(
        load_default=dict, metadata={"description": "The options of the ruleset.", "anyOf": [ref("AnyOptions")]}
    )
    seats = fields.List(
        SeatWish(metadata={"anyOf": [ref("SeatAssignment")]}),
        required=True,
        validate=validate.Length(min=1, max=SEATS_MAX),
        metadata={"description": "Who gets each seat, clockwise."},
    )
    visibility = fields.String(
        load_default="public",
        validate=validate.OneOf(get_args(Visibility)),
        metadata={"description": "Only the players at the table can see a private game."},
    )
    join_code = text(
        64,
        8,
        load_default=None,
        allow_none=True,
        metadata={"description": "The code that other players need to sit down; null: see `with_join_code`."},
    )
    with_join_code = StrictBoolean(
        load_default=False,
        metadata={
            "description": "Whether to generate a join code if `join_code` is null. A private game always gets one."
        },
    )
    nonce = nonce()
    bots = fields.String(
        load_default="allowed",
        validate=validate.OneOf(get_args(BotPolicy)),
        metadata={
            "description": "Whether bots may, may not or must hold the seats: built-in bots and bot accounts alike."
        },
    )
    on_resignation = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.OneOf(get_args(BotOrEnd)),
        metadata={
            "description": "What happens when a player resigns: a bot takes over, or the game ends. "
            "Null: a bot takes over, unless bots are forbidden."
        },
    )
    clock = fields.Nested(
        ClockWish,
        load_default=None,
        allow_none=True,
        metadata={"description": "The time that each seat has to think; null: no limit."},
    )
    takeover_bot = text(
        60,
        1,
        load_default=None,
        allow_none=True,
        metadata={
            "description": "The built-in bot that takes over a seat; null: the simplest one that plays sensibly."
        },
    )
    undo = fields.String(
        load_default="never",
        validate=validate.OneOf(get_args(UndoPolicy)),
        metadata={"description": "`free`: a player can undo a move that revealed nothing and drew no luck."},
    )
    luck = fields.String(
        load_default="fixed",
        validate=validate.OneOf(get_args(LuckPolicy)),
        metadata={
            "description": "`fresh`: every player sits down with the seal of a chain of links, each move carries the "
            "next link, and whatever it draws follows from that link, too."
        },
    )
    reveal_s = StrictInteger(
        load_default=None,
        allow_none=True,
        validate=validate.Range(1, REVEAL_S_MAX),
        metadata={
            "description": "Seconds to reveal sealed nonces; null: 120, or a day if the clock counts days.",
        },
    )
    unrevealed = fields.String(
        load_default="annul",
        validate=validate.OneOf(get_args(Unrevealed)),
        metadata={
            "description": "If a seat does not reveal in time: the game is annulled, or starts without its nonce."
        },
    )
    position = fields.Dict(
        load_default=None,
        allow_none=True,
        metadata={
            "description": "A position to start from; the game is then casual. Its numbers are between -10^9 and 10^9.",
            "anyOf": [ref("AnyPosition"), {"type": "null"}],
        },
    )


class Agreement(Request):
    """Your vote."""

    agreed = StrictBoolean(
        load_default=True, metadata={"description": "Whether you agree; false withdraws your consent."}
    )


class Administration(Request):
    """What an admin does to a game, and why."""

    action = fields.String(required=True, validate=validate.OneOf(get_args(AdminAction)))
    reason = visible(500, 1, required=True, metadata={"description": "The log shows it to everybody."})


def seen_by() -> fields.String:
    """The parameter that selects a view."""
    return fields.String(
        validate=validate.Regexp(r"^(all|[0-9]{1,2})$"),
        metadata={
            "description": "Whose view to show: one of your seats; after the end any seat, or `all` for everything."
        },
    )


class GamesQuery(Request):
    """Which games to list."""

    ruleset = text(60, 1, metadata={"description": "Only games of this ruleset."})
    status = fields.String(validate=validate.OneOf(STATUSES), metadata={"description": "Only games in this status."})
    player = text(60, 1, metadata={"description": "Only games in which this player has a seat."})
    bots = fields.String(
        validate=validate.OneOf(get_args(BotPolicy)), metadata={"description": "Only games with this policy on bots."}
    )
    mine = QueryBoolean(metadata={"description": "Only games in which you have a seat or that you created."})
    awaiting = QueryBoolean(metadata={"description": "Only running games in which you may move."})
    invited = QueryBoolean(metadata={"description": "Only games with an invitation that you have not answered."})
    cursor = text(
        100,
        1,
        metadata={
            "description": "`next` of the previous page. It is valid for a day, for the same caller and filters."
        },
    )
    limit = QueryInteger(
        load_default=20, validate=validate.Range(1, PAGE_MAX), metadata={"description": "The maximum length of a page."}
    )


class GameQuery(Request):
    """Which version of a game, and whose view."""

    at = QueryInteger(
        validate=validate.Range(0, VERSION_MAX), metadata={"description": "The version to show; without it the newest."}
    )
    seat = seen_by()


class SeatQuery(Request):
    """Which of your seats."""

    seat = QueryInteger(
        validate=validate.Range(0, SEATS_MAX - 1),
        metadata={"description": "Which of your seats; needed only if you hold several."},
    )


def known_version() -> QueryInteger:
    """The parameter for the version that a client knows."""
    told = "The version that you know. If the position has changed since, the answer is 409."
    return QueryInteger(validate=validate.Range(0, VERSION_MAX), metadata={"description": told})


class MoveQuery(SeatQuery):
    """Which of your seats moves, at which version, and whether to judge only."""

    dry_run = QueryBoolean(
        load_default=False, metadata={"description": "Judge only: nothing is stored and no luck is drawn."}
    )
    version = known_version()


class TableQuery(SeatQuery):
    """Which of your seats acts, and at which version."""

    version = known_version()


class ReturnQuery(Request):
    """The version that you know."""

    version = known_version()
