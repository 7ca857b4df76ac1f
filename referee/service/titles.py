"""The titles that can be played, and what shows their clauses."""

from functools import cache
from importlib.resources import files

import msgspec

from referee.bots import BOTS
from referee.kernel.ruleset import Ruleset
from referee.rulesets import LATEST


def all_rules() -> tuple[Ruleset, ...]:
    """The rulesets that new games are played by."""
    return tuple(LATEST.values())


class BuiltIn(msgspec.Struct, frozen=True):
    """A built-in bot, as it is told of."""

    name: str
    version: str
    description: str
    rulesets: tuple[str, ...]


def all_bots() -> tuple[BuiltIn, ...]:
    """The built-in bots, what each does and which rulesets it plays."""
    return tuple(
        BuiltIn(name, bot.version, _first_line(bot), tuple(rules.slug for rules in all_rules() if bot.plays(rules)))
        for name, bot in BOTS.items()
    )


def _first_line(bot: object) -> str:
    return (type(bot).__doc__ or "").strip().partition("\n")[0]


@cache
def _shown_by() -> dict[str, list[str]]:
    file = files("referee.rulesets") / "shown_by.json"
    return msgspec.json.decode(file.read_bytes(), type=dict[str, list[str]]) if file.is_file() else {}


def tests_that_show(clause: str) -> list[str]:
    """The tests that show a clause."""
    return _shown_by().get(clause, [])
