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


FIRST_CAUSE = {"bot", "version"}
"""What the first games told of a bot, which had no terms in their headers either."""


class BotCause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a commit tells of the bot that moved."""

    bot: str
    version: str
    luck: str
    iterations: int


class Retold(msgspec.Struct, frozen=True):
    """How many moves of bots there are: made again, without what it takes to make them again, of bots not known."""

    made: int = 0
    untold: int = 0
    unknown: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether every move was made again."""
        return not self.untold and not self.unknown

    @property
    def detail(self) -> str:
        """The same in a sentence."""
        untold = f"; {self.untold} do not tell their luck, as in the first games" if self.untold else ""
        unknown = f"; {self.unknown} are of bots that are not known here" if self.unknown else ""
        return f"{self.made} moves of bots were made again, and are the same{untold}{unknown}."


def check_bots(ruleset: Ruleset, position: Any, commits: Sequence[Written], secret: Secret, has_terms: bool) -> Retold:
    """What was found in a record that is proved otherwise; raises Fault at the first move that is not its bot's."""
    made, untold, unknown, before = 0, 0, 0, list[Any]()
    for place, commit in enumerate(commits, 1):
        before.append(position)
        if commit.move.get("type") in TABLE_TYPES:
            undone = [event["version"] for event in commit.events if event["type"] == tag(MoveUndone)]
            position = before[undone[0] - 1] if undone else position
            continue
        told = commit.cause or {}
        if "bot" in told and not _is_known(told):
            unknown += 1
        elif "bot" in told and not has_terms and told.keys() == FIRST_CAUSE:
            untold += 1
        elif "bot" in told:
            _make_again(ruleset, position, commit, secret, place)
            made += 1
        for event in commit.events:
            position = ruleset.apply(position, msgspec.convert(event, ruleset.any_event))
    return Retold(made, untold, unknown)


def _is_known(told: dict[str, Any]) -> bool:
    """Whether it is a bot that can be asked again: not if it has another name, or another version."""
    name, version = told["bot"], told.get("version")
    if not isinstance(name, str) or name not in BOTS:
        return False
    return not isinstance(version, str) or version == BOTS[name].version


def _make_again(ruleset: Ruleset, position: Any, commit: Written, secret: Secret, version: int) -> None:
    assert isinstance(commit.actor, int), "only a seat's move has a cause"
    seat, cause = Seat(commit.actor), _cause(commit, version)
    bot, budget = BOTS[cause.bot], Iterations(cause.iterations)
    if cause.luck != luck_of(seat, version):
        raise Fault(version, f"The luck of the bot is {cause.luck}, and not that of this seat and version.")
    if not 0 <= cause.iterations <= ITERATIONS_MAX:
        raise Fault(version, f"No bot thinks for {cause.iterations} iterations.")
    turn = make_turn(bot, ruleset, position, seat, bot_chance(secret, cause.luck), budget)
    move = bot.choose(turn)
    if canonical(move) != canonical(commit.move):
        raise Fault(version, f"The bot {cause.bot} makes another move: {canonical(move).decode()}.")
    if budget.spent != cause.iterations:
        raise Fault(version, f"The bot {cause.bot} thinks for {budget.spent} iterations only.")
    is_obliged = any(decision.obliged for decision in ruleset.awaited(position) if decision.seat == seat)
    if not is_obliged and not bot.acts(turn, move):
        raise Fault(version, f"The bot {cause.bot} waits here: nothing obliges it to move.")


def _cause(commit: Written, version: int) -> BotCause:
    """What it takes to make the move again; raises Fault if not all of it is told."""
    try:
        return msgspec.convert(commit.cause, BotCause)
    except msgspec.ValidationError as error:
        raise Fault(version, f"The cause of the bot's move is not told as it should be: {error}.") from None
