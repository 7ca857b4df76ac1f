"""Discovering tiles: EP-28, EP-29, EP-76 to EP-79, EP-88, EP-98, EP-104."""

from typing import Any

import msgspec
import pytest

from referee.kernel.audience import redact
from referee.rulesets.explorers_and_pirates.discovery import ShipFinished, TileDiscovered
from referee.rulesets.explorers_and_pirates.missions.lairs import LairPlaced
from referee.rulesets.explorers_and_pirates.missions.spices import SacksPlaced
from referee.rulesets.explorers_and_pirates.movement import MoveShip, ShipMoved
from referee.rulesets.explorers_and_pirates.production import GoldGained, ResourcesGained
from referee.rulesets.explorers_and_pirates.settlers import FoundSettlement
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.explorers_and_pirates.tables import a_table, seat

PATH = ("4,0,NW",)
MOVED = ShipMoved(seat=0, ship="0-1", path=PATH, to="4,0,NW")
FINISHED = ShipFinished(seat=0, ship="0-1")
GOLD = GoldGained(seat=0, amount=2, reason="discovery")


def exploring(tile: str, *others: Any, cargo: str = "", **parts: Any) -> Given:
    """A ship one step from the face-down tile 5,-1."""
    own = seat(ships={"0-1": f"3,0,NE {cargo}"})
    return a_table(own, *(others or (seat(),)), phase="movement", down={"5,-1": tile}, **parts)


def found(tile: str, number: int | None = None) -> TileDiscovered:
    return TileDiscovered(seat=0, ship="0-1", hex="5,-1", tile=tile, number=number)


@clause("EP-76", "EP-77", "EP-78")
def test_a_resource_tile_gets_the_top_number_and_brings_a_card() -> None:
    table = exploring("hills", top={"north": (9, 4)})
    after = table.when(0, MoveShip(ship="0-1", path=PATH)).says(
        MOVED,
        found("hills", 9),
        ResourcesGained(seat=0, resources={"brick": 1}, reason="discovery"),
        FINISHED,
    )
    position = after.position
    assert (position.areas["5,-1"].up, position.areas["5,-1"].number) == (True, 9)
    assert position.stacks.north[0] == 4
    assert position.this_turn.current_ship is None
    assert position.this_turn.ships["0-1"].finished


@clause("EP-77")
def test_the_south_has_its_own_stack() -> None:
    table = a_table(
        seat(ships={"0-1": "3,1,NW"}), seat(), phase="movement", down={"4,1": "fields"}, top={"south": (11,)}
    )
    then = table.when(0, MoveShip(ship="0-1", path=("3,1,NE",)))
    assert then.event(TileDiscovered).number == 11
    assert len(then.position.stacks.south) == 5
    assert then.position.stacks.north == table.position.stacks.north


@clause("EP-76")
def test_a_loaded_ship_discovers_as_well() -> None:
    exploring("hills", cargo="settler").when(0, MoveShip(ship="0-1", path=PATH)).tells(
        "ship_moved", "tile_discovered", "resources_gained", "ship_finished"
    )


@clause("EP-78", "EP-98")
@pytest.mark.parametrize("tile", ["sea", "fish2"])
def test_any_other_tile_brings_two_gold(tile: str) -> None:
    after = exploring(tile).when(0, MoveShip(ship="0-1", path=PATH)).says(MOVED, found(tile), GOLD, FINISHED)
    assert after.position.fish == ()
    assert "5,-1" in after.position.chart.sea


@clause("EP-88")
def test_a_gold_river_gets_a_hidden_lair() -> None:
    then = exploring("gold_river", top={"lairs": (6, 2)}).when(0, MoveShip(ship="0-1", path=PATH))
    then.says(MOVED, found("gold_river"), GOLD, LairPlaced(hex="5,-1", number=6), FINISHED)
    lair = then.position.lairs["5,-1"]
    assert (lair.number, lair.captured, lair.units) == (6, False, {})
    assert then.position.stacks.lairs[0] == 2
    for reader in (0, 1, None):
        assert b"6" not in _written(redact(then.event(LairPlaced), reader)).replace(b"5,-1", b"")


def _written(event: Any) -> bytes:
    return msgspec.json.encode(event)


@clause("EP-104")
@pytest.mark.parametrize("tile", ["swift", "pirate5", "fastgold"])
def test_a_village_gets_a_sack_for_every_seat(tile: str) -> None:
    table = exploring(tile, seat(), seat())
    after = table.when(0, MoveShip(ship="0-1", path=PATH)).says(
        MOVED, found(tile), GOLD, SacksPlaced(hex="5,-1", count=3), FINISHED
    )
    assert (after.position.villages["5,-1"].sacks, after.position.areas["5,-1"].number) == (3, None)


@clause("EP-28")
def test_a_card_that_the_bank_does_not_have_is_lost() -> None:
    table = exploring("hills", seat("brick19"))
    table.when(0, MoveShip(ship="0-1", path=PATH)).tells("ship_moved", "tile_discovered", "ship_finished")


@clause("EP-29")
def test_gold_that_the_bank_does_not_have_is_lost() -> None:
    table = exploring("sea", seat(gold=147))
    assert table.when(0, MoveShip(ship="0-1", path=PATH)).event(GoldGained).amount == 1
    empty = exploring("sea", seat(gold=148))
    empty.when(0, MoveShip(ship="0-1", path=PATH)).tells("ship_moved", "tile_discovered", "ship_finished")


@clause("EP-76", "EP-R12")
def test_after_its_discovery_a_ship_founds_but_does_not_move() -> None:
    table = exploring("hills", cargo="settler")
    then = table.when(0, MoveShip(ship="0-1", path=PATH))
    after = Given(table.ruleset, then.position)
    after.when(0, MoveShip(ship="0-1", path=("3,0,NE",))).refused("EP-73")
    after.when(0, FoundSettlement(ship="0-1", corner="4,0,N")).tells("settlement_founded")


@clause("EP-79")
def test_no_ship_rests_where_it_points_at_a_face_down_tile() -> None:
    table = exploring("hills")
    assert "4,0,NW" in table.position.chart.discoveries
    assert "4,0,NW" not in table.when(0, MoveShip(ship="0-1", path=PATH)).position.chart.discoveries
