"""Feeding an animal: a card turned and assigned, then perhaps a series (HK-30 to HK-39)."""

from typing import Literal

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.seat import Seat
from referee.rulesets.hund_und_katz.names import AnimalId, FoodId
from referee.rulesets.hund_und_katz.parameters import AnimalNamed
from referee.rulesets.hund_und_katz.position import (
    Animal,
    Case,
    Position,
    Says,
    animal_laid_out,
    animal_of,
    require_hungry,
    with_animals,
)
from referee.rulesets.hund_und_katz.scoring import end_of_game
from referee.rulesets.hund_und_katz.turns import pass_turn

feeding = Chapter()


class RevealFood(Move):
    """Feed: turn the top card of the food deck face up."""


class AssignFood(Move):
    """Give the revealed food card to an animal that is not sated."""

    animal: AnimalNamed


class AddFood(Move):
    """Turn another food card and put it at the same animal, whatever it shows."""


class StopFeeding(Move):
    """Stop the series and end your turn."""


class FoodRevealed(Event):
    """A seat turned a food card face up."""

    seat: Seat
    food: FoodId


class FoodAssigned(Event):
    """A seat put the revealed food card at an animal."""

    seat: Seat
    animal: AnimalId
    food: FoodId
    count: int
    """The number of food cards that now lie there."""
    sated: bool


class FeedingStopped(Event):
    """A seat stopped feeding: it chose to, or the animal got its fourth or fifth card."""

    seat: Seat
    reason: Literal["chosen", "fourth_card", "fifth_card"]


@feeding.decides(RevealFood)
def reveal_food(case: Case, move: RevealFood) -> Says:
    """The deck always has a card (HK-64), so any seat can feed (HK-22); the choice is final (HK-21)."""
    yield FoodRevealed(seat=case.seat, food=case.position.food_deck[0])  # HK-30


@feeding.decides(AssignFood)
def assign_food(case: Case, move: AssignFood) -> Says:
    """The card may go to any unsated animal, with or without pawns on it (HK-32)."""
    animal = animal_laid_out(case, move.animal)  # HK-7
    require_hungry(case, animal)  # HK-9
    yield from lay_food(case, case.position, animal)


@feeding.decides(AddFood)
def add_food(case: Case, move: AddFood) -> Says:
    """The card goes to the animal of the series (HK-37)."""
    position = yield FoodRevealed(seat=case.seat, food=case.position.food_deck[0])
    assert case.position.series_animal is not None
    yield from lay_food(case, position, animal_of(position, case.position.series_animal))


@feeding.decides(StopFeeding)
def stop_feeding(case: Case, move: StopFeeding) -> Says:
    """The turn is over (HK-39)."""
    position = yield FeedingStopped(seat=case.seat, reason="chosen")
    yield from pass_turn(case, position)


def lay_food(case: Case, position: Position, animal: Animal) -> Says:
    """Put the revealed card at the animal; then the game, the turn or neither ends (HK-63)."""
    assert position.revealed is not None
    edition = case.edition
    count = len(animal.food) + 1
    sated = count == edition.sated_at
    position = yield FoodAssigned(seat=case.seat, animal=animal.id, food=position.revealed, count=count, sated=sated)
    if end := end_of_game(position, edition):
        yield end
    elif count >= edition.series_limit:  # HK-33, HK-34, HK-38; below it the series may go on (HK-35)
        position = yield FeedingStopped(seat=case.seat, reason="fifth_card" if sated else "fourth_card")
        yield from pass_turn(case, position)


@feeding.applies(FoodRevealed)
def food_revealed(position: Position, event: FoodRevealed) -> Position:
    """The card has left the deck."""
    return replace(position, phase="assign", food_deck=position.food_deck[1:], revealed=event.food, series_animal=None)


@feeding.applies(FoodAssigned)
def food_assigned(position: Position, event: FoodAssigned) -> Position:
    """The card is the last of the animal's meal."""
    animal = animal_of(position, event.animal)
    return replace(
        position,
        phase="series",
        animals=with_animals(position, replace(animal, food=(*animal.food, event.food))),
        revealed=None,
        series_animal=event.animal,
    )


@feeding.applies(FeedingStopped)
def feeding_stopped(position: Position, event: FeedingStopped) -> Position:
    """No animal is being fed."""
    return replace(position, series_animal=None)
