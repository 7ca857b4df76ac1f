"""The titles that can be played, and what shows their clauses."""

from functools import cache
from importlib.resources import files

import msgspec

from referee.kernel.ruleset import Ruleset
from referee.rulesets import LATEST


def all_rules() -> tuple[Ruleset, ...]:
    """The rulesets that new games are played by."""
    return tuple(LATEST.values())


@cache
def _shown_by() -> dict[str, list[str]]:
    file = files("referee.rulesets") / "shown_by.json"
    return msgspec.json.decode(file.read_bytes(), type=dict[str, list[str]]) if file.is_file() else {}


def tests_that_show(clause: str) -> list[str]:
    """The tests that show a clause."""
    return _shown_by().get(clause, [])
