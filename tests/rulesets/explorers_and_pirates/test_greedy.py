"""The advice for a plain but sensible player."""

import pytest

from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates import EXPLORERS_AND_PIRATES
from referee.rulesets.explorers_and_pirates.board import BOARDS, Board
from referee.rulesets.explorers_and_pirates.building import BuildHarbor
from referee.rulesets.explorers_and_pirates.exchanges import BankTrade, BuyResource
from referee.rulesets.explorers_and_pirates.missions.fish import CatchFish
from referee.rulesets.explorers_and_pirates.movement import MoveShip
from referee.rulesets.explorers_and_pirates.offers import (
    AcceptTrade,
    ConfirmTrade,
    DeclineTrade,
    OfferTrade,
    WithdrawTrade,
)
from referee.rulesets.explorers_and_pirates.pirates import PlacePirate
from referee.rulesets.explorers_and_pirates.position import Offer, Options, Position
from referee.rulesets.explorers_and_pirates.scenarios import SCENARIOS
from referee.rulesets.explorers_and_pirates.settlers import FoundSettlement
from referee.rulesets.explorers_and_pirates.turns import EndTurn, StartMovement
from referee.rulesets.explorers_and_pirates.units import BuildUnit
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


def settling(edge: str, up: dict[str, str], scenario: str = "land-ho") -> Position:
    """Seat 0 sails with a settler in a turn that has just begun."""
    return a_position(seat(ships={"0-1": f"{edge} settler"}), seat(), phase="movement", scenario=scenario, up=up)


def test_a_settler_sails_past_the_island_to_a_place_overseas_that_pays() -> None:
    """Free corners of the island are nearer than those of the fields with a 9, but a road would reach them as well."""
    move = advised(settling("2,0,NE", {"5,-1": "fields 9"}))
    assert move == MoveShip(ship="0-1", path=("3,0,NW", "3,0,NE", "4,0,NW"))


def test_a_settler_looks_for_land_overseas_before_it_stays_on_the_island() -> None:
    move = advised(settling("3,0,NW", {}))
    assert isinstance(move, MoveShip)
    assert move.path[-1] in a_position(scenario="land-ho").chart.discoveries


def test_a_settler_stays_on_the_island_where_nothing_overseas_is_free() -> None:
    """All tiles are face up, and neutral settlements leave no room in the areas."""
    board = BOARDS["land-ho"]
    shown = {hex: tile.tile for hex, tile in a_position(scenario="land-ho").areas.items()}
    taken = " ".join(spread(board, [corner for corner in board.hexes_at if corner not in board.island_corners]))
    neutral = {"settlements": taken}
    position = a_position(
        seat(ships={"0-1": "2,0,NE settler"}), seat(), phase="movement", scenario="land-ho", up=shown, neutral=neutral
    )
    move = advised(position)
    assert isinstance(move, MoveShip)
    assert board.island_corners.intersection(board.ends[move.path[-1]])


def spread(board: Board, corners: list[str]) -> list[str]:
    """As many of these corners as keep the distance rule."""
    chosen: list[str] = []
    for corner in corners:
        if not {corner, *board.next_corners[corner]} & set(chosen):
            chosen.append(corner)
    return chosen


def test_greedy_offers_a_spare_card_for_one_that_it_lacks_once_a_turn() -> None:
    lacking = seat("grain3 lumber1", settlements="4,-3,S")
    offering = a_position(lacking, seat("ore2"))
    assert advised(offering) == OfferTrade(give={"grain": 1}, want={"ore": 1})
    made = a_position(lacking, seat("ore2"), turn={"offered": True})
    assert not isinstance(advised(made), OfferTrade)
    assert not isinstance(advised(a_position(lacking, seat("lumber2"))), OfferTrade), "it has lumber"


def test_greedy_makes_the_trade_that_was_accepted_and_waits_for_the_others() -> None:
    def with_answers(accepted: tuple[int, ...], declined: tuple[int, ...]) -> Position:
        offer = Offer(give={"grain": 1}, want={"ore": 1}, to=(1, 2), accepted=accepted, declined=declined)
        return a_position(seat("grain3"), seat("ore1"), seat("ore1"), offer=offer, turn={"offered": True})

    assert advised(with_answers((2,), ())) == ConfirmTrade(partner=2)
    assert advised(with_answers((), (1,))) == WithdrawTrade()
    waits = EXPLORERS_AND_PIRATES.advice.waits
    assert waits is not None
    for answers, is_patient in [(((), ()), True), (((), (1,)), True), (((), (1, 2)), False)]:
        view = EXPLORERS_AND_PIRATES.view(with_answers(*answers), Seat(0))
        assert waits(view, Seat(0), WithdrawTrade(), EXPLORERS_AND_PIRATES.edition) is is_patient
    view = EXPLORERS_AND_PIRATES.view(with_answers((2,), ()), Seat(0))
    assert not waits(view, Seat(0), ConfirmTrade(partner=2), EXPLORERS_AND_PIRATES.edition)


@pytest.mark.parametrize(
    ("ships", "basin", "builds"),
    [
        ({}, "", False),
        ({"0-1": "2,0,NE"}, "", True),
        ({"0-1": "2,0,NE unit"}, "", True),
        ({"0-1": "2,0,NE unit"}, "unit", False),
        ({"0-1": "2,0,NE settler"}, "", False),
        ({"0-1": "2,0,NE fish"}, "", False),
    ],
)
def test_greedy_builds_no_unit_without_a_ship_to_carry_it(ships: dict[str, str], basin: str, builds: bool) -> None:
    own = seat("wool1 ore1", harbors={"2,0,N": basin}, ships=ships)
    position = a_position(own, seat(), up={"5,-1": "gold_river"})
    assert isinstance(advised(position), BuildUnit) is builds


@pytest.mark.parametrize(
    ("gold", "pirate", "buys"),
    [(2, None, True), (2, (1, "4,0"), False), (3, (1, "4,0"), True), (2, (0, "4,0"), True)],
)
def test_greedy_keeps_a_coin_for_a_tribute(gold: int, pirate: tuple[int, str] | None, buys: bool) -> None:
    """A coin more than the price is needed while an opponent's pirate ship is about."""
    own = seat("grain2 ore1", gold=gold, settlements="4,-3,S", ships={"0-1": "4,-2,NW"})
    assert (advised(a_position(own, seat(), pirate=pirate)) == BuyResource(resource="ore")) is buys


def test_a_seat_without_ships_needs_no_coin_for_a_tribute() -> None:
    own = seat("grain2 ore1", gold=2, settlements="4,-3,S")
    assert advised(a_position(own, seat(), pirate=(1, "4,0"))) == BuyResource(resource="ore")


def test_a_ship_on_a_full_route_sails_on() -> None:
    """It has nothing to do, but the turn cannot end there."""
    crowd = seat(ships={"1-1": "3,0,NW", "1-2": "3,0,NW"})
    position = a_position(
        seat(ships={"0-1": "3,0,NW unit"}), crowd, phase="movement", scenario="pirate-lairs",
        up={hex: tile.tile for hex, tile in a_position(scenario="pirate-lairs").areas.items()},
        captured=dict.fromkeys(BOARDS["pirate-lairs"].areas, True),
        voyages={"0-1": {"used": 1}}, turn={"current_ship": "0-1"},
    )  # fmt: skip
    move = advised(position)
    assert isinstance(move, MoveShip)
    assert move.path[-1] != "3,0,NW"
