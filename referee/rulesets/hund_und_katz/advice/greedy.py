"""A plain but sensible player: feeds its own animals well, the others badly, and keeps cards for large gains.

It judges a table by its lead: its own score less the best other score, as if the game were scored now.
"""

from collections import Counter
from typing import Final

from msgspec import UNSET

from referee.kernel.chance import Probe
from referee.kernel.changes import replace
from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.rulesets.hund_und_katz.actions import EFFECTS, PlayAction
from referee.rulesets.hund_und_katz.edition import Edition
from referee.rulesets.hund_und_katz.feeding import AddFood, AssignFood, RevealFood, StopFeeding
from referee.rulesets.hund_und_katz.food_actions import food_actions
from referee.rulesets.hund_und_katz.names import VALUE_TO, FoodId
from referee.rulesets.hund_und_katz.pawn_actions import pawn_actions
from referee.rulesets.hund_und_katz.pawns import PlacePawn
from referee.rulesets.hund_und_katz.position import Animal, Case, Position, SeatState, animal_of, is_sated, with_animals
from referee.rulesets.hund_und_katz.scoring import animal_value, scores_of
from referee.rulesets.hund_und_katz.view import View

WORTH_A_CARD: Final = 8
"""An action card that gains less is kept for later."""
WORTH_A_CARD_LATE: Final = 6
"""The same when the game is near its end."""
KEPT: Final = -1000
"""Below every lead."""

REDUCERS: Final = {**food_actions.reducers, **pawn_actions.reducers}


def choose(view: View, seat: Seat, moves: tuple[Move, ...], edition: Edition) -> Move:
    """The move with the best prospects as the table stands; among equals the first."""
    table = _table(view)
    return max(moves, key=lambda move: _prospects(table, seat, move, edition))


def _table(view: View) -> Position:
    """What lies open, as a position without the deck and the hands."""
    return Position(
        ruleset=view.ruleset,
        options=view.options,
        phase=view.phase,
        seats=tuple(SeatState(stock=state.stock, hand=()) for state in view.seats),
        active_seat=view.active_seat,
        animals=view.animals,
        food_deck=(),
        revealed=view.revealed,
        series_animal=view.series_animal,
        action_discard=view.action_discard,
        result=view.result,
    )


def _prospects(table: Position, seat: Seat, move: Move, edition: Edition) -> tuple[int, ...]:
    """How good a move looks: compared with the other moves of its phase, first number first."""
    match move:
        case PlacePawn():
            return _worth_of_a_place(animal_of(table, move.animal), seat, edition)
        case PlayAction(card="replace_pawn") if not _is_full_and_fed(table, move, edition):
            return (KEPT,)
        case PlayAction():
            return (lead(_after_action(table, seat, move, edition), seat, edition),)
        case RevealFood():  # An action has to gain more than this to be played.
            return (lead(table, seat, edition) + _worth_a_card(table, edition) - 1,)
        case AssignFood():
            return _worth_of_a_meal(table, seat, move, edition)
        case AddFood():
            return (_is_worth_a_gamble(table, seat, edition), _drift(table, seat, edition))
        case StopFeeding():
            return (0, 0)
        case _:
            raise AssertionError("every move of a seat has its prospects")


def _is_full_and_fed(table: Position, move: PlayAction, edition: Edition) -> bool:
    """Whether no other move brings a pawn to this animal, and little can still spoil its meal."""
    assert move.animal is not UNSET
    animal = animal_of(table, move.animal)
    return len(animal.pawns) == edition.squares[animal.id] and len(animal.food) + 1 >= edition.series_limit


def lead(table: Position, seat: Seat, edition: Edition) -> int:
    """The seat's score less the best other score."""
    scores = scores_of(table, edition)
    return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)


def _worth_of_a_place(animal: Animal, seat: Seat, edition: Edition) -> tuple[int, ...]:
    """The value; among equals a good meal that little can still spoil, then few pawns of others."""
    value = animal_value(animal, edition)
    return value, len(animal.food) if value > 0 else 0, -sum(owner != seat for owner in animal.pawns)


def _after_action(table: Position, seat: Seat, move: PlayAction, edition: Edition) -> Position:
    event = EFFECTS[move.card](Case(table, seat, Probe(), edition), move)
    after: Position = REDUCERS[type(event)](table, event)
    return after


def _worth_a_card(table: Position, edition: Edition) -> int:
    hungry = sum(not is_sated(animal, edition) for animal in table.animals)
    return WORTH_A_CARD if hungry > len(table.seats) else WORTH_A_CARD_LATE


def _worth_of_a_meal(table: Position, seat: Seat, move: AssignFood, edition: Edition) -> tuple[int, ...]:
    """The lead with the card there; among equals the card that sates an animal with a value worth keeping."""
    assert table.revealed is not None
    animal = animal_of(table, move.animal)
    fed = replace(animal, food=(*animal.food, table.revealed))
    after = replace(table, animals=with_animals(table, fed))
    locked = animal_value(fed, edition) * _own_surplus(fed, table, seat) if is_sated(fed, edition) else 0
    return lead(after, seat, edition), locked


def _is_worth_a_gamble(table: Position, seat: Seat, edition: Edition) -> int:
    """1 for a seat that is behind, or whose next card ends the series; else 0."""
    assert table.series_animal is not None
    is_next_last = len(animal_of(table, table.series_animal).food) + 1 == edition.series_limit
    return int(is_next_last or lead(table, seat, edition) < 0)


def _drift(table: Position, seat: Seat, edition: Edition) -> int:
    """How the lead would change if all unseen cards came to the animal of the series."""
    assert table.series_animal is not None
    animal = animal_of(table, table.series_animal)
    value_of = VALUE_TO[edition.species[animal.id]]
    unseen = sum([value_of[food] for food in _unseen(table, edition)])
    return unseen * _own_surplus(animal, table, seat)


def _unseen(table: Position, edition: Edition) -> tuple[FoodId, ...]:
    """The cards that lie at no animal."""
    seen = Counter(food for animal in table.animals for food in animal.food)
    return tuple((Counter(edition.food_cards) - seen).elements())


def _own_surplus(animal: Animal, table: Position, seat: Seat) -> int:
    """How many more pawns the seat has on an animal than the other seat that has most there."""
    others = (animal.pawns.count(Seat(other)) for other in range(len(table.seats)) if other != seat)
    return animal.pawns.count(seat) - max(others)
