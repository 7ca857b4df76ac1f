"""Plays whole games into records, without a server."""

import random
from datetime import datetime, timedelta
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from referee.audit.record import Record
from referee.bots import BOTS
from referee.bots.bot import luck_of
from referee.kernel.chance import Derived
from referee.kernel.course import Fact, at_the_table, by_the_rules, start_course
from referee.kernel.message import Event, Move
from referee.kernel.moment import milliseconds
from referee.kernel.record import Commit, Entry, Header, Secret, seal
from referee.kernel.ruleset import Ruleset
from referee.kernel.rulings import deadlines
from referee.kernel.seat import REFEREE, Actor, Seat
from referee.kernel.terms import TABLE_VERSION, Terms
from tests.conformance.play import choose, is_over

SECRET = Secret(salt="5a" * 32, seed="c3" * 32)
NONCES = ("ada's luck", "", "zoë", "42", "", "")


class Play:
    """A game that is played into a record, move by move, as the service would."""

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
            nonces=NONCES[:seats],
            options=msgspec.to_builtins(chosen),
            position=position,
            ruleset=ruleset.slug,
            version=ruleset.version,
            terms=self.terms,
        )
        self.course = start_course(self.terms)
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
        """A move by the rules; its luck comes from the secret, or once from elsewhere, if somebody cheats."""
        version = len(self.entries) + 1
        key = b"loaded dice" if version == self.cheat_at else self.secret.chance_key(self.header.nonces)
        chance = Derived(key, self.course.drawn)
        before = self.position
        events, self.position = self.ruleset.play(before, actor, move, chance)
        self.drawn[version] = tuple(point for point, _ in chance.drawn)
        fact = replace(self.fact(actor, move, events, cause), draws=len(chance.drawn))
        self.course = by_the_rules(self.ruleset, self.terms, self.course, fact, before, self.position)
        return self._append(fact)

    def fact(
        self, actor: Actor | int | str, move: Move, events: tuple[Event, ...], cause: dict[str, Any] | None = None
    ) -> Fact:
        """What the next commit says."""
        return Fact(len(self.entries) + 1, milliseconds(timestamp(self.at)), actor, move, cause, events)

    def commit(
        self, actor: Actor | int | str, move: Move, events: tuple[Event, ...], cause: dict[str, Any] | None = None
    ) -> "Play":
        """Whatever is claimed to follow at the table, sealed."""
        fact = self.fact(actor, move, events, cause)
        self.course, self.position = at_the_table(self.ruleset, self.terms, self.course, fact, self.position)
        return self._append(fact)

    def _append(self, fact: Fact) -> "Play":
        commit = Commit(
            actor=fact.actor,
            at=timestamp(self.at),
            cause=fact.cause,
            draws=fact.draws,
            events=fact.events,
            move=fact.move,
            prev=self.entries[-1].hash if self.entries else self.header.hash,
            salt=self.secret.blind(fact.version),
            version=fact.version,
            deadlines=UNSET if self.terms.clock is None else deadlines(self.terms, self.course),
        )
        self.entries.append(seal(commit))
        return self

    def wait(self, seconds: float) -> "Play":
        """Some time passes."""
        self.at += timedelta(seconds=seconds)
        return self

    def to_the_end(self, luck: random.Random) -> "Play":
        """Random moves, and whatever is due, until nobody is awaited and nothing is due."""
        while not is_over(self.ruleset, self.position):
            self.step(luck)
        return self

    def step(self, luck: random.Random) -> None:
        """One random move, or what is due, as late as it has to be."""
        actor, move = choose(self.ruleset, self.position, luck)
        if actor == REFEREE:
            due = self.ruleset.due(self.position)
            self.wait(due.after_s).move(actor, move)
        else:
            decisions = self.ruleset.awaited(self.position)
            self.wait(0.25 + max(decision.not_before_s for decision in decisions))
            self.move(actor, move, self.cause(actor))

    def cause(self, seat: int) -> dict[str, Any] | None:
        """The bot that plays for a seat, if one does; it did not think of the move, whatever is claimed."""
        bot = self.course.bot(self.terms, seat)
        if bot is None:
            return None
        luck = luck_of(Seat(seat), self.course.decided[seat])
        return {"bot": bot, "version": BOTS[bot].version, "luck": luck, "iterations": 0}


def timestamp(at: datetime) -> str:
    """A time as commits have it."""
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z"


def played(ruleset: Ruleset, seed: int = 1, **wishes: Any) -> Record:
    """The record of a whole random game."""
    return Play(ruleset, **wishes).to_the_end(random.Random(seed)).record
