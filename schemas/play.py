"""Answers about what is played: verdicts, games, legal moves, commits."""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from referee.kernel.ranking import Place
from referee.kernel.ruleset import Decision
from referee.table.record import Deadline
from referee.table.terms import Terms
from schemas.accounts import Player
from schemas.types import (
    AnyEvent,
    AnyOptions,
    AnyPosition,
    BotPolicy,
    Count,
    GameId,
    Hash,
    Nonce,
    RefereeMove,
    SeatNumber,
    Slug,
    Status,
    Time,
    Version,
    Visibility,
)


class Outcome(Struct, frozen=True):
    """An outcome of chance."""

    outcome: Any
    point: str
    """The name of the chance point."""


class DueInPosition(Struct, frozen=True):
    """What the referee will do next."""

    move: RefereeMove
    after_ms: Count
    """Milliseconds after the last commit; 0: at once."""


class Accepted(Struct, frozen=True, tag_field="verdict", tag="accepted"):
    """The rules accept the move."""

    events: tuple[AnyEvent, ...]
    """What follows from the move, hidden information included."""
    chance: tuple[Outcome, ...]
    """The outcomes of chance, forced or drawn."""
    position: AnyPosition
    """The position after the move."""
    awaited: tuple[Decision, ...]
    """Who may move now."""
    due: DueInPosition | None
    """What the referee will do next; null: nothing."""


class Rejected(Struct, frozen=True, tag_field="verdict", tag="rejected"):
    """The rules refuse the move."""

    message: str
    """Why the rules refuse it."""
    clause: str
    """The clause that refuses it."""
    text: str
    """The text of the clause."""
    clause_url: str
    """The address of the clause."""


class FreshPosition(Struct, frozen=True):
    """A position that is ready to be played."""

    seed: str
    """The seed that gives this position again."""
    position: AnyPosition
    awaited: tuple[Decision, ...]
    """Who may move now."""
    due: DueInPosition | None
    """What the referee will do next; null: nothing."""


class Reveals(Struct, frozen=True):
    """What the service says of a player's sealed nonces. Nobody can check it: a reveal may have been lost."""

    missed: Count
    """How often the player did not reveal in time."""
    sealed: Count
    """How often the player had sealed a nonce when every seat was taken."""


class PublicPlayer(Player, frozen=True):
    """A player as everybody may see them."""

    reveals: Reveals


class Holder(Struct, frozen=True):
    """Who holds a seat."""

    accepted: bool | None
    """False: the player is invited and has not answered. Null: the seat has no player."""
    bot: str | None
    """The built-in bot that plays for the seat."""
    nonce: Nonce
    """What the player added to the luck of the game: 64 hexadecimal digits, or nothing. A text is shown by its hash."""
    player: Player | None
    """The player who holds the seat or is invited to it."""
    seal: Hash | None
    """The seal of the nonce, which was published first; null: the seat sealed none."""
    seat: SeatNumber


class SeatAtTable(Struct, frozen=True):
    """A seat, who holds it, and its state."""

    accepted: bool | None
    """False: the player is invited and has not answered. Null: the seat has no player."""
    agreed: bool
    """Whether the player agrees to a pause or, during a pause, to its end."""
    bank_ms: Count | None
    """Milliseconds left in the bank of the seat; null: the game has no clock."""
    bot: str | None
    """The built-in bot that plays for the seat."""
    missed_deadlines: Count
    """The number of consecutive deadlines that the seat has missed."""
    nonce: Nonce
    """What the player added to the luck of the game: 64 hexadecimal digits, or nothing. A text is shown by its hash."""
    player: Player | None
    """The player who holds the seat or is invited to it."""
    resigned: bool
    """Whether the player has resigned."""
    seal: Hash | None
    """The seal of the nonce, which was published first; null: the seat sealed none."""
    seat: SeatNumber


class DueMove(Struct, frozen=True):
    """What the referee will do next, and when."""

    at: Time
    move: RefereeMove


