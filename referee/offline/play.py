"""Plays one game between bots, commit by commit, exactly as the service does, but in simulated time.

Bots take no time, and where a game waits, the clock is set forward.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import msgspec

from referee.audit.record import Record
from referee.bots import BOTS
from referee.bots.budget import Iterations
from referee.bots.choices import ANSWERS_MS, Choice, bots_choice, race_of_bots, racing, ready_at
from referee.kernel.message import Move, tag
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Actor
from referee.offline.game import OfflineGame, offline_game
from referee.table.commits import Prepared, due_at, prepare_due, prepare_move
from referee.table.match import State, first_state
from referee.table.state import RECEIVED
from referee.table.times import timestamp

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


def commits_of(game: OfflineGame, iterations: int = ITERATIONS) -> Iterator[Prepared]:
    """Yield all commits of a game between bots; raises Unending."""
    state = first_state(game)
    for _ in range(PATIENCE * game.rules.commits_max):
        found = next_commits(game, state, iterations)
        if not found:
            return
        yield from found
        state = found[-1].state
    raise Unending(f"The game is not over after {state.version} commits.")


def next_commit(game: OfflineGame, state: State, iterations: int = ITERATIONS) -> Prepared | None:
    """Return the next commit of the referee or a bot, at its earliest time; None if the game waits for neither."""
    return next(iter(next_commits(game, state, iterations)), None)


def next_commits(game: OfflineGame, state: State, iterations: int = ITERATIONS) -> list[Prepared]:
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
        prepared = _commit_at(game, state, now, iterations)
        if prepared is not None:
            return [prepared]
    last = _commit_at(game, state, state.at + ANSWERS_MS, iterations)  # a bot may wait for the answers of players
    return [] if last is None else [last]


def _race_commits(game: OfflineGame, state: State, race: list[tuple[int, Choice]]) -> list[Prepared]:
    """Make the moves of a race when it closes."""
    (decision, *_) = racing(game.rules.awaited(state.position))
    closes, made = race[0][0] + (decision.race_ms or 0), list[Prepared]()
    for at, choice in race:
        cause = {**choice.cause, RECEIVED: timestamp(at)}
        made.append(prepare_move(game, state, choice.seat, choice.move, cause, closes))
        state = made[-1].state
    return made


def _commit_at(game: OfflineGame, state: State, now: int, iterations: int) -> Prepared | None:
    """Return the commit that the referee or a bot makes at this time."""
    prepared = prepare_due(game, state, now)
    choice = None if prepared else bots_choice(game, state, partial(Iterations, iterations), now)
    return prepare_move(game, state, choice.seat, choice.move, choice.cause, now) if choice else prepared


def time_of(game: OfflineGame, state: State, actor: Actor, move: Move) -> int:
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


def _result(game: OfflineGame, seed: str, end: State) -> Result:
    assert end.status == "finished", f"no commit is possible, but the game is {end.status}"
    places = sorted(game.rules.ranking(end.position), key=lambda place: place.seat)
    return Result(
        seed=seed,
        bots=tuple(str(bot) for bot in game.terms.bots),
        ranks=tuple(place.rank for place in places),
        scores=tuple(place.score for place in places),
        commits=end.version,
        duration_ms=end.at - first_state(game).at,
    )


def bots_for(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the bots that can play a ruleset."""
    return tuple(name for name, bot in BOTS.items() if bot.plays(ruleset))
