"""Judges what can happen at every table: pausing, annulling, conceding, standing in, taking back."""

from typing import Any, Union

import msgspec

from referee.audit.claim import Claim, IllegalMove, Standing
from referee.audit.telling import first_difference
from referee.kernel.canon import canonical, plain
from referee.kernel.course import Fact
from referee.kernel.course import at_the_table as follow_table
from referee.kernel.message import Event, tag
from referee.kernel.seat import REFEREE
from referee.kernel.table import TABLE_MOVES
from referee.kernel.table_rules import TableCase, TableRefusal, decide_at_table

TABLE_TYPES = frozenset(tag(kind) for kind in TABLE_MOVES)

_ANY_MOVE: Any = Union[TABLE_MOVES]


def at_the_table(claim: Claim) -> Standing:
    """The standing after a move at the table; raises IllegalMove."""
    standing = claim.standing
    _require_nothing_due(claim)
    move = _read(claim)
    events = _events(claim, move)
    is_exact = canonical(move) == canonical(claim.commit.move)
    claim.require(is_exact, f"{claim.whose} is not written as the table writes it.")
    difference = first_difference(claim.commit.events, plain(events))
    claim.require(difference is None, f"{claim.whose} has other events: {difference}.")
    claim.require_draws(0)
    fact = Fact(claim.version, claim.at_ms, claim.commit.actor, move, claim.commit.cause, events)
    course, position = follow_table(claim.ruleset, claim.terms, standing.course, fact, standing.position)
    return Standing(position, course)


def _require_nothing_due(claim: Claim) -> None:
    """The referee does what the rules make due before it rules at the table: it does not choose which comes first."""
    due, moved_at = claim.ruleset.due(claim.standing.position), claim.standing.course.moved_at
    if claim.commit.actor != REFEREE or due is None:
        return
    is_due = due.after_s == 0 if moved_at is None else claim.at_ms >= moved_at + due.after_s * 1000
    claim.require(not is_due, f"{claim.whose} came, though the referee owed {tag(due.move)} first.")


def _read(claim: Claim) -> Any:
    try:
        return msgspec.convert(claim.commit.move, _ANY_MOVE)
    except msgspec.ValidationError as error:
        claim.require(False, f"{claim.whose} cannot be read: {error}.")


def _events(claim: Claim, move: Any) -> tuple[Event, ...]:
    """What follows from a move at the table."""
    course, position = claim.standing.course, claim.standing.position
    case = TableCase(claim.ruleset, claim.terms, course, position, claim.commit.actor, claim.at_ms)
    try:
        return decide_at_table(case, move)
    except TableRefusal as refusal:
        detail = f"{claim.whose} came while the game was {case.status}: {refusal.detail}"
        raise IllegalMove(claim.version, detail) from None
