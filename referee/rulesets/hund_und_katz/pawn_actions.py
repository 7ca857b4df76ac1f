"""The three action cards that move pawns (HK-57 to HK-59)."""

from msgspec import UNSET, UnsetType

from referee.kernel.changes import put, replace, without
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event
from referee.kernel.rejection import Rejection
from referee.kernel.seat import Seat
from referee.rulesets.hund_und_katz.actions import PlayAction, carries_out, one_animal, two_animals
from referee.rulesets.hund_und_katz.names import AnimalId
from referee.rulesets.hund_und_katz.position import Animal, Case, Position, animal_of, with_animals, with_stock

pawn_actions = Chapter()


class PawnsSwapped(Event):
    """Two pawns on two animals changed places."""

    seat: Seat
    animal_a: AnimalId
    owner_a: Seat
    animal_b: AnimalId
    owner_b: Seat


class PawnReturned(Event):
    """A pawn went back to its owner's stock."""

    seat: Seat
    """The seat that played the card."""
    animal: AnimalId
    owner: Seat


class PawnReplaced(Event):
    """A pawn went back to its owner's stock, and one of the acting seat's stock took its square."""

    seat: Seat
    animal: AnimalId
    owner: Seat


@carries_out("swap_pawns")
def swap_pawns(case: Case, move: PlayAction) -> PawnsSwapped:
    """Two pawns of any owners change places (HK-57)."""
    one, other = two_animals(case, move)
    return PawnsSwapped(
        seat=case.seat,
        animal_a=one.id,
        owner_a=pawn_on(one, move.owner_a),
        animal_b=other.id,
        owner_b=pawn_on(other, move.owner_b),
    )


@carries_out("return_pawn")
def return_pawn(case: Case, move: PlayAction) -> PawnReturned:
    """A pawn goes back to its owner; its square is free (HK-58)."""
    animal = one_animal(case, move)
    return PawnReturned(seat=case.seat, animal=animal.id, owner=pawn_on(animal, move.owner))


@carries_out("replace_pawn")
def replace_pawn(case: Case, move: PlayAction) -> PawnReplaced:
    """The stock is checked before the pawn is taken off (HK-R14)."""
    if not case.position.seats[case.seat].stock:
        placed = f"all {case.edition.pawns_per_seat} of your pawns stand on animals"
        raise Rejection("HK-59", f"`replace_pawn` takes a pawn from your stock, which is empty: {placed}.")
    animal = one_animal(case, move)
    return PawnReplaced(seat=case.seat, animal=animal.id, owner=pawn_on(animal, move.owner))


def pawn_on(animal: Animal, owner: Seat | UnsetType) -> Seat:
    """The owner of the pawn that a move names; the pawn must stand on the animal."""
    assert owner is not UNSET
    if owner not in animal.pawns:
        owners = ", ".join(f"seat {seat}" for seat in dict.fromkeys(animal.pawns))
        pawns = f"the pawns there belong to {owners}" if owners else "no pawn stands there"
        raise Rejection("HK-45", f"Seat {owner} has no pawn on {animal.id}; {pawns}.")
    return owner


@pawn_actions.applies(PawnsSwapped)
def pawns_swapped(position: Position, event: PawnsSwapped) -> Position:
    """Each pawn takes the other's place (HK-47)."""
    one, other = animal_of(position, event.animal_a), animal_of(position, event.animal_b)
    return replace(
        position,
        animals=with_animals(
            position,
            replace(one, pawns=put(one.pawns, one.pawns.index(event.owner_a), event.owner_b)),
            replace(other, pawns=put(other.pawns, other.pawns.index(event.owner_b), event.owner_a)),
        ),
    )


@pawn_actions.applies(PawnReturned)
def pawn_returned(position: Position, event: PawnReturned) -> Position:
    """The later pawns move up (HK-47)."""
    animal = animal_of(position, event.animal)
    return replace(
        position,
        seats=with_stock(position.seats, event.owner, 1),
        animals=with_animals(position, replace(animal, pawns=without(animal.pawns, (event.owner,)))),
    )


@pawn_actions.applies(PawnReplaced)
def pawn_replaced(position: Position, event: PawnReplaced) -> Position:
    """The new pawn takes the place of the old one (HK-47)."""
    animal = animal_of(position, event.animal)
    pawns = put(animal.pawns, animal.pawns.index(event.owner), event.seat)
    return replace(
        position,
        seats=with_stock(with_stock(position.seats, event.owner, 1), event.seat, -1),
        animals=with_animals(position, replace(animal, pawns=pawns)),
    )
