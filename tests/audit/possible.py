"""Whether a record is of a game that could have taken place: the judge and the service say so, move by move."""

from collections.abc import Iterator
from typing import Any, Union

import msgspec

from referee.audit.record import Record, read_commit
from referee.kernel.canon import canonical, plain
from referee.kernel.chance import Derived, Probe
from referee.kernel.judge import Accepted, judge, read_position
from referee.kernel.message import tag
from referee.kernel.moment import milliseconds
from referee.kernel.record import ADMIN, Entry
from referee.kernel.seat import Actor, Seat
from referee.kernel.table import TABLE_MOVES, AnnulGame
from referee.service.commits import Made, at_the_table, follow_rules
from referee.service.game import Game, Holder
from referee.service.state import State, first_state

TABLE_TYPES = {tag(kind) for kind in TABLE_MOVES}
_TABLE_MOVE: Any = Union[TABLE_MOVES]


def game_of(record: Record) -> Game:
    """The game as the service would have kept it."""
    header = record.header
    assert record.secret is not None
    holders = [
        Holder(bot=bot, nonce=nonce) if bot else Holder(player=f"p_{seat}", nonce=nonce)
        for seat, (bot, nonce) in enumerate(zip(header.terms.bots, header.nonces, strict=True))
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


def made_by_the_service(game: Game, state: State, commit: Any) -> Made:
    """The commit that the service makes of the same move of the same actor at the same time."""
    now = milliseconds(commit.at)
    if commit.move.get("type") in TABLE_TYPES:
        return at_the_table(game, state, commit.actor, msgspec.convert(commit.move, _TABLE_MOVE), now)
    return follow_rules(game, state, commit.actor, game.rules.read_move(commit.move), commit.cause, now)


def impossibilities(record: Record) -> Iterator[str]:
    """Where the judge, or the service, would have said something else than the record."""
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
        made = made_by_the_service(game, state, commit)
        if made.entry != entry:
            yield f"Commit {entry.version}: the service would have written {made.entry.body!r}, not {entry.body!r}."
        state = made.state
    if state.status not in ("finished", "annulled"):
        yield "The game is not over."


def _judged_otherwise(game: Game, state: State, commit: Any) -> Iterator[str]:
    """What the stateless judge says, with every outcome forced, if it is not what the record says."""
    rules = game.rules
    actor: Actor = commit.actor if isinstance(commit.actor, str) else Seat(commit.actor)
    chance = Derived(game.chance_key, state.course.drawn)
    rules.play(state.position, actor, rules.read_move(commit.move), chance)
    outcomes = [(point, plain(outcome)) for point, outcome in chance.drawn]
    position = read_position(rules, plain(state.position))
    verdict = judge(rules, position, actor, rules.read_move(commit.move), outcomes, Probe())
    if not isinstance(verdict, Accepted):
        yield f"Commit {commit.version}: the judge refuses the move: {verdict}."
    elif canonical(verdict.events) != canonical(commit.events):
        yield f"Commit {commit.version}: the judge says {verdict.events}, not {commit.events}."


def retold(record: Record, commits: list[Any]) -> Record:
    """These moves as the service would have written them down, up to the first that it refuses; then annulled."""
    game = game_of(record)
    state, entries = first_state(game), list[Entry]()
    for commit in commits:
        try:
            made = made_by_the_service(game, state, commit)
        except Exception:
            break
        entries.append(made.entry)
        state = made.state
    if state.status in ("running", "paused"):
        entries.append(at_the_table(game, state, ADMIN, AnnulGame(reason="It is late."), state.at).entry)
    return Record(game.header, tuple(entries), game.secret)
