"""Refusals name the thing and the numbers, one cause each."""

from typing import Any

import pytest

from referee.kernel.message import Move
from referee.kernel.seat import REFEREE, Actor
from referee.rulesets.explorers_and_pirates.building import BuildHarbor, BuildRoad, BuildSettlement, BuildShip
from referee.rulesets.explorers_and_pirates.cargo import BuildSettler, DiscardCargo, Store, TransferCargo
from referee.rulesets.explorers_and_pirates.discards import Discard
from referee.rulesets.explorers_and_pirates.exchanges import BankTrade, BuyResource, SellResource
from referee.rulesets.explorers_and_pirates.missions.fish import CatchFish, RollFish
from referee.rulesets.explorers_and_pirates.missions.lairs import LandUnits
from referee.rulesets.explorers_and_pirates.movement import BuyMovement, MoveShip
from referee.rulesets.explorers_and_pirates.offers import AcceptTrade, OfferTrade
from referee.rulesets.explorers_and_pirates.pirates import PlacePirate
from referee.rulesets.explorers_and_pirates.position import Discards, Offer
from referee.rulesets.explorers_and_pirates.production import RollDice
from referee.rulesets.explorers_and_pirates.turns import EndTurn
from tests.given import Given
from tests.rulesets.explorers_and_pirates.tables import a_table, fresh, seat

RICH = "brick9 lumber9 wool9 grain9 ore9"
THREE_SHIPS = {"0-1": "4,0,NW", "0-2": "2,0,NE unit", "0-3": "2,0,NE"}


def message(table: Given, move: Move | dict[str, Any], actor: Actor | int = 0) -> str:
    text: str = table.when(actor, move).verdict.message
    return text


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (BuildRoad(edge="9,0,E"), "9,0,E is not a path: 9,0 is sea and 10,0 is sea."),
        (BuildRoad(edge="2,0,NE"), "Your road lies on 2,0,NE."),
        (BuildRoad(edge="0,1,NE"), "A road of seat 1 lies on 0,1,NE."),
        (BuildRoad(edge="5,-1,E"), "The tile 6,-1 is face down: nobody builds there."),
        (
            BuildRoad(edge="0,0,NE"),
            "0,0,NE ends at 0,0,N and 1,-1,S, where you have neither a building nor a road.",
        ),
        (BuildSettlement(corner="0,0,N"), "None of your 1 roads ends at 0,0,N."),
        (BuildSettlement(corner="7,0,N"), "7,0,N touches no land: 7,-1 is sea, 8,-1 is face down and 7,0 is sea."),
        (BuildSettlement(corner="3,-1,S"), "A building stands on 2,0,N, a neighbour corner of 3,-1,S."),
        (BuildHarbor(corner="0,0,N"), "You have no settlement on 0,0,N: nobody has built there."),
        (BuildHarbor(corner="2,0,N"), "Your building on 2,0,N is a harbour settlement already."),
        (BuildHarbor(corner="1,0,S"), "No sea route ends at 1,0,S: it is not on the coast."),
        (BuildShip(edge="2,0,NW"), "2,0,NW is not a sea route: 2,-1 is land and 2,0 is land."),
        (
            BuildShip(edge="2,1,NW"),
            "No harbour settlement of yours is at an end of 2,1,NW: your harbour settlements are on 2,0,N.",
        ),
        (
            BuildShip(edge="2,0,NE", replace="0-1"),
            "You take back no ship while 3 of your 3 are in your supply: leave out `replace`.",
        ),
        (BuildSettler(place=Store(harbor="0,0,N")), "You have no harbour settlement 0,0,N on the board."),
        (BankTrade(give="wool", take="wool"), "You give 3 wool and take wool: take another kind."),
        (
            BankTrade(give="gold", take="wool"),
            "The bank takes 3 cards of a resource in this exchange, no gold; "
            "for 2 gold it sells a card by `buy_resource`.",
        ),
        (SellResource(resource="wool"), "You have no unit in a `fastgold` village, so you cannot sell cards."),
    ],
)
def test_a_seat_that_can_pay_reads_why_a_place_is_refused(move: Move, text: str) -> None:
    table = a_table(
        seat(RICH, settlements="1,0,S", harbors={"2,0,N": ""}, roads="2,0,NE"),
        seat(roads="0,1,NE"),
        up={"5,-1": "fields"},
    )
    assert message(table, move) == text


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (BuildShip(edge="2,0,NE"), "A ship costs 1 lumber and 1 wool; you have no wool."),
        (BuildRoad(edge="2,0,NE"), "A road costs 1 brick and 1 lumber; you have no brick."),
        (BuildHarbor(corner="0,0,N"), "A harbour settlement costs 2 grain and 2 ore; you have 1 grain and no ore."),
        (BankTrade(give="grain", take="ore"), "The exchange costs 3 grain; you have 1 grain."),
        (BuyResource(resource="ore"), "A card costs 2 gold; you have 1."),
        (
            OfferTrade(give={"grain": 2, "gold": 1}, want={"ore": 1}),
            "You offer 2 grain and 1 gold; you have 1 grain.",
        ),
    ],
)
def test_a_seat_that_cannot_pay_reads_the_price_and_what_it_has(move: Move, text: str) -> None:
    poor = seat("lumber1 grain1", gold=1, settlements="0,0,N", harbors={"2,0,N": ""})
    assert message(a_table(poor, seat("ore1")), move) == text


