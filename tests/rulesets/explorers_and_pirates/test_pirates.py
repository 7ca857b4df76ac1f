"""Pirate ships, theft and the chase: EP-42 to EP-46, EP-82, EP-83, EP-109."""

from typing import Any

import pytest

from referee.kernel.audience import redact
from referee.kernel.rejection import InvalidChance
from referee.rulesets.explorers_and_pirates.movement import MoveShip
from referee.rulesets.explorers_and_pirates.pirates import (
    CardStolen,
    ChasePirate,
    FishRemoved,
    GoldStolen,
    PassPirate,
    PirateChased,
    PiratePassed,
    PiratePlaced,
    PirateReturned,
    PlacePirate,
)
from referee.rulesets.explorers_and_pirates.position import Pirate, SeatState
from referee.rulesets.explorers_and_pirates.turns import PhaseStarted
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.explorers_and_pirates.tables import a_table, seat

TRADING = PhaseStarted(phase="trade_build", seat=0)
SAILING = PhaseStarted(phase="movement", seat=0)


def after_seven(*seats: SeatState, **parts: Any) -> Given:
    return a_table(*(seats or (seat(), seat())), phase="pirate", pirate_by="seven", **parts)


def after_chase(*seats: SeatState, **parts: Any) -> Given:
    return a_table(*(seats or (seat(), seat())), phase="pirate", pirate_by="chase", **parts)


@clause("EP-42")
def test_pirate_ships_stand_on_face_up_sea_away_from_the_island() -> None:
    table = after_seven(up={"5,-1": "sea", "6,-1": "fish1", "7,-2": "fields"})
    for hex in ("4,0", "5,-1", "6,-1", "5,-2"):
        table.when(0, PlacePirate(hex=hex)).tells("pirate_placed", "phase_started")
    for hex in ("3,0", "4,-2", "2,0", "7,-2", "8,-1"):
        table.when(0, PlacePirate(hex=hex)).refused("EP-42")


@clause("EP-43")
def test_after_a_seven_the_active_seat_places_or_moves_its_pirate_ship() -> None:
    first = after_seven().when(0, PlacePirate(hex="4,0")).says(PiratePlaced(seat=0, hex="4,0"), TRADING)
    assert first.position.pirate == Pirate(seat=0, hex="4,0")
    own = after_seven(pirate=(0, "6,0"))
    own.when(0, PlacePirate(hex="6,0")).refused("EP-43")
    own.when(0, PlacePirate(hex="7,0")).says(PiratePlaced(seat=0, hex="7,0"), TRADING)
    own.when(0, PassPirate()).refused("EP-43")


@clause("EP-43")
def test_an_opponents_pirate_ship_returns_and_its_hex_is_free() -> None:
    table = after_seven(pirate=(1, "6,0"))
    table.when(0, PlacePirate(hex="6,0")).says(
        PirateReturned(seat=1, hex="6,0"), PiratePlaced(seat=0, hex="6,0"), TRADING
    )


@clause("EP-44")
def test_a_victim_has_a_ship_along_the_hex() -> None:
    """3,0,E is a side of 4,0; 3,0,NE only points at it."""
    along, near = {"1-1": "3,0,E"}, {"2-1": "3,0,NE"}
    table = after_seven(seat(ships={"0-1": "3,0,E"}), seat("ore1", ships=along), seat("ore1", ships=near))
    table.when(0, PlacePirate(hex="4,0", victim=2)).refused("EP-44")
    table.when(0, PlacePirate(hex="4,0", victim=0)).refused("EP-44")
    table.when(0, PlacePirate(hex="5,-2", victim=1)).refused("EP-44")
    table.when(0, PlacePirate(hex="4,0")).tells("pirate_placed", "phase_started")
    after = table.when(0, PlacePirate(hex="4,0", victim=1), ("steal_card", "ore")).says(
        PiratePlaced(seat=0, hex="4,0"), CardStolen(seat=0, victim=1, resource="ore"), TRADING
    )
    assert (after.position.seats[0].resources.ore, after.position.seats[1].resources.ore) == (1, 0)


@clause("EP-44")
def test_a_building_at_the_hex_does_not_matter() -> None:
    table = after_seven(seat(), seat("ore1", harbors={"4,0,N": ""}), up={"5,-1": "fields"})
    table.when(0, PlacePirate(hex="4,0", victim=1)).refused("EP-44")


@clause("EP-44")
def test_only_a_card_of_the_victim_is_stolen() -> None:
    table = after_seven(seat(), seat("ore2 wool1", ships={"1-1": "3,0,E"}))
    for outcome in ("brick", "gold", 3, ["ore"]):
        with pytest.raises(InvalidChance):
            table.when(0, PlacePirate(hex="4,0", victim=1), ("steal_card", outcome))


@clause("EP-44")
def test_only_thief_and_victim_see_the_stolen_card() -> None:
    table = after_seven(seat(), seat("ore2", ships={"1-1": "3,0,E"}), seat())
    stolen = table.when(0, PlacePirate(hex="4,0", victim=1)).event(CardStolen)
    assert redact(stolen, 0) == redact(stolen, 1) == stolen
    assert redact(stolen, 2) == redact(stolen, None) != stolen


