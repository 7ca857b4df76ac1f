"""Setup (section 3)."""

from itertools import combinations

import msgspec
import pytest

from referee.kernel.chance import Seeded
from referee.kernel.judge import judge, read_options, set_up
from referee.kernel.rejection import InvalidChance, Rejection
from referee.kernel.seat import REFEREE
from referee.rulesets.catham_city import CATHAM_CITY
from referee.rulesets.catham_city.cards import listed, no_cards, total
from referee.rulesets.catham_city.edition import EDITION
from referee.rulesets.catham_city.position import Options
from referee.rulesets.catham_city.setup import GameSetUp, SetUp
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.catham_city.tables import hand, heap, row

DECK = row("DDDSMH RRSSHM MMMSHHD SSRMHHR DRSHM DSRDM" + "SDRHM" * 7 + "DRHR")


def a_blank_table(seats: int, **options: object) -> Given:
    return Given(CATHAM_CITY, CATHAM_CITY.blank(Options(**options), seats))


def refusal_of(options: Options, seats: int) -> str:
    with pytest.raises(Rejection) as refused:
        CATHAM_CITY.blank(options, seats)
    return refused.value.clause


@clause("CC-S1")
@pytest.mark.parametrize(
    "factions",
    [
        (),
        ("detective", "scientist", "robocat", "mafia"),
        ("detective", "scientist", "robocat", "mafia", "hacker", "police"),
        ("detective", "detective", "robocat", "mafia", "hacker"),
        ("detective", "scientist", "robocat", "mafia", "cat"),
    ],
)
def test_anything_but_five_different_factions_is_refused(factions):
    assert refusal_of(Options(factions=factions), 3) == "CC-S1"


@clause("CC-S1", "CC-R28")
@pytest.mark.parametrize("factions", list(combinations(EDITION.factions, 5)), ids="-".join)
def test_every_choice_of_five_factions_is_dealt_and_the_others_stay_in_the_box(factions):
    position = set_up(CATHAM_CITY, Options(factions=factions), 4, Seeded("five"))
    CATHAM_CITY.check(position)
    assert position.options.factions == factions
    heaps = [position.market, *(seat.hand for seat in position.seats)]
    cards = [*position.draw_pile, *(card for each in heaps for card in listed(each))]
    assert sorted(cards) == sorted(factions * 15)


@clause("CC-S1")
def test_the_factions_are_stored_in_the_canonical_order():
    mixed = ("hacker", "mafia", "detective", "robocat", "scientist")
    table = a_blank_table(2, factions=mixed)
    assert table.position.options.factions == ("detective", "scientist", "robocat", "mafia", "hacker")
    assert table.when(REFEREE, SetUp()).event(GameSetUp).factions == table.position.options.factions


@clause("CC-S1")
def test_the_default_factions_are_those_recommended_for_a_first_game():
    options = read_options(CATHAM_CITY, {})
    assert options == Options(
        factions=("detective", "scientist", "robocat", "mafia", "hacker"),
        expert=False,
        first_seat=None,
        journalists_bonus="giver",
    )


@pytest.mark.parametrize(
    "raw",
    [
        {"expert": "yes"},
        {"factions": "detective"},
        {"first_seat": "0"},
        {"first_seat": True},
        {"journalists_bonus": "both"},
        {"speed": 1},
    ],
)
def test_options_of_another_type_are_no_options(raw):
    with pytest.raises(msgspec.ValidationError):
        read_options(CATHAM_CITY, raw)


@clause("CC-S2")
@pytest.mark.parametrize("seats", [-1, 0, 1, 7, 100])
def test_fewer_than_two_or_more_than_six_seats_are_refused(seats):
    assert refusal_of(Options(), seats) == "CC-S2"


@clause("CC-S2", "CC-S5", "CC-S6", "CC-S7")
@pytest.mark.parametrize(
    ("seats", "sizes", "left"),
    [
        (2, (6, 6), 56),
        (3, (6, 6, 7), 49),
        (4, (6, 6, 7, 7), 42),
        (5, (6, 6, 7, 7, 8), 34),
        (6, (6, 6, 7, 7, 8, 8), 26),
    ],
)
def test_hands_market_and_draw_pile_have_the_sizes_of_the_table(seats, sizes, left):
    table = a_blank_table(seats, first_seat=0).when(REFEREE, SetUp()).tells("game_set_up")
    position = table.position
    assert tuple(total(seat.hand) for seat in position.seats) == sizes
    assert total(position.market) == 7
    assert len(position.draw_pile) == left
    assert all(seat.influence == 0 for seat in position.seats)
    assert position.discard_pile == position.table == no_cards(position.options.factions)


