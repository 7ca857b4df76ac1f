"""Draw pile and discard pile (section 4.3): cards come from the top; a missing card causes a reshuffle."""

from collections.abc import Callable
from typing import Annotated, Literal

from msgspec import UNSET, UnsetType

from referee.kernel.audience import NOBODY, only, whole
from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.cards import listed, no_cards, plus, total
from referee.rulesets.catham_city.names import Cards
from referee.rulesets.catham_city.position import Case, Position, Revealed, Step, with_fewer, with_more

piles = Chapter()


class DiscardReshuffled(Event, kw_only=True):
    """The discard pile became the draw pile."""

    order: Annotated[Cards | UnsetType, NOBODY] = UNSET
    count: int


class CardsDrawn(Event, kw_only=True):
    """A seat drew cards without showing them."""

    seat: Seat
    cards: Annotated[Cards | UnsetType, only("seat")] = UNSET
    count: int


class PileRevealed(Event):
    """Cards of the draw pile were turned up onto the table."""

    cards: Cards


class CardsDiscarded(Event):
    """A seat put cards of its hand on the discard pile."""

    seat: Seat
    cards: Cards
    reason: Literal["excess", "journalist", "detective", "mafia"]


class TableCleared(Event):
    """The cards on the table went to the discard pile."""

    cards: Cards


def from_pile(case: Case, position: Position, count: int, said: Callable[[Cards], Event]) -> Step:
    """Take this number of cards from the draw pile, or all that there are; `said` makes the event that moves them."""
    top = position.draw_pile[:count]  # CC-11
    if top:
        position = yield said(top)
    missing = count - len(top)
    if missing and total(position.discard_pile):  # CC-12, CC-13
        order = case.chance.shuffle("reshuffle", listed(position.discard_pile))
        position = yield DiscardReshuffled(order=order, count=len(order))
        position = yield said(order[:missing])
    return position


def draw_cards(case: Case, position: Position, seat: Seat, count: int) -> Step:
    """A seat draws cards into its hand, unseen by the others (CC-R32)."""
    return from_pile(case, position, count, lambda cards: CardsDrawn(seat=seat, cards=cards, count=len(cards)))


@piles.applies(DiscardReshuffled)
def discard_reshuffled(position: Position, event: DiscardReshuffled) -> Position:
    """Put the shuffled discard pile in place of the draw pile."""
    return replace(position, draw_pile=whole(event.order), discard_pile=no_cards(position.options.factions))


@piles.applies(CardsDrawn)
def cards_drawn(position: Position, event: CardsDrawn) -> Position:
    """Move cards from the draw pile to a hand."""
    return replace(
        position,
        draw_pile=position.draw_pile[event.count :],
        seats=with_more(position, event.seat, whole(event.cards)),
    )


@piles.applies(PileRevealed)
def pile_revealed(position: Position, event: PileRevealed) -> Position:
    """Move cards from the draw pile to the table; a reshuffle brings them in two parts."""
    before = position.revealed.cards if position.revealed else ()
    return replace(
        position,
        draw_pile=position.draw_pile[len(event.cards) :],
        table=plus(position.table, event.cards),
        revealed=Revealed(seat=None, cards=before + event.cards),
    )


@piles.applies(CardsDiscarded)
def cards_discarded(position: Position, event: CardsDiscarded) -> Position:
    """Move cards from a hand to the discard pile."""
    return replace(
        position,
        seats=with_fewer(position, event.seat, event.cards),
        discard_pile=plus(position.discard_pile, event.cards),  # CC-14
        revealed=None,
    )


@piles.applies(TableCleared)
def table_cleared(position: Position, event: TableCleared) -> Position:
    """Move everything on the table to the discard pile."""
    return replace(
        position,
        table=no_cards(position.options.factions),
        discard_pile=plus(position.discard_pile, event.cards),
    )
