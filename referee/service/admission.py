"""Who may hold a seat: a table takes bots, takes none, or takes nobody else."""

from collections.abc import Iterable
from typing import Literal

from referee.service.game import Holder
from referee.service.problems import Problem

Policy = Literal["allowed", "forbidden", "required"]


def read_policy(word: str) -> Policy:
    """The policy of a table by its name."""
    policies: dict[str, Policy] = {"forbidden": "forbidden", "required": "required"}
    return policies.get(word, "allowed")


def require_admitted(policy: Policy, holders: Iterable[Holder], status: int) -> None:
    """Nobody sits where the table's policy does not let them; raises a problem with this status."""
    for holder in holders:
        if policy == "forbidden" and holder.is_program:
            raise Problem(status, "bots-forbidden", "This table takes no bots, neither built-in ones nor bot accounts.")
        if policy == "required" and not holder.is_open and not holder.is_program:
            raise Problem(status, "bots-required", "This table takes only bots: built-in ones and bot accounts.")
