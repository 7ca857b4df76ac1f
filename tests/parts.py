"""Rulesets with some parts replaced."""

from dataclasses import replace
from typing import Any

from referee.kernel.ruleset import Ruleset


def with_functions(ruleset: Ruleset, **functions: Any) -> Ruleset:
    """The ruleset with other functions in its contract."""
    return replace(ruleset, contract=replace(ruleset.contract, **functions))
