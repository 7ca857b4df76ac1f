"""Giving back half of a large hand after a seven: EP-39 to EP-41."""

from typing import Annotated

from msgspec import UnsetType

from referee.kernel.audience import NOBODY, only, whole
from referee.kernel.changes import replace
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.ids import SEAT_KEYS, Bag, SeatKey
from referee.rulesets.explorers_and_pirates.position import Case, Discards, Position, Says, clockwise, key
from referee.rulesets.explorers_and_pirates.scenarios import scenario_of
from referee.rulesets.explorers_and_pirates.turns import PhaseStarted
from referee.rulesets.explorers_and_pirates.wealth import cards_in, holds, paid

discards = Chapter()


class Discard(Move):
    """Choose the cards that you give back; hidden from the others until all have chosen."""

    resources: Annotated[Bag, NOBODY]


class DiscardsDue(Event):
    """These seats give back so many cards."""

    need: dict[SeatKey, int]


class DiscardChosen(Event):
    """A seat has chosen what it gives back."""

    seat: Seat
    resources: Annotated[Bag | UnsetType, only("seat")]


class CardsDiscarded(Event):
    """A seat gave back cards."""

    seat: Seat
    resources: Bag


def discards_needed(position: Position, edition: Edition) -> dict[SeatKey, int]:
    """Half of every hand that is over the limit, rounded down (EP-39)."""
    sizes = {mark: cards_in(state.resources) for mark, state in zip(SEAT_KEYS, position.seats, strict=False)}
    return {mark: size // 2 for mark, size in sizes.items() if size > edition.hand_limit}


def after_seven(position: Position) -> PhaseStarted:
    """What follows when nobody has to give back cards any more (EP-41)."""
    if scenario_of(position).has_pirates:
        return PhaseStarted(phase="pirate", seat=position.active_seat, by="seven")
    return PhaseStarted(phase="trade_build", seat=position.active_seat)


@discards.decides(Discard)
def discard(case: Case, move: Discard) -> Says:
    """EP-40."""
    due = case.position.discards
    assert due is not None, "a seat that is awaited for a discard owes one"
    count = due.need[key(case.seat)]
    require("EP-40", sum(move.resources.values()) == count, f"You give back exactly {count} cards.")
    require("EP-40", holds(case.position.seats[case.seat], move.resources), "You do not hold these cards.")
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
    """Nobody has chosen yet."""
    return replace(position, discards=Discards(need=event.need, given={}))


@discards.applies(DiscardChosen)
def discard_chosen(position: Position, event: DiscardChosen) -> Position:
    """The choice is locked."""
    assert position.discards is not None
    given = {**position.discards.given, key(event.seat): whole(event.resources)}
    return replace(position, discards=replace(position.discards, given=given))


@discards.applies(CardsDiscarded)
def cards_discarded(position: Position, event: CardsDiscarded) -> Position:
    """From the hand to the bank."""
    return paid(position, event.seat, event.resources)
