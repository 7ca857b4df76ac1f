"""Change by path, share the rest: small steps for frozen positions."""

from collections.abc import Iterable
from typing import TypeVar

from msgspec.structs import replace

T = TypeVar("T")

__all__ = ["put", "replace", "without"]


def put(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """The items with one of them exchanged."""
    return (*items[:index], item, *items[index + 1 :])


def without(items: tuple[T, ...], gone: Iterable[T]) -> tuple[T, ...]:
    """The items without the first equal one for each that is gone; the rest keep their order."""
    rest = list(items)
    for item in gone:
        rest.remove(item)
    return tuple(rest)
