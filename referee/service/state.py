"""The state of a game: its log, replayed through the reducers of its ruleset."""

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Any

import msgspec

from referee.kernel.judge import read_position
from referee.kernel.record import AnyCommit, Entry, commit_type
from referee.kernel.ruleset import Ruleset
from referee.kernel.table import TABLE_EVENTS, Table, table_after
from referee.service.game import Game


class State(msgspec.Struct, frozen=True):
    """A game after some version."""

    version: int
    hash: str
    """What the next commit follows."""
    at: int
    """When the last commit was made, before the first when the game was created, in milliseconds."""
    position: Any
    table: Table

    @property
    def status(self) -> str:
        """The status of a started game."""
        if self.table.status == "running" and self.position.phase == "finished":
            return "finished"
        return self.table.status


def first_state(game: Game) -> State:
    """The table before the first commit."""
    rules = game.rules
    if game.position is not None:
        position = read_position(rules, game.position)
    else:
        position = rules.blank(msgspec.convert(game.options, rules.options_type), len(game.seats))
    return State(version=0, hash=game.header.hash, at=milliseconds(game.created_at), position=position, table=Table())


@cache
def commit_decoder(rules: Ruleset) -> msgspec.json.Decoder[AnyCommit]:
    """Reads commits of a ruleset."""
    return msgspec.json.Decoder(commit_type(rules))


def read_commit(game: Game, entry: Entry) -> AnyCommit:
    """The commit of an entry."""
    return commit_decoder(game.rules).decode(entry.body)


def after_commit(rules: Ruleset, state: State, commit: AnyCommit, hash: str) -> State:
    """The state after a commit."""
    position, table = state.position, state.table
    for event in commit.events:
        if isinstance(event, TABLE_EVENTS):
            table = table_after(table, event)
        else:
            position = rules.apply(position, event)
    return State(commit.version, hash, milliseconds(commit.at), position, table)


def fold(game: Game, state: State, entries: Iterable[Entry]) -> State:
    """The state after further entries of the log."""
    rules = game.rules
    for entry in entries:
        if entry.version == state.version + 1:
            state = after_commit(rules, state, read_commit(game, entry), entry.hash)
    return state


def timestamp(at_ms: int) -> str:
    """A time in UTC, to the millisecond."""
    seconds, rest = divmod(at_ms, 1000)
    return f"{_to_the_second(seconds)}.{rest:03d}Z"


@lru_cache(maxsize=16)
def _to_the_second(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}"


def milliseconds(timestamp: str) -> int:
    """The time of a timestamp in milliseconds."""
    return round(datetime.fromisoformat(timestamp).timestamp() * 1000)
