"""Setting up the table (HK-S1 to HK-S8)."""

from typing import Annotated

from msgspec import UnsetType

from referee.kernel.audience import NOBODY, only, whole
from referee.kernel.changes import put, replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Trigger
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.hund_und_katz.edition import Edition
from referee.rulesets.hund_und_katz.names import ActionId, AnimalId, FoodId
from referee.rulesets.hund_und_katz.position import SLUG, Animal, Case, Options, Position, Says, SeatState
from referee.rulesets.hund_und_katz.turns import start_turn

setup = Chapter()


class SetUp(Trigger):
    """Lay out the animals, shuffle the food, deal action cards and pawns, and start the first turn."""


class AnimalsLaidOut(Event):
    """The animals of this game lie on the table; the others left the game."""

    animals: tuple[AnimalId, ...]


class FoodShuffled(Event):
    """The food cards lie in a face-down deck."""

    food_deck: Annotated[tuple[FoodId, ...] | UnsetType, NOBODY]
    """Top first."""


class SeatEquipped(Event):
    """A seat received its pawns and its action cards."""

    seat: Seat
    pawns: int
    actions: Annotated[tuple[ActionId, ...] | UnsetType, only("seat")]


def blank(options: Options, seats: int, edition: Edition) -> Position:
    """The table before the set-up; refuses invalid options."""
    numbers = f"{edition.seats_min} to {edition.seats_max}"
    require("HK-S0", seats in edition.seats, f"The game takes {numbers} seats, not {seats}.")
    first = options.first_seat
    if first is not None and not 0 <= first < seats:
        raise Rejection("HK-S0", f"`first_seat` is null or a seat from 0 to {seats - 1}, not {first}.")
    return Position(
        ruleset=SLUG,
        options=options,
        phase="setup",
        seats=(SeatState(stock=0, hand=()),) * seats,
        active_seat=None,
        animals=(),
        food_deck=(),
        revealed=None,
        series_animal=None,
        action_discard=(),
        result=None,
    )


@setup.decides(SetUp)
def set_up(case: Case, move: SetUp) -> Says:
    """All chance is drawn first, in the order of the clauses."""
    edition, chance = case.edition, case.chance
    seats = len(case.position.seats)
    animals = chance.pick("shuffle_animals", tuple(edition.squares), edition.animals_per_seat * seats)  # HK-S1
    food = chance.shuffle("shuffle_food", edition.food_cards)
    each = edition.actions_per_seat
    actions = chance.pick("shuffle_actions", edition.action_cards, each * seats)
    first = case.position.options.first_seat
    if first is None:
        first = Seat(chance.number("draw_first_seat", 0, seats - 1))
    position = yield AnimalsLaidOut(animals=animals)  # HK-S2, HK-S3
    position = yield FoodShuffled(food_deck=food)  # HK-S4
    for seat in range(seats):
        hand = actions[each * seat : each * (seat + 1)]  # HK-S5, HK-S6
        position = yield SeatEquipped(seat=Seat(seat), pawns=edition.pawns_per_seat, actions=hand)  # HK-S7
    yield start_turn(position, first, edition)  # HK-S8


@setup.applies(AnimalsLaidOut)
def animals_laid_out(position: Position, event: AnimalsLaidOut) -> Position:
    """They have no food and no pawns yet."""
    return replace(position, animals=tuple(Animal(id=id, food=(), pawns=()) for id in event.animals))


@setup.applies(FoodShuffled)
def food_shuffled(position: Position, event: FoodShuffled) -> Position:
    """The deck lies ready."""
    return replace(position, food_deck=whole(event.food_deck))


@setup.applies(SeatEquipped)
def seat_equipped(position: Position, event: SeatEquipped) -> Position:
    """The seat has its stock and its hand."""
    state = SeatState(stock=event.pawns, hand=whole(event.actions))
    return replace(position, seats=put(position.seats, event.seat, state))
