"""The types that the fields of answers have: words, forms of text, and components that depend on the ruleset."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from referee.table.times import Timestamp
from schemas.shapes import ref

Scope = Literal["play", "watch", "audit", "admin"]
"""What a key may be used for. `admin` includes all others, `play` includes `watch`."""
Visibility = Literal["public", "private"]
"""Whether everybody or only the players at the table can see a game."""
BotPolicy = Literal["allowed", "forbidden", "required"]
"""Whether bots may, may not or must hold the seats."""
BotOrEnd = Literal["bot", "end"]
"""`bot`: a bot takes over the seat. `end`: the game ends."""
OnAbandonment = Literal["adjudicate", "annul", "bots"]
"""`adjudicate`: the game is ranked as it stands. `annul`: it has no result. `bots`: bots play it to its end."""
UndoPolicy = Literal["never", "free"]
"""`free`: a player can undo a move that revealed nothing and drew no luck."""
Unrevealed = Literal["annul", "without"]
"""`annul`: a game in which a seat does not reveal in time is annulled. `without`: it starts without that nonce."""
LuckPolicy = Literal["fixed", "fresh"]
"""`fresh`: each player seals a chain of links, and a move that draws adds the next link of its seat."""
ClauseKind = Literal["clause", "ruling"]
"""A clause of the rules, or a ruling where the printed rules leave something open."""
Consent = Literal["pause", "resumption"]
"""What players agree to: a pause, or its end."""
HealthStatus = Literal["alive", "ready"]
"""`alive`: the process runs. `ready`: it can work."""
AuditVerdict = Literal["proved", "failed", "running", "unavailable"]
"""`running`: the game is not over. `unavailable`: it is over, but the audit could not be made."""
AdminAction = Literal["pause", "resume", "annul"]
"""What an admin can do to a game."""

Time = Timestamp
Hash = Annotated[str, Meta(description="SHA-256 in hexadecimal.", pattern="^[0-9a-f]{64}$")]
Nonce = Annotated[str, Meta(description="64 hexadecimal digits, or nothing.", pattern="^([0-9a-f]{64})?$")]
GameId = Annotated[str, Meta(pattern="^g_[0-9a-f]{24}$")]
PlayerId = Annotated[str, Meta(pattern="^p_[0-9a-f]{24}$")]
KeyId = Annotated[str, Meta(pattern="^k_[0-9a-f]{40}$")]
KeyText = Annotated[str, Meta(pattern="^rk_k_[0-9a-f]{40}_[0-9a-f]{48}$")]
Count = Annotated[int, Meta(ge=0)]
SeatNumber = Annotated[int, Meta(ge=0, description="A seat: 0 to n-1, clockwise.")]
Version = Annotated[int, Meta(ge=0, description="The number of commits in the log.")]

ScopeName = Annotated[str, Meta(extra_json_schema=ref("Scope"))]
Cause = Annotated[dict[str, Any], Meta(extra_json_schema=ref("Cause"))]
Slug = Annotated[str, Meta(extra_json_schema=ref("RulesetSlug"))]
Code = Annotated[str, Meta(extra_json_schema=ref("ProblemCode"))]
Status = Annotated[str, Meta(extra_json_schema=ref("Status"))]
Actor = Annotated[int | str, Meta(extra_json_schema=ref("Actor"))]
AnyMove = Annotated[Any, Meta(extra_json_schema=ref("AnyMove"))]
AnyMoveSeen = Annotated[Any, Meta(extra_json_schema=ref("AnyMoveSeen"))]
RefereeMove = Annotated[Any, Meta(extra_json_schema=ref("RefereeMove"))]
RecordedMove = Annotated[Any, Meta(extra_json_schema=ref("RecordedMove"))]
AnyEvent = Annotated[Any, Meta(extra_json_schema=ref("AnyEvent"))]
AnyOptions = Annotated[Any, Meta(extra_json_schema=ref("AnyOptions"))]
AnyPosition = Annotated[Any, Meta(extra_json_schema=ref("AnyPosition"))]
FieldErrors = Annotated[
    Any,
    Meta(
        extra_json_schema={
            "type": "object",
            "additionalProperties": {
                "description": "What is wrong with a field: sentences, or an object for the fields within it.",
                "anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "object"}],
            },
        }
    ),
]
JsonObject = Annotated[Any, Meta(extra_json_schema={"type": "object"})]
"""A JSON Schema, or another object whose fields depend on the ruleset."""
