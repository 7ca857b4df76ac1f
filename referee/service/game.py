"""A game as it is kept beside its log: who sits where, what is played, and its secret."""

from typing import Any, Literal

import msgspec

from referee.kernel.changes import put, replace
from referee.kernel.record import Header, Secret
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.kernel.table import Status
from referee.kernel.terms import Terms
from referee.rulesets import RULESETS
from referee.rulesets.editions import with_edition_of


class Holder(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who holds a seat: nobody yet, a player, or a built-in bot; or which player is invited to it."""

    player: str | None = None
    name: str | None = None
    bot: str | None = None
    nonce: str = ""
    is_bot: bool = False
    """Whether the player is a bot account."""
    accepted: bool = True
    """False: the player is invited and has not answered."""

    @property
    def is_held(self) -> bool:
        """Whether somebody sits here."""
        return not self.is_open and self.accepted

    @property
    def is_open(self) -> bool:
        """Whether somebody may still sit down here."""
        return self.player is None and self.bot is None

    @property
    def is_program(self) -> bool:
        """Whether a program moves here, a built-in bot or somebody's own."""
        return self.bot is not None or self.is_bot


class Game(msgspec.Struct, frozen=True):
    """One play of a ruleset. Nothing but `status` changes after the start."""

    id: str
    ruleset: str
    version: str
    edition: str
    """The hash of the edition that the game began with."""
    options: dict[str, Any]
    seats: tuple[Holder, ...]
    created_at: str
    created_by: str
    secret: Secret
    terms: Terms
    visibility: Literal["public", "private"] = "public"
    join_code_hash: str | None = None
    join_code_generated: bool = False
    """Whether the service made the join code: then nobody can guess it."""
    bots: Literal["allowed", "forbidden", "required"] = "allowed"
    """Whether programs may hold the seats."""
    position: dict[str, Any] | None = None
    """The start position of a casual game, as the rules write what was sent."""
    status: Status = "waiting"
    """As far as it is known outside the log: the log itself is the truth about a started game."""
    reason: str | None = None
    """Why the game was annulled before it started."""
    revision: int = 1

    @property
    def rules(self) -> Ruleset:
        """The ruleset in the version that the game began with, with its edition if that is known here."""
        usual = RULESETS[self.ruleset, self.version]
        return with_edition_of(usual, self.edition) or usual

    @property
    def is_started(self) -> bool:
        """Whether the referee has begun: it does as soon as every seat is held."""
        return all(holder.is_held for holder in self.seats)

    @property
    def is_open(self) -> bool:
        """Whether the game has not ended, as far as that is known outside the log."""
        return self.status in ("waiting", "running", "paused")

    @property
    def has_bots(self) -> bool:
        """Whether a built-in bot holds a seat."""
        return any(holder.bot is not None for holder in self.seats)

    @property
    def header(self) -> Header:
        """Where the chain of hashes begins; fixed at the start."""
        return Header(
            commitment=self.secret.commitment,
            edition=self.edition,
            game=self.id,
            nonces=tuple(holder.nonce for holder in self.seats),
            options=self.options,
            position=self.position,
            ruleset=self.ruleset,
            terms=self.terms,
            version=self.version,
        )

    @property
    def chance_key(self) -> bytes:
        """The key of all luck of the game."""
        return self.secret.chance_key(tuple(holder.nonce for holder in self.seats))

    def seats_of(self, player: str | None) -> tuple[Seat, ...]:
        """The seats that a player holds."""
        return self._seats(player, accepted=True)

    def invitations_of(self, player: str | None) -> tuple[Seat, ...]:
        """The seats that a player is invited to."""
        return self._seats(player, accepted=False)

    def _seats(self, player: str | None, accepted: bool) -> tuple[Seat, ...]:
        if player is None:
            return ()
        return tuple(
            Seat(number)
            for number, holder in enumerate(self.seats)
            if holder.player == player and holder.accepted is accepted
        )

    def with_holder(self, seat: int, holder: Holder) -> "Game":
        """The game with another holder of a seat; the referee begins as soon as every seat is held."""
        seated = replace(self, seats=put(self.seats, seat, holder), revision=self.revision + 1)
        return replace(seated, status="running") if seated.is_started else seated


_decoder = msgspec.json.Decoder(Game)


def encode_game(game: Game) -> bytes:
    """The bytes that are kept."""
    return msgspec.json.encode(game)


def decode_game(body: bytes) -> Game:
    """The game from the bytes that are kept."""
    return _decoder.decode(body)