@clause("EP-45", "EP-R31")
def test_a_victim_without_cards_loses_a_gold_and_a_seat_without_either_is_no_victim() -> None:
    ships = {"1-1": "3,0,E"}
    gold = after_seven(seat(), seat(gold=2, ships=ships))
    gold.when(0, PlacePirate(hex="4,0", victim=1)).says(
        PiratePlaced(seat=0, hex="4,0"), GoldStolen(seat=0, victim=1, amount=1), TRADING
    )
    poor = after_seven(seat(), seat(ships=ships))
    poor.when(0, PlacePirate(hex="4,0", victim=1)).refused("EP-45")
    assert PlacePirate(hex="4,0") in poor.legal(0)


@clause("EP-46")
def test_a_pirate_ship_removes_the_fish_on_its_hex_but_none_aboard() -> None:
    up = {"5,-1": "fish2"}
    table = after_seven(seat(), seat(ships={"1-1": "4,0,NE fish"}), up=up, fish=("5,-1",))
    after = table.when(0, PlacePirate(hex="5,-1")).says(
        PiratePlaced(seat=0, hex="5,-1"), FishRemoved(hex="5,-1"), TRADING
    )
    assert after.position.fish == ()
    assert after.position.seats[1].ships["1-1"].cargo == ("fish",)


def chasing(ships: dict[str, str], **parts: Any) -> Given:
    """Seat 1's pirate ship stands on 4,0."""
    return a_table(seat(ships=ships), seat(), phase="movement", **{"pirate": (1, "4,0"), **parts})


@clause("EP-82")
def test_a_ship_that_points_at_the_pirate_tries_once_a_turn() -> None:
    table = chasing({"0-1": "3,0,NE", "0-2": "2,0,NE"})
    table.when(0, ChasePirate(ship="0-2")).refused("EP-82")
    table.when(0, ChasePirate(ship="0-3")).refused("EP-70")
    after = table.when(0, ChasePirate(ship="0-1"), ("chase_die", 3)).says(
        PirateChased(seat=0, ship="0-1", die=3, success=False)
    )
    after.when(0, ChasePirate(ship="0-1")).refused("EP-82")
    chasing({"0-1": "3,0,NE"}, pirate=(0, "4,0")).when(0, ChasePirate(ship="0-1")).refused("EP-82")
    chasing({"0-1": "3,0,NE"}, pirate=None).when(0, ChasePirate(ship="0-1")).refused("EP-82")


@clause("EP-82", "EP-R23")
def test_a_ship_that_has_loaded_may_chase_but_not_one_that_has_moved() -> None:
    moved = chasing({"0-1": "3,0,NE"}, voyages={"0-1": {"used": 1}})
    moved.when(0, ChasePirate(ship="0-1")).refused("EP-82")
    bought = chasing({"0-1": "3,0,NE unit"}, voyages={"0-1": {"wool": True}})
    bought.when(0, ChasePirate(ship="0-1"), ("chase_die", 6)).tells("pirate_chased", "pirate_returned", "phase_started")


@clause("EP-83", "EP-R17")
def test_a_chased_pirate_ship_returns_and_the_chaser_may_place_its_own() -> None:
    table = chasing({"0-1": "3,0,NE"})
    after = table.when(0, ChasePirate(ship="0-1"), ("chase_die", 6)).says(
        PirateChased(seat=0, ship="0-1", die=6, success=True),
        PirateReturned(seat=1, hex="4,0"),
        PhaseStarted(phase="pirate", seat=0, by="chase"),
    )
    after.when(0, PassPirate()).says(PiratePassed(seat=0), SAILING)
    back = after.when(0, PlacePirate(hex="4,0")).says(PiratePlaced(seat=0, hex="4,0"), SAILING)
    back.when(0, MoveShip(ship="0-1", path=("4,0,NW",))).tells("ship_moved", "tile_discovered", *_found(back))


def _found(table: Given) -> tuple[str, ...]:
    tile = table.position.areas["5,-1"].tile
    if tile == "gold_river":
        return ("gold_gained", "lair_placed", "ship_finished")
    if tile in ("swift", "pirate5", "fastgold"):
        return ("gold_gained", "sacks_placed", "ship_finished")
    return ("gold_gained" if tile in ("sea", "fish1", "fish2", "fish3") else "resources_gained", "ship_finished")


@clause("EP-83")
def test_the_chaser_may_rob() -> None:
    table = after_chase(seat(), seat("ore1", ships={"1-1": "4,-1,NE"}), up={"5,-1": "fields"})
    table.when(0, PlacePirate(hex="5,-2", victim=1)).tells("pirate_placed", "card_stolen", "phase_started")
    assert table.when(0, PlacePirate(hex="5,-2")).position.phase == "movement"


@clause("EP-83", "EP-109")
@pytest.mark.parametrize(
    ("friends", "faces"),
    [((), {6}), (("5,-1",), {5, 6}), (("4,1",), {4, 6}), (("5,-1", "4,1"), {4, 5, 6})],
)
def test_units_in_pirate_villages_add_faces_for_the_chase(friends: tuple[str, ...], faces: set[int]) -> None:
    up = {"5,-1": "pirate5", "4,1": "pirate4"}
    table = chasing({"0-1": "3,0,NE"}, up=up, friends=dict.fromkeys(friends, (0,)))
    for die in range(1, 7):
        event = table.when(0, ChasePirate(ship="0-1"), ("chase_die", die)).event(PirateChased)
        assert event.success == (die in faces)
    with pytest.raises(InvalidChance):
        table.when(0, ChasePirate(ship="0-1"), ("chase_die", 7))
