"""The shapes of answers. They are dictionaries at run time; `openapi.yaml` of the service describes every field."""

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict

Move = Mapping[str, Any]
"""What a seat wants to do: `{"type": "take_cards", …}`."""


class Player(TypedDict):
    """A player: a person or a program."""

    id: str
    name: str
    bot: bool


class NewPlayer(TypedDict):
    """A new player and its first key, which no other answer shows."""

    player: Player
    key: str
    key_id: str


class Decision(TypedDict):
    """A seat that may move, and the types of its moves."""

    seat: int
    moves: list[str]
    obliged: bool
    not_before_s: int
    not_before_clause: str | None


class Deadline(TypedDict):
    """When the time of a seat runs out."""

    seat: int
    at: str


class Place(TypedDict):
    """The result of a seat."""

    seat: int
    rank: int
    score: int
    clause: str


class GameSummary(TypedDict):
    """A game as lists show it."""

    id: str
    ruleset: str
    rules_version: str
    edition: str
    options: dict[str, Any]
    status: Literal["waiting", "revealing", "running", "paused", "finished", "annulled"]
    reason: str | None
    version: int
    visibility: Literal["public", "private"]
    casual: bool
    bots: Literal["allowed", "forbidden", "required"]
    created_at: str
    commitment: str
    terms: dict[str, Any]
    seats: list[dict[str, Any]]


class GameState(GameSummary):
    """A game as you may see it."""

    seat: int | None
    view: dict[str, Any]
    awaited: list[Decision]
    due: dict[str, Any] | None
    deadlines: list[Deadline]
    ranking: list[Place] | None
    join_code: str | None


class Family(TypedDict):
    """Moves of one type of which there are too many to list."""

    type: str
    description: str
    schema: dict[str, Any]


class LegalMoves(TypedDict):
    """The legal moves of a seat; `default` is null if the seat is not awaited."""

    version: int
    seat: int
    moves: list[dict[str, Any]]
    families: list[Family]
    default: dict[str, Any] | None
    text: NotRequired[dict[str, Any]]


class Answer(TypedDict):
    """The answer to an accepted move."""

    version: int
    events: list[dict[str, Any]]
    awaited: list[Decision]
    due: dict[str, Any] | None
    deadlines: list[Deadline]


class Commit(TypedDict):
    """An accepted move with its events, as you may see it."""

    version: int
    at: str
    actor: int | str
    cause: dict[str, Any] | None
    move: dict[str, Any] | None
    events: list[dict[str, Any]]
    hash: str
    deadlines: NotRequired[list[Deadline]]
    view: NotRequired[dict[str, Any]]
    text: NotRequired[dict[str, Any]]
    legal: NotRequired[list[LegalMoves]]


class Message(TypedDict, total=False):
    """A message about all your games: `event` says what happened; only some events have the later fields."""

    event: str
    game: str
    ruleset: str
    version: int
    seat: int
    moves: list[str]
    obliged: bool
    not_before_s: int
    not_before_clause: str | None
    deadline: str | None
    consent: Literal["pause", "resumption"]
    agreed: list[int]
    bot: str
    by: Player
    recovered_at: str


class Audit(TypedDict):
    """The audit of a game by the service."""

    verdict: Literal["proved", "failed", "running"]
    checks: list[dict[str, Any]]
    first_bad_version: int | None


class Verdict(TypedDict, total=False):
    """The judge's verdict: accepted with events and position, or rejected with a clause."""

    verdict: Literal["accepted", "rejected"]
    events: list[dict[str, Any]]
    position: dict[str, Any]
    awaited: list[Decision]
    due: dict[str, Any] | None
    chance: list[dict[str, Any]]
    clause: str
    message: str
    text: str
