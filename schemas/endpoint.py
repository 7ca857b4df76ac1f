"""What is said of a call where it is declared."""

from collections.abc import Container
from dataclasses import dataclass

from marshmallow import Schema

ANY_SCOPE = "any"
"""The scope of a call for which every key will do."""


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
    """The name of the component that each status answers with; empty: no body."""
    query: type[Schema] | None = None
    body: type[Schema] | str | None = None
    """A marshmallow schema, or the name of a component."""
    problems: tuple[int, ...] = ()
    """The statuses of its problems that not every such call has."""
    scope: str | None = None
    """What the key must be good for. Without a scope a call takes a key or none, if it can answer 401."""
    headers: tuple[str, ...] = ()
    """Those of the request."""
    gives: tuple[str, ...] = ()
    """The headers of the answers."""
    media: tuple[str, ...] = ("application/json",)
    limited: bool = True
    """Whether callers are counted."""
    cost: int = 1
    """As how many calls it counts."""
    cost_with: tuple[tuple[str, int], ...] = ()
    """As how many calls it counts if its query has one of these parameters."""
    lasting: bool = False
    """Whether the answer is the same for everybody and may be kept for a while."""

    def cost_of(self, parameters: Container[str]) -> int:
        """As how many calls it counts with these parameters."""
        return max([self.cost, *(cost for name, cost in self.cost_with if name in parameters)])
