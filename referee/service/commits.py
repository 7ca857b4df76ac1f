"""Making a commit: what follows from a move, sealed, and when somebody must look at the game again."""

from typing import Any

import msgspec

from referee.kernel.chance import Derived
from referee.kernel.message import Event, Move
from referee.kernel.record import AnyCommit, Commit, Entry, seal
from referee.kernel.ruleset import Attempt, Decision, Due
from referee.kernel.seat import Actor, Seat
from referee.kernel.table import table_after
from referee.log.log import Appended, Behind, Once, Written
from referee.service.desk import Desk, now_ms
from referee.service.game import Game
from referee.service.problems import Problem
from referee.service.state import State, fold, timestamp

PATIENCE_MS = 1000
"""What is due at once is a worker's; the sweep looks at the game when so much time has passed."""


class Awaits(msgspec.Struct, frozen=True):
    """Whom a game waits for."""

    awaited: tuple[Decision, ...]
    due: Due | None
    ours_now: bool
    """Whether the referee or a bot owes a move at once, or the end has not been noted yet."""
    wake_at: int | None
    """When somebody must look at the game again, should nobody have done so by then."""


class Made(msgspec.Struct, frozen=True):
    """A commit ready to be appended."""

    entry: Entry
    commit: AnyCommit
    state: State
    awaits: Awaits
    """Who and what is awaited after it."""


def follow_rules(
    game: Game,
    state: State,
    actor: Actor,
    move: Move | Attempt,
    cause: dict[str, Any] | None,
    now: int | None = None,
) -> Made:
    """The commit of a move by the rules of the game, made now or when it is said to be; raises Rejection."""
    rules = game.rules
    if rules.edition_hash != game.edition:
        raise Problem(409, "edition-changed", "The game began with an edition that this referee no longer has.")
    version = state.version + 1
    chance = Derived(game.secret.chance_key(tuple(holder.nonce for holder in game.seats)), version)
    events, position = rules.play(state.position, actor, move, chance)
    asked = move.move if isinstance(move, Attempt) else move
    assert asked is not None
    return _made(game, state, actor, asked, events, position, cause, now)


def at_the_table(
    game: Game, state: State, actor: int | str, move: Move, events: tuple[Event, ...], now: int | None = None
) -> Made:
    """The commit of a move that changes the table, not the position, made now or when it is said to be."""
    return _made(game, state, actor, move, events, state.position, None, now)


def _made(
    game: Game,
    state: State,
    actor: int | str,
    move: Move,
    events: tuple[Event, ...],
    position: Any,
    cause: dict[str, Any] | None,
    now: int | None = None,
) -> Made:
    at = max(now_ms() if now is None else now, state.at)
    version = state.version + 1
    commit = Commit(
        actor=actor,
        at=timestamp(at),
        cause=cause,
        events=events,
        move=move,
        prev=state.hash,
        salt=game.secret.blind(version),
        version=version,
    )
    entry = seal(commit)
    table = state.table
    for event in events:
        table = table_after(table, event)
    after = State(version, entry.hash, at, position, table)
    return Made(entry, commit, after, awaits(game, after))


def append(desk: Desk, game: Game, made: Made, once: Once | None = None) -> Appended:
    """Append a commit. If it is written, its state is remembered; if the log had gone on, the newer state is."""
    appended = desk.log.append(game.id, made.entry, once, made.awaits.wake_at)
    if isinstance(appended, Written):
        desk.remember(game, made.state)
    elif isinstance(appended, Behind):
        known = desk.states.get(game.id)
        if known is None or not appended.entries or known.version + 1 < appended.entries[0].version:
            desk.states.forget(game.id)
            desk.newest(game)
        else:
            desk.remember(game, fold(game, known, appended.entries))
    return appended


def bot_of(game: Game, state: State, seat: int) -> str | None:
    """The bot that plays for a seat, if one does."""
    for taken, bot in state.table.bots:
        if taken == seat:
            return bot
    return game.seats[seat].bot


def seats_played_by(game: Game, state: State, player: str | None) -> tuple[Seat, ...]:
    """The seats that a player moves for: those held, but for those that a bot took over."""
    return tuple(seat for seat in game.seats_of(player) if bot_of(game, state, seat) is None)


def awaits(game: Game, state: State) -> Awaits:
    """Whom a game waits for."""
    status = state.status
    unnoted = status != game.status
    if status != "running" or not game.is_started:
        return Awaits((), None, unnoted, state.at + PATIENCE_MS if unnoted else None)
    awaited, due = game.rules.awaited(state.position), game.rules.due(state.position)
    ours_now = (
        unnoted
        or (due is not None and due.after_s == 0)
        or any(decision.obliged and bot_of(game, state, decision.seat) is not None for decision in awaited)
    )
    if ours_now:
        return Awaits(awaited, due, True, state.at + PATIENCE_MS)
    return Awaits(awaited, due, False, None if due is None else state.at + due.after_s * 1000)
