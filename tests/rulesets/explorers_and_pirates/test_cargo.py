"""Holds and basins: EP-26, EP-30, EP-31, EP-67, EP-68, EP-80."""

from referee.rulesets.explorers_and_pirates.cargo import (
    BuildSettler,
    CargoDiscarded,
    CargoTransferred,
    DiscardCargo,
    SettlerBuilt,
    Store,
    TransferCargo,
)
from referee.rulesets.explorers_and_pirates.units import BuildUnit, UnitBuilt
from tests.clauses import clause
from tests.rulesets.explorers_and_pirates.tables import a_table, seat

SETTLER = {"brick": 1, "lumber": 1, "wool": 1, "grain": 1}
UNIT = {"wool": 1, "ore": 1}
RICH = "brick5 lumber5 wool5 grain5 ore5"
BASIN = Store(harbor="2,0,N")


@clause("EP-67", "EP-63")
def test_a_settler_is_built_into_an_empty_basin_or_ship_at_the_harbour() -> None:
    ships = {"0-1": "2,0,NE", "0-2": "3,0,NE"}
    table = a_table(seat(RICH, harbors={"2,0,N": ""}, ships=ships), seat(harbors={"1,3,N": ""}))
    table.when(0, BuildSettler(place=BASIN)).says(SettlerBuilt(seat=0, place=BASIN, cost=SETTLER))
    at_sea = table.when(0, BuildSettler(place=Store(ship="0-1"))).tells("settler_built")
    assert at_sea.position.seats[0].ships["0-1"].cargo == ("settler",)
    table.when(0, BuildSettler(place=Store(ship="0-2"))).refused("EP-67")
    table.when(0, BuildSettler(place=Store(ship="0-3"))).refused("EP-67")
    table.when(0, BuildSettler(place=Store(ship="1-1"))).refused("EP-67")
    table.when(0, BuildSettler(place=Store(harbor="1,3,N"))).refused("EP-67")
    table.when(0, BuildSettler(place=Store(harbor="2,0,S"))).refused("EP-67")


@clause("EP-30")
def test_a_basin_takes_two_small_pieces_or_a_large_one() -> None:
    one = a_table(seat(RICH, harbors={"2,0,N": "unit"}), seat())
    one.when(0, BuildSettler(place=BASIN)).refused("EP-30")
    one.when(0, BuildUnit(place=BASIN)).tells("unit_built")
    emptied = one.when(0, DiscardCargo(place=BASIN, pieces=("unit",))).tells("cargo_discarded")
    emptied.when(0, BuildSettler(place=BASIN)).tells("settler_built")
    two = a_table(seat(RICH, harbors={"2,0,N": "unit spice"}), seat())
    two.when(0, BuildUnit(place=BASIN)).refused("EP-30")
    large = a_table(seat(RICH, harbors={"2,0,N": "fish"}), seat())
    large.when(0, BuildUnit(place=BASIN)).refused("EP-30")


@clause("EP-67", "EP-R18")
def test_a_free_small_place_is_enough_for_a_unit() -> None:
    table = a_table(seat(RICH, harbors={"2,0,N": ""}, ships={"0-1": "2,0,NE spice"}), seat())
    place = Store(ship="0-1")
    after = table.when(0, BuildUnit(place=place)).says(UnitBuilt(seat=0, place=place, cost=UNIT))
    assert after.position.seats[0].ships["0-1"].cargo == ("spice", "unit")


@clause("EP-26", "EP-27")
def test_settlers_and_units_are_limited_and_paid_for() -> None:
    two = {"2,0,N": "settler", "1,3,N": "settler", "4,-3,S": ""}
    settlers = a_table(seat(RICH, harbors=two), seat())
    settlers.when(0, BuildSettler(place=Store(harbor="4,-3,S"))).refused("EP-26")
    nine = {"0-1": "2,0,NE unit unit", "0-2": "2,-1,E unit unit", "0-3": "3,0,NE unit unit"}
    ashore = {"5,-1": {"0": 2}}
    up = {"5,-1": "gold_river", "6,-1": "swift"}
    harbors = {"2,0,N": "", "1,3,N": ""}
    units = a_table(seat(RICH, harbors=harbors, ships=nine), seat(), up=up, units=ashore, friends={"6,-1": (0,)})
    units.when(0, BuildUnit(place=BASIN)).refused("EP-26")
    poor = a_table(seat("ore5 brick1", harbors=harbors), seat())
    poor.when(0, BuildUnit(place=BASIN)).refused("EP-27")
    poor.when(0, BuildSettler(place=BASIN)).refused("EP-27")


@clause("EP-68")
def test_land_ho_has_no_units() -> None:
    table = a_table(seat(RICH, harbors={"2,0,N": ""}), seat(), scenario="land-ho")
    table.when(0, BuildUnit(place=BASIN)).refused("EP-68")
    assert not [move for move in table.legal(0) if isinstance(move, BuildUnit)]
    with_units = a_table(seat(RICH, harbors={"2,0,N": ""}), seat(), scenario="pirate-lairs")
    with_units.when(0, BuildUnit(place=BASIN)).tells("unit_built")