def test_a_seat_with_all_ships_on_the_board_is_asked_to_name_one() -> None:
    table = a_table(seat(RICH, harbors={"2,0,N": ""}, ships=THREE_SHIPS), seat(), up={"5,-1": "fields"})
    wanted = "All 3 of your ships are on the board: name the one to take back in `replace`."
    assert message(table, BuildShip(edge="2,-1,E")) == wanted
    assert message(table, BuildShip(edge="2,0,NE", replace="0-1")) == (
        "A route takes 2 ships, and 0-2 and 0-3 lie on 2,0,NE."
    )


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (MoveShip(ship="0-1", path=("2,0,NE",)), "The ship is on 2,0,NE already: a step leads to a neighbouring edge."),
        (MoveShip(ship="0-1", path=("4,0,E",)), "4,0,E is not a neighbour of 2,0,NE: they share no end."),
        (MoveShip(ship="0-1", path=("2,0,NW",)), "2,0,NW is not a sea route: it borders no sea."),
        (
            MoveShip(ship="0-1", path=("3,0,NW", "3,0,NE") * 3),
            "The path has 6 steps; ship 0-1 has 4 movement points left and has used 0 in this turn.",
        ),
        (
            MoveShip(ship="0-1", path=("3,0,NW", "3,0,NE", "4,0,NW", "4,0,NE")),
            "The step to 4,0,NW discovers the tile 5,-1 and finishes the ship: "
            "the path must end there, not go on to 4,0,NE.",
        ),
        (
            MoveShip(ship="0-1", path=("3,0,NW",), pay_tribute=True),
            "No pirate ship is on the board, so no tribute is due: `pay_tribute` must be false.",
        ),
        (MoveShip(ship="1-1", path=("3,0,NW",)), "Ship 1-1 belongs to seat 1, not to you."),
        (MoveShip(ship="0-3", path=("3,0,NW",)), "Your ship 0-3 is not on the board."),
        (BuyMovement(ship="0-1"), "More movement costs 1 wool; you have no wool."),
        (
            TransferCargo(ship="0-1", harbor="2,0,N", load=("unit",)),
            "You move 1 unit out of the basin; it has 1 settler.",
        ),
        (
            TransferCargo(ship="0-1", harbor="2,0,N", load=("settler",)),
            "A hold or basin takes 2 small pieces (unit, spice) or 1 large piece (settler, fish); "
            "this one would have 1 unit and 1 settler.",
        ),
        (
            DiscardCargo(place=Store(ship="0-1"), pieces=("fish",)),
            "You throw away 1 fish; your ship 0-1 has 1 unit.",
        ),
        (LandUnits(ship="0-1", hex="5,-1", count=1), "There is no pirate lair on 5,-1."),
        (CatchFish(ship="0-1", hex="5,-1"), "There is no fish on 5,-1."),
    ],
)
def test_a_refused_act_of_a_ship_names_the_ship_and_the_place(move: Move, text: str) -> None:
    own = seat(harbors={"2,0,N": "settler"}, ships={"0-1": "2,0,NE unit"})
    assert message(a_table(own, seat(ships={"1-1": "3,0,NE"}), phase="movement"), move) == text


def test_a_ship_that_owes_a_tribute_reads_where_and_how_much() -> None:
    table = a_table(seat(ships={"0-1": "4,0,NW"}), seat(), phase="movement", up={"5,-1": "fields"}, pirate=(1, "4,0"))
    assert message(table, MoveShip(ship="0-1", path=("3,0,NE",))) == (
        "4,0,NW is along 4,0, where the pirate ship of seat 1 stands: `pay_tribute` must be true, for 1 gold."
    )
    paying = MoveShip(ship="0-1", path=("3,0,NE",), pay_tribute=True)
    assert message(table, paying) == "The tribute costs 1 gold; you have 0."


@pytest.mark.parametrize(
    ("owner", "voyage", "why"),
    [
        (0, {}, "The pirate ship on 4,0 is your own"),
        (1, {"tribute": True, "used": 1}, "Ship 0-1 has paid the tribute in this turn already"),
        (1, {}, "No route of this path is along 4,0, where the pirate ship of seat 1 stands"),
    ],
)
def test_a_seat_that_pays_a_tribute_for_nothing_reads_why_none_is_due(owner: int, voyage: Any, why: str) -> None:
    own = seat(gold=1, ships={"0-1": "2,0,NE"})
    table = a_table(own, seat(), phase="movement", pirate=(owner, "4,0"), voyages={"0-1": voyage} if voyage else {})
    move = MoveShip(ship="0-1", path=("3,0,NW",), pay_tribute=True)
    assert message(table, move) == f"{why}, so no tribute is due: `pay_tribute` must be false."


