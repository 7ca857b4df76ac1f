"""The numbers of the box."""

from collections import Counter

import msgspec
import pytest

from referee.kernel.changes import replace
from referee.kernel.edition import read_edition
from referee.rulesets.editions import offered_editions, with_edition
from referee.rulesets.hund_und_katz import HUND_UND_KATZ
from referee.rulesets.hund_und_katz.edition import EDITION, PACKAGE, Edition
from referee.rulesets.hund_und_katz.names import ACTIONS, points, shows
from tests.clauses import clause

BOX = (PACKAGE / "edition.toml").read_text("utf-8")


@clause("HK-R1")
def test_there_are_54_food_cards_the_same_of_each_food():
    counts = Counter(EDITION.food_cards)
    assert counts.total() == 54
    for food in ("bone", "fish"):
        assert [counts[f"{food}_{value}"] for value in range(1, 7)] == [4, 5, 6, 5, 4, 3]
        assert sum(points(card) for card in EDITION.food_cards if shows(card) == food) == 90


@clause("HK-R2")
def test_dogs_and_cats_have_the_same_squares_and_as_many_as_there_are_pawns():
    for species in ("dog", "cat"):
        cards = [animal for animal in EDITION.animals if animal.species == species]
        assert Counter(animal.squares for animal in cards) == {1: 3, 2: 3, 3: 3}
    assert sum(EDITION.squares.values()) == 36 == EDITION.pawns_per_seat * EDITION.seats_max
    assert EDITION.species["clarence"] == "cat" and EDITION.squares["clarence"] == 3


@clause("HK-R2")
def test_the_edition_with_more_squares_differs_from_the_box_in_its_squares_only():
    more = offered_editions(HUND_UND_KATZ)["more-squares"].edition
    for species in ("dog", "cat"):
        cards = [animal for animal in more.animals if animal.species == species]
        assert Counter(animal.squares for animal in cards) == {1: 1, 2: 3, 3: 5}
    assert sum(more.squares.values()) == 44
    assert more.squares["clarence"] == 3
    assert [replace(animal, squares=more.squares[animal.id]) for animal in EDITION.animals] == list(more.animals)
    assert replace(more, name=EDITION.name, animals=EDITION.animals) == EDITION


@clause("HK-R2")
@pytest.mark.parametrize(("seats", "suffice"), [(2, True), (3, True), (4, False), (5, False), (6, False)])
def test_the_squares_of_the_box_never_suffice_for_all_pawns_of_four_seats(seats, suffice):
    squares = sorted(EDITION.squares.values())[-EDITION.animals_per_seat * seats :]
    assert (sum(squares) >= EDITION.pawns_per_seat * seats) is suffice


def test_there_are_two_action_cards_of_each_of_nine_kinds():
    assert len(ACTIONS) == 9
    assert Counter(EDITION.action_cards) == dict.fromkeys(ACTIONS, 2)


@clause("HK-61")
@pytest.mark.parametrize(("seats", "is_enough"), [(2, True), (3, True), (4, True), (5, True), (6, False)])
def test_only_six_seats_can_need_more_food_than_there_is(seats, is_enough):
    animals = EDITION.animals_per_seat * seats
    cards_that_sate_all_but_one = (animals - 1) * EDITION.sated_at
    assert (cards_that_sate_all_but_one + EDITION.sated_at - 1 <= len(EDITION.food_cards)) is is_enough


@pytest.mark.parametrize(
    ("number", "other", "fault"),
    [
        ("seats_min = 2", "seats_min = 7", "seats_min is above seats_max"),
        ('id = "bodo"', 'id = "argus"', "two animals have one id"),
        ("animals_per_seat = 2", "animals_per_seat = 4", "the animals do not suffice"),
        ("actions_per_seat = 3", "actions_per_seat = 4", "the action cards do not suffice"),
        ("series_limit = 4", "series_limit = 5", "a series would sate an animal"),
        ("[4, 5, 6, 5, 4, 3]", "[0, 0, 0, 0, 0, 0]", "there is no food"),
        ("squares = 1", "squares = 0", "squares"),
        ("pawns_per_seat = 6", "pawns_per_seats = 6", "pawns_per_seats"),
    ],
)
def test_a_box_that_cannot_be_played_is_refused(number, other, fault):
    assert number in BOX
    with pytest.raises(msgspec.ValidationError, match=fault):
        read_edition(BOX.replace(number, other), Edition)


def test_an_owner_may_correct_a_number_and_gets_another_edition():
    corrected = with_edition(HUND_UND_KATZ, BOX.replace("squares = 1", "squares = 2", 1))
    assert corrected.edition.squares["argus"] == 2
    assert corrected.edition_hash != HUND_UND_KATZ.edition_hash
    assert with_edition(HUND_UND_KATZ, BOX).edition_hash == HUND_UND_KATZ.edition_hash
