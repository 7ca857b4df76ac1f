"""Races: the service collects the moves for which seats compete, and makes them together when the time is up.

Until then nothing is written to the log, so nobody can learn from it that a seat has moved. The moves wait in the
store, where they outlive the process that received them; the first process that looks when the time is up makes them.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from referee.bots.budget import Budget
from referee.bots.choices import bot_of, choose, racing
from referee.kernel.attempt import Attempt
from referee.kernel.canon import steady
from referee.kernel.message import tag
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Decision
from referee.kernel.seat import Seat
from referee.service.commits import append
from referee.service.game import Game
from referee.service.repository import Repository, now_ms
from referee.service.waking import expectations, schedule
from referee.store.log import Behind, IdempotencyKey, Race
from referee.table.commits import due_at, prepare_due, prepare_move
from referee.table.linking import require_link
from referee.table.match import State
from referee.table.refusal import TableRefusal
from referee.table.state import RECEIVED
from referee.table.times import timestamp


class Entrant(msgspec.Struct, frozen=True):
    """A move of a race."""

    seat: int
    move: msgspec.Raw
    received: int
    """When the service received it, in milliseconds."""
    key: str
    """The idempotency key under which it is made, so that several processes make it once."""
    fingerprint: str
    cause: dict[str, Any] = {}
    """What made the move, if a bot did."""
    link: str | None = None
    """The link that a player's move carries, where luck is fresh."""


_entrants = msgspec.json.Decoder(Entrant)


def race_of(game: Game, state: State, seat: Seat, attempt: Attempt) -> Decision | None:
    """The decision of a seat for which this move races; None: the move is made at once."""
    if attempt.move is None:
        return None
    for decision in game.rules.awaited(state.position):
        if decision.seat == seat and decision.race_ms and tag(attempt.move) in decision.moves:
            return decision
    return None


def enter(repository: Repository, game: Game, state: State, entrant: Entrant, race_ms: int) -> tuple[bool, int]:
    """Enter a move; returns whether it competes, and when the race closes.

    A move that arrives when the referee's next trigger is due comes too late: if the trigger waited for the
    race, the others would learn that a seat has moved.
    """
    now, due = entrant.received, due_at(game, state)
    if due is not None and due <= now:
        race = repository.log.race(game.id)
        return False, now if race is None else race.closes
    closes = now + race_ms
    until = closes if due is None else min(closes, due)
    return repository.log.enter_race(game.id, entrant.seat, msgspec.json.encode(entrant), now, closes, until)


def pending(repository: Repository, game: Game, state: State) -> Race | None:
    """The race of a game, if its position has one."""
    if state.status != "running" or not any(each.race_ms for each in game.rules.awaited(state.position)):
        return None
    return repository.log.race(game.id)


def entrants_of(race: Race) -> list[Entrant]:
    """The moves of a race in the order in which they are made."""
    return sorted(map(_entrants.decode, race.moves), key=lambda each: (each.received, each.seat))


def close(repository: Repository, game: Game, now: int) -> State:
    """Make the moves of a race whose time is up, and what the referee then owes; returns the newest state.

    An early or repeated call does no harm.
    """
    race = repository.log.race(game.id)
    if race is None or race.closes > now:
        return repository.newest(game)
    for entrant in entrants_of(race):
        _make(repository, game, entrant, now)
    owed = prepare_due(game, repository.newest(game), now)
    if owed is not None:
        append(repository, game, owed)
    repository.log.end_race(game.id, race.closes)
    repository.nudge(game.id)
    return repository.newest(game)


def _make(repository: Repository, game: Game, entrant: Entrant, now: int) -> None:
    """Make one move; the rules may refuse it, if the position has changed since it was entered."""
    seat, attempt = Seat(entrant.seat), game.rules.read_move(bytes(entrant.move))
    cause = {**entrant.cause, RECEIVED: timestamp(entrant.received)}
    state = repository.newest(game)
    while True:
        has_bot = bot_of(game, state, seat) is not None
        if state.status != "running" or has_bot != bool(entrant.cause):
            return
        try:
            if not has_bot:
                require_link(state.table, seat, entrant.link)
            prepared = prepare_move(game, state, seat, attempt, cause, now, entrant.link)
        except (Rejection, TableRefusal):
            return
        after = schedule(game, prepared.state)
        key = IdempotencyKey(entrant.key, entrant.fingerprint, steady(expectations(game, prepared.state, after)))
        if not isinstance(append(repository, game, prepared, key, after), Behind):
            return
        state = repository.newest(game)


def enter_bots(
    repository: Repository, game: Game, state: State, decisions: list[Decision], budgets: Callable[[], Budget]
) -> bool:
    """Enter the moves of bots whose reaction times have passed; returns whether one is new."""
    race = repository.log.race(game.id)
    entered = set() if race is None else {each.seat for each in entrants_of(race)}
    is_new = False
    for decision in racing(decisions):
        seat, known = decision.seat, (state.hash, decision.seat)
        if seat in entered:
            continue
        chosen = repository.choices.get(known) or (choose(game, state, decision, budgets()),)
        repository.choices.put(known, chosen)
        (choice,) = chosen
        if choice is not None:
            move = msgspec.Raw(msgspec.json.encode(choice.move))
            entrant = Entrant(seat, move, now_ms(), f"race:{seat}:{state.version}", "bot", choice.cause)
            is_new = enter(repository, game, state, entrant, decision.race_ms or 0)[0] or is_new
    return is_new