@clause("EP-31")
def test_a_seat_throws_cargo_away_in_its_own_turn() -> None:
    own = seat(harbors={"2,0,N": "spice unit"}, ships={"0-1": "2,0,NE fish"})
    for phase in ("trade_build", "movement"):
        table = a_table(own, seat(ships={"1-1": "3,0,NE unit"}), phase=phase)
        after = table.when(0, DiscardCargo(place=BASIN, pieces=("unit",))).says(
            CargoDiscarded(seat=0, place=BASIN, pieces=("unit",))
        )
        assert after.position.seats[0].harbors == {"2,0,N": ("spice",)}
        fish = table.when(0, DiscardCargo(place=Store(ship="0-1"), pieces=("fish",))).position
        assert fish.seats[0].ships["0-1"].cargo == ()
        table.when(0, DiscardCargo(place=BASIN, pieces=("unit", "unit"))).refused("EP-31")
        table.when(0, DiscardCargo(place=Store(ship="1-1"), pieces=("unit",))).refused("EP-31")
        table.when(0, DiscardCargo(place=Store(harbor="2,0,S"), pieces=("unit",))).refused("EP-31")


@clause("EP-80", "EP-30")
def test_a_ship_at_its_harbour_loads_and_unloads_at_once() -> None:
    own = seat(harbors={"2,0,N": "settler"}, ships={"0-1": "2,0,NE unit unit", "0-2": "2,-1,E"})
    table = a_table(own, seat(), phase="movement")
    table.when(0, TransferCargo(ship="0-1", harbor="2,0,N", load=("settler",))).refused("EP-30")
    table.when(0, TransferCargo(ship="0-1", harbor="2,0,N", unload=("unit",))).refused("EP-30")
    swap = TransferCargo(ship="0-1", harbor="2,0,N", load=("settler",), unload=("unit", "unit"))
    after = table.when(0, swap).says(
        CargoTransferred(seat=0, ship="0-1", harbor="2,0,N", load=("settler",), unload=("unit", "unit"))
    )
    onward = TransferCargo(ship="0-2", harbor="2,0,N", load=("unit", "unit"))
    state = after.when(0, onward).position.seats[0]
    assert state.harbors == {"2,0,N": ()}
    assert (state.ships["0-1"].cargo, state.ships["0-2"].cargo) == (("settler",), ("unit", "unit"))


@clause("EP-80")
def test_a_transfer_moves_pieces_that_are_there_at_a_harbour_of_the_seat() -> None:
    own = seat(harbors={"2,0,N": "unit", "1,3,N": "unit"}, ships={"0-1": "2,0,NE spice"})
    table = a_table(own, seat(harbors={"2,0,S": ""}, ships={"1-1": "2,1,NW"}), phase="movement")
    table.when(0, TransferCargo(ship="0-1", harbor="2,0,N", load=("settler",))).refused("EP-80")
    table.when(0, TransferCargo(ship="0-1", harbor="2,0,N", unload=("unit",))).refused("EP-80")
    table.when(0, TransferCargo(ship="0-1", harbor="1,3,N", load=("unit",))).refused("EP-80")
    table.when(0, TransferCargo(ship="0-1", harbor="2,0,S", unload=("spice",))).refused("EP-80")
    table.when(0, TransferCargo(ship="1-1", harbor="2,0,N", load=("unit",))).refused("EP-70")


@clause("EP-80", "EP-R13")
def test_any_ship_loads_while_another_is_under_way_and_when_it_is_finished() -> None:
    own = seat(harbors={"2,0,N": "unit unit"}, ships={"0-1": "2,0,NE", "0-2": "2,-1,E"})
    done = {"0-1": {"used": 1}, "0-2": {"used": 4, "finished": True}}
    table = a_table(own, seat(), phase="movement", turn={"current_ship": "0-1"}, voyages=done)
    after = table.when(0, TransferCargo(ship="0-2", harbor="2,0,N", load=("unit",))).tells("cargo_transferred")
    assert after.position.this_turn.current_ship == "0-1"
    assert after.position.seats[0].harbors["2,0,N"] == ("unit",)


@clause("EP-80")
def test_pieces_that_stay_keep_their_order() -> None:
    own = seat(harbors={"2,0,N": "spice unit"}, ships={"0-1": "2,0,NE unit"})
    table = a_table(own, seat(), phase="movement")
    after = table.when(0, TransferCargo(ship="0-1", harbor="2,0,N", load=("spice",))).position
    assert after.seats[0].harbors["2,0,N"] == ("unit",)
    assert after.seats[0].ships["0-1"].cargo == ("unit", "spice")
