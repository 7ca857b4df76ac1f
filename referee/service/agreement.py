"""What a table agrees on before the first move, from what its creator asked for."""

from typing import Any, Literal

from referee.bots import BOTS
from referee.kernel.ruleset import Ruleset
from referee.kernel.terms import TABLE_VERSION, Clock, Terms
from referee.service.admission import Policy
from referee.service.game import Holder
from referee.service.problems import Problem, invalid

STAND_INS = ("greedy", "random")
"""The bots that stand in for a seat if none is asked for: the first that plays the title."""

DAY_S = 86400


def agree(
    rules: Ruleset,
    holders: tuple[Holder, ...],
    policy: Policy,
    clock: dict[str, Any] | None,
    on_resignation: str | None,
    stand_in: str | None,
    undo: Literal["never", "free"],
) -> Terms:
    """The terms of a table: as asked for, else by who may sit there; raises a problem about what cannot be met."""
    stand_in = stand_in or next(name for name in STAND_INS if BOTS[name].plays(rules))
    return Terms(
        bots=tuple(holder.bot for holder in holders),
        clock=None if clock is None else _clock(clock, policy),
        on_resignation=bot_or_end(policy, on_resignation, "on_resignation"),
        stand_in=known_bot(rules, stand_in, "stand_in"),
        undo=undo,
        table=TABLE_VERSION,
    )


def _clock(wish: dict[str, Any], policy: Policy) -> Clock:
    given = {name: value for name, value in wish.items() if value is not None}
    days = given.pop("days", 0)
    if days and given.get("decision_s"):
        raise invalid("clock", "The time of a decision is told in seconds or in days, not in both.")
    if not days and not given.get("decision_s") and not given.get("bank_s"):
        raise invalid("clock", "A clock has `decision_s`, `days` or `bank_s`.")
    if days:
        given["decision_s"] = days * DAY_S
    given["on_absence"] = bot_or_end(policy, given.get("on_absence"), "clock.on_absence")
    return Clock(**given)


def bot_or_end(policy: Policy, word: str | None, field: str) -> Literal["bot", "end"]:
    """What follows when a player is gone: unless the creator says, a bot plays on wherever one may sit."""
    if policy == "forbidden" and word == "bot":
        raise Problem(422, "bots-forbidden", f"`{field}`: no bot can play on, since this table takes none.")
    if word is None:
        return "end" if policy == "forbidden" else "bot"
    return "end" if word == "end" else "bot"


def known_bot(rules: Ruleset, name: str, field: str) -> str:
    """The name of a bot that plays a title; raises a problem about the field that names another."""
    known = [each for each, bot in BOTS.items() if bot.plays(rules)]
    if name not in known:
        raise invalid(field, f"No bot `{name}` plays this; there are: {', '.join(known)}.")
    return name
