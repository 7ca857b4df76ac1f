"""Cans: removing cards from one's own trash (FF-62 to FF-65)."""

from typing import Annotated, cast

from msgspec import Meta, UnsetType

from referee.kernel.audience import NOBODY, only, whole
from referee.kernel.changes import replace, without
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.cards import Cards
from referee.rulesets.fangfrisch.position import Case, Position, Says, purchase_of, with_seat
from referee.rulesets.fangfrisch.purchase import CansSpent, next_step

canning = Chapter()


class ClearTrash(Move):
    """Look at your trash and remove some of its cards, as many per can as the edition says."""

    cards: Annotated[tuple[str, ...], NOBODY, Meta(description="Cards of your trash, named by their kinds.")]


class TrashCleared(Event):
    """Cards were taken out of a trash; which ones, only its owner sees."""

    seat: Seat
    count: int
    cards: Annotated[Cards | UnsetType, only("seat")]


@canning.decides(ClearTrash)
def clear_trash(case: Case, move: ClearTrash) -> Says:
    """FF-63, FF-64; then the cards are gone, and so are the cans."""
    position, buyer, per_can = case.position, case.seat, case.edition.can_removes_max
    cans, trash, cards = purchase_of(position).cans, position.seats[buyer].trash, move.cards
    require("FF-63", len(cards) <= cans * per_can, "The cans do not remove so many cards.")
    there = all(cards.count(card) <= trash.count(card) for card in cards)
    require("FF-64", there, "Your trash does not hold these cards.")
    if cards:
        position = yield TrashCleared(seat=buyer, count=len(cards), cards=cast(Cards, cards))
    used = -(-len(cards) // per_can)
    position = yield CansSpent(seat=buyer, used=used, wasted=cans - used)
    yield from next_step(position)


@canning.applies(TrashCleared)
def trash_cleared(position: Position, event: TrashCleared) -> Position:
    """The cards are on the discard pile: the only way out of a trash (FF-17)."""
    cards = whole(event.cards)
    trash = without(position.seats[event.seat].trash, cards)
    return replace(position, seats=with_seat(position, event.seat, trash=trash), discard=position.discard + cards)
