"""A game as the service stores it: its seats, its terms, its secret."""

import secrets
from typing import Any, Literal

import msgspec

from referee.kernel.changes import put, replace
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.rulesets import RULESETS
from referee.rulesets.editions import name_of_edition, with_edition_of
from referee.service.problems import Problem
from referee.store.log import Leaf
from referee.table.moves import Status
from referee.table.record import Header, HeldBy, Secret, nonce_of
from referee.table.terms import Terms
from referee.table.times import timestamp
from referee.tlog.leaf import sealed_hash


class Holder(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who holds a seat: nobody yet, a player, or a built-in bot; or which player is invited to it."""

    player: str | None = None
    bot: str | None = None
    nonce: str = ""
    """64 hexadecimal digits; empty: the seat gave none."""
    seal: str | None = None
    """What the seat published before its nonce."""
    salt: str = ""
    """What hides the player's id in the header. It is deleted when the player is erased."""
    mark: str | None = None
    """The hash in the header, stored when salt and id are erased."""
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
    def held_by(self) -> HeldBy | None:
        """Who the header names as the holder; None: a built-in bot, nobody, or an erased player."""
        return HeldBy(self.player, self.salt) if self.player is not None and self.mark is None else None

    @property
    def hash(self) -> str | None:
        """What the header shows of the holder; None: a built-in bot, or nobody."""
        held_by = self.held_by
        return self.mark if held_by is None else held_by.hash

    @property
    def is_program(self) -> bool:
        """Whether a program holds the seat: a built-in bot or a bot account."""
        return self.bot is not None or self.is_bot


def seated(
    player: str | None, nonce: str = "", is_bot: bool = False, accepted: bool = True, seal: str | None = None
) -> Holder:
    """The holder of a seat that a player takes or is invited to."""
    return Holder(
        player, nonce=nonce_of(nonce), seal=seal, salt=secrets.token_hex(32), is_bot=is_bot, accepted=accepted
    )


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
    reveal_until: str | None = None
    """When the time to reveal is over, from the last seat on until the start."""
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
        """Whether the game has started: every seat is held, and what was sealed is revealed or no longer awaited."""
        return self.reveal_until is None and all(holder.is_held for holder in self.seats)

    @property
    def unrevealed(self) -> tuple[Seat, ...]:
        """The seats that have sealed a nonce and not revealed it."""
        return tuple(Seat(number) for number, each in enumerate(self.seats) if each.seal is not None and not each.nonce)

    @property
    def is_open(self) -> bool:
        """Whether the game had not ended when it was last stored."""
        return self.status in ("waiting", "revealing", "running", "paused")

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
            holders=tuple(holder.hash for holder in self.seats),
            nonces=tuple(holder.nonce for holder in self.seats),
            options=self.options,
            position=self.position,
            ruleset=self.ruleset,
            seals=tuple(holder.seal for holder in self.seats),
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

    def with_holder(self, seat: int, holder: Holder, now: int) -> "Game":
        """The game with another holder of a seat; when every seat is held, it starts, or waits for what is sealed."""
        seated = replace(self, seats=put(self.seats, seat, holder), revision=self.revision + 1)
        if not seated.is_started:
            return seated
        if not seated.unrevealed:
            return replace(seated, status="running")
        return replace(seated, status="revealing", reveal_until=timestamp(now + self.terms.reveal_s * 1000))

    def with_nonce(self, seat: int, nonce: str) -> "Game":
        """The game in which a seat has revealed its nonce."""
        holder = replace(self.seats[seat], nonce=nonce)
        return replace(self, seats=put(self.seats, seat, holder), revision=self.revision + 1)


def leaf_before_start(game: Game) -> Leaf | None:
    """What the transparency log gets of a game that has not started: its seals, or that it was annulled."""
    if game.is_started:
        return None
    seals = tuple(holder.seal for holder in game.seats)
    if game.status == "revealing" and len(game.unrevealed) == sum(seal is not None for seal in seals):
        return Leaf("sealed", sealed_hash(game.header))
    return Leaf("annulled", game.secret.commitment) if game.status == "annulled" else None


_decoder = msgspec.json.Decoder(Game)


def encode_game(game: Game) -> bytes:
    """The bytes that are stored."""
    return msgspec.json.encode(game)


def decode_game(body: bytes) -> Game:
    """The game from its stored bytes."""
    return _decoder.decode(body)
