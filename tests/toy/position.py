"""The position: everything there is to know about a game, hidden information included."""

from collections.abc import Generator
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from referee.kernel.message import Event
from referee.kernel.ruleset import Case as KernelCase
from referee.kernel.seat import Seat, seat_until
from tests.toy.edition import Edition
from tests.toy.names import Fish

SLUG: Final = "toy"

Phase = Literal["setup", "turn", "bidding", "haggling", "closing", "finished"]
Natural = Annotated[int, Meta(ge=0)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the players agree on when they create a game."""

    first_seat: Annotated[
        Annotated[Seat, seat_until(3)] | None, Meta(description="The seat that begins; null: drawn by chance.")
    ] = None
    haggling: Annotated[bool, Meta(description="Whether sellers and buyers haggle over a price.")] = True


class SeatState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat has."""

    hand: tuple[Fish, ...] = ()
    coins: Natural = 0
    bought: tuple[Fish, ...] = ()
    bid: Natural | None = None


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The complete state of a game."""

    options: Options
    phase: Phase
    seats: tuple[SeatState, ...]
    ruleset: Literal["toy"] = SLUG
    active_seat: Seat | None = None
    buyer: Seat | None = None
    deck: tuple[Fish, ...] = ()
    """Top first."""
    offer: Fish | None = None
    thrown_away: tuple[Fish, ...] = ()
    turns: Natural = 0


Case = KernelCase[Position, Edition]
Says = Generator[Event, Position, None]


def active_of(position: Position) -> Seat:
    """The seat whose turn it is."""
    assert position.active_seat is not None, "a seat is active from the set-up on"
    return position.active_seat


def can_act(position: Position, seat: int) -> bool:
    """Whether a seat can draw or offer."""
    return bool(position.deck or position.seats[seat].hand)


def bidders(position: Position) -> tuple[Seat, ...]:
    """The seats that may still bid (TY-7)."""
    return tuple(
        [
            Seat(number)
            for number, seat in enumerate(position.seats)
            if number != position.active_seat and seat.coins and seat.bid is None
        ]
    )
