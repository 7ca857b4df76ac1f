"""Who acts: a seat, or the referee itself."""

from typing import Final, Literal, NewType

Seat = NewType("Seat", int)
"""A place in a game, 0 to n-1 clockwise."""

REFEREE: Final = "referee"

Actor = Seat | Literal["referee"]


def is_seat(actor: Actor) -> bool:
    """Whether a seat acts, and not the referee."""
    return actor != REFEREE
