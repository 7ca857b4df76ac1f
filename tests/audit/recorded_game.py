"""Plays whole games and records them, without a server."""

import random
from datetime import datetime, timedelta
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.audit.bots import is_race_on
from referee.audit.record import Record
from referee.bots import BOTS
from referee.bots.bot import luck_of
from referee.kernel.canon import digest
from referee.kernel.chance import Derived
from referee.kernel.message import Event, Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Actor, Seat
from referee.table.duties import deadlines
from referee.table.record import AnyCommit, Entry, Header, HeldBy, Secret, nonce_of, seal
from referee.table.state import after_move, after_table_move, start_table
from referee.table.terms import TABLE_VERSION, Terms
from referee.table.times import milliseconds
from tests.commits import a_commit
from tests.conformance.play import choose, is_over

SECRET = Secret(salt="5a" * 32, seed="c3" * 32)
TEXTS = ("ada's luck", "", "zoë", "42", "", "")
"""What the players send as their nonces."""
NONCES = tuple(map(nonce_of, TEXTS))


def holder_of(seat: int) -> HeldBy:
    """The player on a seat."""
    return HeldBy(player=f"p_{seat}", salt=digest(b"salt %d" % seat))


class Play:
    """A game that is played and recorded move by move, as the service would."""

    def __init__(
        self,
        ruleset: Ruleset,
        seats: int = 3,
        options: Any = None,
        secret: Secret = SECRET,
        position: dict[str, Any] | None = None,
        cheat_at: int | None = None,
        terms: Terms | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.secret = secret
        self.cheat_at = cheat_at
        self.drawn: dict[int, tuple[str, ...]] = {}
        chosen = ruleset.variants[0] if options is None else options
        self.terms = terms or Terms(bots=(None,) * seats, table=TABLE_VERSION)
        self.header = Header(
            commitment=secret.commitment,
            edition=ruleset.edition_hash,
            game="g_test",
            holders=tuple(None if bot else holder_of(seat).hash for seat, bot in enumerate(self.terms.bots)),
            nonces=tuple("" if bot else NONCES[seat] for seat, bot in enumerate(self.terms.bots)),
            options=msgspec.to_builtins(chosen),
            position=position,
            ruleset=ruleset.slug,
            seals=(None,) * seats,
            version=ruleset.version,
            terms=self.terms,
        )
        self.table = start_table(self.terms)
        self.position = (
            ruleset.blank(chosen, seats) if position is None else msgspec.convert(position, ruleset.position_type)
        )
        self.entries: list[Entry] = []
        self.at = datetime.fromisoformat("2026-11-16T08:00:00.000+00:00")

    @property
    def record(self) -> Record:
        """The record with its secret."""
        return Record(self.header, tuple(self.entries), self.secret)

    def move(self, actor: Actor | int, move: Move, cause: dict[str, Any] | None = None) -> "Play":
        """Make a move of the rules; its luck follows from the secret, except at `cheat_at`."""
        version = len(self.entries) + 1
        key = b"loaded dice" if version == self.cheat_at else self.secret.chance_key(self.header.nonces)
        chance = Derived(key, self.table.drawn)
        before = self.position
        events, self.position = self.ruleset.play(before, actor, move, chance)
        self.drawn[version] = tuple(point for point, _ in chance.drawn)
        commit = replace(self.claim(actor, move, events, cause), draws=len(chance.drawn))
        self.table = after_move(self.ruleset, self.terms, self.table, commit, self.at_ms, before, self.position)
        return self._append(commit)

    @property
    def at_ms(self) -> int:
        """The time in milliseconds."""
        return milliseconds(timestamp(self.at))

    def claim(
        self, actor: Actor | int | str, move: Move, events: tuple[Event, ...], cause: dict[str, Any] | None = None
    ) -> AnyCommit:
        """Return the next commit, with these contents."""
        version = len(self.entries) + 1
        prev = self.entries[-1].hash if self.entries else self.header.hash
        salt = self.secret.blind(version)
        return a_commit(version, actor, move, events, cause, at=timestamp(self.at), prev=prev, salt=salt)

    def commit(
        self, actor: Actor | int | str, move: Move, events: tuple[Event, ...], cause: dict[str, Any] | None = None
    ) -> "Play":
        """Append a move at the table with these events, whether or not they follow from it."""
        commit = self.claim(actor, move, events, cause)
        self.table, self.position = after_table_move(
            self.ruleset, self.terms, self.table, commit, self.at_ms, self.position
        )
        return self._append(commit)

    def _append(self, commit: AnyCommit) -> "Play":
        if self.terms.clock is not None:
            commit = replace(commit, deadlines=deadlines(self.terms, self.table))
        self.entries.append(seal(commit))
        return self

    def wait(self, seconds: float) -> "Play":
        """Let time pass."""
        self.at += timedelta(seconds=seconds)
        return self

    def to_the_end(self, luck: random.Random) -> "Play":
        """Play random moves until the game is over."""
        while not is_over(self.ruleset, self.position):
            self.step(luck)
        return self

    def step(self, luck: random.Random) -> None:
        """Make one random move, or the trigger that is due, at the earliest time allowed."""
        actor, move = choose(self.ruleset, self.position, luck)
        if actor == REFEREE:
            due = self.ruleset.due(self.position)
            self.wait(due.after_ms / 1000).move(actor, move)
        else:
            decisions = self.ruleset.awaited(self.position)
            thinking = 0 if is_race_on(self.ruleset, self.position) else 0.25  # those who race move together
            self.wait(thinking + max(decision.not_before_s for decision in decisions))
            self.move(actor, move, self.cause(actor))

    def cause(self, seat: int) -> dict[str, Any] | None:
        """Return the cause that a bot's move for the seat must have; None if a player moves. No bot chose the move."""
        bot = self.table.bot(self.terms, seat)
        if bot is None:
            return None
        luck = luck_of(Seat(seat), self.table.decided[seat])
        return {"bot": bot, "version": BOTS[bot].version, "luck": luck, "iterations": 0}


def timestamp(at: datetime) -> str:
    """A time in the format of commits."""
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z"


def played(ruleset: Ruleset, seed: int = 1, **options: Any) -> Record:
    """Return the record of a whole random game."""
    return Play(ruleset, **options).to_the_end(random.Random(seed)).record
