"""Cans: a buyer removes cards from its own trash (FF-62 to FF-65)."""

from typing import Annotated, cast

from msgspec import Meta, UnsetType

from referee.kernel.audience import NOBODY, only, whole
from referee.kernel.changes import replace, with_seat, without
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.names import FISH, Cards, counted
from referee.rulesets.fangfrisch.position import Case, Position, Says, purchase_of
from referee.rulesets.fangfrisch.purchase import CansSpent, next_step

canning = Chapter()


class ClearTrash(Move):
    """Look at your trash and remove cards from it; the edition limits the number of cards per can."""

    cards: Annotated[tuple[str, ...], NOBODY, Meta(description="Cards of your trash, named by their kinds.")]


class TrashCleared(Event):
    """A seat removed cards from its trash; only that seat sees which."""

    seat: Seat
    count: int
    cards: Annotated[Cards | UnsetType, only("seat")]


@canning.decides(ClearTrash)
def clear_trash(case: Case, move: ClearTrash) -> Says:
    """Check FF-63 and FF-64; then remove the cards and spend the cans."""
    position, buyer, per_can = case.position, case.seat, case.edition.can_removes_max
    cans, trash, cards = purchase_of(position).cans, position.seats[buyer].trash, move.cards
    if len(cards) > cans * per_can:
        raise Rejection(
            "FF-63", f"{counted(cans, 'can')} cannot remove {len(cards)} cards: each removes at most {per_can}."
        )
    for card in cards:
        if cards.count(card) > trash.count(card):
            raise Rejection("FF-64", too_few_cards(card, cards.count(card), trash.count(card)))
    if cards:
        position = yield TrashCleared(seat=buyer, count=len(cards), cards=cast(Cards, cards))
    used = -(-len(cards) // per_can)
    position = yield CansSpent(seat=buyer, used=used, wasted=cans - used)
    yield from next_step(position, has_stowed=True)


def too_few_cards(card: str, named: int, held: int) -> str:
    """Why these cards cannot be removed."""
    if card not in FISH:
        return "Your trash holds fish cards only; you name something else."
    return f"Your trash holds {held} of `{card}`; you name {named}."


@canning.applies(TrashCleared)
def trash_cleared(position: Position, event: TrashCleared) -> Position:
    """Lay the cards aside, face down: the only way out of a trash (FF-17)."""
    cards = whole(event.cards)
    trash = without(position.seats[event.seat].trash, cards)
    return replace(position, seats=with_seat(position.seats, event.seat, trash=trash), cleared=position.cleared + cards)
