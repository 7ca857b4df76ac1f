"""Plays one game between bots, commit by commit, exactly as the service does, but in simulated time.

Bots take no time, and where a game waits, the clock is set forward.
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
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Actor
from referee.rulesets.editions import add_edition
from referee.service.choosing import Choice
from referee.service.commits import Prepared, prepare_due, prepare_move
from referee.service.game import Game, Holder, State, first_state
from referee.service.nudges import bots_commit
from referee.service.races import race_of_bots, racing
from referee.service.waking import due_at, ready_at
from referee.table.record import Secret
from referee.table.state import RECEIVED
from referee.table.terms import TABLE_VERSION, Terms
from referee.table.times import timestamp

BEGINNING = "2000-01-01T00:00:00.000Z"
"""The creation time of every offline game, so that the same seed leads to the same bytes."""

ITERATIONS = 100
"""The iterations of a bot that searches, for each move; they do not depend on the speed of the machine."""

PATIENCE = 10
"""A game with this multiple of the commits of the longest random game is given up as endless."""


class Unending(Exception):
    """The game does not end."""


class Result(msgspec.Struct, frozen=True):
    """The result of a game."""

    seed: str
    bots: tuple[str, ...]
    """The bots by seat."""
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    commits: int
    duration_ms: int
    """In the simulated time of the game."""


class Played(msgspec.Struct, frozen=True):
    """The record and the result of a finished game."""

    record: Record
    result: Result


def offline_game(ruleset: Ruleset, options: Any, bots: Sequence[str], seed: str) -> Game:
    """Return a game of bots; its secret follows from the seed alone, so that other bots can play with the same luck."""
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
    """Return the same game with other seat holders."""
    terms = replace(game.terms, bots=tuple(holder.bot for holder in holders))
    return replace(game, seats=tuple(holders), terms=terms)


def _derived(what: str, seed: str) -> str:
    return sha256(f"{what}:{seed}".encode()).hexdigest()


def commits_of(game: Game, iterations: int = ITERATIONS) -> Iterator[Prepared]:
    """Yield all commits of a game between bots; raises Unending."""
    state = first_state(game)
    for _ in range(PATIENCE * game.rules.commits_max):
        found = next_commits(game, state, iterations)
        if not found:
            return
        yield from found
        state = found[-1].state
    raise Unending(f"The game is not over after {state.version} commits.")


def next_commit(game: Game, state: State, iterations: int = ITERATIONS) -> Prepared | None:
    """Return the next commit of the referee or a bot, at its earliest time; None if the game waits for neither."""
    return next(iter(next_commits(game, state, iterations)), None)


def next_commits(game: Game, state: State, iterations: int = ITERATIONS) -> list[Prepared]:
    """Return the next commit of the referee or a bot, or all moves of a race, which are made together."""
    budgets = partial(Iterations, iterations)
    times = {state.at}
    if state.status == "running":
        times |= {ready_at(game, state, each) for each in game.rules.awaited(state.position)}
        times |= {at for at in (due_at(game, state),) if at is not None}
    race = race_of_bots(game, state, budgets)
    for now in sorted(at for at in times if at >= state.at):
        if race and race[0][0] <= now:
            return _race_commits(game, state, race)
        prepared = prepare_due(game, state, now) or bots_commit(game, state, budgets, now, now)
        if prepared is not None:
            return [prepared]
    return []


def _race_commits(game: Game, state: State, race: list[tuple[int, Choice]]) -> list[Prepared]:
    """Make the moves of a race when it closes."""
    (decision, *_) = racing(list(game.rules.awaited(state.position)))
    closes, made = race[0][0] + (decision.race_ms or 0), list[Prepared]()
    for at, choice in race:
        cause = {**choice.cause, RECEIVED: timestamp(at)}
        made.append(prepare_move(game, state, choice.seat, choice.move, cause, closes))
        state = made[-1].state
    return made


def time_of(game: Game, state: State, actor: Actor, move: Move) -> int:
    """Return the earliest time at which an actor may make a move."""
    if actor == REFEREE:
        due = game.rules.due(state.position)
        return state.at if due is None else max(state.at, state.due_since + due.after_ms)
    decisions = [each for each in game.rules.awaited(state.position) if each.seat == actor and tag(move) in each.moves]
    return state.at + min((each.not_before_s for each in decisions), default=0) * 1000


def play_game(ruleset: Ruleset, options: Any, bots: Sequence[str], seed: str, iterations: int = ITERATIONS) -> Played:
    """Play a whole game and return its record and result; the same seed leads to the same bytes."""
    game = offline_game(ruleset, options, bots, seed)
    commits = tuple(commits_of(game, iterations))
    return Played(
        Record(game.header, tuple(each.entry for each in commits), game.secret), _result(game, seed, commits[-1].state)
    )


def play_result(ruleset: Ruleset, options: Any, bots: Sequence[str], seed: str, iterations: int = ITERATIONS) -> Result:
    """Return the result of the game that `play_game` plays, without its record."""
    game = offline_game(ruleset, options, bots, seed)
    end = first_state(game)
    for prepared in commits_of(game, iterations):
        end = prepared.state
    return _result(game, seed, end)


def _result(game: Game, seed: str, end: State) -> Result:
    assert end.status == "finished", f"no commit is possible, but the game is {end.status}"
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
    """Return the bots that can play a ruleset."""
    return tuple(name for name, bot in BOTS.items() if bot.plays(ruleset))
