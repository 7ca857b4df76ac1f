"""Spice villages: EP-104 to EP-110."""

from typing import Any

from referee.rulesets.explorers_and_pirates.exchanges import SellResource
from referee.rulesets.explorers_and_pirates.missions.spices import BefriendVillage, VillageBefriended
from referee.rulesets.explorers_and_pirates.movement import MoveShip
from referee.rulesets.explorers_and_pirates.position import VillageState
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.explorers_and_pirates.tables import a_table, seat

BEFRIEND = BefriendVillage(ship="0-1", hex="5,-1")


def visiting(cargo: str, tile: str = "swift", hand: str = "", **parts: Any) -> Given:
    own = seat(hand, ships={"0-1": f"4,0,NW {cargo}"})
    return a_table(own, seat(), phase="movement", up={"5,-1": tile}, **parts)


@clause("EP-105", "EP-107")
def test_a_unit_stays_in_the_village_and_a_sack_comes_aboard() -> None:
    after = visiting("unit spice").when(0, BEFRIEND).says(VillageBefriended(seat=0, ship="0-1", hex="5,-1"))
    assert after.position.villages["5,-1"] == VillageState(sacks=1, units=(0,))
    assert after.position.seats[0].ships["0-1"].cargo == ("spice", "spice")


@clause("EP-105")
def test_a_village_is_befriended_once_by_each_seat() -> None:
    visiting("unit", friends={"5,-1": (0,)}).when(0, BEFRIEND).refused("EP-105")
    visiting("unit", friends={"5,-1": (1,)}).when(0, BEFRIEND).tells("village_befriended")


@clause("EP-105", "EP-70")
def test_the_ship_needs_a_unit_and_points_at_the_village() -> None:
    visiting("spice").when(0, BEFRIEND).refused("EP-105")
    visiting("unit").when(0, BefriendVillage(ship="0-1", hex="4,0")).refused("EP-105")
    visiting("unit").when(0, BefriendVillage(ship="0-2", hex="5,-1")).refused("EP-70")
    far = a_table(seat(ships={"0-1": "3,0,NE unit"}), seat(), phase="movement", up={"5,-1": "swift"})
    far.when(0, BEFRIEND).refused("EP-105")
    visiting("unit", tile="fields").when(0, BEFRIEND).refused("EP-105")


@clause("EP-106", "EP-102")
def test_sacks_and_units_share_a_hold_and_sacks_are_delivered() -> None:
    table = visiting("unit unit")
    table = table.when(0, BEFRIEND).tells("village_befriended")
    assert table.position.seats[0].ships["0-1"].cargo == ("unit", "spice")
    table = table.when(0, MoveShip(ship="0-1", path=("3,0,NE",))).tells(
        "ship_moved", "goods_delivered", "marker_advanced"
    )
    assert table.position.missions["spices"][1] == (0,)


@clause("EP-108", "EP-107")
def test_the_advantage_is_there_at_once_for_the_current_ship() -> None:
    table = visiting("unit", voyages={"0-1": {"used": 4}}, turn={"current_ship": "0-1"})
    table.when(0, MoveShip(ship="0-1", path=("3,0,NE",))).refused("EP-72")
    table = table.when(0, BEFRIEND).tells("village_befriended")
    table.when(0, MoveShip(ship="0-1", path=("3,0,NE",))).tells("ship_moved", "goods_delivered", "marker_advanced")
    assert table.position.this_turn.ships["0-1"].used == 4


@clause("EP-110", "EP-57")
def test_a_fastgold_village_reached_in_the_movement_phase_helps_from_the_next_turn_on() -> None:
    table = visiting("unit", tile="fastgold", hand="wool1").when(0, BEFRIEND).tells("village_befriended")
    table.when(0, SellResource(resource="wool")).refused("EP-69")


@clause("EP-104")
def test_villages_have_no_number() -> None:
    position = visiting("").position
    assert position.areas["5,-1"].number is None
    assert position.villages["5,-1"].sacks == 2
