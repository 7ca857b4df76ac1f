"""The dice and what they yield: EP-28, EP-29, EP-33 to EP-38."""

from typing import Any

import pytest

from referee.kernel.changes import replace
from referee.kernel.rejection import InvalidChance
from referee.rulesets.explorers_and_pirates import EXPLORERS_AND_PIRATES
from referee.rulesets.explorers_and_pirates.position import Bank, SeatState
from referee.rulesets.explorers_and_pirates.production import DiceRolled, GoldGained, ResourcesGained, RollDice
from referee.rulesets.explorers_and_pirates.turns import PhaseStarted
from tests.clauses import clause
from tests.given import Given, Then
from tests.rulesets.explorers_and_pirates.tables import a_position, a_table, seat


def rolling(*seats: SeatState, dice: tuple[int, int], **parts: Any) -> Then:
    """What follows when the active seat rolls these dice."""
    table = a_table(*seats, phase="roll", turn={"roll": None}, **{"scenario": "pirate-lairs", **parts})
    return table.when(table.position.active_seat, RollDice(), ("roll_dice", list(dice)))


def cards(seat: int, **resources: int) -> ResourcesGained:
    return ResourcesGained(seat=seat, resources=resources, reason="production")


def gold(seat: int, amount: int, reason: str) -> GoldGained:
    return GoldGained(seat=seat, amount=amount, reason=reason)


TRADING = PhaseStarted(phase="trade_build", seat=0)


@clause("EP-33")
def test_the_roll_is_noted_and_impossible_forced_dice_are_invalid() -> None:
    then = rolling(seat(), seat(), dice=(4, 6))
    assert then.events[0] == DiceRolled(seat=0, dice=(4, 6), total=10)
    assert then.position.this_turn.roll == (4, 6)
    with pytest.raises(InvalidChance):
        rolling(seat(), seat(), dice=(0, 7))


@clause("EP-34")
def test_every_building_yields_one_card_and_so_does_a_harbour_settlement() -> None:
    """The fields 0,1 have the number 10, the pasture 3,-2 and the forest 2,0 the number 8."""
    then = rolling(seat(settlements="0,1,N 0,1,S"), seat(harbors={"2,0,N": ""}), dice=(4, 6))
    assert then.events[1:] == (cards(0, grain=2), cards_or_gold(1), TRADING)
    harbour = rolling(seat(settlements="3,-3,S"), seat(harbors={"2,0,N": ""}), dice=(4, 4))
    assert harbour.events[1:3] == (cards(0, wool=1), cards(1, lumber=1))


def cards_or_gold(seat: int) -> ResourcesGained:
    """The mountains 2,-1 have a 10 as well."""
    return cards(seat, ore=1)


@clause("EP-34")
def test_discovered_tiles_produce_with_their_number() -> None:
    then = rolling(seat(settlements="4,0,N"), seat(), dice=(4, 5), up={"5,-1": "fields 9"})
    assert then.events[1:3] == (cards(0, grain=1), gold(1, 1, "compensation"))


@clause("EP-35", "EP-37", "EP-R11")
def test_a_captured_gold_river_yields_gold_besides_the_compensation() -> None:
    parts = {"up": {"5,-1": "gold_river"}, "captured": {"5,-1": True}, "top": {"lairs": (11,)}}
    then = rolling(seat(settlements="4,0,N 5,-1,N"), seat(), dice=(5, 6), **parts)
    assert then.events[1:4] == (gold(0, 4, "gold_river"), gold(0, 1, "compensation"), gold(1, 1, "compensation"))
    closed = rolling(seat(settlements="3,-1,N"), seat(), dice=(5, 6), **{**parts, "captured": {}})
    assert closed.events[1:3] == (gold(0, 1, "compensation"), gold(1, 1, "compensation"))


@clause("EP-35")
def test_villages_and_shoals_yield_nothing() -> None:
    parts = {"up": {"5,-1": "swift", "6,-1": "fish2"}, "friends": {"5,-1": (0,)}}
    for dice in ((1, 1), (1, 2), (5, 6)):
        then = rolling(seat(settlements="5,-1,S"), seat(), dice=dice, scenario="explorers-and-pirates", **parts)
        assert all(event.reason == "compensation" for event in then.events[1:3])


def short_of(resource: str, left: int, *seats: SeatState, dice: tuple[int, int]) -> Then:
    """A roll while the bank has few cards of a resource: the last seat holds the rest."""
    hoard = seat(f"{resource}{19 - left}")
    return rolling(*seats, hoard, dice=dice)


@clause("EP-28", "EP-36", "EP-R24")
def test_if_cards_are_short_one_seat_gets_what_is_left() -> None:
    then = short_of("grain", 1, seat(settlements="0,1,N 0,1,S"), seat(), dice=(4, 6))
    assert then.events[1] == cards(0, grain=1)
    nothing = short_of("grain", 0, seat(settlements="0,1,N"), seat(), dice=(4, 6))
    assert nothing.events[1:4] == tuple(gold(each, 1, "compensation") for each in (0, 1, 2))


@clause("EP-36", "EP-37")
def test_if_cards_are_short_several_seats_get_none_of_them() -> None:
    then = short_of("grain", 1, seat(settlements="0,1,N"), seat(settlements="0,1,S"), dice=(4, 6))
    assert then.events[1:4] == tuple(gold(each, 1, "compensation") for each in (0, 1, 2))
    enough = short_of("grain", 2, seat(settlements="0,1,N"), seat(settlements="0,1,S"), dice=(4, 6))
    assert enough.events[1:3] == (cards(0, grain=1), cards(1, grain=1))


@clause("EP-37", "EP-38")
def test_a_roll_is_settled_clockwise_from_the_active_seat() -> None:
    seats = (seat(settlements="0,1,N"), seat(), seat(settlements="0,1,S"))
    then = rolling(*seats, dice=(4, 6), active_seat=2)
    assert then.events[1:] == (
        cards(2, grain=1),
        cards(0, grain=1),
        gold(1, 1, "compensation"),
        PhaseStarted(phase="trade_build", seat=2),
    )


@clause("EP-29", "EP-R32")
def test_the_bank_pays_the_gold_that_it_has() -> None:
    position = a_position(
        seat(gold=147), seat(), seat(), phase="roll", turn={"roll": None}, scenario="pirate-lairs", active_seat=1
    )
    then = Given(EXPLORERS_AND_PIRATES, position).when(1, RollDice(), ("roll_dice", [1, 1]))
    assert then.events[1:] == (gold(1, 1, "compensation"), PhaseStarted(phase="trade_build", seat=1))
    assert then.position.bank.gold == 0


@clause("EP-29")
def test_a_gold_river_yields_only_the_gold_that_the_bank_has() -> None:
    parts = {"up": {"5,-1": "gold_river"}, "captured": {"5,-1": True}, "top": {"lairs": (11,)}}
    then = rolling(seat(settlements="4,0,N 5,-1,N"), seat(gold=145), dice=(5, 6), **parts)
    assert then.events[1:-1] == (gold(0, 3, "gold_river"),)


def test_every_table_of_these_tests_has_all_cards() -> None:
    position = a_position(seat("brick3"), seat(gold=5))
    assert position.bank == Bank(brick=16, lumber=19, wool=19, grain=19, ore=19, gold=143)
    assert replace(position, phase="trade_build") == position
