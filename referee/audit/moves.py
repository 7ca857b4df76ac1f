"""Judges a record's commits again, one by one: was the move legal, and are its events what follows?"""

from referee.audit.chain import is_timestamp
from referee.audit.claim import Claim, IllegalMove, OtherOutcome, Standing
from referee.audit.clocks import require_deadlines, require_mover
from referee.audit.fault import Fault
from referee.audit.table import TABLE_TYPES, at_the_table
from referee.audit.telling import Telling, drawn_at, first_difference, tell
from referee.kernel.canon import canonical
from referee.kernel.chance import Chance, Derived
from referee.kernel.course import Fact, by_the_rules
from referee.kernel.record import ADMIN
from referee.kernel.rejection import Rejection
from referee.kernel.seat import REFEREE, Actor, Seat


def follow(claim: Claim) -> Standing:
    """The standing after a commit; raises IllegalMove or OtherOutcome."""
    try:
        _require_actor(claim)
        _require_no_cause(claim)
        after = at_the_table(claim) if claim.type in TABLE_TYPES else _by_the_rules(claim)
        require_deadlines(claim, after)
        return after
    except Fault:
        raise
    except Rejection as rejection:
        detail = f"{claim.whose} is refused by {rejection.clause}: {rejection.message}"
    except Exception as error:
        detail = f"{claim.whose} cannot be judged: the rules break down over it with {error!r}."
    raise IllegalMove(claim.version, detail)


def _require_actor(claim: Claim) -> None:
    actor = claim.commit.actor
    known = actor in (REFEREE, ADMIN) if isinstance(actor, str) else 0 <= actor < claim.seats
    claim.require(known, f"{claim.whose} comes from nobody at this table.")


def _require_no_cause(claim: Claim) -> None:
    """A cause tells who moved for a seat by the rules; what is done at the table, or by the referee, has none."""
    if claim.type in TABLE_TYPES or isinstance(claim.commit.actor, str):
        claim.require(claim.commit.cause is None, f"{claim.whose} has a cause, which only a move for a seat can have.")


def _by_the_rules(claim: Claim) -> Standing:
    """The standing after a move of the ruleset; raises IllegalMove, OtherOutcome or Rejection."""
    claim.require_status("running")
    claim.require(claim.commit.actor != ADMIN, f"{claim.whose} is none that an admin makes.")
    _require_owed(claim)
    _require_time(claim)
    require_mover(claim)
    return _judged(claim)


def _require_owed(claim: Claim) -> None:
    """The referee makes the trigger that is due, and a seat makes none."""
    if claim.commit.actor != REFEREE:
        claim.require(
            claim.type not in claim.ruleset.triggers, f"{claim.whose} is a trigger, which only the referee makes."
        )
        return
    due = claim.ruleset.due(claim.standing.position)
    if due is None:
        raise IllegalMove(claim.version, f"{claim.whose} came though nothing was due.")
    owed = canonical(due.move)
    claim.require(owed == canonical(claim.commit.move), f"{claim.whose} came, but due was {owed.decode()}.")


def _require_time(claim: Claim) -> None:
    """What has to wait has waited, at least since the position last changed."""
    moved_at = claim.standing.course.moved_at
    if moved_at is None or not is_timestamp(claim.commit.at):
        return
    wait_s = _wait_s(claim)
    if wait_s and claim.at_ms < moved_at + wait_s * 1000:
        raise IllegalMove(claim.version, f"{claim.whose} came before {wait_s} seconds had passed.")


def _wait_s(claim: Claim) -> int:
    position, actor = claim.standing.position, claim.commit.actor
    if actor == REFEREE:
        due = claim.ruleset.due(position)
        return 0 if due is None else due.after_s
    waits = [
        decision.not_before_s
        for decision in claim.ruleset.awaited(position)
        if decision.seat == actor and claim.type in decision.moves
    ]
    return min(waits, default=0)


def _judged(claim: Claim) -> Standing:
    """The standing after a move whose events are those that follow from it."""
    ruleset, commit = claim.ruleset, claim.commit
    before = claim.standing
    actor: Actor = REFEREE if isinstance(commit.actor, str) else Seat(commit.actor)
    attempt = ruleset.read_move(commit.move)
    chance = Derived(claim.key, before.course.drawn)
    events, position = ruleset.play(before.position, actor, attempt, chance)
    claim.require(
        canonical(attempt.move) == canonical(commit.move), f"{claim.whose} is not written as the rules write it."
    )
    if canonical(events) == canonical(commit.events):
        assert attempt.move is not None
        claim.require_draws(len(chance.drawn))
        fact = Fact(claim.version, claim.at_ms, commit.actor, attempt.move, commit.cause, events, commit.draws)
        course = by_the_rules(ruleset, claim.terms, before.course, fact, before.position, position)
        return Standing(position, course)

    def retell(chance: Chance) -> Telling:
        return tell(ruleset, before.position, actor, attempt, chance)

    told = retell(Derived(claim.key, before.course.drawn))
    difference = first_difference(commit.events, told.events)
    assert difference is not None
    point = drawn_at(retell, told, difference)
    if point is None:
        raise IllegalMove(claim.version, f"{claim.whose} has events that the rules do not say: {difference}.")
    raise OtherOutcome(
        claim.version, f"{claim.whose} was legal, but not its luck at {point}: {difference} from the seed."
    )
