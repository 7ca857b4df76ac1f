"""Selling and buying: CF-37 to CF-47."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from referee.kernel.changes import replace, without
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.names import WHALE, CardKind, Tile
from referee.rulesets.cat_and_fish.position import (
    Card,
    Case,
    Position,
    Says,
    acting,
    changed_seat,
    holds,
    owns,
    spent,
)
from referee.rulesets.cat_and_fish.turns import go_on
from referee.rulesets.cat_and_fish.wizard import Change, change_action, require_marker

trading = Chapter()


class Sell(Move):
    """Sell tiles from your store at the prices of the season."""

    tiles: Annotated[tuple[Tile, ...], Meta(min_length=1, description="The tiles to sell, as often as you sell them.")]
    change: Annotated[Change | UnsetType, Meta(description="Spend a marker of another basic space.")] = UNSET


class Buy(Move):
    """Buy the top card of a pile."""

    card: Annotated[CardKind, Meta(description="The pile to buy from.")]
    change: Annotated[Change | UnsetType, Meta(description="Spend a marker of another basic space.")] = UNSET


class TilesSold(Event):
    """A seat sold tiles."""

    seat: Seat
    tiles: tuple[Tile, ...]
    gained: int


class CardBought(Event):
    """A seat bought the top card of a pile."""

    seat: Seat
    card: CardKind
    price: int


@trading.decides(Sell)
def sell(case: Case, move: Sell) -> Says:
    """Each tile earns its price of the season; tiles of price 0 may go, too (CF-41)."""
    own, edition = acting(case), case.edition
    require_marker(case, "selling", move.change)
    require("CF-37", holds(own.store, move.tiles), "These tiles are not in your store.")
    require("CF-40", WHALE not in move.tiles or owns(own, "black_market"), "A whale needs the Black Market.")
    prices = edition.prices[case.position.season]  # CF-38
    bonus = edition.merchant_bonus if owns(own, "merchant") else 0  # CF-39
    gained = sum(prices[tile] + bonus for tile in move.tiles if prices[tile] > 0)
    yield from change_action(case, "selling", move.change)
    position = yield TilesSold(seat=case.seat, tiles=move.tiles, gained=gained)
    yield from go_on(position)


@trading.decides(Buy)
def buy(case: Case, move: Buy) -> Says:
    """The top card of a pile at its price; it works at once (CF-47)."""
    own = acting(case)
    money = require_marker(case, "buying", move.change)
    pile = case.position.market.get(move.card, ())
    require("CF-43", bool(pile), "No such card is for sale.")
    require("CF-44", not owns(own, move.card), "You own this card already.")
    needed = case.edition.cards[move.card].needs
    require("CF-45", needed is None or owns(own, needed), "You do not own the card that this one needs.")
    require("CF-46", money >= pile[0], "You cannot pay the price.")
    yield from change_action(case, "buying", move.change)
    position = yield CardBought(seat=case.seat, card=move.card, price=pile[0])
    yield from go_on(position)


@trading.applies(TilesSold)
def tiles_sold(position: Position, event: TilesSold) -> Position:
    """The tiles are discarded in the order named, the money is the seat's."""
    state, discards = position.seats[event.seat], position.discards
    for tile in event.tiles:
        discards = discards.add(tile)
    return replace(
        position,
        discards=discards,
        seats=changed_seat(
            position,
            event.seat,
            store=without(state.store, event.tiles),
            money=state.money + event.gained,
            placed=spent(position, event.seat, "selling"),
        ),
    )


@trading.applies(CardBought)
def card_bought(position: Position, event: CardBought) -> Position:
    """The seat keeps the card with the price paid (CF-42)."""
    state = position.seats[event.seat]
    return replace(
        position,
        market={**position.market, event.card: position.market[event.card][1:]},
        seats=changed_seat(
            position,
            event.seat,
            cards=(*state.cards, Card(kind=event.card, price=event.price)),
            money=state.money - event.price,
            placed=spent(position, event.seat, "buying"),
        ),
    )
