"""Placing a pawn at the start of a turn (HK-10 to HK-15)."""

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection
from referee.kernel.seat import Seat
from referee.rulesets.hund_und_katz.names import AnimalId
from referee.rulesets.hund_und_katz.parameters import AnimalNamed
from referee.rulesets.hund_und_katz.position import (
    Case,
    Position,
    Says,
    animal_laid_out,
    animal_of,
    has_room,
    require_hungry,
    with_animals,
    with_stock,
)

pawns = Chapter()


class PlacePawn(Move):
    """Put one of your pawns on a free square of an animal that is not sated."""

    animal: AnimalNamed


class PawnPlaced(Event):
    """A seat placed a pawn on an animal."""

    seat: Seat
    animal: AnimalId


@pawns.decides(PlacePawn)
def place_pawn(case: Case, move: PlacePawn) -> Says:
    """Other pawns of the seat may already stand there (HK-14)."""
    animal = animal_laid_out(case, move.animal)  # HK-7
    require_hungry(case, animal)  # HK-9
    if not has_room(animal, case.edition):
        squares = case.edition.squares[animal.id]
        raise Rejection("HK-13", f"{animal.id} has no free square: pawns stand on {len(animal.pawns)} of {squares}.")
    yield PawnPlaced(seat=case.seat, animal=animal.id)  # HK-12


@pawns.applies(PawnPlaced)
def pawn_placed(position: Position, event: PawnPlaced) -> Position:
    """From the stock to the animal; there is no second pawn this turn (HK-15)."""
    animal = animal_of(position, event.animal)
    return replace(
        position,
        phase="card",
        seats=with_stock(position.seats, event.seat, -1),
        animals=with_animals(position, replace(animal, pawns=(*animal.pawns, event.seat))),
    )