@clause("CC-S3")
@pytest.mark.parametrize("first_seat", [-1, 3, 4])
def test_a_first_seat_that_does_not_exist_is_refused(first_seat):
    assert refusal_of(Options(first_seat=first_seat), 3) == "CC-S3"


@clause("CC-S3", "CC-R36")
def test_a_first_seat_that_is_named_begins_and_nothing_is_drawn_for_it():
    table = a_blank_table(3, first_seat=2)
    verdict = judge(CATHAM_CITY, table.position, REFEREE, SetUp())
    assert [point for point, _ in verdict.drawn] == ["shuffle_deck"]
    assert verdict.position.active_seat == 2
    assert verdict.position.options.first_seat == 2


@clause("CC-S3")
def test_the_first_seat_is_drawn_before_the_deck_is_shuffled_and_stays_null_in_the_options():
    table = a_blank_table(3)
    verdict = judge(CATHAM_CITY, table.position, REFEREE, SetUp(), [("draw_first_seat", 1), ("shuffle_deck", DECK)])
    assert [point for point, _ in verdict.drawn] == ["draw_first_seat", "shuffle_deck"]
    assert verdict.position.active_seat == 1
    assert verdict.position.options.first_seat is None


@clause("CC-S3")
def test_every_seat_can_be_drawn_first():
    drawn = {set_up(CATHAM_CITY, Options(), 3, Seeded(seed)).active_seat for seed in range(40)}
    assert drawn == {0, 1, 2}


@clause("CC-S4")
@pytest.mark.parametrize("outcome", [DECK[1:], (*DECK[1:], "police"), (*DECK[1:], "robocat"), "DECK", 7])
def test_a_forced_deck_that_is_not_the_75_cards_is_a_faulty_request(outcome):
    with pytest.raises(InvalidChance):
        a_blank_table(3, first_seat=0).when(REFEREE, SetUp(), ("shuffle_deck", outcome))


@clause("CC-S4", "CC-S5", "CC-S6", "CC-S7")
def test_the_deck_is_dealt_from_the_top_in_whole_hands_then_to_the_market():
    then = a_blank_table(3, first_seat=0).when(REFEREE, SetUp(), ("shuffle_deck", DECK))
    then.says(
        GameSetUp(
            factions=("detective", "scientist", "robocat", "mafia", "hacker"),
            expert=False,
            journalists_bonus="giver",
            first_seat=0,
            hands=(heap("D3 S1 M1 H1"), heap("S2 R2 M1 H1"), heap("D1 S1 M3 H2")),
            hand_counts=(6, 6, 7),
            market=heap("S2 R2 M1 H2"),
            draw_pile=DECK[26:],
            draw_pile_count=49,
        )
    )


@clause("CC-S5", "CC-R25")
def test_the_deal_follows_the_turn_order_not_the_seat_numbers():
    then = a_blank_table(3, first_seat=1).when(REFEREE, SetUp(), ("shuffle_deck", DECK))
    position = then.position
    assert hand(position, 1) == heap("D3 S1 M1 H1")
    assert hand(position, 2) == heap("S2 R2 M1 H1")
    assert hand(position, 0) == heap("D1 S1 M3 H2")


@clause("CC-S6")
def test_a_market_of_one_faction_stays():
    deck = row("D" * 6 + "S" * 6 + "R" * 7 + "D" * 9 + "S" * 9 + "R" * 8 + "M" * 15 + "H" * 15)
    then = a_blank_table(2, first_seat=0).when(REFEREE, SetUp(), ("shuffle_deck", deck))
    assert listed(then.position.market) == heap("R7")


@clause("CC-S8", "CC-R24")
@pytest.mark.parametrize(("expert", "actions"), [(False, 1), (True, 2)])
def test_the_first_player_begins_with_all_the_actions_of_a_turn(expert, actions):
    position = a_blank_table(4, expert=expert, first_seat=3).when(REFEREE, SetUp()).position
    assert (position.phase, position.active_seat, position.actions_left) == ("turn", 3, actions)


def test_the_blank_table_is_empty():
    position = a_blank_table(3).position
    nothing = dict.fromkeys(EDITION.default_factions, 0)
    assert msgspec.to_builtins(position) == {
        "ruleset": "catham-city",
        "options": {
            "factions": EDITION.default_factions,
            "expert": False,
            "first_seat": None,
            "journalists_bonus": "giver",
        },
        "phase": "setup",
        "seats": ({"hand": nothing, "influence": 0},) * 3,
        "active_seat": None,
        "actions_left": 0,
        "market": nothing,
        "draw_pile": (),
        "discard_pile": nothing,
        "table": nothing,
        "pending": None,
        "revealed": None,
    }
