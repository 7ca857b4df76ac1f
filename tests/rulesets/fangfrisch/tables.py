"""Tables for the tests: named cards lie where the test puts them, the rest of the box lies in the deck."""

from __future__ import annotations

from typing import Any

from referee.kernel.changes import without
from referee.rulesets.fangfrisch import FANGFRISCH
from referee.rulesets.fangfrisch.bell import Ring
from referee.rulesets.fangfrisch.edition import EDITION
from referee.rulesets.fangfrisch.names import SPECIAL
from referee.rulesets.fangfrisch.position import LastLot, Options, Phase, Position, Purchase, SeatState
from tests.given import Given, Then


def cards(names: str) -> tuple[str, ...]:
    """Cards in this order: `cards("eel_1 eel_3")`."""
    return tuple(names.split())


def seat(
    money: int = 30, crate_1: str = "", crate_2: str = "", basin: str = "", trash: str = "", answer: str | None = None
) -> SeatState:
    """A seat with this money and these cards, in a slot from below."""
    return SeatState(money, cards(crate_1), cards(crate_2), cards(basin), cards(trash), answer)


def bought(buyer: int, hand: str = "", thieves: int = 0, cans: int = 0) -> Purchase:
    """What a seat has bought."""
    return Purchase(buyer, cards(hand), thieves, cans)


def a_position(
    *seats: SeatState,
    n: int = 4,
    phase: Phase = "selling",
    seller: int = 0,
    top: str = "",
    offer: str = "",
    discard: str = "",
    cleared: str = "",
    aside: str = "",
    is_announced: bool = False,
    last_lot: LastLot | None = None,
    purchase: Purchase | None = None,
    idle_turns: int = 0,
    final_sales: int = 0,
    **options: Any,
) -> Position:
    """A position with these seats, filled up to `n` plain ones; `top` is the top of the deck."""
    table = (*seats, *[seat()] * (n - len(seats)))
    stalls = [pile for each in table for pile in (each.crate_1, each.crate_2, each.basin, each.trash)]
    hand = purchase.hand if purchase else ()
    named = [*stalls, hand, cards(top), cards(offer), cards(discard), cards(cleared), cards(aside)]
    box = (*EDITION.ordinary_cards, *SPECIAL)
    deck = cards(top) + without(box, [card for pile in named for card in pile])
    return Position(
        ruleset="fangfrisch",
        options=Options(**options),
        phase=phase,
        seats=table,
        seller=seller,
        deck=deck,
        offer=cards(offer),
        offer_number=len(box) - len(deck),
        is_announced=is_announced,
        last_lot=last_lot,
        discard=cards(discard),
        cleared=cards(cleared),
        aside=cards(aside),
        purchase=purchase,
        idle_turns=idle_turns,
        final_sales=final_sales,
    )


def given(*seats: SeatState, **rest: Any) -> Given:
    """A table with these seats; the rest as for `a_position`."""
    return Given(FANGFRISCH, a_position(*seats, **rest))


def an_auction(*seats: SeatState, offer: str = "eel_1 tuna_2", **rest: Any) -> Given:
    """A table at which seat 0 holds an auction, unless another seller is named."""
    return given(*seats, phase="auction", offer=offer, **rest)


def a_purchase(
    *seats: SeatState, phase: Phase, hand: str = "", thieves: int = 0, cans: int = 0, buyer: int = 1, **rest: Any
) -> Given:
    """A table at which seat 1 has bought from seat 0."""
    return given(*seats, phase=phase, purchase=bought(buyer, hand, thieves, cans), **rest)


def rings(table: Given, buyer: int) -> Then:
    """What follows when a seat rings for the offer that lies there, at a table where the first ring buys."""
    return table.when(buyer, Ring(seen=table.position.offer_number))


def money(table: Given) -> list[int]:
    """The money of every seat."""
    return [each.money for each in table.position.seats]
