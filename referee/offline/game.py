"""A game that is played offline: it lives in memory, and everything about it follows from its seed."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.audit.record import Record
from referee.kernel.canon import canonical, digest
from referee.kernel.ruleset import Ruleset
from referee.rulesets import RULESETS
from referee.rulesets.editions import add_edition, with_edition_of
from referee.table.record import Header, HeldBy, Secret
from referee.table.terms import TABLE_VERSION, Terms

BEGINNING = "2000-01-01T00:00:00.000Z"
"""The creation time of every offline game, so that the same seed leads to the same bytes."""


class OfflineGame(msgspec.Struct, frozen=True):
    """A match that no service stores. `terms.bots` names the bots by seat."""

    id: str
    rules: Ruleset
    options: dict[str, Any]
    holders: tuple[str | None, ...]
    """By seat: the hash of the player who holds it; None: a bot."""
    nonces: tuple[str, ...]
    secret: Secret
    terms: Terms
    position: dict[str, Any] | None = None
    """The start position of a casual game, as the ruleset encodes it."""
    seals: tuple[str | None, ...] | None = None
    """By seat: the seal of its nonce; None: no seat has one."""
    created_at: str = BEGINNING

    @property
    def edition(self) -> str:
        """The hash of the edition, which this process always has."""
        return self.rules.edition_hash

    @property
    def header(self) -> Header:
        """The header that the chain of hashes begins with."""
        return Header(
            commitment=self.secret.commitment,
            edition=self.edition,
            game=self.id,
            holders=self.holders,
            nonces=self.nonces,
            options=self.options,
            position=self.position,
            ruleset=self.rules.slug,
            seals=self.seals or (None,) * len(self.nonces),
            terms=self.terms,
            version=self.rules.version,
        )

    @property
    def chance_key(self) -> bytes:
        """The key that all luck of the game is derived from."""
        return self.secret.chance_key(self.nonces)


def offline_game(ruleset: Ruleset, options: Any, bots: Sequence[str], seed: str) -> OfflineGame:
    """Return a game of bots; its secret follows from the seed alone, so that other bots can play with the same luck."""
    add_edition(ruleset)
    written = msgspec.to_builtins(options)
    return OfflineGame(
        id=f"g_{digest(canonical([ruleset.slug, ruleset.edition_hash, written, bots, seed]))[:22]}",
        rules=ruleset,
        options=written,
        holders=(None,) * len(bots),
        nonces=("",) * len(bots),
        secret=Secret(salt=_derived("salt", seed), seed=_derived("seed", seed)),
        terms=Terms(bots=tuple(bots), table=TABLE_VERSION),
    )


def of_players(game: OfflineGame, nonces: Sequence[str] | None = None) -> OfflineGame:
    """Return the same game with a player in every seat, with these nonces or without any."""
    terms = replace(game.terms, bots=(None,) * len(game.nonces))
    holders = tuple([player_at(seat).hash for seat in range(len(game.nonces))])
    return replace(game, terms=terms, holders=holders, nonces=game.nonces if nonces is None else tuple(nonces))


def player_at(seat: int) -> HeldBy:
    """Return the player of a seat in an offline game, who is the same in every game."""
    return HeldBy(player=f"p_{seat}", salt=digest(b"salt %d" % seat))


def recorded_game(record: Record) -> OfflineGame:
    """Return the game of a record, to play on from any of its commits; raises ValueError.

    `fold(game, first_state(game), record.entries[:n])` of `referee.table.match` is its state after n commits.
    """
    header, rules = record.header, RULESETS.get((record.header.ruleset, record.header.version))
    known = None if rules is None else with_edition_of(rules, header.edition)
    if known is None:
        raise ValueError(f"This package does not have version {header.version} of {header.ruleset} with its edition.")
    if record.secret is None:
        raise ValueError("The record is of a game that was not over, so its secret is missing.")
    return OfflineGame(
        id=header.game,
        rules=known,
        options=header.options,
        holders=header.holders,
        nonces=header.nonces,
        secret=record.secret,
        terms=header.terms,
        position=header.position,
        seals=header.seals,
    )


def _derived(what: str, seed: str) -> str:
    return sha256(f"{what}:{seed}".encode()).hexdigest()
