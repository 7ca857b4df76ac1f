"""Checks with the judge and the service, move by move, that the game of a record could have taken place."""

from collections.abc import Iterator
from typing import Any, Union

import msgspec

from referee.audit.record import Record, read_commit
from referee.kernel.canon import canonical, digest, plain
from referee.kernel.chance import Derived, Probe
from referee.kernel.judge import Accepted, judge, read_position
from referee.kernel.message import tag
from referee.kernel.seat import Actor, Seat
from referee.service.game import Game, Holder
from referee.table.commits import Prepared, prepare_move, prepare_table_move
from referee.table.match import State, first_state
from referee.table.moves import TABLE_MOVES, AnnulGame
from referee.table.record import ADMIN, Entry
from referee.table.times import milliseconds

TABLE_TYPES = {tag(kind) for kind in TABLE_MOVES}
_TABLE_MOVE: Any = Union[TABLE_MOVES]


def game_of(record: Record) -> Game:
    """The game as the service would have stored it."""
    header = record.header
    assert record.secret is not None
    holders = [
        Holder(None if bot else f"p_{seat}", bot, header.nonces[seat], header.seals[seat], mark=header.holders[seat])
        for seat, bot in enumerate(header.terms.bots)
    ]
    return Game(
        id=header.game,
        ruleset=header.ruleset,
        version=header.version,
        edition=header.edition,
        options=header.options,
        seats=tuple(holders),
        created_at=read_commit(record.entries[0].body).at,
        created_by="p_0",
        secret=record.secret,
        terms=header.terms,
        position=header.position,
        status="running",
    )


def prepared_by_the_service(game: Game, state: State, commit: Any) -> Prepared:
    """Return the commit that the service makes for the same move, actor and time."""
    now = milliseconds(commit.at)
    if commit.move.get("type") in TABLE_TYPES:
        return prepare_table_move(game, state, commit.actor, msgspec.convert(commit.move, _TABLE_MOVE), now)
    return prepare_move(game, state, commit.actor, game.rules.read_move(commit.move), commit.cause, now)


def impossibilities(record: Record) -> Iterator[str]:
    """Yield every difference between the record and what the judge and the service would have written."""
    game = game_of(record)
    state = first_state(game)
    if canonical(state.position.options) != canonical(game.options):
        yield f"The service would have stored the options {state.position.options}."
    if game.header.hash != record.header.hash:
        yield "The service would have written another header."
    for entry in record.entries:
        commit = read_commit(entry.body)
        if commit.move.get("type") not in TABLE_TYPES:
            yield from _judged_otherwise(game, state, commit)
        prepared = prepared_by_the_service(game, state, commit)
        if prepared.entry != entry:
            yield f"Commit {entry.version}: the service would have written {prepared.entry.body!r}, not {entry.body!r}."
        state = prepared.state
    if state.status not in ("finished", "annulled"):
        yield "The game is not over."


def _judged_otherwise(game: Game, state: State, commit: Any) -> Iterator[str]:
    """Yield the difference between the record and the judge, which gets every outcome of the record."""
    rules = game.rules
    actor: Actor = commit.actor if isinstance(commit.actor, str) else Seat(commit.actor)
    chance = Derived(game.chance_key, state.table.drawn)
    rules.play(state.position, actor, rules.read_move(commit.move), chance)
    outcomes = [(point, plain(outcome)) for point, outcome in chance.drawn]
    position = read_position(rules, plain(state.position))
    verdict = judge(rules, position, actor, rules.read_move(commit.move), outcomes, Probe())
    if not isinstance(verdict, Accepted):
        yield f"Commit {commit.version}: the judge refuses the move: {verdict}."
    elif canonical(verdict.events) != canonical(commit.events):
        yield f"Commit {commit.version}: the judge has the events {verdict.events}, the record {commit.events}."


def rewritten(record: Record, commits: list[Any]) -> Record:
    """Return a record of these moves by the service, up to the first that it refuses, and annulled after it."""
    game = game_of(record)
    state, entries = first_state(game), list[Entry]()
    for commit in commits:
        try:
            prepared = prepared_by_the_service(game, state, commit)
        except Exception:
            break
        entries.append(prepared.entry)
        state = prepared.state
    if state.status in ("running", "paused"):
        entries.append(prepare_table_move(game, state, ADMIN, AnnulGame(reason=digest(b"It is late.")), state.at).entry)
    return Record(game.header, tuple(entries), game.secret)
