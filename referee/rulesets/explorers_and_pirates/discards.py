"""Giving back half of a large hand after a 7: EP-39 to EP-41."""

from typing import Annotated

from msgspec import UnsetType

from referee.kernel.audience import NOBODY, only, whole
from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection
from referee.kernel.seat import Seat, clockwise
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.names import RESOURCES, SEAT_KEYS, Bag, SeatKey
from referee.rulesets.explorers_and_pirates.position import Case, Discards, Position, Says, key
from referee.rulesets.explorers_and_pirates.scenarios import scenario_of
from referee.rulesets.explorers_and_pirates.turns import PhaseStarted
from referee.rulesets.explorers_and_pirates.wealth import cards_in, holds, in_words, paid, shortage

discards = Chapter()


class Discard(Move):
    """Choose the cards that you give back; the others see them when all seats have chosen."""

    resources: Annotated[Bag, NOBODY]


class DiscardsDue(Event):
    """The seats that must give back cards, each with the number of cards."""

    need: dict[SeatKey, int]


class DiscardChosen(Event):
    """A seat chose the cards that it gives back."""

    seat: Seat
    resources: Annotated[Bag | UnsetType, only("seat")]


class CardsDiscarded(Event):
    """A seat gave back cards."""

    seat: Seat
    resources: Bag


def discards_needed(position: Position, edition: Edition) -> dict[SeatKey, int]:
    """The cards that each seat over the hand limit must give back: half of its hand, rounded down (EP-39)."""
    sizes = {mark: cards_in(state.resources) for mark, state in zip(SEAT_KEYS, position.seats, strict=False)}
    return {mark: size // 2 for mark, size in sizes.items() if size > edition.hand_limit}


def after_seven(position: Position) -> PhaseStarted:
    """The phase that follows the discards (EP-41)."""
    if scenario_of(position).has_pirates:
        return PhaseStarted(phase="pirate", seat=position.active_seat, by="seven")
    return PhaseStarted(phase="trade_build", seat=position.active_seat)


@discards.decides(Discard)
def discard(case: Case, move: Discard) -> Says:
    """Check EP-40; then record which cards the seat gives back."""
    due = case.position.discards
    assert due is not None, "a seat that is awaited for a discard owes one"
    count, chosen_count = due.need[key(case.seat)], sum(move.resources.values())
    if chosen_count != count:
        raise Rejection("EP-40", f"You must give back exactly {count} cards; you chose {chosen_count}.")
    state = case.position.seats[case.seat]
    if not holds(state, move.resources):
        asked, held = in_words(move.resources), shortage(state, move.resources)
        raise Rejection("EP-40", f"You chose {asked}; you have {held}.")
    position = yield DiscardChosen(seat=case.seat, resources=move.resources)
    chosen = position.discards
    assert chosen is not None
    if len(chosen.given) < len(chosen.need):
        return
    for seat in clockwise(position.active_seat, len(position.seats)):
        if key(seat) in chosen.given:
            position = yield CardsDiscarded(seat=seat, resources=chosen.given[key(seat)])
    yield after_seven(position)


@discards.applies(DiscardsDue)
def discards_due(position: Position, event: DiscardsDue) -> Position:
    """Open the discards; no seat has chosen yet."""
    return replace(position, discards=Discards(need=event.need, given={}))


@discards.applies(DiscardChosen)
def discard_chosen(position: Position, event: DiscardChosen) -> Position:
    """Keep the choice; the seat cannot change it."""
    assert position.discards is not None
    bag = whole(event.resources)
    chosen = {resource: bag[resource] for resource in RESOURCES if resource in bag}
    given = {**position.discards.given, key(event.seat): chosen}
    return replace(position, discards=replace(position.discards, given=given))


@discards.applies(CardsDiscarded)
def cards_discarded(position: Position, event: CardsDiscarded) -> Position:
    """Move the cards from the hand to the bank."""
    return paid(position, event.seat, event.resources)
