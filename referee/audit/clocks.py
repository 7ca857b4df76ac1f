"""Who may move for a seat: its player or its bot until the deadline, the clock after it."""

from msgspec import UNSET

from referee.audit.bots import require_bot
from referee.audit.claim import Claim, Standing
from referee.audit.races import require_race
from referee.kernel.canon import canonical
from referee.kernel.message import tag
from referee.kernel.seat import Seat
from referee.table.duties import deadlines, first_missed_deadline, missed_deadline_cause, table_duty
from referee.table.state import DEADLINE, RECEIVED
from referee.table.times import timestamp


def require_mover(claim: Claim) -> None:
    """Refuse a seat's move unless its player or bot made it in time, or the clock made it after the deadline."""
    actor, cause = claim.commit.actor, claim.commit.cause or {}
    if isinstance(actor, str):
        return
    seat, table = Seat(actor), claim.standing.table
    duty = table_duty(claim.ruleset, claim.terms, table, claim.standing.position)
    if duty is not None:
        return claim.require(
            False, f"{claim.label} was made before {tag(duty.move)}, which the referee had to do first."
        )
    bot = table.bot(claim.terms, seat)
    require_race(claim)
    if DEADLINE in cause:
        _require_missed_deadline(claim, seat)
    elif bot is not None:
        require_bot(claim, seat, bot)
    else:
        has_other_cause = bool(cause.keys() - {RECEIVED}) or claim.commit.cause == {}
        claim.require(not has_other_cause, f"{claim.label} has a cause, but a player made it.")
        deadline = table.deadline(claim.terms, seat)
        if deadline is not None and claim.at_ms > deadline:
            claim.require(False, f"{claim.label} was made after the deadline of the seat, {timestamp(deadline)}.")


def _require_missed_deadline(claim: Claim, seat: Seat) -> None:
    """Refuse a move of the clock unless it is the default of the seat that missed the earliest deadline."""
    table, missed = claim.standing.table, first_missed_deadline(claim.terms, claim.standing.table, claim.at_ms)
    if missed is None or missed[0] != seat:
        found = "no seat" if missed is None else f"seat {missed[0]}"
        return claim.require(
            False, f"{claim.label} was made by the clock, but {found} had missed the earliest deadline."
        )
    cause = canonical(missed_deadline_cause(missed[1], table, seat))
    claim.require(canonical(claim.commit.cause) == cause, f"{claim.label} must have the cause {cause.decode()}.")
    default = canonical(claim.ruleset.default(claim.standing.position, seat))
    is_default = default == canonical(claim.commit.move)
    claim.require(is_default, f"{claim.label} was made by the clock, which plays the default {default.decode()}.")


def require_deadlines(claim: Claim, after: Standing) -> None:
    """Refuse a commit unless it reports the deadlines of the seats after it."""
    expected = UNSET if claim.terms.clock is None else deadlines(claim.terms, after.table)
    if claim.commit.deadlines != expected:
        shown = "none" if expected is UNSET else canonical(expected).decode()
        claim.require(False, f"{claim.label} reports wrong deadlines; they should be {shown}.")
