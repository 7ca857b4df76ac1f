"""Placing a pawn (HK-10 to HK-15)."""

import pytest

from referee.rulesets.hund_und_katz.feeding import RevealFood
from referee.rulesets.hund_und_katz.pawns import PawnPlaced, PlacePawn
from tests.clauses import clause
from tests.rulesets.hund_und_katz.tables import SATING, a_table, animal


@clause("HK-12")
@pytest.mark.parametrize("place", [animal("igor"), animal("hazel"), animal("fritz", ["fish_1"] * 4)])
def test_a_pawn_goes_from_the_stock_to_an_animal_dog_or_cat_fed_or_not(place):
    table = a_table(place, phase="place_pawn")
    table = table.when(0, PlacePawn(animal=place.id)).says(PawnPlaced(seat=0, animal=place.id))
    assert table.position.animals[0].pawns == (0,)
    assert [seat.stock for seat in table.position.seats] == [5, 6, 6]
    assert table.position.phase == "card"


@clause("HK-10", "HK-6")
def test_a_seat_that_can_place_a_pawn_does_nothing_else_first():
    table = a_table(phase="place_pawn", hands={0: ["return_pawn"]})
    table.when(0, RevealFood()).refused("HK-10")
    assert all(isinstance(move, PlacePawn) for move in table.legal(0))


@clause("HK-7")
def test_an_animal_that_is_not_laid_out_takes_no_pawn():
    table = a_table(animal("igor"), phase="place_pawn")
    assert "argus" not in {each.id for each in table.position.animals}
    table.when(0, PlacePawn(animal="argus")).refused("HK-7")


@clause("HK-9", "HK-8")
def test_a_sated_animal_takes_no_pawn():
    table = a_table(animal("igor", SATING), animal("dinah"), phase="place_pawn")
    table.when(0, PlacePawn(animal="igor")).refused("HK-9")
    table.when(0, PlacePawn(animal="dinah")).says(PawnPlaced(seat=0, animal="dinah"))


@clause("HK-9", "HK-13")
def test_a_sated_animal_that_is_full_is_refused_because_it_is_sated():
    table = a_table(animal("igor", SATING, [1, 1, 1]), phase="place_pawn")
    table.when(0, PlacePawn(animal="igor")).refused("HK-9")


@clause("HK-13")
def test_an_animal_with_two_squares_carries_two_pawns():
    table = a_table(animal("dinah", [], [0]), phase="place_pawn", active=1)
    table = table.when(1, PlacePawn(animal="dinah")).says(PawnPlaced(seat=1, animal="dinah"))
    assert table.position.animals[0].pawns == (0, 1)
    table = a_table(animal("dinah", [], [0, 2]), phase="place_pawn", active=1)
    table.when(1, PlacePawn(animal="dinah")).refused("HK-13")


@clause("HK-14")
def test_several_pawns_of_a_seat_may_stand_on_one_animal():
    table = a_table(animal("igor", [], [0, 0]), phase="place_pawn")
    table = table.when(0, PlacePawn(animal="igor")).says(PawnPlaced(seat=0, animal="igor"))
    assert table.position.animals[0].pawns == (0, 0, 0)
