"""Judges what can happen at every table: pausing, annulling, conceding, standing in, taking back."""

from typing import Any, Union

import msgspec
from msgspec.structs import replace

from referee.audit.claim import Claim, IllegalMove, Standing
from referee.audit.telling import first_difference, plain
from referee.kernel.canon import canonical
from referee.kernel.course import Fact
from referee.kernel.course import at_the_table as follow_table
from referee.kernel.message import Event, tag
from referee.kernel.record import ADMIN
from referee.kernel.rulings import table_ruling
from referee.kernel.seat import REFEREE, Seat
from referee.kernel.table import (
    ALL_AGREED,
    TABLE_MOVES,
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
from referee.kernel.undo import last_of, why_final

TABLE_TYPES = frozenset(tag(kind) for kind in TABLE_MOVES)

_ANY_MOVE: Any = Union[TABLE_MOVES]


def at_the_table(claim: Claim) -> Standing:
    """The standing after a move at the table; raises IllegalMove."""
    standing = claim.standing
    move = _read(claim)
    events = _events(claim, move)
    difference = first_difference(claim.commit.events, plain(events))
    claim.require(difference is None, f"{claim.whose} has other events: {difference}.")
    fact = Fact(claim.version, claim.at_ms, claim.commit.actor, move, claim.commit.cause, events)
    course, position = follow_table(claim.ruleset, claim.terms, standing.course, fact, standing.position)
    return replace(standing, course=course, position=position)


def _events(claim: Claim, move: Any) -> tuple[Event, ...]:
    """What follows from a move at the table."""
    ruled = _ruled(claim)
    if ruled is not None:
        return ruled
    match move:
        case PauseGame(reason=reason):
            _require_admin(claim, "running")
            return (GamePaused(reason=reason),)
        case ResumeGame(reason=reason):
            _require_admin(claim, "paused")
            return (GameResumed(reason=reason),)
        case AnnulGame(reason=reason):
            _require_admin(claim, "running", "paused")
            return (GameAnnulled(reason=reason),)
        case Resign():
            return _resignation(claim)
        case AgreeToPause() | AgreeToResume():
            return _agreement(claim, move)
        case ReturnToSeat():
            return _return(claim)
        case Undo():
            return _undo(claim)
    raise IllegalMove(claim.version, f"{claim.whose} came, though nothing of that kind was due.")


def _ruled(claim: Claim) -> tuple[Event, ...] | None:
    """What the clock makes the referee do, if this is it."""
    standing = claim.standing
    owed = table_ruling(claim.ruleset, claim.terms, standing.course, standing.position)
    if claim.commit.actor != REFEREE or owed is None or canonical(owed.move) != canonical(claim.commit.move):
        return None
    return owed.events


def _read(claim: Claim) -> Any:
    try:
        return msgspec.convert(claim.commit.move, _ANY_MOVE)
    except msgspec.ValidationError as error:
        claim.require(False, f"{claim.whose} cannot be read: {error}.")


def _require_admin(claim: Claim, *statuses: Status) -> None:
    claim.require(claim.commit.actor == ADMIN, f"{claim.whose} is for an admin to make.")
    claim.require_status(*statuses)


def _seat(claim: Claim) -> Seat:
    """The seat that makes a move which only seats make."""
    actor = claim.commit.actor
    claim.require(not isinstance(actor, str), f"{claim.whose} is for a seat to make.")
    return Seat(int(actor))


def _require_player(claim: Claim, seat: Seat) -> None:
    bot = claim.standing.course.bot(claim.terms, seat)
    claim.require(bot is None, f"{claim.whose} came, though {bot} plays for the seat.")


def _resignation(claim: Claim) -> tuple[Event, ...]:
    """A seat concedes once. Then a bot plays on for it, or the game ends, as was agreed."""
    seat, course, recorded = _seat(claim), claim.standing.course, claim.commit.events
    claim.require_status("running", "paused")
    claim.require(seat not in course.table.resigned, f"{claim.whose} came for the second time.")
    conceding = SeatResigned(seat=seat)
    if claim.is_agreed:
        plays_on, bot = claim.terms.on_resignation == "bot", claim.terms.stand_in
    else:
        plays_on = len(recorded) > 1 and recorded[1].get("type") == tag(SeatTakenOver)
        bot = str(recorded[1].get("bot")) if plays_on else ""
    if not plays_on:
        return conceding, conceded(claim.ruleset.ranking(claim.standing.position), seat)
    if course.table.stand_in(seat) is not None:
        return (conceding,)
    return conceding, SeatTakenOver(seat=seat, bot=bot)


def _agreement(claim: Claim, move: AgreeToPause | AgreeToResume) -> tuple[Event, ...]:
    """The game pauses, or goes on, when every player agrees; after a long pause one is enough."""
    seat, course = _seat(claim), claim.standing.course
    _require_player(claim, seat)
    others = all(other in course.table.agreed for other in course.players(claim.terms) if other != seat)
    if isinstance(move, AgreeToPause):
        claim.require_status("running")
        agreed: Event = PauseAgreed(seat=seat, agreed=move.agreed)
        return (agreed, GamePaused(reason=ALL_AGREED)) if move.agreed and others else (agreed,)
    claim.require_status("paused")
    claim.require(course.paused_at is not None, f"{claim.whose} came, though an admin had paused the game.")
    enough = others or course.is_pause_long(claim.at_ms)
    agreed = ResumeAgreed(seat=seat, agreed=move.agreed)
    return (agreed, GameResumed(reason=ALL_AGREED)) if move.agreed and enough else (agreed,)


def _return(claim: Claim) -> tuple[Event, ...]:
    """A player comes back to a seat that a bot stood in for, unless it conceded."""
    seat, table = _seat(claim), claim.standing.course.table
    claim.require_status("running", "paused")
    away = table.stand_in(seat) is not None and seat not in table.resigned
    claim.require(away, f"{claim.whose} came, though no bot stood in for the seat.")
    return (SeatTakenBack(seat=seat),)


def _undo(claim: Claim) -> tuple[Event, ...]:
    """The last move of a seat, if nobody has answered it, drew no luck and told nothing hidden."""
    seat = _seat(claim)
    claim.require_status("running")
    _require_player(claim, seat)
    claim.require(claim.terms.undo == "free", f"{claim.whose} came at a table where no move is taken back.")
    taken = last_of(claim.standing.course.past, seat)
    claim.require(bool(taken), f"{claim.whose} came, though no move of the seat stood unanswered.")
    final = why_final(claim.ruleset, taken)
    claim.require(final is None, f"{claim.whose} cannot be: {final}")
    return (MoveUndone(seat=seat, version=taken[0].version),)
