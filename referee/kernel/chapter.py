"""A chapter of the rules: moves and events, each declared once with its function."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from referee.kernel.message import Event, Move

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, eq=False)
class Chapter:
    """A group of clauses: its moves and events, each declared once with its function."""

    rules: dict[type[Move], Callable[..., Generator[Event, Any, None]]] = field(default_factory=dict)
    reducers: dict[type[Event], Callable[..., Any]] = field(default_factory=dict)
    requirements: dict[type[Move], Callable[..., None]] = field(default_factory=dict)

    def requires(self, kind: type[Move]) -> Callable[[Function], Function]:
        """Declare the function that makes every refusal of this kind of move, so that its rule refuses nothing.

        Worth it where a position has dozens of such moves: listing them then calls no rule.
        """

        def declare(function: Function) -> Function:
            assert kind not in self.requirements, f"{kind.__name__} is required twice"
            self.requirements[kind] = function
            return function

        return declare

    def decides(self, kind: type[Move]) -> Callable[[Function], Function]:
        """Declare the function that judges this kind of move."""

        def declare(function: Function) -> Function:
            assert kind not in self.rules, f"{kind.__name__} is decided twice"
            self.rules[kind] = function
            return function

        return declare

    def applies(self, kind: type[Event]) -> Callable[[Function], Function]:
        """Declare the function that applies this kind of event."""

        def declare(function: Function) -> Function:
            assert kind not in self.reducers, f"{kind.__name__} is applied twice"
            self.reducers[kind] = function
            return function

        return declare
