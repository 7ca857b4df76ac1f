"""The messages of streams of server-sent events."""

from collections.abc import Mapping

from msgspec import Struct

from schemas.accounts import Player
from schemas.commits import Commit
from schemas.types import Consent, Count, GameId, SeatNumber, Slug, Time, Version


class _InAGame(Struct, frozen=True):
    """The game that a message is about."""

    game: GameId
    ruleset: Slug
    version: Version


class StreamEnd(Struct, frozen=True):
    """The game is over, and you have got its last commit: do not connect again."""

    version: Version


class Rewound(Struct, frozen=True):
    """The service has lost the newest commits of the game: forget those after this version. Others follow."""

    version: Version
    """The newest version that the log still has."""


class MoveAwaited(_InAGame, frozen=True):
    """A seat of yours may move."""

    seat: SeatNumber
    moves: tuple[str, ...]
    """The types of moves that it may make."""
    obliged: bool
    """False: the game can go on without a move of the seat."""
    not_before_s: Count
    """Seconds after the last commit before which the move is refused."""
    not_before_clause: str | None
    """The clause that makes the seat wait."""
    race_ms: Count | None
    """Not null: seats race for the move. Moves that arrive within this time after the first compete with it."""
    deadline: Time | None
    """When your time runs out; null: the game has no clock."""


class ConsentAsked(_InAGame, frozen=True):
    """Other players have agreed to pause or to resume the game and wait for your consent."""

    seat: SeatNumber
    consent: Consent
    """What you are asked to agree to."""
    agreed: tuple[SeatNumber, ...]
    """The seats whose players have agreed."""


class RevealAwaited(_InAGame, frozen=True):
    """A seat of yours has to reveal the nonce that it sealed."""

    seat: SeatNumber
    until: Time
    """When the time to reveal is over."""


class SeatTakenOver(_InAGame, frozen=True):
    """A bot has taken over your seat. You can return to it."""

    seat: SeatNumber
    bot: str
    """The built-in bot that plays for the seat."""


class Invitation(_InAGame, frozen=True):
    """A seat that you are, or were, invited to."""

    seat: SeatNumber
    by: Player
    """The player who created the game."""


class GameOver(_InAGame, frozen=True):
    """A game of yours is over."""


class KeysReplaced(Struct, frozen=True):
    """An admin has replaced all your keys."""

    recovered_at: Time
    """When an admin last replaced them."""


MESSAGES: Mapping[str, Mapping[str, type[Struct]]] = {
    "Game": {"commit": Commit, "rewound": Rewound, "end": StreamEnd},
    "My": {
        "revealing": RevealAwaited,
        "awaited": MoveAwaited,
        "asked": ConsentAsked,
        "taken_over": SeatTakenOver,
        "invited": Invitation,
        "withdrawn": Invitation,
        "finished": GameOver,
        "annulled": GameOver,
        "recovered": KeysReplaced,
    },
}
"""The streams of server-sent events: for each event the struct of its data."""

ANSWERS: tuple[type[Struct], ...] = tuple(data for events in MESSAGES.values() for data in events.values())
