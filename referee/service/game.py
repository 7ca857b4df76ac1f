"""A game as the service stores it: its seats, its terms, its secret."""

from typing import Any, Literal

import msgspec

from referee.kernel.changes import put, replace
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.rulesets import RULESETS
from referee.rulesets.editions import name_of_edition, with_edition_of
from referee.service.problems import Problem
from referee.table.moves import Status
from referee.table.record import Header, Secret
from referee.table.terms import Terms


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
        """Whether a player or a built-in bot holds the seat."""
        return not self.is_open and self.accepted

    @property
    def is_open(self) -> bool:
        """Whether the seat is free: nobody holds it or is invited to it."""
        return self.player is None and self.bot is None

    @property
    def is_program(self) -> bool:
        """Whether a program holds the seat: a built-in bot or a bot account."""
        return self.bot is not None or self.is_bot


class Game(msgspec.Struct, frozen=True):
    """One match played by the rules of a ruleset. After the start only `status` changes."""

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
    """Whether the service generated the join code, so that nobody can guess it."""
    bots: Literal["allowed", "forbidden", "required"] = "allowed"
    """Whether programs may hold the seats."""
    position: dict[str, Any] | None = None
    """The start position of a casual game, as the ruleset encodes it."""
    status: Status = "waiting"
    """The status when the game was last stored; the log has the true one of a started game."""
    reason: str | None = None
    """Why the game was annulled before it started."""
    revision: int = 1

    @property
    def rules(self) -> Ruleset:
        """The ruleset in the game's version, with the game's edition if this referee has it."""
        usual = RULESETS.get((self.ruleset, self.version))
        if usual is None:
            detail = f"This host does not have version {self.version} of the rules of {self.ruleset}. Try again."
            raise Problem("rules-elsewhere", detail, retry_after=1)
        return with_edition_of(usual, self.edition) or usual

    @property
    def edition_name(self) -> str | None:
        """The name of the game's edition; None if this referee does not have it."""
        usual = RULESETS.get((self.ruleset, self.version))
        return None if usual is None else name_of_edition(usual, self.edition)

    @property
    def is_started(self) -> bool:
        """Whether the game has started, which it does as soon as every seat is held."""
        return all(holder.is_held for holder in self.seats)

    @property
    def is_open(self) -> bool:
        """Whether the game had not ended when it was last stored."""
        return self.status in ("waiting", "running", "paused")

    @property
    def has_bots(self) -> bool:
        """Whether a built-in bot holds a seat."""
        return any(holder.bot is not None for holder in self.seats)

    @property
    def header(self) -> Header:
        """The header that the chain of hashes begins with; fixed at the start."""
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
        """The key that all luck of the game is derived from."""
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
        """The game with another holder of a seat; it starts as soon as every seat is held."""
        seated = replace(self, seats=put(self.seats, seat, holder), revision=self.revision + 1)
        return replace(seated, status="running") if seated.is_started else seated


_decoder = msgspec.json.Decoder(Game)


def encode_game(game: Game) -> bytes:
    """The bytes that are stored."""
    return msgspec.json.encode(game)


def decode_game(body: bytes) -> Game:
    """The game from its stored bytes."""
    return _decoder.decode(body)
