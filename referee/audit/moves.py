"""Judges the commits of a record one by one: was the move legal, and do its events follow from it?"""

from typing import Any

from msgspec.structs import replace

from referee.audit.chain import is_timestamp
from referee.audit.claim import Claim, IllegalMove, Standing, WrongOutcome
from referee.audit.clocks import require_deadlines, require_mover
from referee.audit.fault import Fault
from referee.audit.links import drawing_key, require_link, require_link_used
from referee.audit.luck import drawings_of
from referee.audit.replay import Replay, deciding_draw, first_difference, replay_move
from referee.audit.table import TABLE_TYPES, judge_table_move
from referee.kernel.canon import canonical
from referee.kernel.chance import Chance, Derived
from referee.kernel.rejection import Rejection
from referee.kernel.seat import REFEREE, Actor, Seat
from referee.table.record import ADMIN
from referee.table.state import after_move
from referee.table.times import timestamp


def judge_claim(claim: Claim) -> Standing:
    """Return the standing after a commit; raises IllegalMove or WrongOutcome."""
    try:
        _require_actor(claim)
        _require_no_cause(claim)
        require_link(claim)
        after = judge_table_move(claim) if claim.type in TABLE_TYPES else _by_the_rules(claim)
        require_deadlines(claim, after)
        return after
    except Fault:
        raise
    except Rejection as rejection:
        detail = f"{claim.label} is refused by {rejection.clause}: {rejection.message}"
    except Exception as error:
        detail = f"{claim.label} cannot be judged: the rules fail with {error!r}."
    raise IllegalMove(claim.version, detail)


def _require_actor(claim: Claim) -> None:
    actor = claim.commit.actor
    known = actor in (REFEREE, ADMIN) if isinstance(actor, str) else 0 <= actor < claim.seats
    seats = f"seats 0 to {claim.seats - 1}, {REFEREE} and {ADMIN}"
    claim.require(known, f"{claim.label} has an unknown actor; this game has {seats}.")


def _require_no_cause(claim: Claim) -> None:
    """Refuse a cause unless the move is one of the ruleset for a seat."""
    if claim.type in TABLE_TYPES or isinstance(claim.commit.actor, str):
        claim.require(claim.commit.cause is None, f"{claim.label} has a cause, which only moves in a seat's turn have.")


def _by_the_rules(claim: Claim) -> Standing:
    """Return the standing after a move of the ruleset; raises IllegalMove, WrongOutcome or Rejection."""
    claim.require_status("running")
    claim.require(claim.commit.actor != ADMIN, f"{claim.label} is refused: an admin does not play.")
    _require_due(claim)
    _require_time(claim)
    require_mover(claim)
    return _judge_move(claim)


def _require_due(claim: Claim) -> None:
    """Refuse a move of the referee unless it is the trigger that is due, and any trigger of a seat."""
    if claim.commit.actor != REFEREE:
        is_trigger = claim.type in claim.ruleset.triggers
        return claim.require(not is_trigger, f"{claim.label} is a trigger, which only the referee makes.")
    due = claim.ruleset.due(claim.standing.position)
    if due is None:
        raise IllegalMove(claim.version, f"{claim.label} was made when nothing was due.")
    expected = canonical(due.move)
    claim.require(expected == canonical(claim.commit.move), f"{claim.label} was made when {expected.decode()} was due.")


def _require_time(claim: Claim) -> None:
    """Refuse a move made too soon after the position last changed."""
    if not is_timestamp(claim.commit.at):
        return
    since, wait_ms = _wait(claim)
    if since is not None and wait_ms and claim.at_ms < since + wait_ms:
        detail = f"{claim.label} was made before {timestamp(since + wait_ms)}: it has to wait {wait_ms} ms."
        raise IllegalMove(claim.version, detail)


def _wait(claim: Claim) -> tuple[int | None, int]:
    """Return since when the actor has to wait, and for how many milliseconds."""
    position, actor, table = claim.standing.position, claim.commit.actor, claim.standing.table
    if actor == REFEREE:
        due = claim.ruleset.due(position)
        return table.due_since, 0 if due is None else due.after_ms
    waits = [
        decision.not_before_s
        for decision in claim.ruleset.awaited(position)
        if decision.seat == actor and claim.type in decision.moves
    ]
    return table.moved_at, min(waits, default=0) * 1000


def _judge_move(claim: Claim) -> Standing:
    """Return the standing after a move, if its events are those that follow from it."""
    ruleset, commit = claim.ruleset, claim.commit
    before = claim.standing
    actor: Actor = REFEREE if isinstance(commit.actor, str) else Seat(commit.actor)
    attempt = ruleset.read_move(commit.move)
    key = drawing_key(claim)
    chance = Derived(key, before.table.drawn)
    events, position = ruleset.play(before.position, actor, attempt, chance)
    expected = canonical(attempt.move)
    claim.require(expected == canonical(commit.move), f"{claim.label} must be written as {expected.decode()}.")
    if canonical(events) == canonical(commit.events):
        assert attempt.move is not None
        claim.require_draws(len(chance.drawn))
        require_link_used(claim)
        if claim.drawings is not None and chance.drawn:
            before_it = (ruleset, before.position, actor, attempt, key, before.table.drawn)
            claim.drawings.extend(drawings_of(*before_it, claim.version))
        read: Any = replace(commit, move=attempt.move, events=events)
        table = after_move(ruleset, claim.terms, before.table, read, claim.at_ms, before.position, position)
        return Standing(position, table)

    def replay_with(chance: Chance) -> Replay:
        return replay_move(ruleset, before.position, actor, attempt, chance)

    replayed = replay_with(Derived(key, before.table.drawn))
    difference = first_difference(commit.events, replayed.events)
    assert difference is not None
    point = deciding_draw(replay_with, replayed, difference)
    if point is None:
        raise IllegalMove(claim.version, f"{claim.label} has events that do not follow from it: {difference}.")
    raise WrongOutcome(claim.version, f"{claim.label} is legal, but its luck at {point} is wrong: {difference}.")
