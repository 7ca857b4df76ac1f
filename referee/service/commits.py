"""Making a commit: what follows from a move, sealed, and when somebody must look at the game again."""

from typing import Any

import msgspec
from msgspec import UNSET

from referee.kernel import course
from referee.kernel.chance import Derived
from referee.kernel.course import Course, Fact
from referee.kernel.message import Move
from referee.kernel.moment import timestamp
from referee.kernel.record import AnyCommit, Commit, Entry, seal
from referee.kernel.ruleset import Attempt, Decision, Due
from referee.kernel.rulings import TableRuling, deadlines, table_ruling
from referee.kernel.seat import Actor, Seat
from referee.kernel.table_rules import TableCase, decide_at_table
from referee.log.log import Appended, Behind, Once, Written
from referee.service.desk import Desk, now_ms
from referee.service.game import Game
from referee.service.problems import Problem
from referee.service.state import State, fold

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
    chance = Derived(game.chance_key, state.course.drawn)
    events, position = rules.play(state.position, actor, move, chance)
    asked = move.move if isinstance(move, Attempt) else move
    assert asked is not None
    fact = Fact(state.version + 1, _moment(state, now), actor, asked, cause, events, len(chance.drawn))
    after = course.by_the_rules(rules, game.terms, state.course, fact, state.position, position)
    return _made(game, state, fact, position, after)


def at_the_table(game: Game, state: State, actor: int | str, move: Move, now: int | None = None) -> Made:
    """The commit of a move that changes the table, made now or when it is said to be; raises TableRefusal."""
    at = _moment(state, now)
    events = decide_at_table(TableCase(game.rules, game.terms, state.course, state.position, actor, at), move)
    fact = Fact(state.version + 1, at, actor, move, None, events)
    after, position = course.at_the_table(game.rules, game.terms, state.course, fact, state.position)
    return _made(game, state, fact, position, after)


def _moment(state: State, now: int | None) -> int:
    """Time never goes back within a game."""
    return max(now_ms() if now is None else now, state.at)


def _made(game: Game, state: State, fact: Fact, position: Any, after: Course) -> Made:
    commit = Commit(
        actor=fact.actor,
        at=timestamp(fact.at),
        cause=fact.cause,
        draws=fact.draws,
        deadlines=UNSET if game.terms.clock is None else deadlines(game.terms, after),
        events=fact.events,
        move=fact.move,
        prev=state.hash,
        salt=game.secret.blind(fact.version),
        version=fact.version,
    )
    entry = seal(commit)
    made = State(fact.version, entry.hash, fact.at, position, after)
    return Made(entry, commit, made, awaits(game, made))


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
    return state.course.bot(game.terms, seat)


def seats_played_by(game: Game, state: State, player: str | None) -> tuple[Seat, ...]:
    """The seats that a player moves for: those held, but for those that a bot took over."""
    return tuple(seat for seat in game.seats_of(player) if bot_of(game, state, seat) is None)


def awaits(game: Game, state: State, looked_at: int | None = None) -> Awaits:
    """Whom a game waits for. Whoever looked at it did what was due by then, and called the bots."""
    status, since = state.status, state.at if looked_at is None else looked_at
    unnoted = status != game.status
    if status != "running" or not game.is_started:
        return Awaits((), None, unnoted, since + PATIENCE_MS if unnoted else None)
    awaited, due = game.rules.awaited(state.position), game.rules.due(state.position)
    bots = [decision for decision in awaited if bot_of(game, state, decision.seat) is not None]
    times = [] if due is None else [state.moved_at + due.after_s * 1000]
    times += [at + 1 for seat in game.terms.players if (at := state.course.deadline(game.terms, seat)) is not None]
    times += [state.moved_at + decision.not_before_s * 1000 for decision in bots]
    owed = any(decision.obliged for decision in bots) or ruling(game, state) is not None
    ours_now = unnoted or (looked_at is None and (owed or any(at <= since for at in times)))
    ahead = [at for at in times if at > since] + ([since + PATIENCE_MS] if ours_now else [])
    return Awaits(awaited, due, ours_now, min(ahead, default=None))


def expectations(game: Game, state: State, awaits: Awaits) -> dict[str, Any]:
    """Who is awaited until when, and what the referee owes: known to everybody."""
    due = awaits.due
    return {
        "awaited": awaits.awaited,
        "due": None if due is None else {"move": due.move, "at": timestamp(state.moved_at + due.after_s * 1000)},
        "deadlines": deadlines(game.terms, state.course),
    }


def ruling(game: Game, state: State) -> TableRuling | None:
    """What the referee owes at the table."""
    return table_ruling(game.rules, game.terms, state.course, state.position)
