"""A position as one seat, or a spectator, may see it (section 11)."""

from typing import Literal

import msgspec

from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.cards import Cards
from referee.rulesets.fangfrisch.position import Answer, Options, Phase, Position, Purchase, purchase_of


class SeatView(msgspec.Struct, frozen=True):
    """A player's money and stall; of the trash and the answer only what the reader may know."""

    money: int
    crate_1: Cards
    crate_2: Cards
    basin: Cards
    trash: Cards | None
    trash_count: int
    answer: Answer | bool | None
    """Of another seat only whether it has answered: true or null (FF-38)."""


class View(msgspec.Struct, frozen=True):
    """A game as one seat or a spectator sees it."""

    ruleset: Literal["fangfrisch"]
    options: Options
    phase: Phase
    seats: tuple[SeatView, ...]
    seller: Seat | None
    deck: None
    deck_count: int
    offer: Cards
    discard: None
    discard_count: int
    aside: Cards
    purchase: Purchase | None
    idle_turns: int
    final_sales: int


def view(position: Position, reader: Seat | None) -> View:
    """The reader's view; None is a spectator."""
    return View(
        ruleset=position.ruleset,
        options=position.options,
        phase=position.phase,
        seats=tuple([seat_view(position, Seat(number), reader) for number in range(len(position.seats))]),
        seller=position.seller,
        deck=None,
        deck_count=len(position.deck),
        offer=position.offer,
        discard=None,
        discard_count=len(position.discard),
        aside=position.aside,
        purchase=position.purchase,
        idle_turns=position.idle_turns,
        final_sales=position.final_sales,
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
