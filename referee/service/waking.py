"""Who must act next in a game, and when to wake it."""

import msgspec

from referee.bots.choices import bot_of, ready_at
from referee.kernel.ruleset import Decision, Due
from referee.kernel.seat import Seat
from referee.service.game import Game
from referee.table.commits import duty
from referee.table.duties import deadlines
from referee.table.match import State
from referee.table.times import timestamp
from schemas.play import DueMove, Expectations

PATIENCE_MS = 1000
"""Workers do what is due at once. The sweep looks at the game only when this time has passed."""


class Schedule(msgspec.Struct, frozen=True):
    """Who must act next, and when to wake the game."""

    awaited: tuple[Decision, ...]
    due: Due | None
    ours_now: bool
    """Whether the referee or a bot owes a move at once, or the head does not have the new status yet."""
    wake_at: int | None
    """When the sweep must look at the game, unless something happens before; None: never."""


def seats_played_by(game: Game, state: State, player: str | None) -> tuple[Seat, ...]:
    """The seats that a player moves for: those held, except the ones that a bot took over."""
    return tuple(seat for seat in game.seats_of(player) if bot_of(game, state, seat) is None)


def schedule(game: Game, state: State, looked_at: int | None = None) -> Schedule:
    """Who must act next, and when to wake the game.

    `looked_at`: a worker has done what was due by then and called the bots.
    """
    status, since = state.status, state.at if looked_at is None else looked_at
    is_status_stale = status != game.status
    if status != "running" or not game.is_started:
        return Schedule((), None, is_status_stale, since + PATIENCE_MS if is_status_stale else None)
    awaited, due = game.rules.awaited(state.position), game.rules.due(state.position)
    bots = [decision for decision in awaited if bot_of(game, state, decision.seat) is not None]
    times = _owed_times(game, state, due)
    times += [ready_at(game, state, decision) for decision in bots]
    owed = any(decision.obliged for decision in bots) or duty(game, state) is not None
    ours_now = is_status_stale or (looked_at is None and (owed or any(at <= since for at in times)))
    ahead = [at for at in times if at > since] + ([since + PATIENCE_MS] if ours_now else [])
    return Schedule(awaited, due, ours_now, min(ahead, default=None))


def _owed_times(game: Game, state: State, due: Due | None) -> list[int]:
    """When the referee owes a move: the trigger that is due, and a default move after each deadline."""
    times = [] if due is None else [state.due_since + due.after_ms]
    return times + [at + 1 for seat in game.terms.players if (at := state.table.deadline(game.terms, seat)) is not None]


def owed_since(game: Game, state: State, now: int) -> int:
    """The time since which the referee has owed a move; a duty at the table begins with the last commit."""
    times = [at for at in _owed_times(game, state, game.rules.due(state.position)) if at <= now]
    return max(state.at, min(times, default=state.at))


def expectations(game: Game, state: State, schedule: Schedule) -> Expectations:
    """The awaited seats, their deadlines, and what the referee owes. Everybody may know this."""
    due = schedule.due
    owed = None if due is None else DueMove(timestamp(state.due_since + due.after_ms), due.move)
    return Expectations(schedule.awaited, owed, deadlines(game.terms, state.table))
