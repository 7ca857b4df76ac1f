"""Moving ships: EP-47 to EP-49, EP-70 to EP-76, EP-84, EP-108."""

from typing import Any

from referee.kernel.judge import refusal
from referee.rulesets.explorers_and_pirates.cargo import TransferCargo
from referee.rulesets.explorers_and_pirates.discovery import ShipFinished
from referee.rulesets.explorers_and_pirates.movement import (
    BuyMovement,
    MovementBought,
    MoveShip,
    ShipMoved,
    TributePaid,
)
from referee.rulesets.explorers_and_pirates.position import Turn, Voyage
from referee.rulesets.explorers_and_pirates.settlers import FoundSettlement
from referee.rulesets.explorers_and_pirates.turns import EndTurn, TurnEnded, TurnStarted
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.explorers_and_pirates.tables import a_table, seat

NORTHWARD = ("3,-1,E", "4,-1,NW", "4,-2,E", "4,-2,NE")


def sailing(ships: dict[str, str], hand: str = "", gold: int = 0, **parts: Any) -> Given:
    return a_table(seat(hand, gold=gold, ships=ships), seat(), phase="movement", **parts)


@clause("EP-70")
def test_a_seat_moves_only_its_own_ships_on_the_board() -> None:
    table = a_table(seat(), seat(ships={"1-1": "3,0,NE"}), phase="movement")
    table.when(0, MoveShip(ship="1-1", path=("3,0,NW",))).refused("EP-70")
    table.when(0, MoveShip(ship="0-1", path=("3,0,NW",))).refused("EP-70")
    table.when(0, BuyMovement(ship="1-1")).refused("EP-70")


@clause("EP-70", "EP-72")
def test_a_ship_has_four_points_a_turn() -> None:
    table = sailing({"0-1": "3,0,NE"})
    table.when(0, MoveShip(ship="0-1", path=NORTHWARD)).says(
        ShipMoved(seat=0, ship="0-1", path=NORTHWARD, to="4,-2,NE")
    )
    table.when(0, MoveShip(ship="0-1", path=(*NORTHWARD, "4,-3,E"))).refused("EP-72")
    used = sailing({"0-1": "3,0,NE"}, voyages={"0-1": {"used": 2}}, turn={"current_ship": "0-1"})
    used.when(0, MoveShip(ship="0-1", path=NORTHWARD[:3])).refused("EP-72")
    after = used.when(0, MoveShip(ship="0-1", path=NORTHWARD[:2])).position
    assert after.this_turn.ships["0-1"] == Voyage(used=4)


@clause("EP-71")
def test_a_step_leads_to_a_neighbouring_sea_route() -> None:
    table = sailing({"0-1": "3,0,NE"})
    for path in (("3,0,NE",), ("4,0,E",), ("2,0,E",), ("3,0,NW", "2,0,NW"), ("3,-1,E", "0,0,NE")):
        table.when(0, MoveShip(ship="0-1", path=path)).refused("EP-71")
    table.when(0, MoveShip(ship="0-1", path=("3,0,NW", "3,0,NE", "3,0,NW"))).tells("ship_moved")


@clause("EP-75")
def test_a_ship_does_not_take_room_from_itself() -> None:
    table = a_table(seat(ships={"0-1": "3,0,NW"}), seat(ships={"1-1": "3,0,NW"}), phase="movement")
    table.when(0, MoveShip(ship="0-1", path=("3,0,NE", "3,0,NW"))).tells("ship_moved")


@clause("EP-73")
def test_a_ship_goes_on_until_another_moves() -> None:
    table = sailing({"0-1": "3,0,NE", "0-2": "2,0,NE"})
    table = table.when(0, MoveShip(ship="0-1", path=("3,0,NW",))).tells("ship_moved")
    table = table.when(0, MoveShip(ship="0-1", path=("3,0,NE",))).tells("ship_moved")
    assert table.position.this_turn.current_ship == "0-1"
    table = table.when(0, MoveShip(ship="0-2", path=("3,0,NW",))).says(
        ShipFinished(seat=0, ship="0-1"), ShipMoved(seat=0, ship="0-2", path=("3,0,NW",), to="3,0,NW")
    )
    assert table.position.this_turn.current_ship == "0-2"
    assert table.position.this_turn.ships["0-1"] == Voyage(used=2, finished=True)
    table.when(0, MoveShip(ship="0-1", path=("3,0,NW",))).refused("EP-73")
    table.when(0, BuyMovement(ship="0-1")).refused("EP-73")