def test_a_road_that_ends_at_a_building_of_others_reads_where() -> None:
    table = a_table(seat(RICH, roads="2,0,NW"), seat(settlements="2,0,N"))
    assert message(table, BuildRoad(edge="2,0,NE")) == (
        "The building on 2,0,N is not yours, and your road to 2,0,N does not lead past it."
    )


def test_a_seat_without_a_harbour_settlement_reads_that_no_ship_can_be_built() -> None:
    assert message(a_table(seat(RICH), seat()), BuildShip(edge="2,0,NE")) == (
        "No harbour settlement of yours is at an end of 2,0,NE: you have no harbour settlement."
    )


def test_a_passing_ship_reads_where_it_is_and_what_it_must_do() -> None:
    own = seat(ships={"0-1": "2,0,NE"})
    table = a_table(own, seat(ships={"1-1": "3,0,NW", "1-2": "3,0,NW"}), phase="movement")
    step = MoveShip(ship="0-1", path=("3,0,NW",))
    assert message(table.when(0, step).tells("ship_moved"), EndTurn()) == (
        "3,0,NW already carries 2 other ships: ship 0-1 must first sail on to a route with room."
    )
    tired = a_table(own, table.position.seats[1], phase="movement", voyages={"0-1": {"used": 3}})
    assert message(tired, step) == (
        "3,0,NW already carries 2 other ships, and with 0 movement points left "
        "ship 0-1 cannot sail on from there to a route with room."
    )


def test_a_refused_fish_die_names_the_cause() -> None:
    assert message(a_table(phase="movement", scenario="land-ho"), RollFish()) == (
        "There are no fish in the scenario `land-ho`."
    )
    rolled = a_table(phase="movement", turn={"fish_rolled": True})
    shoals = {hex: f"fish{face}" for face, hex in enumerate(("7,-3", "6,-2", "5,-1", "4,1", "5,1", "4,2"), 1)}
    own = seat(harbors={"2,0,N": "fish", "4,-3,S": "fish"})
    none_left = a_table(own, seat(), phase="movement", up=shoals, fish=("7,-3", "6,-2", "5,-1", "4,1"))
    assert message(none_left, RollFish()) == (
        "None of the 6 fish is in the reserve: 4 on shoals, 2 in holds and basins."
    )
    assert message(rolled, RollFish()) == "You have rolled the fish die in this turn; you may roll it once."


def test_a_refused_discard_names_both_numbers() -> None:
    table = a_table(seat("brick8"), seat(), phase="discard", discards=Discards(need={"0": 4}, given={}))
    wrong = "You must give back exactly 4 cards; you chose 3."
    assert message(table, Discard(resources={"brick": 3})) == wrong
    assert message(table, Discard(resources={"brick": 3, "ore": 1})) == "You chose 3 brick and 1 ore; you have no ore."
    assert message(table, Discard(resources={"brick": 4}), 1) == "You have no cards to give back."


def test_a_seat_out_of_turn_reads_whose_turn_it_is() -> None:
    table = a_table(seat(), seat(), phase="roll", turn={"roll": None})
    assert message(table, RollDice(), 1) == "It is the turn of seat 0; you are seat 1."
    assert message(table, RollDice(), REFEREE) == "It is the turn of seat 0; you are the referee."
    assert message(table, EndTurn()) == (
        "`end_turn` belongs to phase `trade_build` and `movement`; the game is in phase `roll`."
    )
    placement = {"type": "place_road", "edge": "0,0,NE"}
    assert message(fresh(), placement) == "The next placement is `place_harbor` by seat 0."


def test_a_seat_that_is_not_asked_reads_which_seats_are() -> None:
    offer = Offer(give={"brick": 1}, want={"ore": 1}, to=(1,), accepted=(), declined=())
    table = a_table(seat("brick1"), seat(), seat(), offer=offer)
    assert message(table, AcceptTrade(), 2) == "The offer of seat 0 is for seat 1, not for you."
    assert message(table, AcceptTrade(), 1) == "The offer asks for 1 ore; you have no ore."


def test_a_refused_pirate_ship_names_the_hex_or_the_seat() -> None:
    table = a_table(seat(), seat(), phase="pirate", pirate_by="seven")
    assert message(table, PlacePirate(hex="3,0")) == "3,0 is next to the starting island."
    assert message(table, PlacePirate(hex="5,-1")) == "5,-1 is not a sea hex."
    assert message(table, PlacePirate(hex="4,0", victim=1)) == "Seat 1 has no ship along 4,0."


@pytest.mark.parametrize(
    ("move", "text"),
    [
        ({"type": "build_road", "edge": "9,9,E"}, "`edge` must be an edge of the map of `explorers-and-pirates`."),
        ({"type": "place_pirate", "hex": "4,0", "victim": 2}, "`victim` must be null or a seat from 0 to 1."),
        ({"type": "buy_movement", "ship": "2-1"}, "`ship` must be a ship from 0-1 to 1-3."),
        ({"type": "confirm_trade", "with": 5}, "`with` must be a seat from 0 to 1."),
    ],
)
def test_a_wrong_parameter_reads_what_is_allowed(move: dict[str, Any], text: str) -> None:
    assert message(a_table(seat(), seat()), move) == text
