"""The places of the seats, and how seats share one."""

from collections.abc import Sequence
from typing import Any

import msgspec

from referee.kernel.seat import Seat


class Place(msgspec.Struct, frozen=True):
    """A seat's place in the ranking, with the clause that puts it there."""

    seat: Seat
    rank: int
    """1 is the best; seats can share a rank."""
    score: int
    clause: str
    """The clause that decides the rank."""


def ranks_of(keys: Sequence[Any]) -> tuple[int, ...]:
    """The rank of each seat: one more than the number of seats with a greater key, so that equal keys share a rank."""
    return tuple([1 + sum([other > key for other in keys]) for key in keys])


def places(keys: Sequence[Any], scores: Sequence[int], clause: str, tie: str | None = None) -> tuple[Place, ...]:
    """Every seat's place by its key, the best first; seats with equal keys share a rank.

    A key is the score, followed by the tie-breaks. `tie` is the clause for seats whose score another seat has, too;
    None: the same clause as for the others.
    """
    ranks = ranks_of(keys)
    found = [
        Place(Seat(seat), ranks[seat], score, clause if tie is None or scores.count(score) == 1 else tie)
        for seat, score in enumerate(scores)
    ]
    return tuple(sorted(found, key=lambda place: (place.rank, place.seat)))
