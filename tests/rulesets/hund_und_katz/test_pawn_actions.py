"""The action cards that move pawns (HK-45, HK-57 to HK-59)."""

import pytest

from referee.rulesets.hund_und_katz.actions import ActionPlayed, PlayAction
from referee.rulesets.hund_und_katz.pawn_actions import PawnReplaced, PawnReturned, PawnsSwapped
from referee.rulesets.hund_und_katz.pawns import PlacePawn
from referee.rulesets.hund_und_katz.turns import TurnStarted
from tests.clauses import clause
from tests.rulesets.hund_und_katz.tables import a_table, animal

NEXT = TurnStarted(seat=1, phase="place_pawn")


def holding(card, *animals):
    """A table at which seat 0 holds this card."""
    return a_table(*animals, hands={0: [card]})


def stocks(table):
    return [seat.stock for seat in table.position.seats]


def swap_pawns(one, owner, other, facing):
    return PlayAction(card="swap_pawns", animal_a=one, owner_a=owner, animal_b=other, owner_b=facing)


@clause("HK-57", "HK-47")
def test_two_pawns_take_each_others_places():
    table = holding("swap_pawns", animal("igor", [], [0, 2, 2]), animal("clarence", [], [1, 0]))
    table = table.when(0, swap_pawns("igor", 2, "clarence", 0)).says(
        ActionPlayed(seat=0, card="swap_pawns"),
        PawnsSwapped(seat=0, animal_a="igor", owner_a=2, animal_b="clarence", owner_b=0),
        NEXT,
    )
    igor, clarence = table.position.animals[:2]
    assert (igor.pawns, clarence.pawns) == ((0, 0, 2), (1, 2))


@clause("HK-45", "HK-57")
@pytest.mark.parametrize(("owner", "facing"), [(0, 0), (0, 1), (1, 1), (2, 1)])
def test_the_pawns_may_belong_to_any_seats(owner, facing):
    table = holding("swap_pawns", animal("igor", [], [owner]), animal("clarence", [], [facing]))
    table.when(0, swap_pawns("igor", owner, "clarence", facing)).tells("action_played", "pawns_swapped", "turn_started")


@clause("HK-45")
def test_a_pawn_that_is_named_stands_on_the_animal_named_with_it():
    animals = (animal("igor", [], [0]), animal("clarence", [], [1]))
    table = holding("swap_pawns", *animals)
    table.when(0, swap_pawns("igor", 1, "clarence", 1)).refused("HK-45")
    table.when(0, swap_pawns("igor", 0, "clarence", 0)).refused("HK-45")
    for card in ("return_pawn", "replace_pawn"):
        holding(card, *animals).when(0, PlayAction(card=card, animal="igor", owner=2)).refused("HK-45")


@clause("HK-48")
def test_two_pawns_of_one_owner_may_change_places_with_no_visible_change():
    table = holding("swap_pawns", animal("igor", [], [1]), animal("clarence", [], [1]))
    after = table.when(0, swap_pawns("igor", 1, "clarence", 1)).tells("action_played", "pawns_swapped", "turn_started")
    assert after.position.animals == table.position.animals


@clause("HK-58", "HK-47")
def test_a_returned_pawn_is_in_its_owners_stock_and_the_others_move_up():
    table = holding("return_pawn", animal("igor", [], [1, 2, 1]))
    table = table.when(0, PlayAction(card="return_pawn", animal="igor", owner=1)).says(
        ActionPlayed(seat=0, card="return_pawn"), PawnReturned(seat=0, animal="igor", owner=1), NEXT
    )
    assert table.position.animals[0].pawns == (2, 1)
    assert stocks(table) == [6, 5, 5]


@clause("HK-59", "HK-47", "HK-R15")
def test_a_replaced_pawn_goes_back_to_its_stock_and_the_new_one_takes_its_square():
    table = holding("replace_pawn", animal("igor", [], [2, 1, 2]))
    table = table.when(0, PlayAction(card="replace_pawn", animal="igor", owner=1)).says(
        ActionPlayed(seat=0, card="replace_pawn"), PawnReplaced(seat=0, animal="igor", owner=1), NEXT
    )
    assert table.position.animals[0].pawns == (2, 0, 2)
    assert stocks(table) == [5, 6, 4]


@clause("HK-15", "HK-59")
def test_a_seat_that_placed_its_pawn_may_replace_another_in_the_same_turn():
    table = a_table(animal("igor", [], [1]), animal("fritz"), hands={0: ["replace_pawn"]}, phase="place_pawn")
    table = table.when(0, PlacePawn(animal="fritz")).tells("pawn_placed")
    table.when(0, PlacePawn(animal="fritz")).refused("HK-20")
    table = table.when(0, PlayAction(card="replace_pawn", animal="igor", owner=1)).tells(
        "action_played", "pawn_replaced", "turn_started"
    )
    igor, fritz = table.position.animals[:2]
    assert (igor.pawns, fritz.pawns, stocks(table)) == ((0,), (0,), [4, 6, 6])


@clause("HK-48", "HK-59")
def test_a_seat_may_replace_its_own_pawn_with_no_visible_change():
    table = holding("replace_pawn", animal("igor", [], [1, 0]))
    after = table.when(0, PlayAction(card="replace_pawn", animal="igor", owner=0)).tells(
        "action_played", "pawn_replaced", "turn_started"
    )
    assert after.position.animals == table.position.animals
    assert stocks(after) == stocks(table)


@clause("HK-59", "HK-R14")
@pytest.mark.parametrize("owner", [0, 1])
def test_a_seat_with_an_empty_stock_replaces_no_pawn_not_even_its_own(owner):
    full = (animal("igor", [], [0, 0, 0]), animal("hazel", [], [0, 0, 0]), animal("clarence", [], [1]))
    table = holding("replace_pawn", *full)
    place = "igor" if owner == 0 else "clarence"
    table.when(0, PlayAction(card="replace_pawn", animal=place, owner=owner)).refused("HK-59")
