"""Who may read a field: declared beside the field of a message (`redact`) or by the fields of a view (`shown`)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import fields, replace

from referee.kernel.message import Event, Move
from referee.kernel.seat import Actor, Seat

T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)


@dataclass(frozen=True)
class Audience:
    """The readers of a field: the seats that these fields of the same event name."""

    seats_in: tuple[str, ...] = ()
    own_entry: bool = False


def only(*seat_fields: str) -> Audience:
    """Readable only by the seats that the named fields hold; left out for all other readers."""
    return Audience(seats_in=seat_fields)


NOBODY = Audience()
"""Readable by nobody during play. On a field of a move: by nobody but the seat that makes it."""

OWN_ENTRY = Audience(own_entry=True)
"""A list by seat in which every entry but the reader's own is null."""


def shown(kind: type[S], source: type[msgspec.Struct], *given: str) -> Callable[..., S]:
    """A function that makes views of this kind: `make(position, deck=None, …)`.

    It copies the fields that the view declares with the same type as the position. All others, and those named here,
    must be given as keywords. What the view does not declare stays hidden. The function is compiled once, since a view
    is made for every reader of every position.
    """
    declared, own = get_type_hints(kind, include_extras=True), get_type_hints(source, include_extras=True)
    names = kind.__struct_fields__
    keywords = [name for name in names if name in given or declared[name] != own.get(name)]
    parts = [name if name in keywords else f"position.{name}" for name in names]
    parameters = ", ".join(("position", "*", *keywords) if keywords else ("position",))
    make: Callable[..., S] = eval(f"lambda {parameters}: kind({', '.join(parts)})", {"kind": kind})
    return make


@cache
def hidden_fields(message: type[msgspec.Struct]) -> tuple[tuple[str, Audience], ...]:
    """The fields of a message class that not everybody may read, each with its audience."""
    hints = get_type_hints(message, include_extras=True)
    return tuple(
        (field.name, mark)
        for field in fields(message)
        for mark in getattr(hints[field.name], "__metadata__", ())
        if isinstance(mark, Audience)
    )


def redact(event: Event, reader: Seat | None) -> Event:
    """The reader's copy of an event: hidden fields left out. `None` is a spectator."""
    hidden = hidden_fields(type(event))
    if not hidden:
        return event
    changes: dict[str, Any] = {}
    for name, audience in hidden:
        value = getattr(event, name)
        if audience.own_entry:
            changes[name] = tuple(entry if seat == reader else None for seat, entry in enumerate(value))
        elif reader is None or all(getattr(event, seat) != reader for seat in audience.seats_in):
            changes[name] = UNSET
    return replace(event, **changes)


def whole(value: T | UnsetType) -> T:
    """The value of a hidden field, for a reducer, which only gets events that are not redacted."""
    assert not isinstance(value, UnsetType), "a redacted event cannot be applied"
    return value


def move_as_seen(move: Move, actor: Actor | str, reader: Seat | None) -> Move | None:
    """The reader's copy of a move: whole for the seat that made it, None if it is secret, else hidden fields unset."""
    hidden = hidden_fields(type(move))
    if (reader is not None and actor == reader) or not (hidden or move.secret):
        return move
    return None if move.secret else replace(move, **{name: UNSET for name, _ in hidden})


def redact_move(move: Move, actor: Actor | str, reader: Seat | None) -> dict[str, Any] | None:
    """The JSON of the reader's copy of a move; None if it is secret."""
    seen = move_as_seen(move, actor, reader)
    return None if seen is None else msgspec.to_builtins(seen)
