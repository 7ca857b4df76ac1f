"""What follows from a move at the table, whatever is played. The service and the audit ask the same function."""

from typing import Any

from msgspec import Struct

from referee.kernel.message import Event, Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Seat
from referee.table.duties import table_duty
from referee.table.linking import reseal
from referee.table.moves import (
    ALL_AGREED,
    AgreeToPause,
    AgreeToResume,
    AnnulGame,
    GameAnnulled,
    GamePaused,
    GameResumed,
    MoveUndone,
    PauseAgreed,
    PauseGame,
    PlayerReturned,
    Reseal,
    Resign,
    ResumeAgreed,
    ResumeGame,
    ReturnToSeat,
    SeatResigned,
    SeatTakenOver,
    Status,
    Undo,
    end_by_resignation,
)
from referee.table.record import ADMIN, is_hash
from referee.table.refusal import TableRefusal as TableRefusal
from referee.table.state import TableState
from referee.table.terms import Terms
from referee.table.undo import last_of, why_final

VOTES_MAX = 3
"""How often a seat may change its vote before the position changes. Even then it can agree to end a pause."""

UNDOS_MAX = 100
"""How many moves a seat may undo in one game. Each one costs the service, and every audit of the game, time."""


class TableCase(Struct, frozen=True):
    """What the rules of the table judge."""

    ruleset: Ruleset
    terms: Terms
    table: TableState
    position: Any
    actor: int | str
    at: int

    @property
    def status(self) -> Status:
        """The status of the game."""
        return self.table.status_at(self.position)

    @property
    def seat(self) -> Seat:
        """The acting seat, for moves that only players make."""
        if isinstance(self.actor, str):
            raise _wrong_actor("a seat")
        if self.terms.bots[self.actor] is not None:
            raise _wrong_actor("a player")
        return Seat(self.actor)

    def require_status(self, *allowed: Status) -> None:
        """Refuse the move unless the game has one of these statuses."""
        if self.status not in allowed:
            needed = " or ".join(allowed)
            raise TableRefusal(f"game-{self.status}", f"The game is {self.status}; this needs a {needed} game.")

    def all_others_agreed(self) -> bool:
        """Whether every other player has agreed."""
        return all(other in self.table.agreed for other in self.table.players(self.terms) if other != self.seat)

    def require_change(self, agreed: bool, is_enough: bool) -> None:
        """Refuse a vote that changes nothing."""
        if agreed == (self.seat in self.table.agreed) and not is_enough:
            stands = "You have already agreed." if agreed else "You have not agreed, so there is nothing to withdraw."
            raise TableRefusal("nothing-changes", stands)

    def require_votes_left(self) -> None:
        """Refuse to change a vote more often than allowed."""
        if self.table.votes.count(self.seat) >= VOTES_MAX:
            detail = f"You have changed your vote {VOTES_MAX} times. Vote again after the next move."
            raise TableRefusal("vote-settled", detail)


def require_player(terms: Terms, table: TableState, seat: Seat) -> None:
    """A player acts for a seat only while no bot does."""
    _require_not_resigned(table, seat)
    if table.bot(terms, seat) is not None:
        detail = "A bot has taken over your seat because you missed too many deadlines. Return to your seat first."
        raise TableRefusal("bot-plays", detail)


def require_time(terms: Terms, table: TableState, seat: Seat, at: int) -> None:
    """A player acts before the deadline; after it the referee does."""
    deadline = table.deadline(terms, seat)
    if deadline is not None and at > deadline:
        raise TableRefusal("deadline-passed", "Your deadline has passed; the referee makes the default move for you.")


def _require_not_resigned(table: TableState, seat: Seat) -> None:
    if seat in table.resigned:
        raise TableRefusal("resigned-already", "This seat has resigned; a bot plays it to the end.")


def _wrong_actor(right: str) -> TableRefusal:
    return TableRefusal("wrong-actor", f"Only {right} can make this move.")


def decide_at_table(case: TableCase, move: Move) -> tuple[Event, ...]:
    """The events of a move at the table; raises TableRefusal."""
    owed = table_duty(case.ruleset, case.terms, case.table, case.position) if case.actor == REFEREE else None
    if owed is not None and owed.move == move:
        return owed.events
    if case.position.phase == "setup" and not isinstance(move, AnnulGame):
        detail = "The referee has not set up the game yet. Until then an admin can only annul it."
        raise TableRefusal("game-not-set-up", detail)
    match move:
        case PauseGame() | ResumeGame() | AnnulGame():
            return _admins_ruling(case, move)
        case Resign():
            return _resignation(case)
        case AgreeToPause(agreed=agreed):
            return _agreement_to_pause(case, agreed)
        case AgreeToResume(agreed=agreed):
            return _agreement_to_resume(case, agreed)
        case ReturnToSeat():
            return _return(case)
        case Undo():
            return _undo(case)
        case Reseal(seal=seal):
            return _reseal(case, seal)
    raise TableRefusal("not-due", "This move of the referee is not due now.")


