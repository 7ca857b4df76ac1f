"""The components that belong to no single ruleset: answers, and the unions that they refer to."""

from collections.abc import Iterable, Mapping

from referee.kernel.ruleset import Ruleset
from schemas import answers, audits, commits, log, messages, play
from schemas.games import SEATS, STATUSES
from schemas.rules import any_components, table_components
from schemas.shapes import OPENAPI_VERSION, Shape, any_of, closed, ref, string, told_apart, word
from schemas.structs import answer_components, prefix_of


def common_components(rulesets: Iterable[Ruleset], problems: Mapping[str, str]) -> dict[str, Shape]:
    """Every such component. `problems` are the codes with their titles."""
    rulesets = tuple(rulesets)
    parts = (answers, play, commits, messages, audits, log)
    structs = answer_components(struct for part in parts for struct in part.ANSWERS)
    games = {ruleset.slug: f"{prefix_of(ruleset)}Game" for ruleset in rulesets}
    of_each = {games[ruleset.slug]: _game(structs["Game"], ruleset) for ruleset in rulesets}
    return {
        **structs,
        **of_each,
        "Game": told_apart("ruleset", games, "A game as you may see it."),
        "Status": word(*STATUSES, description="The state of a game."),
        "RulesetSlug": word(*games, description="The short name of a ruleset, as in its address."),
        "ProblemCode": {
            **word(*problems, description="What went wrong. Codes do not change."),
            "x-enum-descriptions": list(problems.values()),
        },
        **_UNIONS,
        **_messages(),
        **SEATS,
        **any_components(rulesets),
        **table_components(),
    }


def _game(game: Shape, ruleset: Ruleset) -> Shape:
    """A game of one ruleset: its options and its view are those of the ruleset."""
    prefix = prefix_of(ruleset)
    fields = game["properties"]
    own: dict[str, Shape] = {
        "ruleset": word(ruleset.slug),
        "options": ref(f"{prefix}Options"),
        "view": {**any_of((f"{prefix}View", f"{prefix}Position"), fields["view"]["description"])},
    }
    description = f"A game of {ruleset.title} as you may see it."
    return {**game, "description": description, "properties": {**fields, **own}}


_UNIONS: Mapping[str, Shape] = {
    "Verdict": told_apart("verdict", {"accepted": "Accepted", "rejected": "Rejected"}, "The verdict on a move."),
    "Cause": {
        "type": "object",
        "description": "What made a move for a seat: the bot and its version, or the clock. "
        "`received`: when the move arrived, if it was made later with others of a race.",
        "additionalProperties": True,
    },
    "Official": word("referee", "admin", description="An actor without a seat."),
    "Actor": {
        "description": "Who made a move: a seat, the referee, or an admin.",
        "oneOf": [{"type": "integer", "minimum": 0}, ref("Official")],
    },
    "RefereeMove": any_of(("AnyTrigger", "AnyMove"), "A move of the referee. Seats can make some of these, too."),
    "PostedMove": any_of(("AnyMove", "LinkedMove"), "A move; where luck is fresh, with the next link of your chain."),
    "LinkedMove": {
        "type": "object",
        "description": "A move with the next link of your seat's chain, for games whose `terms.luck` is `fresh`.",
        "properties": {
            "link": {**ref("Link")},
            "move": ref("AnyMove"),
        },
        "required": ["link", "move"],
        "additionalProperties": False,
    },
    "Link": {"type": "string", "pattern": "^[0-9a-f]{64}$", "description": "32 bytes in hexadecimal."},
    "RecordedMove": any_of(("AnyMove", "AnyTrigger", "TableMove"), "A move of the ruleset or at the table."),
    "GameRecord": {
        "description": "A line of a record: the header, a commit, the secret, a holder, a text, or a logged leaf.",
        "oneOf": [
            ref("RecordFirstLine"),
            ref("RecordCommitLine"),
            *map(ref, ("RecordSecretLine", "RecordHolderLine", "RecordTextLine", "RecordLoggedLine")),
        ],
    },
    "OpenApi": {
        "type": "object",
        "description": "An OpenAPI document.",
        "properties": {
            "openapi": word(OPENAPI_VERSION),
            **{name: {"type": "object"} for name in ("info", "paths", "components")},
        },
        "required": ["openapi", "info", "paths", "components"],
        "additionalProperties": True,
    },
}


def _messages() -> dict[str, Shape]:
    """The messages of streams of server-sent events: one for each event, and a union where a stream has several."""
    found: dict[str, Shape] = {}
    for stream, events in messages.MESSAGES.items():
        names = {event: f"{event.title().replace('_', '')}Message" for event in events}
        for event, data in events.items():
            found[names[event]] = closed(
                f"The server-sent event `{event}`. Its `data` is JSON text of this schema.",
                {
                    "id": string("What to send as `Last-Event-ID` to continue after this message."),
                    "event": word(event),
                    "data": ref(data.__name__),
                },
                optional=("id",),
            )
        if len(events) > 1:
            found[f"{stream}Message"] = told_apart("event", names, "A server-sent event.")
    return found
