"""Who may move for a seat, and until when: the player in time, the bot that holds it, or the clock when time is up."""

from msgspec import UNSET

from referee.audit.bots import require_bot
from referee.audit.claim import Claim, Standing
from referee.kernel.canon import canonical
from referee.kernel.course import DEADLINE
from referee.kernel.rulings import deadlines, first_lapsed, lapse_cause, table_ruling
from referee.kernel.seat import Seat


def require_mover(claim: Claim) -> None:
    """A move of a seat was made by whoever plays for it, in time; or by the clock, and not before the time was up."""
    actor, cause = claim.commit.actor, claim.commit.cause or {}
    if isinstance(actor, str):
        return
    seat, course = Seat(actor), claim.standing.course
    owed = table_ruling(claim.ruleset, claim.terms, course, claim.standing.position)
    claim.require(owed is None, f"{claim.whose} came, though the referee owed a ruling at the table.")
    bot = course.bot(claim.terms, seat)
    if DEADLINE in cause:
        _require_lapse(claim, seat)
    elif bot is not None:
        require_bot(claim, seat, bot)
    else:
        claim.require(claim.commit.cause is None, f"{claim.whose} has a cause, but a player made it.")
        deadline = course.deadline(claim.terms, seat)
        in_time = deadline is None or claim.at_ms <= deadline
        claim.require(in_time, f"{claim.whose} came after the time of the seat was up.")


def _require_lapse(claim: Claim, seat: Seat) -> None:
    """The clock plays the safe default of the seat whose time ran out first, and tells the deadline."""
    course, lapsed = claim.standing.course, first_lapsed(claim.terms, claim.standing.course, claim.at_ms)
    if lapsed is None or lapsed[0] != seat:
        return claim.require(False, f"{claim.whose} was made by the clock, though the time of the seat was not up.")
    cause = lapse_cause(lapsed[1], course, seat)
    claim.require(canonical(claim.commit.cause) == canonical(cause), f"{claim.whose} tells another cause than {cause}.")
    default = claim.ruleset.default(claim.standing.position, seat)
    is_default = canonical(default) == canonical(claim.commit.move)
    claim.require(is_default, f"{claim.whose} is not the safe default, which the clock plays.")


def require_deadlines(claim: Claim, after: Standing) -> None:
    """A commit tells until when the seats may think after it."""
    expected = UNSET if claim.terms.clock is None else deadlines(claim.terms, after.course)
    claim.require(claim.commit.deadlines == expected, f"{claim.whose} tells other deadlines than those that follow.")
