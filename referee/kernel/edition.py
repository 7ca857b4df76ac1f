"""The numbers of a box, read from TOML."""

import tomllib
from typing import TypeVar

import msgspec

E = TypeVar("E")


def read_edition(toml: str, kind: type[E]) -> E:
    """An edition of this type; raises ValueError if no game can be played with these numbers.

    The type checks its numbers in `__post_init__`.
    """
    return msgspec.convert(tomllib.loads(toml), kind)
