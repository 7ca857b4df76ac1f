"""Discards after a 7: EP-39 to EP-41."""

from referee.rulesets.explorers_and_pirates import EXPLORERS_AND_PIRATES
from referee.rulesets.explorers_and_pirates.discards import CardsDiscarded, Discard, DiscardChosen, DiscardsDue
from referee.rulesets.explorers_and_pirates.position import Discards
from referee.rulesets.explorers_and_pirates.production import RollDice
from referee.rulesets.explorers_and_pirates.turns import PhaseStarted
from tests.clauses import clause
from tests.rulesets.explorers_and_pirates.tables import a_table, seat

SEVEN = ("roll_dice", [3, 4])
ROLL = {"phase": "roll", "turn": {"roll": None}}


@clause("EP-39", "EP-37")
def test_on_a_seven_nothing_is_produced_and_large_hands_are_halved() -> None:
    hands = (seat("brick7", gold=9), seat("ore9"), seat("wool5 ore3", settlements="0,1,N"))
    table = a_table(*hands, **ROLL)
    then = table.when(0, RollDice(), SEVEN)
    assert then.events[1:] == (DiscardsDue(need={"1": 4, "2": 4}), PhaseStarted(phase="discard", seat=0))
    assert then.position.discards == Discards(need={"1": 4, "2": 4}, given={})


@clause("EP-41")
def test_without_discards_the_pirate_phase_starts_at_once_except_in_land_ho() -> None:
    a_table(seat(), seat(), **ROLL).when(0, RollDice(), SEVEN).tells("dice_rolled", "phase_started")
    pirate = a_table(seat(), seat(), **ROLL).when(0, RollDice(), SEVEN)
    assert pirate.events[1] == PhaseStarted(phase="pirate", seat=0, by="seven")
    quiet = a_table(seat(), seat(), scenario="land-ho", **ROLL).when(0, RollDice(), SEVEN)
    assert quiet.events[1] == PhaseStarted(phase="trade_build", seat=0)


def owing(scenario: str = "pirate-lairs"):
    hands = (seat("brick7"), seat("ore9"), seat("wool5 ore3"))
    due = Discards(need={"1": 4, "2": 4}, given={})
    return a_table(*hands, scenario=scenario, phase="discard", discards=due)


@clause("EP-40")
def test_a_seat_chooses_exactly_the_number_of_cards_due_from_its_hand() -> None:
    table = owing()
    table.when(2, Discard(resources={"wool": 3})).refused("EP-40")
    table.when(2, Discard(resources={"wool": 5})).refused("EP-40")
    table.when(2, Discard(resources={"ore": 4})).refused("EP-40")
    table.when(2, Discard(resources={})).refused("EP-40")
    table.when(2, Discard(resources={"brick": 4})).refused("EP-40")
    table.when(2, Discard(resources={"wool": 3, "ore": 1})).tells("discard_chosen")


@clause("EP-40", "EP-R37")
def test_discards_are_carried_out_when_all_have_chosen() -> None:
    first = owing().when(2, Discard(resources={"wool": 4}))
    table = first.says(DiscardChosen(seat=2, resources={"wool": 4}))
    assert table.position.seats[2].resources.wool == 5
    last = table.when(1, Discard(resources={"ore": 4}))
    after = last.says(
        DiscardChosen(seat=1, resources={"ore": 4}),
        CardsDiscarded(seat=1, resources={"ore": 4}),
        CardsDiscarded(seat=2, resources={"wool": 4}),
        PhaseStarted(phase="pirate", seat=0, by="seven"),
    )
    assert after.position.discards is None
    assert [state.resources.wool + state.resources.ore for state in after.position.seats] == [0, 5, 4]


@clause("EP-40", "EP-41")
def test_discards_go_clockwise_from_the_active_seat() -> None:
    hands = (seat("brick8"), seat("ore8"), seat())
    due = Discards(need={"0": 4, "1": 4}, given={"0": {"brick": 4}})
    table = a_table(*hands, scenario="land-ho", phase="discard", discards=due, active_seat=1)
    then = table.when(1, Discard(resources={"ore": 4}))
    assert [event.seat for event in then.events[1:3]] == [1, 0]
    assert then.events[3] == PhaseStarted(phase="trade_build", seat=1)


@clause("EP-40")
def test_a_choice_is_hidden_from_the_others() -> None:
    position = owing().when(2, Discard(resources={"wool": 4})).position
    assert EXPLORERS_AND_PIRATES.view(position, 2).discards.given == {"2": {"wool": 4}}
    for reader in (0, 1, None):
        assert EXPLORERS_AND_PIRATES.view(position, reader).discards.given == {"2": None}


def test_every_distinct_bag_is_listed_once() -> None:
    bags = [move.resources for move in owing().legal(2)]
    assert bags == [{"wool": 1, "ore": 3}, {"wool": 2, "ore": 2}, {"wool": 3, "ore": 1}, {"wool": 4}]
