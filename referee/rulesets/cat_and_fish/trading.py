"""Selling and buying: CF-37 to CF-47."""

from typing import Annotated, Final, NoReturn

from msgspec import UNSET, Meta, UnsetType

from referee.kernel.changes import replace, with_seat, without
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.names import WHALE, CardKind, Tile, counted, seats_text, title_of, words_of
from referee.rulesets.cat_and_fish.position import (
    Card,
    Case,
    Position,
    Says,
    SeatState,
    acting,
    owns,
    shortfall,
    spent,
)
from referee.rulesets.cat_and_fish.turns import go_on
from referee.rulesets.cat_and_fish.wizard import Change, change_action, purse, require_marker

trading = Chapter()

NOT_FOR_SALE: Final[dict[CardKind, str]] = {
    "fishing_rod": "every seat has one from the start",
    "summoner": "the poorest seat gets it for nothing",
}
"""How seats get the cards that have no pile."""


class Sell(Move):
    """Sell tiles from your store at the prices of the season."""

    tiles: Annotated[
        tuple[Tile, ...], Meta(min_length=1, description="The tiles that you sell: a kind twice for two tiles.")
    ]
    change: Annotated[Change | UnsetType, Meta(description="Spend a marker on another basic space.")] = UNSET


class Buy(Move):
    """Buy the top card of a pile."""

    card: Annotated[CardKind, Meta(description="The pile to buy from.")]
    change: Annotated[Change | UnsetType, Meta(description="Spend a marker on another basic space.")] = UNSET


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


def is_saleable(state: SeatState, tile: Tile) -> bool:
    """Whether a seat may sell such a tile: a whale only with the Black Market (CF-40)."""
    return tile != WHALE or owns(state, "black_market")


def require_in_store(state: SeatState, tiles: tuple[Tile, ...]) -> None:
    """Refuse tiles that the seat names more often than its store holds them (CF-37)."""
    tile = shortfall(state.store, tiles)
    if tile is not None:
        held, sold = state.store.count(tile), tiles.count(tile)
        raise Rejection("CF-37", f"You sell {counted(sold, 'tile')} of {words_of(tile)}; your store holds {held}.")


def can_buy(position: Position, seat: Seat, kind: CardKind, money: int, edition: Edition) -> bool:
    """Whether a seat may buy the top card of a pile with this money (CF-43 to CF-46)."""
    state, pile = position.seats[seat], position.market.get(kind)
    if not pile or pile[0] > money or owns(state, kind):
        return False
    needed = edition.cards[kind].needs
    return needed is None or owns(state, needed)


@trading.decides(Sell)
def sell(case: Case, move: Sell) -> Says:
    """Each tile earns its price of the season; tiles of price 0 may be sold, too (CF-41)."""
    own, edition = acting(case), case.edition
    require_marker(case, "selling", move.change)
    require_in_store(own, move.tiles)
    is_allowed = all(is_saleable(own, tile) for tile in move.tiles)
    require("CF-40", is_allowed, "A whale is sold only with the Black Market, which you do not own.")
    prices = edition.prices[case.position.season]  # CF-38
    bonus = edition.merchant_bonus if owns(own, "merchant") else 0  # CF-39
    gained = sum(prices[tile] + bonus for tile in move.tiles if prices[tile] > 0)
    yield from change_action(case, "selling", move.change)
    position = yield TilesSold(seat=case.seat, tiles=move.tiles, gained=gained)
    yield from go_on(position)


@trading.decides(Buy)
def buy(case: Case, move: Buy) -> Says:
    """The seat buys the top card of a pile at its price; the card works at once (CF-47)."""
    money = require_marker(case, "buying", move.change)
    if not can_buy(case.position, case.seat, move.card, money, case.edition):
        refuse_purchase(case, move.card, money)
    price = case.position.market[move.card][0]
    yield from change_action(case, "buying", move.change)
    position = yield CardBought(seat=case.seat, card=move.card, price=price)
    yield from go_on(position)


def refuse_purchase(case: Case, kind: CardKind, money: int) -> NoReturn:
    """Refuse a purchase by the first clause that it does not meet."""
    own, name, pile = acting(case), title_of(kind), case.position.market.get(kind)
    if pile is None:
        raise Rejection("CF-43", f"The {name} is never for sale: {NOT_FOR_SALE[kind]}.")
    if not pile:
        raise Rejection("CF-43", f"The {name} is sold out: {owners_text(case.position, kind)}.")
    require("CF-44", not owns(own, kind), f"You own the {name} already; a seat owns one card of each kind.")
    needed = case.edition.cards[kind].needs
    if needed is not None and not owns(own, needed):
        raise Rejection("CF-45", f"The {name} needs the {title_of(needed)}, which you do not own.")
    raise Rejection("CF-46", f"The {name} costs {counted(pile[0], 'euro')}; you have {purse(own, money)}.")


def owners_text(position: Position, kind: CardKind) -> str:
    """Where the cards of a pile that is sold out are."""
    owners = [seat for seat, state in enumerate(position.seats) if owns(state, kind)]
    if not owners:
        return "the box has no such card"
    return f"{seats_text(owners)} {'owns the only card' if len(owners) == 1 else f'own all {len(owners)} cards'}"


@trading.applies(TilesSold)
def tiles_sold(position: Position, event: TilesSold) -> Position:
    """Discard the tiles in the order named and pay the seat."""
    state, discards = position.seats[event.seat], position.discards
    for tile in event.tiles:
        discards = discards.add(tile)
    return replace(
        position,
        discards=discards,
        seats=with_seat(
            position.seats,
            event.seat,
            store=without(state.store, event.tiles),
            money=state.money + event.gained,
            placed=spent(position, event.seat, "selling"),
        ),
    )


@trading.applies(CardBought)
def card_bought(position: Position, event: CardBought) -> Position:
    """Move the card to the seat, which keeps it with the price paid (CF-42)."""
    state = position.seats[event.seat]
    return replace(
        position,
        market={**position.market, event.card: position.market[event.card][1:]},
        seats=with_seat(
            position.seats,
            event.seat,
            cards=(*state.cards, Card(kind=event.card, price=event.price)),
            money=state.money - event.price,
            placed=spent(position, event.seat, "buying"),
        ),
    )
