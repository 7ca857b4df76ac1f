"""Plays one game between bots, commit by commit, exactly as the service does. Only its time is made up.

A bot takes no time to think, and where a game waits for the clock, the clock is set forward.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.audit.record import Record
from referee.bots import BOTS
from referee.bots.budget import Iterations
from referee.kernel.canon import canonical, digest
from referee.kernel.message import Move, tag
from referee.kernel.record import Secret
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Actor
from referee.kernel.terms import TABLE_VERSION, Terms
from referee.rulesets.editions import add_edition
from referee.service.commits import Made
from referee.service.game import Game, Holder
from referee.service.nudges import bots_commit, referees_commit
from referee.service.state import State, first_state

BEGINNING = "2000-01-01T00:00:00.000Z"
"""When every offline game is created: the same seed gives the same bytes."""

ITERATIONS = 100
"""So much a bot thinks about a move that thinks at all: the same on a slow machine."""

PATIENCE = 10
"""A game that takes so many times the commits of the longest random game will not end."""


class Unending(Exception):
    """A game that goes round and round."""


class Result(msgspec.Struct, frozen=True):
    """What became of a game."""

    seed: str
    bots: tuple[str, ...]
    """By seat."""
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    commits: int
    duration_ms: int
    """In the time of the game."""


class Played(msgspec.Struct, frozen=True):
    """A game that is over: its record, and what became of it."""

    record: Record
    result: Result


def offline_game(ruleset: Ruleset, options: Any, bots: Sequence[str], seed: str) -> Game:
    """A game of bots whose secret follows from the seed alone, so that other bots can play with the same luck."""
    add_edition(ruleset)
    written = msgspec.to_builtins(options)
    return Game(
        id=f"g_{digest(canonical([ruleset.slug, ruleset.edition_hash, written, bots, seed]))[:22]}",
        ruleset=ruleset.slug,
        version=ruleset.version,
        edition=ruleset.edition_hash,
        options=written,
        seats=tuple(Holder(bot=bot) for bot in bots),
        created_at=BEGINNING,
        created_by="",
        secret=Secret(salt=_derived("salt", seed), seed=_derived("seed", seed)),
        terms=Terms(bots=tuple(bots), table=TABLE_VERSION),
        status="running",
    )


def of_players(game: Game, holders: Sequence[Holder]) -> Game:
    """The same game, held by others than bots."""
    terms = replace(game.terms, bots=tuple(holder.bot for holder in holders))
    return replace(game, seats=tuple(holders), terms=terms)


def _derived(what: str, seed: str) -> str:
    return sha256(f"{what}:{seed}".encode()).hexdigest()


def commits_of(game: Game, iterations: int = ITERATIONS) -> Iterator[Made]:
    """The commits of a game between bots from the first to the last; raises Unending."""
    state = first_state(game)
    for _ in range(PATIENCE * game.rules.moves_max):
        made = next_commit(game, state, iterations)
        if made is None:
            return
        yield made
        state = made.state
    raise Unending(f"The game is not over after {state.version} commits.")


def next_commit(game: Game, state: State, iterations: int = ITERATIONS) -> Made | None:
    """What the referee or a bot does next, as soon as its time has come; None if the game waits for nobody."""
    now, budgets = state.at, partial(Iterations, iterations)
    made = referees_commit(game, state, now) or bots_commit(game, state, budgets, now, now)
    if made is not None or state.status != "running":
        return made
    waits = [each.not_before_s for each in game.rules.awaited(state.position) if each.not_before_s]
    due = game.rules.due(state.position)
    for wait_s in sorted({*waits, *([] if due is None else [due.after_s])}):
        now = state.at + wait_s * 1000
        made = referees_commit(game, state, now) or bots_commit(game, state, budgets, now, now)
        if made is not None:
            return made
    return None


def time_of(game: Game, state: State, actor: Actor, move: Move) -> int:
    """The earliest time at which an actor may make a move."""
    if actor == REFEREE:
        due = game.rules.due(state.position)
        return state.at if due is None else state.at + due.after_s * 1000
    asked = [each for each in game.rules.awaited(state.position) if each.seat == actor and tag(move) in each.moves]
    return state.at + min((each.not_before_s for each in asked), default=0) * 1000


def play_game(ruleset: Ruleset, options: Any, bots: Sequence[str], seed: str, iterations: int = ITERATIONS) -> Played:
    """A whole game with its record: the same seed gives the same bytes."""
    game = offline_game(ruleset, options, bots, seed)
    made = tuple(commits_of(game, iterations))
    return Played(
        Record(game.header, tuple(each.entry for each in made), game.secret), _result(game, seed, made[-1].state)
    )


def play_result(ruleset: Ruleset, options: Any, bots: Sequence[str], seed: str, iterations: int = ITERATIONS) -> Result:
    """What becomes of the game that `play_game` plays; nothing else of it is kept."""
    game = offline_game(ruleset, options, bots, seed)
    end = first_state(game)
    for made in commits_of(game, iterations):
        end = made.state
    return _result(game, seed, end)


def _result(game: Game, seed: str, end: State) -> Result:
    assert end.status == "finished", f"the game waits for nobody, but is {end.status}"
    places = sorted(game.rules.ranking(end.position), key=lambda place: place.seat)
    return Result(
        seed=seed,
        bots=tuple(str(holder.bot) for holder in game.seats),
        ranks=tuple(place.rank for place in places),
        scores=tuple(place.score for place in places),
        commits=end.version,
        duration_ms=end.at - first_state(game).at,
    )


def bots_for(ruleset: Ruleset) -> tuple[str, ...]:
    """The bots that know how to play a ruleset."""
    return tuple(name for name, bot in BOTS.items() if bot.plays(ruleset))