def _admins_ruling(case: TableCase, move: PauseGame | ResumeGame | AnnulGame) -> tuple[Event, ...]:
    if case.actor != ADMIN:
        raise _wrong_actor("an admin")
    if not is_hash(move.reason):
        raise TableRefusal("invalid-request", "The log holds the hash of an admin's reason, not its text.")
    match move:
        case PauseGame():
            case.require_status("running")
            return (GamePaused(reason=move.reason),)
        case ResumeGame():
            case.require_status("paused")
            return (GameResumed(reason=move.reason),)
    case.require_status("running", "paused")
    return (GameAnnulled(reason=move.reason),)


def _resignation(case: TableCase) -> tuple[Event, ...]:
    """A seat resigns once. Then a bot takes over, or the game ends, as agreed; a pause no longer waits for its vote."""
    seat, terms = case.seat, case.terms
    case.require_status("running", "paused")
    _require_not_resigned(case.table, seat)
    if terms.on_resignation == "end":
        return SeatResigned(seat=seat), end_by_resignation(case.ruleset.ranking(case.position), seat)
    if case.table.bot(terms, seat) is not None:
        return (SeatResigned(seat=seat),)
    resigns = SeatResigned(seat=seat), SeatTakenOver(seat=seat, bot=terms.takeover_bot)
    is_last_vote = case.status == "paused" and case.table.paused_at is not None and case.all_others_agreed()
    if is_last_vote:
        return *resigns, GameResumed(reason=ALL_AGREED)
    return resigns


def _agreement_to_pause(case: TableCase, agreed: bool) -> tuple[Event, ...]:
    """The game pauses when every player agrees."""
    seat = case.seat
    case.require_status("running")
    require_player(case.terms, case.table, seat)
    is_enough = agreed and case.all_others_agreed()
    case.require_change(agreed, is_enough)
    case.require_votes_left()
    agrees = PauseAgreed(seat=seat, agreed=agreed)
    return (agrees, GamePaused(reason=ALL_AGREED)) if is_enough else (agrees,)


def _agreement_to_resume(case: TableCase, agreed: bool) -> tuple[Event, ...]:
    """The game resumes when every player agrees; after a long pause one is enough."""
    seat, table = case.seat, case.table
    case.require_status("paused")
    require_player(case.terms, table, seat)
    if table.paused_at is None:
        raise TableRefusal("paused-by-admin", "An admin paused the game; only an admin can resume it.")
    is_enough = agreed and (case.all_others_agreed() or table.is_pause_long(case.at))
    case.require_change(agreed, is_enough)
    if not agreed:
        case.require_votes_left()
    agrees = ResumeAgreed(seat=seat, agreed=agreed)
    return (agrees, GameResumed(reason=ALL_AGREED)) if is_enough else (agrees,)


def _return(case: TableCase) -> tuple[Event, ...]:
    """A player returns to a seat that a bot took over because of missed deadlines."""
    seat = case.seat
    case.require_status("running", "paused")
    _require_not_resigned(case.table, seat)
    if case.table.takeover_bot(seat) is None:
        raise TableRefusal("not-taken-over", "No bot has taken over this seat.")
    return (PlayerReturned(seat=seat),)


def _reseal(case: TableCase, seal: str) -> tuple[Event, ...]:
    """A seat that has not resigned seals a new chain of links."""
    seat = case.seat
    case.require_status("running", "paused")
    _require_not_resigned(case.table, seat)
    return reseal(case.ruleset, case.terms, case.table, case.position, seat, seal)


def _undo(case: TableCase) -> tuple[Event, ...]:
    """A seat undoes its last move, if the table allows undo and the move revealed nothing."""
    seat = case.seat
    case.require_status("running")
    if case.terms.undo == "never":
        raise TableRefusal("undo-refused", "This table does not allow undo.")
    require_player(case.terms, case.table, seat)
    require_time(case.terms, case.table, seat, case.at)
    if case.table.undone.count(seat) >= UNDOS_MAX:
        raise TableRefusal("undo-refused", f"You have undone {UNDOS_MAX} moves in this game, which is the limit.")
    taken = last_of(case.table.past, seat)
    if not taken:
        raise TableRefusal("undo-refused", "You have no move to undo: another player has acted since.")
    final = why_final(case.ruleset, taken)
    if final is not None:
        raise TableRefusal("undo-refused", final)
    return (MoveUndone(seat=seat, version=taken[0].version),)
