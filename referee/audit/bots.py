"""Replays the moves of bots: did the bot move, with the luck and the iterations that the record reports?"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from referee.audit.claim import Claim
from referee.audit.fault import Fault
from referee.audit.record import WrittenCommit
from referee.audit.table import TABLE_TYPES
from referee.bots import find_bot
from referee.bots.bot import Bot, bot_chance, luck_of, make_turn, reaction_ms
from referee.bots.budget import Iterations
from referee.kernel.canon import canonical
from referee.kernel.message import tag
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.table.moves import MoveUndone
from referee.table.state import RECEIVED
from referee.table.times import milliseconds

ITERATIONS_MAX = 1_000_000
"""The most iterations that an audit replays; no bot uses more, and a forged record could keep the auditor busy."""


class BotCause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a commit reports about the bot that moved."""

    bot: str
    version: str
    luck: str
    iterations: int
    reaction_ms: int | UnsetType = UNSET
    """Where seats race: the bot's reaction time."""
    received: str | UnsetType = UNSET
    """Where seats race: when the bot moved."""


class BotReport(msgspec.Struct, frozen=True):
    """The number of bot moves that were replayed, and of moves by bots unknown to this version."""

    replayed: int = 0
    unknown: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether every bot move was replayed."""
        return not self.unknown

    @property
    def detail(self) -> str:
        """The report as a sentence."""
        unknown = f"; {self.unknown} more are by bots or versions of bots that are unknown here" if self.unknown else ""
        return f"{self.replayed} bot moves were replayed and match{unknown}."


def require_bot(claim: Claim, seat: Seat, bot: str) -> None:
    """Refuse a move for a bot's seat unless it names this bot, its luck and its iterations."""
    reported = claim.commit.cause or {}
    claim.require(reported.get("bot") == bot, f"{claim.label} was not made by {bot}, the bot that plays for the seat.")
    try:
        cause = msgspec.convert(reported, BotCause)
    except msgspec.ValidationError as error:
        return claim.require(False, f"{claim.label} does not have the cause of a bot's move: {error}.")
    luck = luck_of(seat, claim.standing.table.decided[seat])
    claim.require(cause.luck == luck, f"{claim.label} reports the luck {cause.luck}, but the bot's luck is {luck}.")
    is_possible = 0 <= cause.iterations <= ITERATIONS_MAX
    claim.require(
        is_possible, f"{claim.label} reports {cause.iterations} iterations; the number must be 0 to {ITERATIONS_MAX}."
    )


class Sight(msgspec.Struct, frozen=True):
    """What a bot saw when it chose: in a race, the position before the moves of the race, and since when."""

    position: Any
    since: str | None


def check_bots(ruleset: Ruleset, position: Any, commits: Sequence[WrittenCommit], key: bytes) -> BotReport:
    """Replay the bot moves of a record that passed all other checks; raises Fault at the first that differs."""
    replayed, unknown, before = 0, 0, list[Any]()
    sight, moved_at = Sight(position, None), None
    for commit in commits:
        before.append(position)
        if commit.move.get("type") in TABLE_TYPES:
            undone = [event["version"] for event in commit.events if event["type"] == tag(MoveUndone)]
            position = before[undone[0] - 1] if undone else position
            continue
        if not (RECEIVED in (commit.cause or {}) and is_race_on(ruleset, position)):
            sight = Sight(position, moved_at)
        if "bot" in (commit.cause or {}):
            cause = msgspec.convert(commit.cause, BotCause)
            bot = find_bot(cause.bot, ruleset)
            if bot is not None and bot.version == cause.version:
                _replay(ruleset, sight, commit, bot, key)
                replayed += 1
            else:
                unknown += 1
        for event in commit.events:
            position = ruleset.apply(position, msgspec.convert(event, ruleset.any_event))
        moved_at = commit.at
    return BotReport(replayed, unknown)


def is_race_on(ruleset: Ruleset, position: Any) -> bool:
    """Whether moves of a race have been made, so that further ones were chosen before them."""
    due = ruleset.due(position)
    return due is not None and due.runs_on


def _replay(ruleset: Ruleset, sight: Sight, commit: WrittenCommit, bot: Bot, key: bytes) -> None:
    assert isinstance(commit.actor, int), "a move with a cause must belong to a seat"
    seat, version = Seat(commit.actor), commit.version
    cause = msgspec.convert(commit.cause, BotCause)
    budget, first_luck = Iterations(cause.iterations), bot_chance(key, luck_of(seat, 0))
    turn = make_turn(bot, ruleset, sight.position, seat, bot_chance(key, cause.luck), budget, first_luck)
    move = bot.choose(turn)
    if canonical(move) != canonical(commit.move):
        recorded = canonical(commit.move).decode()
        raise Fault(version, f"The record has {recorded}, but the bot {cause.bot} plays {canonical(move).decode()}.")
    if budget.spent != cause.iterations:
        detail = f"The record reports {cause.iterations} iterations, but the bot {cause.bot} uses {budget.spent}."
        raise Fault(version, detail)
    decisions = [
        each for each in ruleset.awaited(sight.position) if each.seat == seat and commit.move["type"] in each.moves
    ]
    if not any(each.obliged for each in decisions) and not bot.acts(turn, move):
        raise Fault(version, f"Seat {seat} did not have to move here, and the bot {cause.bot} waits.")
    races = any(each.race_ms is not None for each in decisions)
    _require_reaction(sight, commit, cause, reaction_ms(key, cause.luck, turn.view) if races else UNSET)


def _require_reaction(sight: Sight, commit: WrittenCommit, cause: BotCause, reaction: int | UnsetType) -> None:
    """Refuse a move that a bot made faster than its luck allows."""
    if cause.reaction_ms != reaction:
        reported = "none" if cause.reaction_ms is UNSET else f"{cause.reaction_ms} ms"
        expected = "none" if reaction is UNSET else f"{reaction} ms"
        detail = f"The record reports the reaction time {reported}, but that of the bot {cause.bot} is {expected}."
        raise Fault(commit.version, detail)
    if not isinstance(reaction, int) or sight.since is None:
        return
    at = commit.at if cause.received is UNSET else str(cause.received)
    if milliseconds(at) < milliseconds(sight.since) + reaction:
        detail = f"The bot {cause.bot} moved at {at}, less than {reaction} ms after it saw the position."
        raise Fault(commit.version, detail)
