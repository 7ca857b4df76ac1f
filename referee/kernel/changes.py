"""Changed copies of frozen positions, which share everything that stays the same."""

from collections.abc import Iterable
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

T = TypeVar("T")
S = TypeVar("S", bound=Struct)

__all__ = ["put", "replace", "with_seat", "without"]


def put(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """The items with one of them replaced."""
    changed = list(items)
    changed[index] = item
    return tuple(changed)


def with_seat(seats: tuple[S, ...], seat: int, **changes: Any) -> tuple[S, ...]:
    """The seats, one of them with these changes."""
    changed = list(seats)
    changed[seat] = replace(changed[seat], **changes)
    return tuple(changed)


def without(items: tuple[T, ...], gone: Iterable[T]) -> tuple[T, ...]:
    """The items without the first item equal to each of `gone`; the rest keep their order."""
    rest = list(items)
    for item in gone:
        rest.remove(item)
    return tuple(rest)
