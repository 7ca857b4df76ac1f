"""Playing an action card: what all nine kinds have in common (HK-40 to HK-49)."""

from collections.abc import Callable
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Final

from msgspec import UNSET, Meta, UnsetType

from referee.kernel.changes import replace, with_seat, without
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection
from referee.kernel.seat import Seat
from referee.rulesets.hund_und_katz.names import ActionId
from referee.rulesets.hund_und_katz.parameters import AnimalNamed, FoodNamed, OwnerNamed
from referee.rulesets.hund_und_katz.position import (
    Animal,
    Case,
    Position,
    Says,
    animal_laid_out,
    require_hungry,
    require_known_animal,
)
from referee.rulesets.hund_und_katz.turns import pass_turn

actions = Chapter()

ONE_FOOD: Final = ("animal", "food")
ONE_PAWN: Final = ("animal", "owner")
TWO_MEALS: Final = ("animal_a", "animal_b")
TWO_FOODS: Final = ("animal_a", "food_a", "animal_b", "food_b")
TWO_PAWNS: Final = ("animal_a", "owner_a", "animal_b", "owner_b")

PARAMETERS: Final[dict[ActionId, tuple[str, ...]]] = {
    "return_food": ONE_FOOD,
    "swap_meals_dog_cat": TWO_MEALS,
    "swap_fish_and_bone": TWO_FOODS,
    "swap_meals_same_species": TWO_MEALS,
    "swap_two_foods": TWO_FOODS,
    "swap_meals_any": TWO_MEALS,
    "swap_pawns": TWO_PAWNS,
    "return_pawn": ONE_PAWN,
    "replace_pawn": ONE_PAWN,
}
"""The parameters that each kind of action card takes, beside `type` and `card`."""

NAMES: Final = tuple(dict.fromkeys(name for names in PARAMETERS.values() for name in names))


def _schema_of(names: tuple[str, ...]) -> dict[str, Any]:
    """The JSON Schema of the cards that take these parameters: all of them and no others."""
    cards = [card for card, asked_for in PARAMETERS.items() if asked_for == names]
    return {"properties": {"card": {"enum": cards}}, "required": list(names), "maxProperties": 2 + len(names)}


class PlayAction(Move):
    """Play an action card of your hand, with the parameters of its kind."""

    schema: ClassVar[dict[str, Any]] = {"oneOf": [_schema_of(names) for names in dict.fromkeys(PARAMETERS.values())]}

    card: Annotated[ActionId, Meta(description="The kind of the action card, which determines the other parameters.")]
    animal: AnimalNamed | UnsetType = UNSET
    food: FoodNamed | UnsetType = UNSET
    owner: OwnerNamed | UnsetType = UNSET
    animal_a: AnimalNamed | UnsetType = UNSET
    food_a: FoodNamed | UnsetType = UNSET
    owner_a: OwnerNamed | UnsetType = UNSET
    animal_b: AnimalNamed | UnsetType = UNSET
    food_b: FoodNamed | UnsetType = UNSET
    owner_b: OwnerNamed | UnsetType = UNSET


class ActionPlayed(Event):
    """A seat played an action card, which now lies on the discard pile."""

    seat: Seat
    card: ActionId


Effect = Callable[[Case, PlayAction], Event]
"""Checks what a kind of card requires, and returns the event that carries it out."""

EFFECTS: Final[dict[ActionId, Effect]] = {}

_ASKED_FOR: Final = {card: attrgetter(*names) for card, names in PARAMETERS.items()}
_LEFT_OUT: Final = {
    card: attrgetter(*(name for name in NAMES if name not in names)) for card, names in PARAMETERS.items()
}


def carries_out(card: ActionId) -> Callable[[Effect], Effect]:
    """Declare the effect of a kind of action card."""

    def declare(effect: Effect) -> Effect:
        assert card not in EFFECTS, f"{card} is declared twice"
        EFFECTS[card] = effect
        return effect

    return declare


def require_parameters(case: Case, move: PlayAction) -> None:
    """Refuse an action whose parameters are not exactly those of its card."""
    if UNSET in _ASKED_FOR[move.card](move) or set(_LEFT_OUT[move.card](move)) != {UNSET}:
        raise Rejection("HK-1", _wrong_parameters(move))
    for animal in (move.animal, move.animal_a, move.animal_b):
        if animal is not UNSET:
            require_known_animal(case, animal)
    seats = len(case.position.seats)
    for owner in (move.owner, move.owner_a, move.owner_b):
        if owner is not UNSET and not 0 <= owner < seats:
            raise Rejection("HK-1", f"There is no seat {owner}; the seats are 0 to {seats - 1}.")


def _wrong_parameters(move: PlayAction) -> str:
    """Which parameters are missing or too many, and which belong to the card."""
    asked_for = PARAMETERS[move.card]
    missing = [name for name in asked_for if getattr(move, name) is UNSET]
    too_many = [name for name in NAMES if name not in asked_for and getattr(move, name) is not UNSET]
    faults = [f"{', '.join(missing)} missing"] * bool(missing) + [f"{', '.join(too_many)} too many"] * bool(too_many)
    return f"{move.card} is played with {', '.join(asked_for)}, and nothing else; {' and '.join(faults)}."


def one_animal(case: Case, move: PlayAction) -> Animal:
    """The animal that the move names, laid out and not sated."""
    assert move.animal is not UNSET
    animal = animal_laid_out(case, move.animal)  # HK-7
    require_hungry(case, animal)  # HK-9
    return animal


def two_animals(case: Case, move: PlayAction) -> tuple[Animal, Animal]:
    """The two animals that the move names, different, laid out and not sated."""
    assert move.animal_a is not UNSET and move.animal_b is not UNSET
    one = animal_laid_out(case, move.animal_a)  # HK-7
    other = animal_laid_out(case, move.animal_b)
    if one.id == other.id:
        raise Rejection("HK-43", f"An exchange takes two different animals, not {one.id} twice.")
    require_hungry(case, one)  # HK-9
    require_hungry(case, other)
    return one, other


@actions.decides(PlayAction)
def play_action(case: Case, move: PlayAction) -> Says:
    """The action is carried out completely, or the card is not played (HK-41)."""
    hand = case.position.seats[case.seat].hand
    if move.card not in hand:
        held = f"your hand is {', '.join(hand)}" if hand else "you have no action card left"
        raise Rejection("HK-40", f"You do not hold {move.card}; {held}.")
    effect = EFFECTS[move.card](case, move)
    yield ActionPlayed(seat=case.seat, card=move.card)  # HK-42
    position = yield effect
    yield from pass_turn(case, position)


@actions.applies(ActionPlayed)
def action_played(position: Position, event: ActionPlayed) -> Position:
    """From the hand to the discard pile."""
    hand = without(position.seats[event.seat].hand, (event.card,))
    return replace(
        position,
        seats=with_seat(position.seats, event.seat, hand=hand),
        action_discard=(*position.action_discard, event.card),
    )
