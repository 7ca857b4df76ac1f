"""What follows from a move at the table, whatever is played on it. The service and the audit ask the same function."""

from typing import Any

from msgspec import Struct

from referee.kernel.course import Course
from referee.kernel.message import Event, Move
from referee.kernel.record import ADMIN
from referee.kernel.ruleset import Ruleset
from referee.kernel.rulings import table_ruling
from referee.kernel.seat import REFEREE, Seat
from referee.kernel.table import (
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
    Resign,
    ResumeAgreed,
    ResumeGame,
    ReturnToSeat,
    SeatResigned,
    SeatTakenBack,
    SeatTakenOver,
    Status,
    Undo,
    conceded,
)
from referee.kernel.terms import Terms
from referee.kernel.undo import last_of, why_final

VOTES_MAX = 3
"""How often a seat may change its vote before the position changes. It can agree to end a pause even after that."""

UNDOS_MAX = 100
"""How often a seat may take back a move in one game: each time costs the service and every audit of the game."""


class TableRefusal(Exception):
    """A move that cannot be made at the table. Code and detail are what a client is told."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail


class TableCase(Struct, frozen=True):
    """What the rules of every table are asked about."""

    ruleset: Ruleset
    terms: Terms
    course: Course
    position: Any
    actor: int | str
    at: int

    @property
    def status(self) -> Status:
        """The status of the game."""
        return self.course.status(self.position)

    @property
    def seat(self) -> Seat:
        """The seat that makes a move which only seats make, and of them only those that players hold."""
        if isinstance(self.actor, str):
            raise _of_another("a seat")
        if self.terms.bots[self.actor] is not None:
            raise _of_another("a player")
        return Seat(self.actor)

    def require_status(self, *allowed: Status) -> None:
        """Refuse the move unless the game has one of these."""
        if self.status not in allowed:
            raise TableRefusal(f"game-{self.status}", f"The game is {self.status}.")

    def all_others_agreed(self) -> bool:
        """Whether the word of this player is the last that was missing."""
        return all(other in self.course.table.agreed for other in self.course.players(self.terms) if other != self.seat)

    def require_change(self, agreed: bool, is_enough: bool) -> None:
        """Refuse a vote that leaves everything as it is."""
        if agreed == (self.seat in self.course.table.agreed) and not is_enough:
            stands = "You have agreed already." if agreed else "You have not agreed, so there is nothing to take back."
            raise TableRefusal("nothing-changes", stands)

    def require_votes_left(self) -> None:
        """Refuse one more change of a vote when the seat has made all that it may."""
        if self.course.votes.count(self.seat) >= VOTES_MAX:
            detail = f"You have changed your vote {VOTES_MAX} times; the next move of the game lets you vote again."
            raise TableRefusal("vote-settled", detail)


def require_player(terms: Terms, course: Course, seat: Seat) -> None:
    """A seat acts by itself only as long as no bot does for it."""
    _require_not_conceded(course, seat)
    if course.bot(terms, seat) is not None:
        detail = "A bot stands in for this seat: its time ran out too often. Return to it first."
        raise TableRefusal("bot-plays", detail)


def require_time(terms: Terms, course: Course, seat: Seat, at: int) -> None:
    """A seat acts before its clock runs out; after that the referee does."""
    deadline = course.deadline(terms, seat)
    if deadline is not None and at > deadline:
        raise TableRefusal("time-is-up", "Your time ran out; the referee plays the safe default for you.")


def _require_not_conceded(course: Course, seat: Seat) -> None:
    if seat in course.table.resigned:
        raise TableRefusal("resigned-already", "This seat conceded; a bot plays for it to the end.")


def _of_another(who: str) -> TableRefusal:
    return TableRefusal("wrong-actor", f"This is for {who} to make.")


def decide_at_table(case: TableCase, move: Move) -> tuple[Event, ...]:
    """The events of a move at the table; raises TableRefusal."""
    owed = table_ruling(case.ruleset, case.terms, case.course, case.position) if case.actor == REFEREE else None
    if owed is not None and owed.move == move:
        return owed.events
    if case.position.phase == "setup" and not isinstance(move, AnnulGame):
        detail = "The referee sets the game up first; until then an admin can annul it, and nothing else."
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
    raise TableRefusal("not-due", "Nothing of that kind is due.")


def _admins_ruling(case: TableCase, move: PauseGame | ResumeGame | AnnulGame) -> tuple[Event, ...]:
    if case.actor != ADMIN:
        raise _of_another("an admin")
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
    """A seat concedes once. Then a bot plays on for it, or the game ends, as was agreed; nobody waits for its word."""
    seat, terms = case.seat, case.terms
    case.require_status("running", "paused")
    _require_not_conceded(case.course, seat)
    if terms.on_resignation == "end":
        return SeatResigned(seat=seat), conceded(case.ruleset.ranking(case.position), seat)
    if case.course.bot(terms, seat) is not None:
        return (SeatResigned(seat=seat),)
    resigns = SeatResigned(seat=seat), SeatTakenOver(seat=seat, bot=terms.stand_in)
    is_waited_for = case.status == "paused" and case.course.paused_at is not None and case.all_others_agreed()
    if is_waited_for:
        return *resigns, GameResumed(reason=ALL_AGREED)
    return resigns


def _agreement_to_pause(case: TableCase, agreed: bool) -> tuple[Event, ...]:
    """The game pauses when every player has agreed."""
    seat = case.seat
    case.require_status("running")
    require_player(case.terms, case.course, seat)
    is_enough = agreed and case.all_others_agreed()
    case.require_change(agreed, is_enough)
    case.require_votes_left()
    agrees = PauseAgreed(seat=seat, agreed=agreed)
    return (agrees, GamePaused(reason=ALL_AGREED)) if is_enough else (agrees,)


def _agreement_to_resume(case: TableCase, agreed: bool) -> tuple[Event, ...]:
    """The game goes on when every player has agreed; after a long pause the word of one is enough."""
    seat, course = case.seat, case.course
    case.require_status("paused")
    require_player(case.terms, course, seat)
    if course.paused_at is None:
        raise TableRefusal("paused-by-admin", "An admin paused the game, and an admin lets it go on.")
    is_enough = agreed and (case.all_others_agreed() or course.is_pause_long(case.at))
    case.require_change(agreed, is_enough)
    if not agreed:
        case.require_votes_left()
    agrees = ResumeAgreed(seat=seat, agreed=agreed)
    return (agrees, GameResumed(reason=ALL_AGREED)) if is_enough else (agrees,)


def _return(case: TableCase) -> tuple[Event, ...]:
    """A player comes back to a seat that a bot stood in for because its clock had run out too often."""
    seat = case.seat
    case.require_status("running", "paused")
    _require_not_conceded(case.course, seat)
    if case.course.table.stand_in(seat) is None:
        raise TableRefusal("no-stand-in", "No bot stands in for this seat.")
    return (SeatTakenBack(seat=seat),)


def _undo(case: TableCase) -> tuple[Event, ...]:
    """The last move of a seat is taken back, if the table agreed to that and nobody was told anything by the move."""
    seat = case.seat
    case.require_status("running")
    if case.terms.undo == "never":
        raise TableRefusal("undo-refused", "At this table no move is taken back.")
    require_player(case.terms, case.course, seat)
    require_time(case.terms, case.course, seat, case.at)
    if case.course.undone.count(seat) >= UNDOS_MAX:
        raise TableRefusal("undo-refused", f"You have taken back {UNDOS_MAX} moves in this game, and no more can be.")
    taken = last_of(case.course.past, seat)
    if not taken:
        raise TableRefusal("undo-refused", "There is no move of yours that nobody has answered.")
    final = why_final(case.ruleset, taken)
    if final is not None:
        raise TableRefusal("undo-refused", final)
    return (MoveUndone(seat=seat, version=taken[0].version),)
