"""What a ruleset names as worth trying: moves, some of them several times, some of them proved."""

from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec

from referee.kernel.message import Move


class Weighed(msgspec.Struct, frozen=True, gc=False):
    """A move, and how often it is named: who picks at random picks it so much oftener."""

    move: Move
    weight: int


class Proved(msgspec.Struct, frozen=True, gc=False):
    """Moves that the rules accept for certain: listing them asks no rule. None is there twice or holds a dictionary.

    Worth it where a position has dozens of moves that can be made from what their rule requires.
    """

    moves: tuple[Move, ...]
    weight: int = 1


class Many(msgspec.Struct, frozen=True, gc=False):
    """Moves of one type that can be too many to list. They are made one at a time, and only as far as they are listed.

    So the other types are listed however many moves this one has.
    """

    moves: Iterable[Move]


Candidates = Iterable[Move | Weighed | Proved | Many]

LISTED_MAX = 1000
"""A type with more candidates than this is not listed."""


def in_reach(candidates: Candidates) -> Iterator[Move | Weighed | Proved]:
    """The candidates, of `Many` just enough to see that they are too many."""
    for named in candidates:
        if isinstance(named, Many):
            yield from islice(named.moves, LISTED_MAX + 1)
        else:
            yield named


def proved_if(certain: bool, moves: Proved) -> Candidates:
    """The moves as proved, or one by one, so that the rules are asked about each."""
    return (moves,) if certain else moves.moves


def one_by_one(candidates: Candidates) -> Iterator[Move]:
    """Every move as often as it is named."""
    for named in in_reach(candidates):
        match named:
            case Weighed():
                yield from [named.move] * named.weight
            case Proved():
                for move in named.moves:
                    yield from [move] * named.weight
            case Move():
                yield named
