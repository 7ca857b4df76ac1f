"""Cards and gold: counting and moving them (EP-27 to EP-29)."""

from collections.abc import Mapping
from typing import TypeVar

from referee.kernel.changes import put, replace
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.names import RESOURCES, Bag, Bundle, Good, Resource, joined
from referee.rulesets.explorers_and_pirates.position import Bank, Hand, Position, SeatState

K = TypeVar("K", bound=str)

Goods = Mapping[Resource, int] | Mapping[Good, int]
"""Cards, or cards and gold."""

NO_CARDS = Hand(0, 0, 0, 0, 0)


def cards_in(hand: Hand | Bank) -> int:
    """The number of resource cards."""
    return hand.brick + hand.lumber + hand.wool + hand.grain + hand.ore


def each_card(hand: Hand) -> tuple[Resource, ...]:
    """The cards of a hand, one by one."""
    return tuple(resource for resource in RESOURCES for _ in range(getattr(hand, resource)))


def amount_of(state: SeatState, good: str) -> int:
    """The number of cards of a resource, or the amount of gold, of a seat."""
    amount: int = state.gold if good == "gold" else getattr(state.resources, good)
    return amount


def holds(state: SeatState, goods: Goods) -> bool:
    """Whether a seat has all these goods."""
    hand = state.resources
    lacking = [good for good, count in goods.items() if (state.gold if good == "gold" else getattr(hand, good)) < count]
    return not lacking


def in_words(goods: Mapping[K, int]) -> str:
    """`1 lumber and 2 wool`."""
    return joined([f"{count} {good}" for good, count in goods.items()])


def shortage(state: SeatState, goods: Goods) -> str:
    """What a seat has of the goods that it cannot pay: `1 brick and no wool`."""
    held = {good: amount_of(state, good) for good, count in goods.items() if amount_of(state, good) < count}
    return joined([f"{amount or 'no'} {good}" for good, amount in held.items()])


def changed(state: SeatState, goods: Goods, sign: int) -> SeatState:
    """A seat that has received (1) or given (-1) these goods."""
    hand, coins = state.resources, state.gold
    cards: dict[str, int] = {}
    for good, count in goods.items():
        if good == "gold":
            coins += sign * count
        else:
            cards[good] = getattr(hand, good) + sign * count
    return replace(state, resources=replace(hand, **cards) if cards else hand, gold=coins)


def gold(amount: int) -> Bundle:
    """A bundle of gold alone."""
    return {"gold": amount}


def card(resource: Resource) -> Bag:
    """A bag with one card."""
    return {resource: 1}


def received(position: Position, seat: Seat, goods: Goods) -> Position:
    """The position after the bank gave these goods to a seat."""
    return _with_bank(position, seat, goods, 1)


def paid(position: Position, seat: Seat, goods: Goods) -> Position:
    """The position after a seat gave these goods to the bank."""
    return _with_bank(position, seat, goods, -1)


def _with_bank(position: Position, seat: Seat, goods: Goods, sign: int) -> Position:
    bank = position.bank
    rest = {good: getattr(bank, good) - sign * count for good, count in goods.items()}
    seats = put(position.seats, seat, changed(position.seats[seat], goods, sign))
    return replace(position, seats=seats, bank=replace(bank, **rest))


def handed(position: Position, giver: Seat, taker: Seat, goods: Goods) -> Position:
    """The position after one seat gave these goods to another."""
    seats = put(position.seats, giver, changed(position.seats[giver], goods, -1))
    return replace(position, seats=put(seats, taker, changed(seats[taker], goods, 1)))
