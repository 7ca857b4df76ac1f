"""Answers about players, keys, rulesets, bots and problems. The struct of an answer is its encoder and its schema."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from referee.kernel.clauses import Clause
from schemas.accounts import Erasure, Keys, Me, NewKeyAnswer, NewPlayerAnswer
from schemas.types import (
    Code,
    Count,
    FieldErrors,
    Hash,
    HealthStatus,
    JsonObject,
    ScopeName,
    Slug,
    Time,
    Version,
)


class SeatRange(Struct, frozen=True):
    """The smallest and the largest number of players."""

    min: Count
    max: Count


class EditionInShort(Struct, frozen=True):
    """An edition of a ruleset: the numbers of a box."""

    name: str
    """The name by which a new game chooses it."""
    hash: Hash
    """SHA-256 of its numbers, written as canonical JSON (RFC 8785). The record of a game contains it."""
    url: str
    """The address of its numbers."""


class Edition(Struct, frozen=True):
    """The numbers of a box."""

    ruleset: Slug
    name: str | None
    """The name of the edition; null: it does not ship with the ruleset."""
    hash: Hash
    """SHA-256 of the numbers, written as canonical JSON (RFC 8785)."""
    numbers: JsonObject


class Title(Struct, frozen=True):
    """A ruleset in short."""

    slug: Slug
    title: str
    version: str
    """The version of the rules. New games are played by it."""
    seats: SeatRange
    editions: tuple[EditionInShort, ...]
    """The editions that a new game can have; the first, `box`, is the default."""
    url: str
    """The address of the ruleset's details."""


class Rulesets(Struct, frozen=True):
    """The rulesets that can be played."""

    rulesets: tuple[Title, ...]


class MessageType(Struct, frozen=True):
    """A type of moves or events."""

    type: str
    description: str
    schema: JsonObject
    """Its JSON Schema."""


class Ruleset(Title, frozen=True):
    """A ruleset in full."""

    options: JsonObject
    """The JSON Schema of the options."""
    default_options: JsonObject
    """The options of a game for which none are given."""
    clauses: tuple[Clause, ...]
    rulings: tuple[Clause, ...]
    """Clauses that decide what the printed rules leave open."""
    edition_data: JsonObject
    """The numbers of the edition `box`."""
    board: str | None
    """The address of the script with which the page draws its board; null: it has no board of its own."""
    words: dict[str, str]
    """The addresses of its sentences for moves and events, by language."""
    moves: tuple[MessageType, ...]
    """The moves of seats."""
    triggers: tuple[MessageType, ...]
    """The moves of the referee."""
    events: tuple[MessageType, ...]
    """What can follow from moves."""
    position: JsonObject
    """The JSON Schema of a complete position."""
    view: JsonObject
    """The JSON Schema of what one seat or a spectator may see."""


class ClauseDetails(Clause, frozen=True, kw_only=True):
    """A clause or ruling, and the tests that show it at work."""

    ruleset: Slug
    tests: tuple[str, ...]


class BuiltInBot(Struct, frozen=True):
    """A built-in bot."""

    name: str
    """The name by which a seat of a new game chooses it."""
    version: str
    """The version that the `cause` of its moves names."""
    description: str
    rulesets: tuple[Slug, ...]
    """The rulesets that it plays."""


class Bots(Struct, frozen=True):
    """The built-in bots."""

    bots: tuple[BuiltInBot, ...]


class Shard(Struct, frozen=True):
    """A part of a log that is on a cluster."""

    slots: str
    """The hash slots of its games, such as `0-5460`."""
    state: Annotated[str, Meta(pattern="^(up|unconfirmed|down)$")]
    """Whether its games can go on; `unconfirmed`: too few replicas confirm what is written."""


class Health(Struct, frozen=True):
    """The state of the service."""

    status: HealthStatus
    rulesets: tuple[Slug, ...] | UnsetType = UNSET
    """The rulesets that can be played; only with `ready`."""
    alarm: str | UnsetType = UNSET
    """Why the transparency log publishes no checkpoint; only if it does not."""
    shards: tuple[Shard, ...] | UnsetType = UNSET
    """The parts of the log; only if it is on a cluster."""


class ProblemKind(Struct, frozen=True):
    """What a problem code means."""

    code: Code
    title: str


class Problem(Struct, frozen=True):
    """A problem (RFC 9457)."""

    type: Annotated[str, Meta(pattern="^/problems/[a-z-]+$")]
    """The address that explains the code."""
    title: str
    """What the code means."""
    status: Annotated[int, Meta(ge=400, le=599)]
    """The HTTP status."""
    code: Code
    detail: str
    """What went wrong in this case."""
    request_id: Annotated[str, Meta(pattern=r"^[\w.-]{1,64}$")]
    """The id under which the service logs the request."""
    clause: str | UnsetType = UNSET
    """The clause that refuses the move or the options."""
    text: str | UnsetType = UNSET
    """The text of the clause."""
    clause_url: str | UnsetType = UNSET
    """The address of the clause."""
    errors: FieldErrors | UnsetType = UNSET
    """What is wrong with each field, by its name."""
    version: Version | UnsetType = UNSET
    """The newest version of the game."""
    version_at: Time | UnsetType = UNSET
    """When that version was made."""
    link_index: Count | UnsetType = UNSET
    """The number of the link that the move must carry; link 0 is the nonce of the seat."""
    link_before: Hash | UnsetType = UNSET
    """What that link hashes to: the link that was used last, or the seal."""
    point: str | UnsetType = UNSET
    """The chance point whose forced outcome is impossible."""
    scope: ScopeName | UnsetType = UNSET
    """The scope that the key lacks."""
    receipt: str | UnsetType = UNSET
    """Only with `Prefer: receipt`: a signed note about the refused move."""
    retry_after: Count | UnsetType = UNSET
    """Seconds to wait before the next try."""
    violated_policies: tuple[str, ...] | UnsetType = msgspec.field(name="violated-policies", default=UNSET)
    """The rate limits that are exceeded, by their names in `RateLimit-Policy`."""


ANSWERS = (
    Erasure,
    NewPlayerAnswer,
    Me,
    NewKeyAnswer,
    Keys,
    Rulesets,
    Ruleset,
    Edition,
    ClauseDetails,
    Bots,
    Health,
    ProblemKind,
    Problem,
)
