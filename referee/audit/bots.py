"""Makes the moves of bots again: was it the bot that moved, with the luck and the thought that the record says?"""

from collections.abc import Sequence
from typing import Any

import msgspec

from referee.audit.claim import Claim
from referee.audit.fault import Fault
from referee.audit.record import Written
from referee.audit.table import TABLE_TYPES
from referee.bots import BOTS
from referee.bots.bot import bot_chance, luck_of, make_turn
from referee.bots.budget import Iterations
from referee.kernel.canon import canonical
from referee.kernel.message import tag
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.kernel.table import MoveUndone

ITERATIONS_MAX = 1_000_000
"""No bot thinks longer; who claims it keeps the auditor busy."""


class BotCause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a commit tells of the bot that moved."""

    bot: str
    version: str
    luck: str
    iterations: int


class Retold(msgspec.Struct, frozen=True):
    """How many moves of bots there are: made again, and of bots not known here."""

    made: int = 0
    unknown: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether every move was made again."""
        return not self.unknown

    @property
    def detail(self) -> str:
        """The same in a sentence."""
        unknown = f"; {self.unknown} are of bots that are not known here" if self.unknown else ""
        return f"{self.made} moves of bots were made again, and are the same{unknown}."


def require_bot(claim: Claim, seat: Seat, bot: str) -> None:
    """A move for a seat that a bot plays for names this bot, its luck and how long it thought."""
    told = claim.commit.cause or {}
    claim.require(told.get("bot") == bot, f"{claim.whose} was not made by {bot}, the bot that plays for the seat.")
    try:
        cause = msgspec.convert(told, BotCause)
    except msgspec.ValidationError as error:
        return claim.require(False, f"{claim.whose} does not report what a bot's move has to: {error}.")
    luck = luck_of(seat, claim.standing.course.decided[seat])
    claim.require(cause.luck == luck, f"{claim.whose} names the luck {cause.luck}, but the bot's luck is {luck}.")
    is_thinkable = 0 <= cause.iterations <= ITERATIONS_MAX
    claim.require(is_thinkable, f"{claim.whose} reports {cause.iterations} iterations, and no bot thinks for that.")


def check_bots(ruleset: Ruleset, position: Any, commits: Sequence[Written], key: bytes) -> Retold:
    """What was found in a record that is proved otherwise; raises Fault at the first move that is not its bot's."""
    made, unknown, before = 0, 0, list[Any]()
    for commit in commits:
        before.append(position)
        if commit.move.get("type") in TABLE_TYPES:
            undone = [event["version"] for event in commit.events if event["type"] == tag(MoveUndone)]
            position = before[undone[0] - 1] if undone else position
            continue
        if "bot" in (commit.cause or {}):
            cause = msgspec.convert(commit.cause, BotCause)
            is_known = cause.bot in BOTS and BOTS[cause.bot].version == cause.version
            if is_known:
                _make_again(ruleset, position, commit, cause, key)
            made, unknown = made + is_known, unknown + (not is_known)
        for event in commit.events:
            position = ruleset.apply(position, msgspec.convert(event, ruleset.any_event))
    return Retold(made, unknown)


def _make_again(ruleset: Ruleset, position: Any, commit: Written, cause: BotCause, key: bytes) -> None:
    assert isinstance(commit.actor, int), "only a seat's move has a cause"
    seat, version = Seat(commit.actor), commit.version
    bot, budget = BOTS[cause.bot], Iterations(cause.iterations)
    turn = make_turn(bot, ruleset, position, seat, bot_chance(key, cause.luck), budget)
    move = bot.choose(turn)
    if canonical(move) != canonical(commit.move):
        raise Fault(version, f"The bot {cause.bot} makes another move: {canonical(move).decode()}.")
    if budget.spent != cause.iterations:
        raise Fault(version, f"The bot {cause.bot} thinks for {budget.spent} iterations only.")
    is_obliged = any(decision.obliged for decision in ruleset.awaited(position) if decision.seat == seat)
    if not is_obliged and not bot.acts(turn, move):
        raise Fault(version, f"The bot {cause.bot} waits here: nothing obliges it to move.")
