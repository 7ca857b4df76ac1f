"""What players and admins do at a table: concede, pause by consent, come back, take back a move, rule on a game."""

from collections.abc import Callable

from referee.kernel.message import Event, Move
from referee.kernel.record import ADMIN
from referee.kernel.seat import Seat
from referee.kernel.table import (
    ALL_AGREED,
    AgreeToPause,
    AgreeToResume,
    GamePaused,
    GameResumed,
    MoveUndone,
    PauseAgreed,
    Resign,
    ResumeAgreed,
    ReturnToSeat,
    SeatResigned,
    SeatTakenBack,
    SeatTakenOver,
    Undo,
    conceded,
)
from referee.kernel.undo import last_of, why_final
from referee.log.log import Behind
from referee.service.commits import append, at_the_table, bot_of
from referee.service.desk import Desk, now_ms
from referee.service.game import Game
from referee.service.moves import TRIES_MAX, Outcome, require_playing
from referee.service.problems import Problem, conceded_already, not_started
from referee.service.state import State

Events = Callable[[State], tuple[Event, ...]]


def resign(desk: Desk, game: Game, seat: Seat) -> Outcome:
    """Concede: a bot plays on for the seat, or the game ends, as the game was created."""

    def events(state: State) -> tuple[Event, ...]:
        _require_status(state, "running", "paused")
        if seat in state.table.resigned:
            raise conceded_already()
        if game.terms.on_resignation == "end":
            return SeatResigned(seat=seat), conceded(game.rules.ranking(state.position), seat)
        if bot_of(game, state, seat) is not None:
            return (SeatResigned(seat=seat),)
        return SeatResigned(seat=seat), SeatTakenOver(seat=seat, bot=game.terms.stand_in)

    return _table_move(desk, game, seat, Resign(), events)


def rule_on(desk: Desk, game: Game, move: Move, event: Event, allowed: tuple[str, ...]) -> Outcome:
    """What an admin may do: pause, resume or annul a game, as a commit with a reason."""

    def events(state: State) -> tuple[Event, ...]:
        _require_status(state, *allowed)
        return (event,)

    return _table_move(desk, game, ADMIN, move, events)


def agree_to_pause(desk: Desk, game: Game, seat: Seat, agreed: bool) -> Outcome:
    """Agree that the game pauses, or no longer. It does when every player has agreed; then no clock runs."""

    def events(state: State) -> tuple[Event, ...]:
        _require_status(state, "running")
        require_playing(game, state, seat)
        agrees = PauseAgreed(seat=seat, agreed=agreed)
        return (agrees, GamePaused(reason=ALL_AGREED)) if agreed and _all_others(game, state, seat) else (agrees,)

    return _table_move(desk, game, seat, AgreeToPause(agreed=agreed), events)


def agree_to_resume(desk: Desk, game: Game, seat: Seat, agreed: bool) -> Outcome:
    """Agree that the game goes on, or no longer. After a long pause the word of one player is enough."""

    def events(state: State) -> tuple[Event, ...]:
        _require_status(state, "paused")
        require_playing(game, state, seat)
        if state.course.paused_at is None:
            raise Problem(409, "paused-by-admin", "An admin paused the game, and an admin lets it go on.")
        agrees = ResumeAgreed(seat=seat, agreed=agreed)
        enough = _all_others(game, state, seat) or state.course.is_pause_long(max(now_ms(), state.at))
        return (agrees, GameResumed(reason=ALL_AGREED)) if agreed and enough else (agrees,)

    return _table_move(desk, game, seat, AgreeToResume(agreed=agreed), events)


def _all_others(game: Game, state: State, seat: Seat) -> bool:
    return all(other in state.table.agreed for other in state.course.players(game.terms) if other != seat)


def return_to_seat(desk: Desk, game: Game, seat: Seat) -> Outcome:
    """Play again for a seat that a bot stood in for because its clock had run out too often."""

    def events(state: State) -> tuple[Event, ...]:
        _require_status(state, "running", "paused")
        if seat in state.table.resigned:
            raise conceded_already()
        if state.table.stand_in(seat) is None:
            raise Problem(409, "no-stand-in", "No bot stands in for this seat.")
        return (SeatTakenBack(seat=seat),)

    return _table_move(desk, game, seat, ReturnToSeat(), events)


def undo(desk: Desk, game: Game, seat: Seat) -> Outcome:
    """Take back the last move of a seat, if the table agreed to that and nobody was told anything by the move."""

    def events(state: State) -> tuple[Event, ...]:
        _require_status(state, "running")
        if game.terms.undo == "never":
            raise Problem(409, "undo-refused", "At this table no move is taken back.")
        require_playing(game, state, seat)
        taken = last_of(state.course.past, seat)
        if not taken:
            raise Problem(409, "undo-refused", "There is no move of yours that nobody has answered.")
        final = why_final(game.rules, taken)
        if final is not None:
            raise Problem(409, "undo-refused", final)
        return (MoveUndone(seat=seat, version=taken[0].version),)

    return _table_move(desk, game, seat, Undo(), events)


def _require_status(state: State, *allowed: str) -> None:
    if state.status not in allowed:
        raise Problem(409, f"game-{state.status}", f"The game is {state.status}.")


def _table_move(desk: Desk, game: Game, actor: int | str, move: Move, events: Events) -> Outcome:
    if not game.is_started:
        raise not_started(game.status)
    state = desk.newest(game)
    for _ in range(TRIES_MAX):
        made = at_the_table(game, state, actor, move, events(state))
        if not isinstance(append(desk, game, made), Behind):
            desk.nudge(game.id)
            return Outcome(made.commit, made.state, made.awaits)
        state = desk.known(game)
    raise Problem(503, "too-busy", "Too many moves at once; try again.", retry_after=1)
