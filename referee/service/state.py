"""The state of a game: its log, replayed through the reducers of its ruleset."""

from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.kernel.course import Course, Fact, at_the_table, by_the_rules, is_at_the_table, start_course
from referee.kernel.judge import read_position, replay
from referee.kernel.moment import milliseconds
from referee.kernel.record import AnyCommit, Entry, commit_type
from referee.kernel.ruleset import Ruleset
from referee.kernel.table import Status, Table
from referee.service.game import Game


class State(msgspec.Struct, frozen=True):
    """A game after some version."""

    version: int
    hash: str
    """What the next commit follows."""
    at: int
    """When the last commit was made, before the first when the game was created, in milliseconds."""
    position: Any
    course: Course

    @property
    def moved_at(self) -> int:
        """Since when the position counts."""
        assert self.course.moved_at is not None, "a game of the service knows when it was created"
        return self.course.moved_at

    @property
    def table(self) -> Table:
        """Who plays for whom, and whether the game is paused."""
        return self.course.table

    @property
    def status(self) -> Status:
        """The status of a started game."""
        return self.course.status(self.position)


def first_state(game: Game) -> State:
    """The table before the first commit."""
    rules = game.rules
    if game.position is not None:
        position = read_position(rules, game.position)
    else:
        position = rules.blank(msgspec.convert(game.options, rules.options_type), len(game.seats))
    return State(
        version=0,
        hash=game.header.hash,
        at=milliseconds(game.created_at),
        position=position,
        course=replace(start_course(game.terms), moved_at=milliseconds(game.created_at)),
    )


@cache
def commit_decoder(rules: Ruleset) -> msgspec.json.Decoder[AnyCommit]:
    """Reads commits of a ruleset."""
    return msgspec.json.Decoder(commit_type(rules))


def read_commit(game: Game, entry: Entry) -> AnyCommit:
    """The commit of an entry."""
    return commit_decoder(game.rules).decode(entry.body)


def after_commit(game: Game, state: State, commit: AnyCommit, hash: str) -> State:
    """The state after a commit."""
    rules, position, course = game.rules, state.position, state.course
    at = milliseconds(commit.at)
    fact = Fact(commit.version, at, commit.actor, commit.move, commit.cause, commit.events, commit.draws)
    if is_at_the_table(commit.events):
        course, position = at_the_table(rules, game.terms, course, fact, position)
    else:
        position = replay(rules, position, commit.events)
        course = by_the_rules(rules, game.terms, course, fact, state.position, position)
    return State(commit.version, hash, at, position, course)


def fold(game: Game, state: State, entries: Iterable[Entry]) -> State:
    """The state after further entries of the log."""
    for entry in entries:
        if entry.version == state.version + 1:
            state = after_commit(game, state, read_commit(game, entry), entry.hash)
    return state
