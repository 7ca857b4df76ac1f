"""Judges moves at the table: resign, pause, resume, undo, take over, return to the seat, adjudicate, annul."""

from typing import Any, Union

import msgspec
from msgspec.structs import replace

from referee.audit.claim import Claim, IllegalMove, Standing
from referee.audit.replay import first_difference
from referee.kernel.canon import canonical, plain
from referee.kernel.message import Event, tag
from referee.kernel.seat import REFEREE
from referee.table.moves import TABLE_MOVES
from referee.table.rules import TableCase, TableRefusal, decide_at_table
from referee.table.state import after_table_move

TABLE_TYPES = frozenset(tag(kind) for kind in TABLE_MOVES)

_ANY_MOVE: Any = Union[TABLE_MOVES]


def judge_table_move(claim: Claim) -> Standing:
    """Return the standing after a move at the table; raises IllegalMove."""
    standing = claim.standing
    _require_nothing_due(claim)
    move = _read(claim)
    events = _events(claim, move)
    expected = canonical(move)
    claim.require(expected == canonical(claim.commit.move), f"{claim.label} must be written as {expected.decode()}.")
    difference = first_difference(claim.commit.events, plain(events))
    claim.require(difference is None, f"{claim.label} has events that do not follow from it: {difference}.")
    claim.require_draws(0)
    commit: Any = replace(claim.commit, move=move, events=events)
    table, position = after_table_move(
        claim.ruleset, claim.terms, standing.table, commit, claim.at_ms, standing.position
    )
    return Standing(position, table)


def _require_nothing_due(claim: Claim) -> None:
    """Refuse a move of the referee while a trigger of the rules is due: the referee cannot choose the order."""
    due, since = claim.ruleset.due(claim.standing.position), claim.standing.table.due_since
    if claim.commit.actor != REFEREE or due is None:
        return
    is_due = due.after_ms == 0 if since is None else claim.at_ms >= since + due.after_ms
    claim.require(not is_due, f"{claim.label} was made before {tag(due.move)}, which was due first.")


def _read(claim: Claim) -> Any:
    try:
        return msgspec.convert(claim.commit.move, _ANY_MOVE)
    except msgspec.ValidationError as error:
        claim.require(False, f"{claim.label} cannot be read: {error}.")


def _events(claim: Claim, move: Any) -> tuple[Event, ...]:
    """Return the events that follow from a move at the table."""
    table, position = claim.standing.table, claim.standing.position
    case = TableCase(claim.ruleset, claim.terms, table, position, claim.commit.actor, claim.at_ms)
    try:
        return decide_at_table(case, move)
    except TableRefusal as refusal:
        detail = f"{claim.label} was made while the game was {case.status}: {refusal.detail}"
        raise IllegalMove(claim.version, detail) from None
