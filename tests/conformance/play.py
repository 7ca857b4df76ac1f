"""Random play, commit by commit as in the service, with luck derived from a key and the number of drawings."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from referee.kernel.attempt import Attempt
from referee.kernel.candidates import one_by_one
from referee.kernel.chance import Chance, Derived
from referee.kernel.judge import refusal
from referee.kernel.message import Event, Move, tag
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Actor, Seat
from tests.conformance.samples import from_schema
from tests.subjects import Subject


class Commit(NamedTuple):
    """One accepted move, with the positions before and after it."""

    version: int
    actor: Actor
    move: Move
    events: tuple[Event, ...]
    before: Any
    after: Any
    drawn: int
    """The number of drawings before it."""

    def written(self) -> dict[str, Any]:
        """The bytes in which two plays of the same game must agree."""
        return {"version": self.version, "actor": self.actor, "move": self.move, "events": self.events}


@dataclass(frozen=True, repr=False)
class Game:
    """A game from its set-up to its end, or as far as it was played."""

    ruleset: Ruleset
    options: Any
    seats: int
    seed: str
    commits: tuple[Commit, ...]

    @cached_property
    def key(self) -> bytes:
        """The key that the luck of this game is derived from."""
        return sha256(self.seed.encode()).digest()

    @property
    def end(self) -> Any:
        """The last position."""
        return self.commits[-1].after

    @property
    def events(self) -> tuple[Event, ...]:
        """Every event in order."""
        return tuple(event for commit in self.commits for event in commit.events)

    def __str__(self) -> str:
        return f"seed {self.seed!r}, {self.seats} seats, {msgspec.json.encode(self.options).decode()}"

    __repr__ = __str__


def play(
    ruleset: Ruleset,
    options: Any,
    seats: int,
    seed: str,
    commits_max: int | None = None,
    choosing: Callable[[Any], tuple[Actor, Move]] | None = None,
) -> Game:
    """Play until the end, or for `commits_max` commits; moves are random unless `choose` chooses them."""
    rng = random.Random(seed)
    key = sha256(seed.encode()).digest()
    position = ruleset.blank(options, seats)
    commits: list[Commit] = []
    drawn = 0
    while not is_over(ruleset, position) and len(commits) < (commits_max or ruleset.commits_max):
        actor, move = choosing(position) if choosing else choose(ruleset, position, rng)
        chance = Derived(key, drawn)
        events, after = careful_play(ruleset, position, actor, move, chance)
        commits.append(Commit(len(commits) + 1, actor, move, events, position, after, drawn))
        position, drawn = after, drawn + len(chance.drawn)
    return Game(ruleset, options, seats, seed, tuple(commits))


def is_over(ruleset: Ruleset, position: Any) -> bool:
    """Whether nobody is awaited and nothing is due."""
    return not ruleset.awaited(position) and ruleset.due(position) is None


def choose(ruleset: Ruleset, position: Any, rng: random.Random) -> tuple[Actor, Move]:
    """A random actor that may act, with one of its moves. A trigger that is due at once comes first."""
    due, decisions = ruleset.due(position), ruleset.awaited(position)
    if due is not None:
        patience = 0.75 if any(decision.obliged for decision in decisions) else 0.5
        if due.after_ms == 0 or not decisions or rng.random() > patience:
            return REFEREE, due.move
    seat = rng.choice(sorted({decision.seat for decision in decisions}))
    return seat, any_legal_move(ruleset, position, seat, rng)


def any_legal_move(ruleset: Ruleset, position: Any, seat: Seat, rng: random.Random) -> Move:
    """A random legal move, picked by weight; now and then one of a family."""
    if rng.random() < 0.2:
        for move in filled_families(ruleset, position, seat, rng):
            if refusal(ruleset, position, seat, move) is None:
                return move
    moves = list(one_by_one(ruleset.candidates(position, seat)))
    while moves:
        at = rng.randrange(len(moves))
        moves[at], moves[-1] = moves[-1], moves[at]
        move = moves.pop()
        if refusal(ruleset, position, seat, move) is None:
            return move
    for _ in range(100):
        for move in filled_families(ruleset, position, seat, rng):
            if refusal(ruleset, position, seat, move) is None:
                return move
    raise AssertionError(f"seat {seat} is awaited and has no legal move in {written(position)}")


def filled_families(ruleset: Ruleset, position: Any, seat: Seat, rng: random.Random) -> Iterator[Move]:
    """One move of each family, with values that its schema allows."""
    for family in ruleset.families(position, seat):
        attempt = ruleset.read_move({**from_schema(family.schema, rng), "type": family.type})
        assert attempt.move is not None, f"family {family.type} allows an unreadable move: {attempt.fault}"
        yield attempt.move


def careful_play(
    ruleset: Ruleset, position: Any, actor: Actor, move: Move | Attempt, chance: Chance
) -> tuple[tuple[Event, ...], Any]:
    """Play as `Ruleset.play` does, and fail if a rule refuses after its first event or drawing."""
    events: list[Event] = []
    try:
        says = ruleset.start(position, actor, move, chance)
        event = next(says, None)
        while event is not None:
            events.append(event)
            position = ruleset.apply(position, event)
            try:
                event = says.send(position)
            except StopIteration:
                break
    except Rejection as rejection:
        assert not events, f"{rejection.clause} refuses {move} after {tag(events[0])}"
        assert not chance.drawn, f"{rejection.clause} refuses {move} after drawing {chance.drawn}"
        raise
    return tuple(events), position


def written(position: Any) -> str:
    """A position as JSON, for the message of a failure."""
    return msgspec.json.encode(position).decode()


GAMES_MAX = 6
CAMPAIGN = os.environ.get("CONFORMANCE_SEED", "")
"""Another value gives other games and other samples, for campaigns."""

_played: dict[str, tuple[Game, ...]] = {}


def games_of(subject: Subject) -> tuple[Game, ...]:
    """A few whole games, cached: every number of seats, with as many different options as possible."""
    if str(subject) not in _played:
        ruleset = subject.ruleset
        variants = spread(ruleset.variants, random.Random(f"games of {subject}{CAMPAIGN}"))
        count = max(len(ruleset.seats), min(GAMES_MAX, len(variants)))
        _played[str(subject)] = tuple(
            play(ruleset, options, seats, f"{subject}:{number}{CAMPAIGN}")
            for number in range(count)
            for options, seats in [_fitting(ruleset, variants, number)]
        )
    return _played[str(subject)]


def spread(variants: tuple[Any, ...], rng: random.Random) -> list[Any]:
    """All variants: first the defaults, then each time the one with the most values that did not occur before."""
    rest = rng.sample(variants[1:], len(variants) - 1)
    ordered, seen = [variants[0]], _values(variants[0])
    while rest:
        newest = max(rest, key=lambda options: len(_values(options) - seen))
        if _values(newest) <= seen:
            return [*ordered, *rest]
        rest.remove(newest)
        ordered.append(newest)
        seen |= _values(newest)
    return ordered


def _values(options: Any) -> set[str]:
    """Every single value of the options, with lists taken apart."""
    pairs = msgspec.structs.asdict(options).items()
    return {f"{name} {each}" for name, value in pairs for each in (value if isinstance(value, tuple) else (value,))}


def _fitting(ruleset: Ruleset, variants: list[Any], number: int) -> tuple[Any, int]:
    """The options and the number of seats of a game; the defaults where the options do not fit the seats."""
    seats = ruleset.seats[number % len(ruleset.seats)]
    options = variants[number % len(variants)]
    return (options if accepts(ruleset, options, seats) else ruleset.variants[0]), seats


def accepts(ruleset: Ruleset, options: Any, seats: int) -> bool:
    """Whether a game can have these options with this number of seats."""
    try:
        ruleset.blank(options, seats)
    except Rejection:
        return False
    return True


class Moment(NamedTuple):
    """A point of a game at which tests examine the position: just before a commit."""

    game: Game
    commit: Commit

    @property
    def position(self) -> Any:
        """The position before the commit."""
        return self.commit.before

    def __str__(self) -> str:
        return f"{self.game}, before version {self.commit.version}: {written(self.position)}"

    __repr__ = __str__


def moments_of(subject: Subject, rng: random.Random, count: int) -> list[Moment]:
    """Moments of every kind in turn, up to the given number; a kind is the phase, the awaited moves and what is due."""
    kinds: dict[Any, list[Moment]] = {}
    for game in games_of(subject):
        for commit in game.commits:
            if commit.before.phase != "setup":
                kinds.setdefault(kind_of(game.ruleset, commit.before), []).append(Moment(game, commit))
    for found in kinds.values():
        rng.shuffle(found)
    chosen: list[Moment] = []
    while len(chosen) < count and any(kinds.values()):
        chosen.extend(found.pop() for found in kinds.values() if found)
    return chosen


def kind_of(ruleset: Ruleset, position: Any) -> Any:
    due = ruleset.due(position)
    awaited = tuple(sorted((decision.moves for decision in ruleset.awaited(position)), key=str))
    return position.phase, awaited[:1], len(awaited) > 1, due and tag(due.move)
