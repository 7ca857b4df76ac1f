"""Moves, triggers and events: frozen messages whose `type` is their class name in snake case.

No message refers to itself, so the garbage collector skips them: lists of moves are long.
"""

import re
from typing import Any, ClassVar, dataclass_transform

import msgspec


def type_of(class_name: str) -> str:
    """The `type` of a message class: `TakeCards` is `take_cards`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", class_name).lower()


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class FrozenMeta(msgspec.StructMeta):
    """Shows type checkers that subclasses of a message are frozen as well."""


class Move(
    msgspec.Struct,
    metaclass=FrozenMeta,
    frozen=True,
    cache_hash=True,
    forbid_unknown_fields=True,
    tag_field="type",
    tag=type_of,
    gc=False,
):
    """What an actor asks for."""

    secret: ClassVar[bool] = False
    """Whether the whole move, its type included, is hidden from all but the seat that makes it."""

    talk: ClassVar[bool] = False
    """Whether the move can be repeated without end, so that it gives no seat new time to think."""

    schema: ClassVar[dict[str, Any]] = {}
    """Additions to the JSON Schema of the move, such as which fields go together."""


class Trigger(Move):
    """A move that only the referee makes."""


class Event(
    msgspec.Struct,
    metaclass=FrozenMeta,
    frozen=True,
    forbid_unknown_fields=True,
    tag_field="type",
    tag=type_of,
    gc=False,
):
    """A fact that followed from a move."""


def tag(message: type[Move] | type[Event] | Move | Event) -> str:
    """The `type` of a message or of its class."""
    return str(message.__struct_config__.tag)


def schema_of(kind: type[Move]) -> dict[str, Any]:
    """The self-contained JSON Schema of a move."""
    parts = msgspec.json.schema(kind)["$defs"]
    own = parts.pop(kind.__name__)
    return {**own, **kind.schema, "$defs": parts}
