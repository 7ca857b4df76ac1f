"""A position as one seat, or a spectator, may see it (section 11 of rules.md)."""

from typing import Literal

import msgspec

from referee.kernel.audience import shown
from referee.kernel.seat import Seat
from referee.rulesets.hund_und_katz.edition import Edition
from referee.rulesets.hund_und_katz.names import ActionId, AnimalId, FoodId, Phase, Species
from referee.rulesets.hund_und_katz.position import Animal, Options, Position, Result, SeatState


class SeatView(msgspec.Struct, frozen=True, gc=False):
    """What a reader sees of a seat."""

    stock: int
    hand: tuple[ActionId, ...] | None
    """Null for everybody but the seat itself."""
    hand_count: int


class AnimalView(msgspec.Struct, frozen=True, gc=False):
    """An animal laid out, with what is printed on its card."""

    id: AnimalId
    species: Species
    squares: int
    """The number of pawns that it can carry."""
    food: tuple[FoodId, ...]
    """In the order laid."""
    pawns: tuple[Seat, ...]
    """Their owners, in the order placed."""


class View(msgspec.Struct, frozen=True, gc=False):
    """A position as one reader sees it."""

    ruleset: Literal["hund-und-katz"]
    options: Options
    phase: Phase
    seats: tuple[SeatView, ...]
    active_seat: Seat | None
    animals: tuple[AnimalView, ...]
    food_deck: tuple[FoodId, ...] | None
    """Always null."""
    food_deck_count: int
    revealed: FoodId | None
    series_animal: AnimalId | None
    action_discard: tuple[ActionId, ...]
    result: Result | None


_view = shown(View, Position)


def view(position: Position, reader: Seat | None, edition: Edition) -> View:
    """Everything is open but the deck and the hands of the other seats."""
    return _view(
        position,
        seats=tuple([_seat_view(state, own=seat == reader) for seat, state in enumerate(position.seats)]),
        animals=tuple([_animal_view(animal, edition) for animal in position.animals]),
        food_deck=None,
        food_deck_count=len(position.food_deck),
    )


def _animal_view(animal: Animal, edition: Edition) -> AnimalView:
    return AnimalView(animal.id, edition.species[animal.id], edition.squares[animal.id], animal.food, animal.pawns)


def _seat_view(state: SeatState, own: bool) -> SeatView:
    return SeatView(stock=state.stock, hand=state.hand if own else None, hand_count=len(state.hand))
