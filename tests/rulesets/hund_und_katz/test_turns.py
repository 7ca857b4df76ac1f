"""Turns: how each starts, and which seat is next (HK-5, HK-10, HK-11)."""

import pytest

from referee.rulesets.hund_und_katz.actions import ActionPlayed, PlayAction
from referee.rulesets.hund_und_katz.feeding import FeedingStopped, RevealFood, StopFeeding
from referee.rulesets.hund_und_katz.pawn_actions import PawnReturned
from referee.rulesets.hund_und_katz.pawns import PlacePawn
from referee.rulesets.hund_und_katz.turns import TurnStarted
from tests.clauses import clause
from tests.rulesets.hund_und_katz.tables import SATING, a_table, animal


def full_but(*animals, **parts):
    """Two seats, four animals: Igor and Hazel are full, and seat 1 has no pawn left."""
    full = (animal("igor", ["bone_1"], [1, 1, 1]), animal("hazel", ["bone_1"], [1, 1, 1]))
    return a_table(*full, *animals, seats=2, **parts)


@clause("HK-5")
@pytest.mark.parametrize(("active", "neighbour"), [(0, 1), (1, 2), (2, 0)])
def test_the_turn_passes_to_the_left_neighbour(active, neighbour):
    table = a_table(animal("igor", ["bone_1"]), phase="series", series_animal="igor", active=active)
    table.when(active, StopFeeding()).says(
        FeedingStopped(seat=active, reason="chosen"), TurnStarted(seat=neighbour, phase="place_pawn")
    )


@clause("HK-5")
def test_a_turn_is_a_pawn_and_then_one_card_phase():
    table = a_table(animal("igor"), phase="place_pawn", hands={0: ["return_pawn"]})
    table = table.when(0, PlacePawn(animal="igor")).tells("pawn_placed")
    assert (table.position.active_seat, table.position.phase) == (0, "card")
    table = table.when(0, PlayAction(card="return_pawn", animal="igor", owner=0)).tells(
        "action_played", "pawn_returned", "turn_started"
    )
    assert (table.position.active_seat, table.position.phase) == (1, "place_pawn")


@clause("HK-11", "HK-R18")
def test_free_squares_on_sated_animals_only_let_the_turn_start_with_a_card():
    taken = (animal("igor", ["bone_1"], [0, 0, 1]), animal("argus", [], [1]), animal("amber", [], [1]))
    table = a_table(*taken, animal("hazel", SATING), seats=2, phase="series", series_animal="igor")
    assert table.position.seats[1].stock == 3
    table.when(0, StopFeeding()).says(FeedingStopped(seat=0, reason="chosen"), TurnStarted(seat=1, phase="card"))


@clause("HK-11")
def test_without_a_pawn_in_stock_the_turn_starts_with_a_card():
    table = full_but(phase="series", series_animal="igor")
    assert table.position.seats[1].stock == 0
    table.when(0, StopFeeding()).says(FeedingStopped(seat=0, reason="chosen"), TurnStarted(seat=1, phase="card"))


@clause("HK-10", "HK-15")
def test_a_pawn_that_comes_back_makes_its_owner_place_it_in_its_next_turn():
    taken = (animal("argus", [], [0]), animal("amber", [], [0]))
    table = full_but(*taken, hands={0: ["return_pawn"]})
    table = table.when(0, PlayAction(card="return_pawn", animal="igor", owner=1)).says(
        ActionPlayed(seat=0, card="return_pawn"),
        PawnReturned(seat=0, animal="igor", owner=1),
        TurnStarted(seat=1, phase="place_pawn"),
    )
    assert table.position.seats[1].stock == 1


@clause("HK-15", "HK-R17")
def test_a_seat_places_two_returned_pawns_one_per_turn():
    table = a_table(animal("igor", [], [0, 0]), animal("hazel", [], [0, 0]), phase="place_pawn")
    assert table.position.seats[0].stock == 2
    table = table.when(0, PlacePawn(animal="igor")).tells("pawn_placed")
    table.when(0, PlacePawn(animal="hazel")).refused("HK-20")
    assert table.legal(0) == (RevealFood(),)


@clause("HK-R16", "HK-15")
def test_a_seat_does_not_place_its_own_returned_pawn_in_the_same_turn():
    table = a_table(animal("igor", [], [0]), hands={0: ["return_pawn"]})
    table = table.when(0, PlayAction(card="return_pawn", animal="igor", owner=0)).tells(
        "action_played", "pawn_returned", "turn_started"
    )
    table.when(0, PlacePawn(animal="igor")).refused("HK-4")
