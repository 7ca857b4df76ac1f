"""The declaration of a call."""

from collections.abc import Container
from dataclasses import dataclass

from marshmallow import Schema

ANY_SCOPE = "any"
"""The scope of a call that accepts every key."""


@dataclass(frozen=True)
class Endpoint:
    """One call of the API."""

    method: str
    rule: str
    name: str
    tag: str
    summary: str
    description: str
    answers: dict[int, str]
    """The component of the answer for each status; empty: no body."""
    query: type[Schema] | None = None
    body: type[Schema] | str | None = None
    """A marshmallow schema, or the name of a component."""
    problems: tuple[int, ...] = ()
    """The statuses of its problems beyond those that follow from the other fields."""
    scope: str | None = None
    """The scope that the key must have. Without a scope the key is optional if the problems include 401."""
    headers: tuple[str, ...] = ()
    """The headers that the call reads."""
    gives: tuple[str, ...] = ()
    """The headers that its answers have."""
    media: tuple[str, ...] = ("application/json",)
    limited: bool = True
    """Whether the call counts against the rate limits."""
    cost: int = 1
    """The number of calls that it counts as."""
    cost_with: tuple[tuple[str, int], ...] = ()
    """The number of calls that it counts as if its query has one of these parameters."""
    lasting: bool = False
    """Whether the answer is the same for everybody and may be cached for a while."""

    def cost_of(self, parameters: Container[str]) -> int:
        """The number of calls that it counts as with these parameters."""
        return max([self.cost, *(cost for name, cost in self.cost_with if name in parameters)])
