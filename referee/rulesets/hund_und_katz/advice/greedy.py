"""A plain but sensible player: feeds its own animals well, the others badly, and keeps cards for large gains.

It judges a table by its lead: its own score less the best other score, as if the game were scored now. It goes on with
a series only where the unseen cards promise a gain, and it does not end a game that it is losing, if it can help it.
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
from referee.rulesets.hund_und_katz.position import (
    Animal,
    Case,
    Position,
    SeatState,
    animal_of,
    is_all_but_one_sated,
    is_sated,
    with_animals,
)
from referee.rulesets.hund_und_katz.scoring import animal_value, scores_of
from referee.rulesets.hund_und_katz.view import View

WORTH_A_CARD: Final = 8
"""An action card that gains less is kept for later."""
WORTH_A_CARD_LATE: Final = 6
"""The same when the game is near its end."""
KEPT: Final = -1000
"""Below every lead."""
KEEPS_ON: Final = 1
LOST: Final = 0
"""Below everything else: a move that ends a game which the player then loses."""

REDUCERS: Final = {**food_actions.reducers, **pawn_actions.reducers}


def choose(view: View, seat: Seat, moves: tuple[Move, ...], edition: Edition) -> Move:
    """The move with the best prospects as the table stands; among equals the first."""
    table = _table(view)
    return max(moves, key=lambda move: _prospects(table, view.food_deck_count, seat, move, edition))


def _table(view: View) -> Position:
    """What lies open, as a position without the deck and the hands."""
    return Position(
        ruleset=view.ruleset,
        options=view.options,
        phase=view.phase,
        seats=tuple([SeatState(stock=state.stock, hand=()) for state in view.seats]),
        active_seat=view.active_seat,
        animals=tuple([Animal(animal.id, animal.food, animal.pawns) for animal in view.animals]),
        food_deck=(),
        revealed=view.revealed,
        series_animal=view.series_animal,
        action_discard=view.action_discard,
        result=view.result,
    )


def _prospects(table: Position, deck: int, seat: Seat, move: Move, edition: Edition) -> tuple[int, ...]:
    """How good a move looks: compared with the other moves of its phase, first number first."""
    match move:
        case PlacePawn():
            return _worth_of_a_place(animal_of(table, move.animal), seat, edition)
        case PlayAction(card="replace_pawn") if not _is_full_and_fed(table, move, edition):
            return KEEPS_ON, KEPT
        case PlayAction():
            return KEEPS_ON, lead(_after_action(table, seat, move, edition), seat, edition)
        case RevealFood():  # An action has to gain more than this to be played.
            gain = _worth_a_card(table, edition) - 1
            return _is_no_lost_end(table, deck, seat, edition), lead(table, seat, edition) + gain
        case AssignFood():
            return _worth_of_a_meal(table, deck, seat, move, edition)
        case AddFood():
            return _worth_of_another_card(table, deck, seat, edition), 0
        case StopFeeding():
            return 0, 1  # better than a card that promises nothing
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


def _worth_of_a_meal(table: Position, deck: int, seat: Seat, move: AssignFood, edition: Edition) -> tuple[int, ...]:
    """No end that is lost; the lead with the card there; among equals an animal sated with a value worth keeping."""
    assert table.revealed is not None
    animal = animal_of(table, move.animal)
    after = _fed(table, animal, table.revealed)
    sated = animal_of(after, animal.id)
    locked = animal_value(sated, edition) * _own_surplus(sated, table, seat) if is_sated(sated, edition) else 0
    ahead = lead(after, seat, edition)
    return LOST if _ends(after, deck, edition) and ahead < 0 else KEEPS_ON, ahead, locked


def _fed(table: Position, animal: Animal, food: FoodId) -> Position:
    return replace(table, animals=with_animals(table, replace(animal, food=(*animal.food, food))))


def _ends(table: Position, deck: int, edition: Edition) -> bool:
    """Whether a game ends with a card just assigned, if this number of cards is left in the deck."""
    return deck == 0 or is_all_but_one_sated(table, edition)


def _is_no_lost_end(table: Position, deck: int, seat: Seat, edition: Edition) -> int:
    """Whether a card can be turned without ending a game that most cards would leave lost."""
    hungry = [animal for animal in table.animals if not is_sated(animal, edition)]
    unseen = _unseen(table, edition)
    if not all(_ends(_fed(table, animal, unseen[0]), deck - 1, edition) for animal in hungry):
        return KEEPS_ON
    saved = [max(lead(_fed(table, animal, food), seat, edition) for animal in hungry) >= 0 for food in unseen]
    return KEEPS_ON if 2 * sum(saved) >= len(saved) else LOST


def _worth_of_another_card(table: Position, deck: int, seat: Seat, edition: Edition) -> int:
    """How the unseen cards would change the lead; the last card of the deck, which ends the game, is known."""
    assert table.series_animal is not None
    animal = animal_of(table, table.series_animal)
    if deck == 1 and lead(_fed(table, animal, _unseen(table, edition)[0]), seat, edition) < 0:
        return KEPT
    return _drift(table, seat, edition)


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
    """The seat's lead in pawns on an animal over the other seat that has most there."""
    others = (animal.pawns.count(Seat(other)) for other in range(len(table.seats)) if other != seat)
    return animal.pawns.count(seat) - max(others)
