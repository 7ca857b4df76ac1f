"""Checks that the moves of a race arrived while it was open."""

from referee.audit.chain import is_timestamp
from referee.audit.claim import Claim
from referee.kernel.ruleset import Decision
from referee.table.state import RECEIVED
from referee.table.times import milliseconds, timestamp


def race_of(claim: Claim) -> Decision | None:
    """Return the decision of the actor for which the move races; None: it was made at once."""
    for decision in claim.ruleset.awaited(claim.standing.position):
        if decision.seat == claim.commit.actor and decision.race_ms and claim.type in decision.moves:
            return decision
    return None


def require_race(claim: Claim) -> None:
    """Refuse a move that reports when it was received, unless seats race for it and it competed in time.

    A race begins when its first move is received; from then on the trigger that ends it is due.
    """
    received = (claim.commit.cause or {}).get(RECEIVED)
    decision = race_of(claim)
    if decision is None:
        return claim.require(received is None, f"{claim.label} reports when it was received, but no seats race for it.")
    if received is not None:
        is_time = isinstance(received, str) and is_timestamp(received)
        claim.require(is_time, f"{claim.label} was received at {received!r}, which is not a time.")
    at = claim.at_ms if received is None else milliseconds(received)
    claim.require(at <= claim.at_ms, f"{claim.label} was received after it was made.")
    table, due = claim.standing.table, claim.ruleset.due(claim.standing.position)
    if due is not None and due.runs_on and table.due_since is not None:
        first, last = table.due_since, table.due_since + (decision.race_ms or 0)
        is_in_time = first <= at <= last
        claim.require(
            is_in_time, f"{claim.label} was received at {timestamp(at)}, but the race lasted until {timestamp(last)}."
        )
    elif table.moved_at is not None:
        since = table.moved_at
        claim.require(at >= since, f"{claim.label} was received before the position of {timestamp(since)}.")