@clause("EP-73", "EP-81")
def test_a_finished_ship_still_founds_and_loads() -> None:
    own = seat(harbors={"2,0,N": "unit"}, ships={"0-1": "4,0,NW settler", "0-2": "2,0,NE"})
    done = {"0-1": {"used": 3, "finished": True}, "0-2": {"used": 1, "finished": True}}
    table = a_table(own, seat(), phase="movement", up={"5,-1": "fields"}, voyages=done)
    table.when(0, FoundSettlement(ship="0-1", corner="4,0,N")).tells("settlement_founded")
    table.when(0, TransferCargo(ship="0-2", harbor="2,0,N", load=("unit",))).tells("cargo_transferred")


@clause("EP-74", "EP-27")
def test_wool_brings_two_points_once() -> None:
    table = sailing({"0-1": "3,0,NE"}, "wool2")
    after = table.when(0, BuyMovement(ship="0-1")).says(MovementBought(seat=0, ship="0-1", cost={"wool": 1}))
    after.when(0, BuyMovement(ship="0-1")).refused("EP-74")
    six = (*NORTHWARD, "4,-2,NW", "4,-2,NE")
    after.when(0, MoveShip(ship="0-1", path=six)).tells("ship_moved")
    after.when(0, MoveShip(ship="0-1", path=(*six, "4,-2,NW"))).refused("EP-72")
    sailing({"0-1": "3,0,NE"}, "ore2").when(0, BuyMovement(ship="0-1")).refused("EP-27")


@clause("EP-108", "EP-R22")
def test_swift_villages_and_wool_make_eight_points() -> None:
    back_and_forth = ("3,0,NW", "3,0,NE") * 5
    up = {"5,-1": "swift", "4,1": "swift"}
    for friends, most in (({}, 4), ({"5,-1": (0,)}, 5), ({"5,-1": (0,), "4,1": (0,)}, 6)):
        for wool in (0, 2):
            voyage = {"0-1": {"wool": bool(wool)}}
            table = sailing({"0-1": "3,0,NE"}, up=up, friends=friends, voyages=voyage)
            table.when(0, MoveShip(ship="0-1", path=back_and_forth[: most + wool])).tells("ship_moved")
            table.when(0, MoveShip(ship="0-1", path=back_and_forth[: most + wool + 1])).refused("EP-72")


@clause("EP-108")
def test_a_finished_ship_gains_nothing_from_a_swift_village() -> None:
    done = {"0-1": {"used": 4, "finished": True}}
    table = sailing({"0-1": "3,0,NE"}, up={"5,-1": "swift"}, friends={"5,-1": (0,)}, voyages=done)
    table.when(0, MoveShip(ship="0-1", path=("3,0,NW",))).refused("EP-73")


@clause("EP-76")
def test_any_step_after_a_discovery_is_refused() -> None:
    table = sailing({"0-1": "2,0,NE"})
    table.when(0, MoveShip(ship="0-1", path=("3,0,NW", "3,0,NE", "4,0,NW", "4,0,NE"))).refused("EP-76")
    table.when(0, MoveShip(ship="0-1", path=("3,0,NW", "3,0,NE", "4,0,NW", "0,0,NE"))).refused("EP-76")


def near_pirate(gold: int = 2, ship: str = "2,0,NE", **parts: Any) -> Given:
    """Seat 1's pirate ship on 4,0; the tile 5,-1 is known."""
    return sailing({"0-1": ship}, gold=gold, up={"5,-1": "fields"}, **{"pirate": (1, "4,0"), **parts})


@clause("EP-47", "EP-R16")
def test_pay_tribute_must_be_true_if_and_only_if_the_tribute_is_due() -> None:
    table = near_pirate()
    onto = ("3,0,NW", "3,0,NE", "4,0,NW")
    table.when(0, MoveShip(ship="0-1", path=onto)).refused("EP-47")
    table.when(0, MoveShip(ship="0-1", path=("3,0,NW",), pay_tribute=True)).refused("EP-47")
    after = table.when(0, MoveShip(ship="0-1", path=onto, pay_tribute=True)).says(
        TributePaid(seat=0, ship="0-1", amount=1), ShipMoved(seat=0, ship="0-1", path=onto, to="4,0,NW")
    )
    assert (after.position.seats[0].gold, after.position.bank.gold) == (1, 147)
    assert after.position.this_turn.ships["0-1"] == Voyage(used=3, tribute=True)


@clause("EP-47")
def test_leaving_a_route_along_the_pirate_ship_costs_a_tribute() -> None:
    table = near_pirate(ship="4,0,NW")
    table.when(0, MoveShip(ship="0-1", path=("3,0,NE",))).refused("EP-47")
    table.when(0, MoveShip(ship="0-1", path=("3,0,NE",), pay_tribute=True)).tells("tribute_paid", "ship_moved")
    pointing = near_pirate(ship="3,0,NE")
    pointing.when(0, MoveShip(ship="0-1", path=("3,0,NW",))).tells("ship_moved")


