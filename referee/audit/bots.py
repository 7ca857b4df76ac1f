"""Makes the moves of bots again: was it the bot that moved, with the luck and the thought that the record says?"""

from collections.abc import Sequence
from typing import Any

import msgspec

from referee.audit.fault import Fault
from referee.audit.record import Written
from referee.audit.table import TABLE_TYPES
from referee.bots import BOTS
from referee.bots.bot import bot_chance, luck_of, make_turn
from referee.bots.budget import Iterations
from referee.kernel.canon import canonical
from referee.kernel.message import tag
from referee.kernel.record import Secret
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.kernel.table import MoveUndone

ITERATIONS_MAX = 1_000_000
"""No bot thinks longer; who claims it keeps the auditor busy."""


class BotCause(msgspec.Struct, frozen=True):
    """What a commit tells of the bot that moved."""

    bot: str
    version: str
    luck: str
    iterations: int


def check_bots(ruleset: Ruleset, position: Any, commits: Sequence[Written], secret: Secret) -> str:
    """What was found in a record that is proved otherwise; raises Fault at the first move that is not its bot's."""
    made, others, before = 0, 0, list[Any]()
    for place, commit in enumerate(commits, 1):
        before.append(position)
        if commit.move.get("type") in TABLE_TYPES:
            undone = [event["version"] for event in commit.events if event["type"] == tag(MoveUndone)]
            position = before[undone[0] - 1] if undone else position
            continue
        cause = _cause(commit)
        if cause is None:
            others += commit.cause is not None and "bot" in commit.cause
        else:
            _make_again(ruleset, position, commit, cause, secret, place)
            made += 1
        for event in commit.events:
            position = ruleset.apply(position, msgspec.convert(event, ruleset.any_event))
    rest = f"; {others} are of bots that are not known here" if others else ""
    return f"{made} moves of bots were made again, and are the same{rest}."


def _cause(commit: Written) -> BotCause | None:
    """Which bot moved, if it is one that can be asked again."""
    try:
        cause = msgspec.convert(commit.cause, BotCause)
    except msgspec.ValidationError:
        return None
    is_known = cause.bot in BOTS and BOTS[cause.bot].version == cause.version
    return cause if is_known and isinstance(commit.actor, int) else None


def _make_again(
    ruleset: Ruleset, position: Any, commit: Written, cause: BotCause, secret: Secret, version: int
) -> None:
    assert isinstance(commit.actor, int)
    seat, bot = Seat(commit.actor), BOTS[cause.bot]
    if cause.luck != luck_of(seat, version):
        raise Fault(version, f"The luck of the bot is {cause.luck}, and not that of this seat and version.")
    if not 0 <= cause.iterations <= ITERATIONS_MAX:
        raise Fault(version, f"No bot thinks for {cause.iterations} iterations.")
    budget = Iterations(cause.iterations)
    move = bot.choose(make_turn(bot, ruleset, position, seat, bot_chance(secret, cause.luck), budget))
    if canonical(move) != canonical(commit.move):
        raise Fault(version, f"The bot {cause.bot} makes another move: {canonical(move).decode()}.")
    if budget.spent != cause.iterations:
        raise Fault(version, f"The bot {cause.bot} thinks for {budget.spent} iterations only.")
