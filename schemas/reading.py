"""Queries about the log of a game, and about what may be done next."""

from marshmallow import fields, validate

from schemas.base import QueryInteger, QueryWords, Request
from schemas.games import VERSION_MAX, SeatQuery, seen_by
from schemas.text import text


class EventsQuery(Request):
    """Which commits."""

    after = QueryInteger(
        validate=validate.Range(0, VERSION_MAX),
        load_default=0,
        metadata={"description": "Only commits after this version."},
    )
    hash = fields.String(
        validate=validate.Regexp(r"^[0-9a-f]{64}$"),
        metadata={"description": "The hash of the commit `after`. 409 `rewound`: the log has lost it."},
    )
    limit = QueryInteger(
        load_default=100, validate=validate.Range(1, 1000), metadata={"description": "The maximum length of a page."}
    )
    wait = QueryInteger(
        load_default=0,
        validate=validate.Range(0, 3600),
        metadata={"description": "Seconds to wait for a commit if there is none yet. The service may answer earlier."},
    )
    seat = seen_by()
    added = QueryWords(
        "view",
        "legal",
        "text",
        data_key="with",
        metadata={
            "description": "What each commit has in addition, comma-separated: `view`, the view after each commit; "
            "`text`, its move and events in words; `legal`, your legal moves after the newest commit. In a stream only "
            "the newest commit has a view."
        },
    )


class RulesetQuery(Request):
    """Which version of the rules."""

    version = text(
        60, 1, metadata={"description": "The version of the rules, `rules_version` of a game; without it the newest."}
    )


class TextQuery(Request):
    """Whether in words."""

    added = QueryWords("text", data_key="with", metadata={"description": "`text`: the moves also in words."})


class LegalQuery(SeatQuery):
    """Which of your seats, and whether in words."""

    added = QueryWords("text", data_key="with", metadata={"description": "`text`: the moves also in words."})
