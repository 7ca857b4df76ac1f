"""Judges what can happen at every table: pausing, resuming, annulling, conceding."""

from typing import Any, Union

import msgspec
from msgspec.structs import replace

from referee.audit.claim import Claim, Standing
from referee.audit.telling import first_difference, plain
from referee.kernel.message import Event, tag
from referee.kernel.record import ADMIN
from referee.kernel.seat import Seat
from referee.kernel.table import (
    TABLE_MOVES,
    AnnulGame,
    GameAnnulled,
    GamePaused,
    GameResumed,
    PauseGame,
    ResumeGame,
    SeatResigned,
    SeatTakenOver,
    Status,
    conceded,
    table_after,
)

TABLE_TYPES = frozenset(tag(kind) for kind in TABLE_MOVES)

_ANY_MOVE: Any = Union[TABLE_MOVES]


def at_the_table(claim: Claim) -> Standing:
    """The standing after a move that changes the table and not the position; raises IllegalMove."""
    standing = claim.standing
    events = _events(claim)
    difference = first_difference(claim.commit.events, plain(events))
    claim.require(difference is None, f"{claim.whose} has other events: {difference}.")
    table = standing.table
    for event in events:
        table = table_after(table, event)
    return replace(standing, table=table)


def _events(claim: Claim) -> tuple[Event, ...]:
    """What follows from a move at the table."""
    match _read(claim):
        case PauseGame(reason=reason):
            _require_admin(claim, "running")
            return (GamePaused(reason=reason),)
        case ResumeGame(reason=reason):
            _require_admin(claim, "paused")
            return (GameResumed(reason=reason),)
        case AnnulGame(reason=reason):
            _require_admin(claim, "running", "paused")
            return (GameAnnulled(reason=reason),)
        case _:
            return _resignation(claim)


def _read(claim: Claim) -> Any:
    try:
        return msgspec.convert(claim.commit.move, _ANY_MOVE)
    except msgspec.ValidationError as error:
        claim.require(False, f"{claim.whose} cannot be read: {error}.")


def _require_admin(claim: Claim, *statuses: Status) -> None:
    claim.require(claim.commit.actor == ADMIN, f"{claim.whose} is for an admin to make.")
    claim.require_status(*statuses)


def _resignation(claim: Claim) -> tuple[Event, ...]:
    """A seat concedes once. Then a bot plays on for it or the game ends: as the game was created, so both may be."""
    actor, recorded = claim.commit.actor, claim.commit.events
    claim.require(not isinstance(actor, str), f"{claim.whose} is for a seat to make.")
    claim.require_status("running", "paused")
    seat = Seat(int(actor))
    claim.require(seat not in claim.standing.table.resigned, f"{claim.whose} came for the second time.")
    if len(recorded) > 1 and recorded[1].get("type") == tag(SeatTakenOver):
        return SeatResigned(seat=seat), SeatTakenOver(seat=seat, bot=str(recorded[1].get("bot")))
    return SeatResigned(seat=seat), conceded(claim.ruleset.ranking(claim.standing.position), seat)
