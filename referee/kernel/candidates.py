"""The candidates of a ruleset: moves worth trying, some with a weight, some already proved legal."""

from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec

from referee.kernel.message import Move


class Weighed(msgspec.Struct, frozen=True, gc=False):
    """A move and its weight: a random choice picks it that many times as often as a move of weight 1."""

    move: Move
    weight: int


class Proved(msgspec.Struct, frozen=True, gc=False):
    """Moves known to be legal, so that listing them calls no rule. No move occurs twice.

    Worth it where a position has dozens of moves that follow directly from what their rule requires.
    """

    moves: tuple[Move, ...]
    weight: int = 1


class Many(msgspec.Struct, frozen=True, gc=False):
    """Moves of one type, if there can be too many to list. They are generated one by one, while they are listed.

    So the other types are listed however many moves this one has.
    """

    moves: Iterable[Move]


Candidates = Iterable[Move | Weighed | Proved | Many]

LISTED_MAX = 1000
"""A type with more candidates than this is not listed."""


def proved_in_reach(moves: Iterable[Move], weight: int = 1) -> Proved:
    """Moves of one type, all known to be legal; if there can be too many to list, no more than show that."""
    return Proved(tuple(islice(moves, LISTED_MAX + 1)), weight)


def in_reach(candidates: Candidates) -> Iterator[Move | Weighed | Proved]:
    """The candidates; of `Many` at most one more than can be listed."""
    for named in candidates:
        if isinstance(named, Many):
            yield from islice(named.moves, LISTED_MAX + 1)
        else:
            yield named


def proved_if(certain: bool, moves: Proved) -> Candidates:
    """The moves as proved if that is certain; otherwise one by one, so that the rules judge each."""
    return (moves,) if certain else moves.moves


def one_by_one(candidates: Candidates) -> Iterator[Move]:
    """Every move, repeated according to its weight."""
    for named in in_reach(candidates):
        match named:
            case Weighed():
                yield from [named.move] * named.weight
            case Proved():
                for move in named.moves:
                    yield from [move] * named.weight
            case Move():
                yield named
