"""Invariants: a damaged position is refused by the invariant that it breaks."""

import json
import re
from typing import Any

import msgspec
import pytest

from referee.kernel.changes import put, replace
from referee.kernel.judge import read_position
from referee.kernel.rejection import Malformed
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish import CAT_AND_FISH
from referee.rulesets.cat_and_fish.catastrophes import PlaceMonster
from referee.rulesets.cat_and_fish.edition import PACKAGE
from referee.rulesets.cat_and_fish.position import (
    ByColour,
    Card,
    DuesAnswer,
    DuesCall,
    FlightAnswer,
    Position,
    TyphoonFlight,
)
from tests.clauses import clause
from tests.rulesets.cat_and_fish.tables import Cat, a_position, given, later, seats

FLEET = "fishing_boat fishing_vessel"


def example() -> dict[str, Any]:
    """The example position of rules.md."""
    (text,) = re.findall(r"^```json\n(.*?)^```", (PACKAGE / "rules.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return json.loads(text)


def broken(position: Position) -> str:
    """The invariant that a position breaks."""
    with pytest.raises(Malformed) as refused:
        CAT_AND_FISH.check(position)
    return refused.value.invariant


def with_seat(position: Position, seat: int, **changes: Any) -> Position:
    return replace(position, seats=put(position.seats, seat, replace(position.seats[seat], **changes)))


def test_the_example_position_is_read_checked_and_written_as_it_stands() -> None:
    position = read_position(CAT_AND_FISH, example())
    assert json.loads(msgspec.json.encode(position)) == example()
    assert [decision.seat for decision in CAT_AND_FISH.awaited(position)] == [1]


@pytest.mark.parametrize(
    "position",
    [
        a_position(phase="placement"),
        a_position(
            Cat("c3", placed="oil"),
            Cat("b0", cards=FLEET, store="tuna shark"),
            Cat("b0", cards=FLEET),
            phase="flee",
            typhoon="1,-2",
            pending=TyphoonFlight(Seat(0), "execution", seats(1, 2), {"2": FlightAnswer(None, "b28")}),
        ),
        a_position(
            Cat(store="tuna"),
            Cat("c3", store="tuna"),
            phase="dues",
            season="winter",
            pending=DuesCall(seats(0, 1), {"1": DuesAnswer("fish", "tuna")}),
        ),
        a_position(Cat(cards="summoner"), Cat("c2"), phase="monster", **later(season="winter")),
    ],
    ids=lambda position: position.phase,
)
def test_positions_survive_json(position: Position) -> None:
    written = json.loads(msgspec.json.encode(position))
    assert read_position(CAT_AND_FISH, written) == position
    assert written["ruleset"] == "cat-and-fish"
    if position.phase == "flee":
        assert written["pending"] == {
            "kind": "typhoon",
            "start": 0,
            "resume": "execution",
            "seats": [1, 2],
            "answers": {"2": {"tile": None, "to": "b28"}},
        }
    if position.phase == "dues":
        assert written["pending"] == {
            "kind": "dues",
            "seats": [0, 1],
            "answers": {"1": {"with": "fish", "tile": "tuna"}},
        }


@pytest.mark.parametrize(
    ("change", "invariant"),
    [
        ({"year": 6}, "Years"),
        ({"first_seat": 3}, "First seat"),
        ({"thief": 3}, "Thief"),
        ({"options": {"first_seat": 3}}, "Options"),
        ({"monster": "0,0"}, "Invalid enum value"),
        ({"typhoon": None}, "Expected `str`"),
        ({"phase": "night"}, "Invalid enum value"),
        ({"piles": {"green": [], "blue": [], "pink": [], "red": []}}, "unknown field"),
    ],
)
def test_values_that_no_game_has_are_refused(change: dict[str, Any], invariant: str) -> None:
    with pytest.raises(Malformed, match=invariant):
        read_position(CAT_AND_FISH, {**example(), **change})


@pytest.mark.parametrize("number", [0, 1, 5])
def test_there_are_two_to_four_seats(number: int) -> None:
    position = a_position(Cat(placed="oil"), Cat("c3"))
    assert broken(replace(position, seats=position.seats[:1] * number)).startswith("Options (CF-S4)")


def test_every_sea_hex_is_on_the_board() -> None:
    position = a_position(Cat(placed="oil"), Cat("c3"))
    assert broken(replace(position, board={k: v for k, v in position.board.items() if k != "0,1"})).startswith("Board")


def test_every_kind_for_sale_is_in_the_market() -> None:
    position = a_position(Cat(placed="oil"), Cat("c3"))
    lacking = {kind: prices for kind, prices in position.market.items() if kind != "wizard"}
    assert broken(replace(position, market=lacking)).startswith("Market")


@pytest.mark.parametrize(
    "damage",
    [
        lambda position: replace(position, board={**position.board, "1,0": None}),
        lambda position: replace(position, board={**position.board, "1,0": "squid"}),
        lambda position: replace(position, piles=position.piles.change("pink", position.piles.pink[1:])),
        lambda position: replace(position, discards=ByColour(blue=("salmon",))),
        lambda position: with_seat(position, 0, store=("crab",)),
    ],
    ids=["lost", "exchanged", "pile", "discards", "store"],
)
def test_no_tile_is_lost_or_added(damage: Any) -> None:
    assert broken(damage(a_position(Cat(placed="oil"), Cat("c3"), tiles={"1,0": "crab"}))).startswith(
        "Tiles: there are"
    )


def test_no_magic_or_treasure_card_is_lost_or_added() -> None:
    position = a_position(Cat(placed="oil", magic="wind"), Cat("c3"), magic_deck="storm")
    assert broken(replace(position, magic_deck=())).startswith("Magic cards: deck")
    assert broken(with_seat(position, 0, magic=("wind", "wind"))).startswith("Magic cards: deck")
    assert broken(replace(position, treasure_deck=position.treasure_deck[1:])).startswith("Treasure cards")
    assert broken(replace(position, treasure_used=(5,))).startswith("Treasure cards")


@clause("CF-53")
def test_no_blank_is_in_a_hand() -> None:
    assert broken(a_position(Cat(placed="oil", magic="blank"), Cat("c3"))) == "Magic cards: no blank is in a hand."


def test_cards_are_sold_from_the_top_of_their_piles() -> None:
    position = a_position(Cat(placed="oil", cards="fishing_net"), Cat("c3"))
    rod = Card("fishing_rod", 0)
    cheaper = with_seat(position, 0, cards=(rod, Card("fishing_net", 4)))
    assert broken(cheaper) == "Market: cards of fishing_net are sold from the top of the pile."
    unsold = replace(position, market={**position.market, "fishing_net": (9, 9, 8, 8)})
    assert broken(unsold) == "Market: the unsold cards of fishing_net are for sale."


@clause("CF-44", "CF-45")
def test_every_seat_has_a_rod_one_card_of_a_kind_and_what_they_need() -> None:
    position = a_position(Cat(placed="oil"), Cat("c3"))
    rod = Card("fishing_rod", 0)
    assert broken(with_seat(position, 1, cards=())) == "Cards: seat 1 has a fishing rod."
    assert broken(with_seat(position, 1, cards=(rod, rod))) == "Cards: seat 1 has at most one card of each kind."
    assert broken(with_seat(position, 1, cards=(Card("fishing_rod", 1),))) == (
        "Cards: rod and Summoner of seat 1 cost nothing."
    )
    assert broken(a_position(Cat(placed="oil", cards="sorcerer"), Cat("c3"))) == (
        "Cards: seat 0 owns what its sorcerer needs."
    )


@clause("CF-7", "CF-23")
def test_a_store_is_within_its_places_and_holds_no_treasure() -> None:
    assert broken(a_position(Cat(placed="oil", store="crab crab crab"), Cat("c3"))).startswith(
        "Stores: seat 0 has places"
    )
    full = a_position(Cat(placed="oil", cards="cold_storage", store="crab crab crab crab"), Cat("c3"))
    CAT_AND_FISH.check(full)
    treasure = a_position(Cat(placed="oil", store="green_treasure"), Cat("c3"))
    assert broken(treasure) == "Stores: seat 0 stores no treasure tile."


@clause("CF-56", "CF-57", "CF-58")
def test_catastrophes_lie_apart_without_tiles_typhoon_and_oil_outside_zone_1() -> None:
    position = a_position(Cat(placed="oil"), Cat("c3"))
    assert broken(replace(position, typhoon="-3,0")) == "Catastrophes: they lie on different hexes."
    assert broken(replace(position, typhoon="1,0")) == "Catastrophes: typhoon and oil avoid zone 1."
    assert broken(replace(position, oil="-2,0")) == "Catastrophes: no tile lies under one."


@clause("CF-32")
def test_outside_a_flight_every_pawn_is_on_a_safe_corner_that_its_seat_can_reach() -> None:
    position = a_position(Cat("b8", cards=FLEET, placed="oil"), Cat("c3"))
    assert broken(position) == "Pawns: the pawn of seat 0 is on a safe corner."
    CAT_AND_FISH.check(
        a_position(
            Cat("b8", cards=FLEET, placed="oil"),
            Cat("c3"),
            phase="flee",
            pending=TyphoonFlight(Seat(0), "execution", seats(0), {}),
        )
    )
    beyond = a_position(Cat("b0", cards="fishing_boat", placed="oil"), Cat("c3"))
    assert broken(beyond).startswith("Pawns: the pawn of seat 0 is on an accessible corner")
    CAT_AND_FISH.check(a_position(Cat("b0", cards="wizard sorcerer", placed="oil"), Cat("c3")))


@pytest.mark.parametrize("phase", ["season_end", "year_end", "summoning"])
def test_markers_lie_on_spaces_only_while_they_are_placed_and_spent(phase: str) -> None:
    position = a_position(Cat(placed="oil"), Cat("c3"), phase=phase, season="winter")
    assert broken(position) == f"Markers: none is placed in phase {phase}."


def test_a_seat_can_always_place_or_spend_a_marker() -> None:
    assert broken(a_position()) == "Markers: in phase execution a seat has one to spend."
    everybody = a_position(Cat(placed="oil oil"), Cat("c3", placed="oil oil"), phase="placement")
    assert broken(everybody) == "Markers: in phase placement a seat has one to place."


@clause("CF-15")
def test_there_is_no_thief_outside_winter() -> None:
    assert broken(a_position(Cat(placed="oil"), Cat("c3"), thief=0)) == "Thief: there is none outside winter."


@clause("CF-77", "CF-79")
@pytest.mark.parametrize(
    ("rest", "owned", "sound"),
    [
        ({"year": 3, "season": "winter", "phase": "summoning"}, False, True),
        ({"year": 3, "season": "winter", "phase": "monster"}, True, True),
        ({"year": 3, "season": "winter", "phase": "monster"}, False, False),
        ({"year": 3, "season": "winter", "phase": "year_end", "monster": "0,3"}, True, True),
        ({"year": 3, "season": "winter", "phase": "year_end"}, True, False),
        ({"year": 4, "phase": "placement", "monster": "0,3"}, True, True),
        ({"year": 4, "phase": "placement", "monster": "0,3"}, False, False),
        ({"year": 4, "phase": "placement"}, True, False),
        ({"year": 3, "phase": "placement", "monster": "0,3"}, True, False),
        ({"year": 1, "phase": "placement", "monster": "0,3"}, False, False),
    ],
)
def test_summoner_and_monster_are_there_from_the_first_award_on(rest: dict[str, Any], owned: bool, sound: bool) -> None:
    position = a_position(Cat(cards="summoner" if owned else ""), Cat("c2"), **rest)
    if sound:
        CAT_AND_FISH.check(position)
    else:
        assert broken(position).startswith(("Summoner: it has an owner", "Monster: it is on the board"))


def test_there_is_one_summoner() -> None:
    position = a_position(Cat(cards="summoner", placed="oil"), Cat("c2", cards="summoner"), **later())
    assert broken(position) == "Summoner: there is only one."


def test_a_flight_from_a_placed_monster_stands_at_the_end_of_the_year() -> None:
    """The monster is on the board already, in the year of its first placing."""
    cats = (Cat("b0", cards=FLEET, store="tuna shark"), Cat("c3", cards="summoner"))
    table = given(*cats, phase="monster", season="winter", year=3)
    after = table.when(1, PlaceMonster("1,-2")).position
    assert after.phase == "flee"
    assert broken(replace(after, pending=replace(after.pending, resume="execution"))).startswith("Monster")


@clause("CF-9")
def test_a_question_is_open_in_its_phase_only() -> None:
    flight = TyphoonFlight(Seat(0), "execution", seats(1), {})
    cats = (Cat("c3", placed="oil"), Cat("b0", cards=FLEET, store="tuna shark"))
    sound = a_position(*cats, phase="flee", typhoon="1,-2", pending=flight)
    CAT_AND_FISH.check(sound)
    assert broken(replace(sound, pending=None)) == "Pending: it fits the phase flee."
    assert broken(replace(sound, pending=DuesCall(seats(1), {}))) == "Pending: it fits the phase flee."
    assert broken(a_position(Cat(placed="oil"), Cat("c3"), pending=flight)) == "Pending: it fits the phase execution."


@clause("CF-9")
@pytest.mark.parametrize(
    ("asked", "answers", "invariant"),
    [
        ((1, 5), {}, "the seats asked are seats of the game"),
        ((1, 1), {}, "no seat is asked twice"),
        ((), {}, "some of the seats asked have answered, never all"),
        ((1,), {"1": FlightAnswer("tuna", "b2")}, "some of the seats asked have answered, never all"),
        ((1,), {"0": FlightAnswer(None, "c3")}, "some of the seats asked have answered, never all"),
        ((1, 2), {"1": FlightAnswer("whale", "b2")}, "the answer of seat 1 is possible"),
        ((1, 2), {"1": FlightAnswer("tuna", "c0")}, "the answer of seat 1 is possible"),
        ((1, 2), {"1": FlightAnswer(None, "b2")}, "the answer of seat 1 is possible"),
    ],
)
def test_answers_are_those_of_seats_that_were_asked_and_can_be_carried_out(
    asked: tuple[int, ...], answers: dict[str, Any], invariant: str
) -> None:
    cats = (Cat("c3", placed="oil"), Cat("b0", cards=FLEET, store="tuna shark"), Cat("b0", cards=FLEET))
    pending = TyphoonFlight(Seat(0), "execution", seats(*asked), answers)
    assert invariant in broken(a_position(*cats, phase="flee", typhoon="1,-2", pending=pending))


def test_an_answer_to_the_union_can_be_carried_out() -> None:
    cats = (Cat(money=1, store="tuna crab"), Cat("c3", store="tuna"))
    pending = DuesCall(seats(0, 1), {"0": DuesAnswer("money", None)})
    position = a_position(*cats, phase="dues", season="winter", pending=pending)
    assert broken(position) == "Pending: the answer of seat 0 is possible."


def test_the_union_asks_only_seats_that_can_pay() -> None:
    position = a_position(Cat(money=1), Cat("c3", store="tuna"), phase="dues", season="winter")
    asked = replace(position, pending=DuesCall(seats(0, 1), {}))
    assert broken(asked) == "Pending: seat 0, which is asked, has an answer."


def test_a_flight_answer_is_no_answer_to_the_union() -> None:
    position = a_position(Cat(placed="oil"), Cat("c3"))
    raw = json.loads(msgspec.json.encode(replace(position, phase="dues", season="winter")))
    raw["pending"] = {"kind": "dues", "seats": [0, 1], "answers": {"0": {"tile": None, "to": "c0"}}}
    with pytest.raises(Malformed):
        read_position(CAT_AND_FISH, raw)
    raw["pending"] = {"kind": "drought", "seats": [0, 1], "answers": {}}
    with pytest.raises(Malformed):
        read_position(CAT_AND_FISH, raw)
