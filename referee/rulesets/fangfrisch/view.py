"""A position as one seat, or a spectator, may see it (section 11 of rules.md)."""

from typing import Literal

import msgspec

from referee.kernel.audience import shown
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.edition import Edition
from referee.rulesets.fangfrisch.names import Cards
from referee.rulesets.fangfrisch.position import Answer, LastLot, Options, Phase, Position, Purchase, purchase_of


class SeatView(msgspec.Struct, frozen=True, gc=False):
    """A player's money and stall, and as much of its trash and answer as the reader may know."""

    money: int
    crate_1: Cards
    crate_2: Cards
    basin: Cards
    trash: Cards | None
    trash_count: int
    answer: Answer | bool | None
    """The reader's own answer; for another seat, true if it has answered and null if not (FF-38)."""


class View(msgspec.Struct, frozen=True, gc=False):
    """A game as one seat or a spectator sees it."""

    ruleset: Literal["fangfrisch"]
    options: Options
    phase: Phase
    seats: tuple[SeatView, ...]
    seller: Seat | None
    deck: Cards | None
    """Always null, as is `cleared`."""
    deck_count: int
    offer: Cards
    offer_number: int
    """What `seen` names: the number of cards turned so far in the game."""
    is_announced: bool
    """Whether the referee is about to show the next card (live pace)."""
    last_lot: LastLot | None
    discard: Cards
    cleared: Cards | None
    """Cards that cans removed from a trash, face down."""
    cleared_count: int
    aside: Cards
    purchase: Purchase | None
    idle_turns: int
    final_sales: int


_view = shown(View, Position)


def view(position: Position, reader: Seat | None, edition: Edition) -> View:
    """The reader's view; None is a spectator."""
    return _view(
        position,
        seats=tuple([seat_view(position, Seat(number), reader) for number in range(len(position.seats))]),
        deck=None,
        deck_count=len(position.deck),
        cleared=None,
        cleared_count=len(position.cleared),
    )


def seat_view(position: Position, number: Seat, reader: Seat | None) -> SeatView:
    """One seat as the reader sees it."""
    seat = position.seats[number]
    return SeatView(
        money=seat.money,
        crate_1=seat.crate_1,
        crate_2=seat.crate_2,
        basin=seat.basin,
        trash=seat.trash if is_trash_open(position, number, reader) else None,
        trash_count=len(seat.trash),
        answer=seat.answer if number == reader or seat.answer is None else True,
    )


def is_trash_open(position: Position, owner: Seat, reader: Seat | None) -> bool:
    """Whether the reader sees the cards: the owner while it uses a can, all from the settlement on (FF-R28)."""
    if position.phase == "canning":
        return reader == owner == purchase_of(position).buyer  # FF-62
    return position.phase in ("settling", "finished")
