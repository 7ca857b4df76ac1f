"""Seats, and the actor of a move: a seat or the referee."""

from typing import Final, Literal, NewType

from msgspec import Meta

Seat = NewType("Seat", int)
"""A place in a game, 0 to n-1 clockwise."""

REFEREE: Final = "referee"

Actor = Seat | Literal["referee"]


def seat_until(last: int) -> Meta:
    """Tells forms which seats the largest table has; a seat that is not at the table is refused by a clause."""
    return Meta(extra_json_schema={"minimum": 0, "maximum": last})


def clockwise(first: int, seats: int) -> tuple[Seat, ...]:
    """Every seat once, clockwise from the first."""
    return tuple([Seat((first + step) % seats) for step in range(seats)])


def next_seat(seat: Seat, seats: int) -> Seat:
    """The left neighbour: the next seat clockwise."""
    return Seat((seat + 1) % seats)


def is_seat(actor: Actor) -> bool:
    """Whether a seat acts, and not the referee."""
    return actor != REFEREE
