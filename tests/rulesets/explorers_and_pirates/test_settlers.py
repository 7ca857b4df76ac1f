"""Founding with a settler ship: EP-22 to EP-26, EP-61, EP-81."""

from typing import Any

from referee.rulesets.explorers_and_pirates.settlers import FoundSettlement, SettlementFounded
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.explorers_and_pirates.tables import a_table, seat

FOUND = FoundSettlement(ship="0-1", corner="4,0,N")


def landing(*others: Any, cargo: str = "settler", tile: str = "fields", **parts: Any) -> Given:
    """A ship that points at the corner 4,0,N of the tile 5,-1."""
    own = parts.pop("own", {})
    state = seat(ships={"0-1": f"4,0,NW {cargo}"}, **own)
    return a_table(state, *(others or (seat(),)), phase="movement", up={"5,-1": tile}, **parts)


@clause("EP-81", "EP-61")
def test_a_settler_ship_becomes_a_settlement_free_of_charge() -> None:
    table = landing(voyages={"0-1": {"used": 3}}, turn={"current_ship": "0-1"})
    after = table.when(0, FOUND).says(SettlementFounded(seat=0, ship="0-1", corner="4,0,N"))
    position = after.position
    assert (position.seats[0].settlements, position.seats[0].ships) == (("4,0,N",), {})
    assert (position.this_turn.current_ship, position.this_turn.ships) == (None, {})
    assert position.bank == table.position.bank


@clause("EP-81")
def test_the_ship_needs_a_settler_and_points_at_land() -> None:
    landing(cargo="unit unit").when(0, FOUND).refused("EP-81")
    table = landing()
    table.when(0, FoundSettlement(ship="0-1", corner="4,-1,S")).refused("EP-81")
    table.when(0, FoundSettlement(ship="0-1", corner="5,-2,S")).refused("EP-81")
    table.when(0, FoundSettlement(ship="0-2", corner="4,0,N")).refused("EP-70")
    landing(tile="sea").when(0, FOUND).refused("EP-81")


@clause("EP-81", "EP-R21")
def test_a_ship_may_found_on_the_island() -> None:
    table = a_table(seat(ships={"0-1": "2,0,NE settler"}), seat(), phase="movement")
    table.when(0, FoundSettlement(ship="0-1", corner="2,0,N")).tells("settlement_founded")


@clause("EP-26")
def test_a_seat_without_a_settlement_left_cannot_found() -> None:
    landing(own={"settlements": "0,0,N 0,1,N 0,3,N 3,-3,S 4,-3,N"}).when(0, FOUND).refused("EP-26")


@clause("EP-22")
def test_a_founded_settlement_keeps_the_distance() -> None:
    landing(seat(settlements="4,0,N")).when(0, FOUND).refused("EP-22")
    landing(seat(settlements="5,-1,S")).when(0, FOUND).refused("EP-22")
    landing(seat(settlements="5,-1,N")).when(0, FOUND).tells("settlement_founded")


@clause("EP-24")
def test_nobody_founds_at_a_lair_before_its_capture() -> None:
    landing(tile="gold_river").when(0, FOUND).refused("EP-24")
    landing(tile="gold_river", captured={"5,-1": True}).when(0, FOUND).tells("settlement_founded")


@clause("EP-25", "EP-107")
def test_only_a_seat_with_a_unit_in_a_village_founds_there() -> None:
    landing(tile="swift").when(0, FOUND).refused("EP-25")
    landing(tile="swift", friends={"5,-1": (0,)}).when(0, FOUND).tells("settlement_founded")
