"""Another position that a reader cannot tell from the true one."""

from typing import Any

import pytest

from referee.kernel.chance import Seeded
from referee.kernel.judge import legal_moves
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish import CAT_AND_FISH
from referee.rulesets.cat_and_fish.position import DuesAnswer, DuesCall, FlightAnswer, Position, TyphoonFlight
from tests.rulesets.cat_and_fish.tables import Cat, a_position, seats

FLEET = "fishing_boat fishing_vessel"


def worlds(position: Position, reader: Seat | None, count: int = 40) -> list[Position]:
    """Several positions that the reader cannot tell apart, each of them checked."""
    chance = Seeded("alike")
    found = [CAT_AND_FISH.alike(position, reader, chance) for _ in range(count)]
    for world in found:
        CAT_AND_FISH.check(world)
        assert CAT_AND_FISH.view(world, reader) == CAT_AND_FISH.view(position, reader)
        assert CAT_AND_FISH.awaited(world) == CAT_AND_FISH.awaited(position)
        if reader is not None:
            assert legal_moves(CAT_AND_FISH, world, reader) == legal_moves(CAT_AND_FISH, position, reader)
    return found


def table() -> Position:
    return a_position(
        Cat(magic="wind good_haul", placed="fishing"),
        Cat("c3", magic="warp engine"),
        Cat("c4", magic="change"),
        empty="1,-1",
        magic_deck="storm engine blank wind",
    )


@pytest.mark.parametrize("reader", [None, Seat(0), Seat(2)])
def test_what_lies_face_down_is_shuffled(reader: Seat | None) -> None:
    found = worlds(table(), reader)
    assert len({world.board["0,1"] for world in found}) > 3
    assert len({world.piles.pink for world in found}) > 30
    assert len({world.treasure_deck for world in found}) > 30
    assert len({world.magic_deck for world in found}) > 20
    assert all(world.board["1,-1"] is None for world in found)


def test_the_hands_of_others_are_dealt_again_and_the_readers_own_stays() -> None:
    found = worlds(table(), Seat(1))
    assert {world.seats[1].magic for world in found} == {("warp", "engine")}
    assert len({world.seats[0].magic for world in found}) > 5
    assert {len(world.seats[0].magic) for world in found} == {2}


def test_a_blank_is_never_dealt_to_a_hand() -> None:
    assert all("blank" in world.magic_deck for world in worlds(table(), Seat(1)))


def test_answers_of_others_to_a_flight_are_any_that_they_could_have_given() -> None:
    cats = (
        Cat("c3", placed="oil"),
        Cat("b0", cards=FLEET, store="tuna shark"),
        Cat("b0", cards=FLEET),
        Cat("b0", cards=FLEET),
    )
    answers = {"1": FlightAnswer("tuna", "b28"), "2": FlightAnswer(None, "b2")}
    pending = TyphoonFlight(Seat(0), "execution", seats(1, 2, 3), answers)
    position = a_position(*cats, phase="flee", typhoon="1,-2", pending=pending)
    given = [answers_of(world) for world in worlds(position, Seat(2))]
    assert {each["2"] for each in given} == {FlightAnswer(None, "b2")}
    assert {(each["1"].tile, each["1"].to) for each in given} == {
        (tile, corner) for tile in ("tuna", "shark") for corner in ("b2", "b28")
    }


def test_answers_of_others_to_the_union_are_any_that_they_could_have_given() -> None:
    cats = (Cat(store="tuna crab"), Cat("c3", store="tuna"), Cat("c4", store="crab"))
    pending = DuesCall(seats(0, 1, 2), {"0": DuesAnswer("fish", "tuna"), "1": DuesAnswer("money", None)})
    position = a_position(*cats, phase="dues", season="winter", pending=pending)
    given = [answers_of(world) for world in worlds(position, Seat(1))]
    assert {each["1"] for each in given} == {DuesAnswer("money", None)}
    assert {(each["0"].with_, each["0"].tile) for each in given} == {
        ("money", None),
        ("fish", "tuna"),
        ("fish", "crab"),
    }


def answers_of(world: Position) -> dict[str, Any]:
    assert world.pending is not None
    return dict(world.pending.answers)
