"""The position and its parts, and questions about it."""

from collections.abc import Generator
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from referee.kernel.changes import with_seat
from referee.kernel.message import Event
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Case as KernelCase
from referee.kernel.seat import Seat, seat_until
from referee.rulesets.hund_und_katz.edition import Edition
from referee.rulesets.hund_und_katz.names import ActionId, AnimalId, FoodId, Phase

SLUG: Final = "hund-und-katz"


class Options(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What the players agree on before the game."""

    first_seat: Annotated[
        Annotated[Seat, seat_until(5)] | None, Meta(description="The seat that begins; null: drawn by chance.")
    ] = None


class SeatState(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a seat holds."""

    stock: int
    """Its pawns that stand on no animal."""
    hand: tuple[ActionId, ...]


class Animal(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An animal laid out, with its meal and the pawns on it."""

    id: AnimalId
    food: tuple[FoodId, ...]
    """In the order laid."""
    pawns: tuple[Seat, ...]
    """Their owners, in the order placed."""


class Result(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """How the game ended."""

    animal_values: dict[AnimalId, int]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    winners: tuple[Seat, ...]


class Position(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Everything about a game at one moment, hidden cards included."""

    ruleset: Literal["hund-und-katz"]
    options: Options
    phase: Phase
    seats: tuple[SeatState, ...]
    active_seat: Seat | None
    animals: tuple[Animal, ...]
    food_deck: tuple[FoodId, ...]
    """Top first."""
    revealed: FoodId | None
    """The card turned and not yet assigned."""
    series_animal: AnimalId | None
    """The animal being fed in a series."""
    action_discard: tuple[ActionId, ...]
    result: Result | None


Case = KernelCase[Position, Edition]
Says = Generator[Event, Position, None]


def is_sated(animal: Animal, edition: Edition) -> bool:
    """Whether an animal is sated (HK-8)."""
    return len(animal.food) >= edition.sated_at


def has_room(animal: Animal, edition: Edition) -> bool:
    """Whether an animal has a free square."""
    return len(animal.pawns) < edition.squares[animal.id]


def must_place_pawn(position: Position, seat: Seat, edition: Edition) -> bool:
    """Whether a seat must place a pawn at the start of its turn (HK-10), or skips that step (HK-11)."""
    return position.seats[seat].stock > 0 and any(
        has_room(animal, edition) and not is_sated(animal, edition) for animal in position.animals
    )


def is_all_but_one_sated(position: Position, edition: Edition) -> bool:
    """Whether all animals but one are sated, which ends the game (HK-60)."""
    return sum(is_sated(animal, edition) for animal in position.animals) >= len(position.animals) - 1


def find_animal(position: Position, named: AnimalId) -> Animal | None:
    """The animal of this id, if it is laid out."""
    for animal in position.animals:
        if animal.id == named:
            return animal
    return None


def require_known_animal(case: Case, named: AnimalId) -> None:
    """Refuse an id that no animal of the edition has."""
    if named not in case.edition.squares:
        known = ", ".join(case.edition.squares)
        raise Rejection("HK-1", f"There is no animal {named}; the animals of the box are {known}.")


def animal_laid_out(case: Case, named: AnimalId) -> Animal:
    """The animal that a move names; it must be laid out."""
    animal = find_animal(case.position, named)
    if animal is None:
        laid_out = ", ".join(animal.id for animal in case.position.animals)
        raise Rejection("HK-7", f"{named} is not laid out in this game; the animals laid out are {laid_out}.")
    return animal


def animal_of(position: Position, named: AnimalId) -> Animal:
    """The animal that an event names."""
    animal = find_animal(position, named)
    assert animal is not None
    return animal


def require_hungry(case: Case, animal: Animal) -> None:
    """Refuse a move that touches a sated animal."""
    if is_sated(animal, case.edition):
        food = f"{animal.id} is sated, with {len(animal.food)} food cards"
        raise Rejection("HK-9", f"{food}: its food and its pawns stay as they are until the scoring.")


def with_animals(position: Position, *changed: Animal) -> tuple[Animal, ...]:
    """The animals of a position, some of them changed."""
    news = {animal.id: animal for animal in changed}
    return tuple(news.get(animal.id, animal) for animal in position.animals)


def with_stock(seats: tuple[SeatState, ...], seat: Seat, pawns: int) -> tuple[SeatState, ...]:
    """The seats, one of them with more (or fewer) pawns in its stock."""
    return with_seat(seats, seat, stock=seats[seat].stock + pawns)
