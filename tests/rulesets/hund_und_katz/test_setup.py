"""Setting up the table (HK-S0 to HK-S8)."""

from collections import Counter

import pytest
from msgspec import UNSET

from referee.kernel.audience import redact
from referee.kernel.chance import Derived
from referee.kernel.judge import judge, read_position
from referee.kernel.rejection import InvalidChance, Malformed, Rejection
from referee.kernel.seat import REFEREE
from referee.rulesets.hund_und_katz import HUND_UND_KATZ
from referee.rulesets.hund_und_katz.actions import PlayAction
from referee.rulesets.hund_und_katz.edition import EDITION
from referee.rulesets.hund_und_katz.position import Options
from referee.rulesets.hund_und_katz.setup import AnimalsLaidOut, FoodShuffled, SeatEquipped, SetUp
from referee.rulesets.hund_und_katz.turns import TurnStarted
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.hund_und_katz.tables import a_table, animal

DOGS = ("argus", "bodo", "caspar", "dante")
FOOD = EDITION.food_cards
ACTIONS = ("return_food", "return_food", "swap_pawns", "swap_pawns", "return_pawn", "return_pawn")


def blank(seats=2, first_seat=None):
    return Given(HUND_UND_KATZ, HUND_UND_KATZ.blank(Options(first_seat=first_seat), seats))


def forced(**changes):
    """The outcomes of a set-up for two, some of them changed."""
    points = {
        "shuffle_animals": DOGS,
        "shuffle_food": FOOD,
        "shuffle_actions": ACTIONS,
        "draw_first_seat": 1,
    }
    return tuple((points | changes).items())


@clause("HK-S0")
@pytest.mark.parametrize(("seats", "first_seat"), [(1, None), (7, None), (0, None), (2, 2), (6, 6), (3, -1)])
def test_other_numbers_of_seats_and_a_first_seat_that_does_not_exist_are_refused(seats, first_seat):
    with pytest.raises(Rejection) as refused:
        HUND_UND_KATZ.blank(Options(first_seat=first_seat), seats)
    assert refused.value.clause == "HK-S0"


@clause("HK-S0")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_two_to_six_seats_may_play_and_any_of_them_may_begin(seats):
    for first_seat in (None, *range(seats)):
        assert len(HUND_UND_KATZ.blank(Options(first_seat=first_seat), seats).seats) == seats


@clause("HK-S1", "HK-S2", "HK-S3", "HK-S4", "HK-S5", "HK-S6", "HK-S7", "HK-S8")
def test_the_table_is_set_up_in_this_order():
    table = (
        blank()
        .when(REFEREE, SetUp(), *forced())
        .says(
            AnimalsLaidOut(animals=DOGS),
            FoodShuffled(food_deck=FOOD),
            SeatEquipped(seat=0, pawns=6, actions=ACTIONS[:3]),
            SeatEquipped(seat=1, pawns=6, actions=ACTIONS[3:]),
            TurnStarted(seat=1, phase="place_pawn"),
        )
    )
    position = table.position
    assert position.animals == tuple(animal(id) for id in DOGS)
    assert position.food_deck == FOOD
    assert [(seat.stock, seat.hand) for seat in position.seats] == [(6, ACTIONS[:3]), (6, ACTIONS[3:])]
    assert (position.active_seat, position.phase, position.action_discard) == (1, "place_pawn", ())


@clause("HK-S1", "HK-S3", "HK-S5", "HK-S6")
def test_three_players_have_six_animals_and_hands_of_three():
    position = blank(seats=3).when(REFEREE, SetUp()).position
    ids = {animal.id for animal in position.animals}
    assert len(ids) == 6 and len(set(EDITION.squares) - ids) == 12
    assert [len(seat.hand) for seat in position.seats] == [3, 3, 3]
    left = Counter(EDITION.action_cards) - Counter(card for seat in position.seats for card in seat.hand)
    assert left.total() == 9


@clause("HK-S6")
def test_with_six_players_every_action_card_is_dealt():
    position = blank(seats=6).when(REFEREE, SetUp()).position
    assert Counter(card for seat in position.seats for card in seat.hand) == Counter(EDITION.action_cards)


@clause("HK-S8", "HK-R4")
def test_chance_draws_the_first_seat_unless_the_options_name_it():
    assert blank().when(REFEREE, SetUp(), *forced(draw_first_seat=0)).position.active_seat == 0
    for first_seat in (0, 1):
        table = blank(first_seat=first_seat)
        verdict = judge(HUND_UND_KATZ, table.position, REFEREE, SetUp(), otherwise=Derived(b"any", 0))
        assert verdict.position.active_seat == first_seat
        assert [point for point, _ in verdict.drawn] == ["shuffle_animals", "shuffle_food", "shuffle_actions"]


@clause("HK-S1", "HK-S4", "HK-S5", "HK-S8")
@pytest.mark.parametrize(
    ("point", "outcome"),
    [
        ("shuffle_animals", DOGS[:3]),
        ("shuffle_animals", (*DOGS[:3], "argus")),
        ("shuffle_animals", (*DOGS[:3], "rex")),
        ("shuffle_food", FOOD[1:]),
        ("shuffle_food", ("fish_6", *FOOD[1:])),
        ("shuffle_actions", ACTIONS[1:]),
        ("shuffle_actions", ("swap_pawns", *ACTIONS[1:])),
        ("draw_first_seat", 2),
        ("draw_first_seat", True),
    ],
)
def test_a_forced_outcome_that_cannot_happen_is_no_set_up(point, outcome):
    with pytest.raises(InvalidChance) as refused:
        blank().when(REFEREE, SetUp(), *forced(**{point: outcome}))
    assert refused.value.point == point


@clause("HK-S8")
def test_a_first_seat_cannot_be_forced_where_none_is_drawn():
    with pytest.raises(InvalidChance):
        blank(first_seat=0).when(REFEREE, SetUp(), *forced())


@clause("HK-S1", "HK-R26", "HK-52")
def test_a_game_of_dogs_only_goes_on_but_no_dog_and_cat_exchange():
    dogs = [animal(id, ["bone_1"]) for id in DOGS]
    table = a_table(*dogs, seats=2, hands={0: ["swap_meals_dog_cat", "swap_meals_any"]})
    cards = {move.card for move in table.legal(0) if isinstance(move, PlayAction)}
    assert cards == {"swap_meals_any"}


@clause("HK-S4", "HK-S5")
def test_the_deck_is_hidden_from_everybody_and_a_hand_from_everybody_else():
    _, food, first, *_ = blank().when(REFEREE, SetUp(), *forced()).events
    for reader in (None, 0, 1):
        assert redact(food, reader) == FoodShuffled(food_deck=UNSET)
    assert redact(first, 0) == first
    for reader in (None, 1):
        assert redact(first, reader) == SeatEquipped(seat=0, pawns=6, actions=UNSET)


@clause("HK-S0")
def test_a_position_before_the_set_up_may_leave_out_its_empty_fields():
    least = {"ruleset": "hund-und-katz", "options": {}, "phase": "setup", "seats": [{}, {}]}
    assert read_position(HUND_UND_KATZ, least) == blank().position
    most = least | {"animals": [], "food_deck": [], "revealed": None, "seats": [{"stock": 0, "hand": []}, {}]}
    assert read_position(HUND_UND_KATZ, most) == blank().position
    for damage in ({"seats": [{}]}, {"animals": ["igor"]}, {"options": {"first_seat": 2}}, {"active_seat": 0}):
        with pytest.raises(Malformed):
            read_position(HUND_UND_KATZ, least | damage)
