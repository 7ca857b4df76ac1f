"""Other positions with the same view."""

import pytest

from referee.kernel.chance import Seeded
from referee.rulesets.explorers_and_pirates import EXPLORERS_AND_PIRATES
from referee.rulesets.explorers_and_pirates.position import Discards, Offer, Position
from referee.rulesets.explorers_and_pirates.wealth import cards_in, holds
from tests.rulesets.explorers_and_pirates.tables import a_position, seat


def worlds(position: Position, reader: int | None, count: int = 30) -> list[Position]:
    found = [EXPLORERS_AND_PIRATES.alike(position, reader, Seeded(f"{reader}:{number}")) for number in range(count)]
    for world in found:
        EXPLORERS_AND_PIRATES.check(world)
        assert EXPLORERS_AND_PIRATES.view(world, reader) == EXPLORERS_AND_PIRATES.view(position, reader)
    return found


@pytest.mark.parametrize("reader", [0, 1, 2, None])
def test_hidden_cards_tiles_and_tokens_are_dealt_again(reader: int | None) -> None:
    up = {"5,-1": "gold_river", "6,-1": "hills 9"}
    position = a_position(seat("brick3 ore2"), seat("wool4 ore1"), seat("grain2"), up=up)
    found = worlds(position, reader)
    assert len({str(world.areas) for world in found}) > 20
    assert len({world.stacks.north for world in found}) > 20
    assert len({world.lairs["5,-1"].number for world in found}) > 3
    assert len({str([state.resources for state in world.seats]) for world in found}) > 3
    if reader is not None:
        assert {world.seats[reader].resources for world in found} == {position.seats[reader].resources}


def test_a_shoal_that_is_in_the_box_may_have_been_drawn() -> None:
    position = a_position(seat(), seat(), scenario="fish-for-catan", up={"5,-1": "fish1"})
    tiles = [[world.areas[hex].tile for hex in world.board.north] for world in worlds(position, 0)]
    north = [frozenset(tile for tile in each if tile.startswith("fish")) for each in tiles]
    assert set(north) == {frozenset({"fish1", "fish2"}), frozenset({"fish1", "fish3"})}


def test_cards_that_an_offer_shows_stay_in_their_hand() -> None:
    offer = Offer(give={"brick": 2}, want={"ore": 2}, to=(1, 2), accepted=(1,), declined=())
    position = a_position(seat("brick2 wool1"), seat("ore2 grain1"), seat("lumber3 ore1"), offer=offer)
    for world in worlds(position, 2):
        assert holds(world.seats[0], offer.give)
        assert holds(world.seats[1], offer.want)


def test_hidden_discards_come_from_the_hand() -> None:
    discards = Discards(need={"0": 4, "1": 4}, given={"1": {"ore": 4}})
    hands = (seat("brick4 ore4"), seat("ore4 wool4"), seat("grain5"))
    position = a_position(*hands, phase="discard", discards=discards)
    given = [world.discards.given["1"] for world in worlds(position, 0)]
    assert all(sum(bag.values()) == 4 for bag in given)
    assert len({str(bag) for bag in given}) > 3
    assert {str(world.discards.given["1"]) for world in worlds(position, 1)} == {"{'ore': 4}"}
    assert {cards_in(world.seats[1].resources) for world in worlds(position, 0)} == {8}