class Expectations(Struct, frozen=True):
    """Who may move, until when, and what the referee will do next."""

    awaited: tuple[Decision, ...]
    """Who may move now."""
    due: DueMove | None
    """What the referee will do next; null: nothing."""
    deadlines: tuple[Deadline, ...]
    """The deadlines of the seats that may move, earliest first; empty without a clock."""


class _PublicGame(Struct, frozen=True):
    """What everybody who knows of a game may see of it, whatever its position."""

    id: GameId
    ruleset: Slug
    rules_version: str
    """The version of the rules that the game is played by."""
    edition: str | None
    """The name of the edition; null: this service no longer has it."""
    edition_hash: Hash
    """The hash of the numbers of the edition, which the record contains."""
    options: AnyOptions
    status: Status
    reason: str | None
    """Why the game was annulled before it started; null in all other cases."""
    version: Version
    visibility: Visibility
    casual: bool
    """Whether the game started from a given position."""
    bots: BotPolicy
    """Whether bots may, may not or must hold the seats."""
    created_at: Time
    reveal_until: Time | None
    """The time by which the seats must reveal what they sealed; null: no seat has to."""
    unrevealed: tuple[SeatNumber, ...]
    """The seats that, according to the service, sealed a nonce and have not revealed it; nobody can check this."""
    commitment: Hash
    """SHA-256 of the secret that determines the luck. The secret is published at the end."""
    terms: Terms


class GameSummary(_PublicGame, frozen=True):
    """A game without its position."""

    seats: tuple[Holder, ...]


class Chain(Struct, frozen=True):
    """How far the chain of links of your seat is used up, where luck is fresh."""

    before: Hash
    """What your next link hashes to: the link that was used last, or the seal."""
    counts: bool
    """Whether your moves carry links. False: you sealed a new chain, and other players have to add links first."""
    index: Count
    """The number of your next link; link 0 is your nonce."""


class Game(_PublicGame, frozen=True):
    """A game as you may see it."""

    seats: tuple[SeatAtTable, ...]
    seat: SeatNumber | None
    """The seat whose view this is; null: the view of a spectator."""
    view: Any
    """What you may see of the position; with `seat=all` the whole position."""
    awaited: tuple[Decision, ...]
    """Who may move now."""
    due: DueMove | None
    """What the referee will do next; null: nothing."""
    deadlines: tuple[Deadline, ...]
    """The deadlines of the seats that may move, earliest first; empty without a clock."""
    ranking: tuple[Place, ...] | None
    """The result; null: there is none yet."""
    chain: Chain | None
    """The chain of your seat; null: luck is fixed, or you hold no seat."""
    join_code: str | UnsetType | None = UNSET
    """The code that other players need to sit down; only in the answer to `POST /v1/games`."""
    receipt: str | UnsetType = UNSET
    """Only in the answer to a reveal with `Prefer: receipt`: a signed note about it."""


class Games(Struct, frozen=True):
    """A page of games, newest first."""

    games: tuple[GameSummary, ...]
    next: str | None
    """The `cursor` of the next page; null: this is the last page."""
    incomplete: Literal[True] | UnsetType = UNSET
    """Present if games are missing, because a part of the log cannot be reached now."""


class DryRun(Struct, frozen=True, tag_field="verdict", tag="accepted"):
    """The rules would accept the move."""

    version: Version


class MoveAnswer(Struct, frozen=True):
    """The move is in the log."""

    version: Version
    events: tuple[AnyEvent, ...]
    """What followed from the move, without what is hidden from you."""
    awaited: tuple[Decision, ...]
    """Who may move now."""
    due: DueMove | None
    """What the referee will do next; null: nothing."""
    deadlines: tuple[Deadline, ...]
    """The deadlines of the seats that may move, earliest first; empty without a clock."""
    receipt: str | UnsetType = UNSET
    """Only with `Prefer: receipt`: a signed note about the move."""


ANSWERS: tuple[type[Struct], ...] = (
    Accepted,
    Rejected,
    FreshPosition,
    Game,
    Games,
    DryRun,
    MoveAnswer,
    PublicPlayer,
)