@clause("EP-47", "EP-27")
def test_a_ship_whose_seat_cannot_pay_the_tribute_does_not_move() -> None:
    table = near_pirate(gold=0, ship="4,0,NW")
    table.when(0, MoveShip(ship="0-1", path=("3,0,NE",), pay_tribute=True)).refused("EP-27")
    assert not [move for move in table.legal(0) if isinstance(move, MoveShip)]


@clause("EP-48")
def test_the_tribute_is_paid_once_per_ship_and_turn() -> None:
    paid = near_pirate(ship="4,0,NW", voyages={"0-1": {"used": 1, "tribute": True}}, turn={"current_ship": "0-1"})
    paid.when(0, MoveShip(ship="0-1", path=("3,0,NE",), pay_tribute=True)).refused("EP-47")
    paid.when(0, MoveShip(ship="0-1", path=("3,0,NE", "4,0,NW"))).tells("ship_moved")
    two = a_table(
        seat(gold=2, ships={"0-1": "4,0,NW", "0-2": "4,0,NW"}),
        seat(),
        phase="movement",
        up={"5,-1": "fields"},
        pirate=(1, "4,0"),
        voyages={"0-1": {"used": 1, "tribute": True}},
    )
    two.when(0, MoveShip(ship="0-2", path=("3,0,NE",))).refused("EP-47")
    after = two.when(0, MoveShip(ship="0-2", path=("3,0,NE",), pay_tribute=True)).position
    assert after.this_turn.gold_buys == 0


@clause("EP-49")
def test_a_seats_own_pirate_ship_and_acts_without_movement_cost_nothing() -> None:
    own = near_pirate(ship="4,0,NW", pirate=(0, "4,0"))
    own.when(0, MoveShip(ship="0-1", path=("3,0,NE",))).tells("ship_moved")
    settler = near_pirate(ship="4,0,NW settler")
    settler.when(0, FoundSettlement(ship="0-1", corner="4,0,N")).tells("settlement_founded")


@clause("EP-84")
def test_the_turn_goes_to_the_next_seat_and_counters_are_reset() -> None:
    turn = {"gold_buys": 2, "gold_sales": 1, "fish_rolled": True, "number": 8}
    for phase in ("trade_build", "movement"):
        table = a_table(seat(ships={"0-1": "3,0,NE"}), seat(), phase=phase, turn=turn, voyages={"0-1": {"used": 1}})
        after = table.when(0, EndTurn()).says(TurnEnded(seat=0), TurnStarted(seat=1, number=9))
        assert after.position.this_turn == Turn(number=9)
        assert (after.position.phase, after.position.active_seat) == ("roll", 1)
    last = a_table(seat(), seat(), active_seat=1)
    last.when(1, EndTurn()).says(TurnEnded(seat=1), TurnStarted(seat=0, number=6))


def test_every_end_in_reach_is_listed_once_with_a_shortest_path() -> None:
    table = sailing({"0-1": "2,0,NE"})
    moves = [move for move in table.legal(0) if isinstance(move, MoveShip)]
    ends = [move.path[-1] for move in moves]
    assert len(set(ends)) == len(ends) > 10
    assert max(len(move.path) for move in moves) == 4
    assert MoveShip(ship="0-1", path=("3,0,NW", "3,0,NE", "4,0,NW")) in moves


@clause("EP-47", "EP-72", "EP-75")
def test_the_rule_accepts_every_listed_path() -> None:
    for table in (
        sailing({"0-1": "2,0,NE", "0-2": "3,0,NW", "0-3": "3,0,NW"}, voyages={"0-1": {"used": 2}}),
        *(near_pirate(ship=ship, gold=gold) for ship in ("4,0,NW", "3,0,NE") for gold in (0, 5)),
    ):
        moves = [move for move in table.legal(0) if isinstance(move, MoveShip)]
        assert [move for move in moves if refusal(table.ruleset, table.position, 0, move) is not None] == []


@clause("EP-47")
def test_a_detour_around_the_pirate_ship_is_listed_beside_the_shorter_path_with_tribute() -> None:
    table = near_pirate(ship="3,0,NE", voyages={"0-1": {"wool": True}})
    moves = [move for move in table.legal(0) if isinstance(move, MoveShip)]
    paying = {move.path[-1] for move in moves if move.pay_tribute}
    free = {move.path[-1] for move in moves if not move.pay_tribute}
    assert "4,0,NW" in paying - free
    assert "3,0,NW" in free - paying
