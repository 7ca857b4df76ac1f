"""Moves worth trying, by phase. There may be too many: the rules judge them."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final

from referee.kernel.candidates import Candidates, Proved, proved_if
from referee.kernel.seat import Seat
from referee.rulesets.hund_und_katz.actions import (
    ONE_FOOD,
    ONE_PAWN,
    PARAMETERS,
    TWO_FOODS,
    TWO_MEALS,
    TWO_PAWNS,
    PlayAction,
)
from referee.rulesets.hund_und_katz.edition import Edition
from referee.rulesets.hund_und_katz.feeding import AddFood, AssignFood, RevealFood, StopFeeding
from referee.rulesets.hund_und_katz.names import ActionId
from referee.rulesets.hund_und_katz.pawns import PlacePawn
from referee.rulesets.hund_und_katz.position import Animal, Position, is_sated

ALWAYS_PLAYED: Final = frozenset[ActionId]({"return_food", "swap_two_foods", "swap_pawns", "return_pawn"})
"""Cards that require no more than what `plays` names: hungry animals, and the food and pawns at them."""


def candidates(position: Position, seat: Seat, edition: Edition) -> Candidates:
    """Every move of the phase; like pieces are named once, and two animals in the order in which they lie."""
    hungry = tuple(animal for animal in position.animals if not is_sated(animal, edition))
    match position.phase:
        case "place_pawn":
            return [PlacePawn(animal=animal.id) for animal in hungry]
        case "card":
            return _card_moves(dict.fromkeys(position.seats[seat].hand), hungry)
        case "assign":
            return [AssignFood(animal=animal.id) for animal in hungry]
        case "series":
            return [AddFood(), StopFeeding()]
        case _:
            return []


def _card_moves(cards: Iterable[ActionId], hungry: tuple[Animal, ...]) -> Candidates:
    yield Proved((RevealFood(),))
    for card in cards:
        yield from proved_if(card in ALWAYS_PLAYED, Proved(tuple(plays(card, hungry))))


def plays(card: ActionId, animals: tuple[Animal, ...]) -> Iterator[PlayAction]:
    """An action card with everything at these animals that it could be played with."""
    parameters = PARAMETERS[card]
    if parameters == ONE_FOOD:
        for animal in animals:
            for food in dict.fromkeys(animal.food):
                yield PlayAction(card=card, animal=animal.id, food=food)
    elif parameters == ONE_PAWN:
        for animal in animals:
            for owner in dict.fromkeys(animal.pawns):
                yield PlayAction(card=card, animal=animal.id, owner=owner)
    elif parameters == TWO_MEALS:
        for one, other in combinations(animals, 2):
            yield PlayAction(card=card, animal_a=one.id, animal_b=other.id)
    elif parameters == TWO_FOODS:
        for one, other in combinations(animals, 2):
            for food in dict.fromkeys(one.food):
                for against in dict.fromkeys(other.food):
                    yield PlayAction(card=card, animal_a=one.id, food_a=food, animal_b=other.id, food_b=against)
    elif parameters == TWO_PAWNS:
        for one, other in combinations(animals, 2):
            for owner in dict.fromkeys(one.pawns):
                for facing in dict.fromkeys(other.pawns):
                    yield PlayAction(card=card, animal_a=one.id, owner_a=owner, animal_b=other.id, owner_b=facing)
