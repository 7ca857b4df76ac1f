"""Taking cards from the market (section 4.5), and its refill (CC-15)."""

from typing import Annotated

from msgspec import Meta

from referee.kernel.changes import replace
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.cards import Cards, Faction, copies, minus, number_of, plus
from referee.rulesets.catham_city.conditions import require_in_play
from referee.rulesets.catham_city.piles import from_pile
from referee.rulesets.catham_city.position import Case, Position, Says, with_more
from referee.rulesets.catham_city.turns import complete_action

taking = Chapter()


class TakeCards(Move):
    """Take cards of one faction from the market."""

    faction: Annotated[Faction, Meta(description="A faction that the market shows.")]
    count: Annotated[int, Meta(description="How many, from one to all that are shown.")]


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
    """One faction, from the market only (CC-19); room in the hand is no condition (CC-22)."""
    require_in_play(case.position, move.faction)
    require("CC-20", move.count >= 1, "At least one card is taken.")
    shown = number_of(case.position.market, move.faction)
    require("CC-21", move.count <= shown, f"The market shows {shown} of this faction.")
    position = yield CardsTaken(seat=case.seat, faction=move.faction, count=move.count)
    position = yield from from_pile(case, position, move.count, MarketRefilled)  # CC-15
    yield from complete_action(case, position)


@taking.applies(CardsTaken)
def cards_taken(position: Position, event: CardsTaken) -> Position:
    """Move cards from the market to a hand."""
    cards = copies(event.faction, event.count)
    return replace(position, market=minus(position.market, cards), seats=with_more(position, event.seat, cards))


@taking.applies(MarketRefilled)
def market_refilled(position: Position, event: MarketRefilled) -> Position:
    """Move cards from the draw pile to the market."""
    return replace(
        position, draw_pile=position.draw_pile[len(event.cards) :], market=plus(position.market, event.cards)
    )
