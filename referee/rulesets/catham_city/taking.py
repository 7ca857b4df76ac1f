"""Taking cards from the market (section 4.5), and its refill (CC-15)."""

from typing import Annotated

from msgspec import Meta

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.cards import copies, in_words, minus, number_of, plus
from referee.rulesets.catham_city.conditions import require_in_play
from referee.rulesets.catham_city.names import Cards, Faction
from referee.rulesets.catham_city.piles import from_pile
from referee.rulesets.catham_city.position import Case, Position, Says, with_more
from referee.rulesets.catham_city.turns import complete_action

taking = Chapter()


class TakeCards(Move):
    """Take cards of one faction from the market."""

    faction: Annotated[Faction, Meta(description="A faction that the market shows.")]
    count: Annotated[int, Meta(description="The number of cards, from 1 to all that the market shows of the faction.")]


class CardsTaken(Event):
    """A seat took cards from the market."""

    seat: Seat
    faction: Faction
    count: int


class MarketRefilled(Event):
    """Cards of the draw pile were put face up in the market."""

    cards: Cards


@taking.decides(TakeCards)
def take_cards(case: Case, move: TakeCards) -> Says:
    """A seat takes one faction, from the market only (CC-19), and may exceed its hand limit (CC-22)."""
    require_in_play(case.position, move.faction)
    if move.count < 1:
        raise Rejection("CC-20", f"Take at least 1 card, not {move.count}.")
    shown = number_of(case.position.market, move.faction)
    if move.count > shown:
        raise Rejection("CC-21", f"The market shows {in_words(shown, move.faction)}; you cannot take {move.count}.")
    position = yield CardsTaken(seat=case.seat, faction=move.faction, count=move.count)
    position = yield from from_pile(case, position, move.count, MarketRefilled)  # CC-15
    yield from complete_action(case, position)


@taking.applies(CardsTaken)
def cards_taken(position: Position, event: CardsTaken) -> Position:
    """Move cards from the market to a hand."""
    cards = copies(event.faction, event.count)
    market, seats = minus(position.market, cards), with_more(position, event.seat, cards)
    return replace(position, market=market, seats=seats, revealed=None)


@taking.applies(MarketRefilled)
def market_refilled(position: Position, event: MarketRefilled) -> Position:
    """Move cards from the draw pile to the market."""
    return replace(
        position, draw_pile=position.draw_pile[len(event.cards) :], market=plus(position.market, event.cards)
    )
