"""A move as it was sent, readable or not."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from referee.kernel.message import Move
from referee.kernel.rejection import Rejection


class Attempt(msgspec.Struct, frozen=True, gc=False):
    """A move as it was sent: decoded, or with the fault that makes it unreadable."""

    kind: type[Move] | None
    move: Move | None = None
    fault: str = ""

    def known(self, clause: str) -> type[Move]:
        """The class of the move, whatever its parameters are; raises Rejection for an unknown `type`."""
        if self.kind is None:
            raise Rejection(clause, self.fault)
        return self.kind

    def readable(self, clause: str) -> Move:
        """The move; raises Rejection for an unknown `type` or wrong parameters."""
        if self.move is None:
            raise Rejection(clause, self.fault)
        return self.move


def unreadable(
    sent: Any, error: msgspec.ValidationError, moves: Mapping[str, type[Move]], types: Iterable[str]
) -> Attempt:
    """A move that cannot be read, with what is wrong and what is allowed; `types` are those that a seat can make."""
    name = sent.get("type") if isinstance(sent, dict) else None
    kind = moves.get(name) if isinstance(name, str) else None
    if kind is None:
        allowed = ", ".join(f"`{each}`" for each in types)
        return Attempt(kind, fault=f"This game has no such move. The `type` of a move is one of {allowed}.")
    fields = ", ".join(f"`{each}`" for each in kind.__struct_fields__) or "none"
    return Attempt(kind, fault=f"`{name}` cannot be read: {error}. Its fields: {fields}.")
