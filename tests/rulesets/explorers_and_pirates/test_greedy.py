"""The advice for a plain but sensible player."""

import pytest

from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates import EXPLORERS_AND_PIRATES
from referee.rulesets.explorers_and_pirates.building import BuildHarbor
from referee.rulesets.explorers_and_pirates.exchanges import BankTrade, BuyResource
from referee.rulesets.explorers_and_pirates.missions.fish import CatchFish
from referee.rulesets.explorers_and_pirates.offers import AcceptTrade, DeclineTrade
from referee.rulesets.explorers_and_pirates.pirates import PlacePirate
from referee.rulesets.explorers_and_pirates.position import Offer, Options, Position
from referee.rulesets.explorers_and_pirates.scenarios import SCENARIOS
from referee.rulesets.explorers_and_pirates.settlers import FoundSettlement
from referee.rulesets.explorers_and_pirates.turns import EndTurn, StartMovement
from tests.greedy import advice, end_of_game, positions
from tests.rulesets.explorers_and_pirates.tables import a_position, bag, seat

MOVES_MAX = 3000
"""The longest games of greedy seats take a third of it."""

every_scenario = pytest.mark.parametrize("options", [Options(scenario=name) for name in SCENARIOS], ids=SCENARIOS)


def advised(position: Position, asked: int = 0) -> Move:
    return advice(EXPLORERS_AND_PIRATES, position, Seat(asked))


@every_scenario
def test_games_of_greedy_seats_end_soon(options: Options) -> None:
    seats = 2 + list(SCENARIOS).index(options.scenario) % 3
    assert sum(1 for _ in positions(EXPLORERS_AND_PIRATES, seats, range(seats), "end", options)) < MOVES_MAX


@every_scenario
def test_greedy_wins_most_games_against_random(options: Options) -> None:
    ends = [end_of_game(EXPLORERS_AND_PIRATES, 2, {game % 2}, game, options) for game in range(3)]
    assert sum(end.result.winner == game % 2 for game, end in enumerate(ends)) >= 2


def test_greedy_builds_what_it_can_pay() -> None:
    assert advised(a_position(seat("grain2 ore2", settlements="4,-3,S"), seat())) == BuildHarbor(corner="4,-3,S")


def test_greedy_spends_gold_and_surpluses_that_complete_a_price() -> None:
    short_of_one = seat("grain2 ore1", gold=2, settlements="4,-3,S")
    assert advised(a_position(short_of_one, seat())) == BuyResource(resource="ore")
    surplus = seat("grain2 ore1 wool3", settlements="4,-3,S")
    assert advised(a_position(surplus, seat())) == BankTrade(give="wool", take="ore")


def test_greedy_makes_no_exchange_that_completes_no_price() -> None:
    assert advised(a_position(seat("wool3", settlements="4,-3,S"), seat())) == EndTurn()
    sailing = seat("wool3", settlements="4,-3,S", ships={"0-1": "4,-2,NW"})
    assert advised(a_position(sailing, seat())) == StartMovement()


def test_a_ship_acts_at_the_place_that_it_sailed_to() -> None:
    discovered = a_position(
        seat(ships={"0-1": "4,0,NW settler"}),
        seat(),
        phase="movement",
        scenario="land-ho",
        up={"5,-1": "mountains 9"},
        voyages={"0-1": {"used": 3, "finished": True}},
    )
    assert advised(discovered) == FoundSettlement(ship="0-1", corner="4,0,N")
    fishing = a_position(
        seat(ships={"0-1": "4,0,NW"}),
        seat(),
        phase="movement",
        up={"5,-1": "fish2"},
        fish=("5,-1",),
        turn={"fish_rolled": True},
    )
    assert advised(fishing) == CatchFish(ship="0-1", hex="5,-1")


def test_a_ship_with_nothing_to_do_does_not_keep_the_turn_going() -> None:
    done = {"0-1": {"used": 4, "finished": True}}
    position = a_position(seat(ships={"0-1": "4,-2,NW"}), seat(), phase="movement", voyages=done, scenario="land-ho")
    assert advised(position) == EndTurn()


def test_the_pirate_ship_robs_somebody() -> None:
    robbed = seat("ore1", settlements="0,0,N", ships={"1-1": "4,0,NE"})
    move = advised(a_position(seat(), robbed, phase="pirate", pirate_by="seven"))
    assert isinstance(move, PlacePirate)
    assert move.victim == 1


def test_an_offer_is_accepted_only_if_it_gains_something() -> None:
    def answer(give: str, want: str) -> Move:
        offer = Offer(give=bag(give), want=bag(want), to=(1,), accepted=(), declined=())
        return advised(a_position(seat("ore2 wool2"), seat("grain2 wool2"), offer=offer), asked=1)

    assert answer("ore1", "wool1") == AcceptTrade()
    assert answer("wool1", "grain1") == DeclineTrade()
