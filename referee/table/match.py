"""A match: a game that has begun, and its state, which is its log replayed."""

from collections.abc import Iterable
from functools import cache
from typing import Any, Protocol

import msgspec

from referee.kernel.changes import replace
from referee.kernel.judge import read_position, replay
from referee.kernel.ruleset import Ruleset
from referee.table.fresh import first_luck
from referee.table.moves import Status
from referee.table.record import AnyCommit, Entry, Header, Secret, commit_type
from referee.table.state import TableState, after_move, after_table_move, is_table_commit, start_table
from referee.table.terms import Terms
from referee.table.times import milliseconds


class Match(Protocol):
    """What commits are made of, wherever the game is stored: in the service, or in memory for offline play."""

    @property
    def id(self) -> str:
        """The id of the game."""

    @property
    def rules(self) -> Ruleset:
        """The ruleset in the game's version."""

    @property
    def edition(self) -> str:
        """The hash of the edition that the game began with."""

    @property
    def terms(self) -> Terms:
        """What was agreed at the table."""

    @property
    def secret(self) -> Secret:
        """What the game's luck is derived from."""

    @property
    def created_at(self) -> str:
        """When the game was created."""

    @property
    def header(self) -> Header:
        """The header that the chain of hashes begins with."""

    @property
    def chance_key(self) -> bytes:
        """The key that all luck of the game is derived from."""


class Forked(Exception):
    """The log has lost a commit that this process remembers, and has continued without it."""


class State(msgspec.Struct, frozen=True):
    """A game after some version: its log, replayed through the reducers of its ruleset."""

    version: int
    hash: str
    """The hash that the next commit follows."""
    at: int
    """When the last commit was made, in milliseconds; before the first, when the game was created."""
    position: Any
    table: TableState

    @property
    def moved_at(self) -> int:
        """When the position last changed."""
        assert self.table.moved_at is not None, "a match knows when it was created"
        return self.table.moved_at

    @property
    def due_since(self) -> int:
        """The time from which the referee's trigger is counted."""
        assert self.table.due_since is not None, "a match knows when it was created"
        return self.table.due_since

    @property
    def status(self) -> Status:
        """The status of a started game."""
        return self.table.status_at(self.position)


def first_state(game: Match) -> State:
    """The state before the first commit."""
    rules, header, created_at = game.rules, game.header, milliseconds(game.created_at)
    if header.position is not None:
        position = read_position(rules, header.position)
    else:
        position = rules.blank(msgspec.convert(header.options, rules.options_type), len(header.nonces))
    table = start_table(game.terms, first_luck(header, game.chance_key))
    table = replace(table, moved_at=created_at, due_since=created_at)
    return State(0, header.hash, created_at, position, table)


@cache
def commit_decoder(rules: Ruleset) -> msgspec.json.Decoder[AnyCommit]:
    """The decoder of a ruleset's commits."""
    return msgspec.json.Decoder(commit_type(rules))


def read_commit(game: Match, entry: Entry) -> AnyCommit:
    """The commit of an entry."""
    return commit_decoder(game.rules).decode(entry.body)


def after_commit(game: Match, state: State, commit: AnyCommit, hash: str) -> State:
    """The state after a commit."""
    rules, terms, at = game.rules, game.terms, milliseconds(commit.at)
    if is_table_commit(commit.events):
        table, position = after_table_move(rules, terms, state.table, commit, at, state.position)
    else:
        position = replay(rules, state.position, commit.events)
        table = after_move(rules, terms, state.table, commit, at, state.position, position)
    return State(commit.version, hash, at, position, table)


def fold(game: Match, state: State, entries: Iterable[Entry]) -> State:
    """The state after further entries of the log; raises Forked if they do not follow this state."""
    for entry in entries:
        if entry.version == state.version + 1:
            commit = read_commit(game, entry)
            if commit.prev != state.hash:
                raise Forked(game.id, entry.version)
            state = after_commit(game, state, commit, entry.hash)
    return state
