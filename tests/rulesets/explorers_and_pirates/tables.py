"""Tables for the tests: the named pieces lie in their places, the rest of the box is in the bank or face down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.kernel.chance import Seeded
from referee.kernel.changes import replace
from referee.kernel.judge import set_up
from referee.rulesets.explorers_and_pirates import EXPLORERS_AND_PIRATES
from referee.rulesets.explorers_and_pirates.alike import hand_of
from referee.rulesets.explorers_and_pirates.edition import EDITION
from referee.rulesets.explorers_and_pirates.names import RESOURCES, TERRAINS, VILLAGES, is_north
from referee.rulesets.explorers_and_pirates.position import (
    AreaTile,
    Bank,
    Lair,
    Neutral,
    Options,
    Pirate,
    Position,
    SeatState,
    Ship,
    Stacks,
    Turn,
    VillageState,
    Voyage,
)
from tests.given import Given

SCENARIO = "explorers-and-pirates"


def bag(text: str) -> dict[str, int]:
    """Cards and gold by number: `bag("brick2 gold1")`."""
    return {part.rstrip("0123456789"): int(part.lstrip("abcdefghijklmnopqrstuvwxyz")) for part in text.split()}


def seat(
    hand: str = "",
    *,
    gold: int = 0,
    roads: str = "",
    settlements: str = "",
    harbors: Mapping[str, str] | None = None,
    ships: Mapping[str, str] | None = None,
) -> SeatState:
    """A seat; basins and ships as text: `harbors={"2,0,N": "unit unit"}`, `ships={"0-1": "2,0,NE settler"}`."""
    cards = [resource for resource, count in bag(hand).items() for _ in range(count)]
    return SeatState(
        resources=hand_of(cards),
        gold=gold,
        roads=tuple(roads.split()),
        settlements=tuple(settlements.split()),
        harbors={corner: tuple(basin.split()) for corner, basin in (harbors or {}).items()},
        ships={id: Ship(edge=words.split()[0], cargo=tuple(words.split()[1:])) for id, words in (ships or {}).items()},
    )


def a_position(
    *seats: SeatState,
    scenario: str = SCENARIO,
    phase: str = "trade_build",
    up: Mapping[str, str] | None = None,
    down: Mapping[str, str] | None = None,
    captured: Mapping[str, bool] | None = None,
    units: Mapping[str, Mapping[str, int]] | None = None,
    friends: Mapping[str, tuple[int, ...]] | None = None,
    pirate: tuple[int, str] | None = None,
    neutral: Mapping[str, str] | None = None,
    top: Mapping[str, tuple[int, ...]] | None = None,
    turn: Mapping[str, Any] | None = None,
    voyages: Mapping[str, Mapping[str, Any]] | None = None,
    **parts: Any,
) -> Position:
    """A position with these seats.

    `up` and `down` lay tiles (`"5,-1": "mountains 9"` with its number), `top` names the tops of the stacks, `voyages`
    says what ships did in this turn.
    """
    seats = seats or (seat(), seat())
    base = set_up(EXPLORERS_AND_PIRATES, Options(scenario=scenario, first_seat=0), len(seats), Seeded("tables"))
    areas, stacks = _areas(base, up or {}, down or {}, top or {})
    rivers = [hex for hex, tile in areas.items() if tile.up and tile.tile == "gold_river"]
    villages = [hex for hex, tile in areas.items() if tile.up and tile.tile in VILLAGES]
    lairs = {
        hex: Lair(number=number, captured=(captured or {}).get(hex, False), units=dict((units or {}).get(hex, {})))
        for hex, number in zip(rivers, stacks.lairs, strict=False)
    }
    gone = {hex: tuple((friends or {}).get(hex, ())) for hex in villages}
    bare = {name: tuple((neutral or {}).get(name, "").split()) for name in ("roads", "settlements", "harbors")}
    done = {id: Voyage(**each) for id, each in (voyages or {}).items()}
    found: dict[str, Any] = {
        "phase": phase,
        "seats": seats,
        "active_seat": 0,
        "neutral": Neutral(**bare),
        "bank": _bank(seats),
        "areas": areas,
        "stacks": replace(stacks, lairs=stacks.lairs[len(rivers) :]),
        "lairs": lairs,
        "villages": {hex: VillageState(sacks=len(seats) - len(gone[hex]), units=gone[hex]) for hex in villages},
        "pirate": None if pirate is None else Pirate(*pirate),
        "turn": Turn(**{"number": 5, "roll": (1, 2), **(turn or {}), "ships": done}),
        "founding_step": None,
    }
    return replace(base, **{**found, **parts})


def _bank(seats: tuple[SeatState, ...]) -> Bank:
    held = {name: sum(getattr(each.resources, name) for each in seats) for name in RESOURCES}
    left = {name: EDITION.cards_each - count for name, count in held.items()}
    return Bank(**left, gold=EDITION.gold_total - sum(each.gold for each in seats))


def _areas(
    base: Position, up: Mapping[str, str], down: Mapping[str, str], top: Mapping[str, tuple[int, ...]]
) -> tuple[dict[str, AreaTile], Stacks]:
    """The tiles asked for change places with those that lie there; numbers come off the stacks."""
    tiles = {hex: tile.tile for hex, tile in base.areas.items()}
    wanted = {hex: words.split()[0] for hex, words in {**up, **down}.items()}
    for hex, tile in wanted.items():
        if tiles[hex] != tile:
            there = next(
                other
                for other, code in tiles.items()
                if code == tile and is_north(other) == is_north(hex) and wanted.get(other) != tile
            )
            tiles[there], tiles[hex] = tiles[hex], tile
    north, south = list(base.stacks.north), list(base.stacks.south)
    areas = {hex: AreaTile(tile=tile, up=False) for hex, tile in tiles.items()}
    for hex, words in sorted(up.items(), key=lambda item: len(item[1].split()), reverse=True):
        stack, (tile, *number) = (north if is_north(hex) else south), words.split()
        lies = None
        if tile in TERRAINS:
            lies = int(number[0]) if number else min(stack)
            stack.remove(lies)
        areas[hex] = AreaTile(tile=tile, up=True, number=lies)
    piles = {"north": north, "south": south, "lairs": list(base.stacks.lairs)}
    for name, first in top.items():
        for number in first:
            piles[name].remove(number)
        piles[name] = [*first, *piles[name]]
    return areas, Stacks(**{name: tuple(pile) for name, pile in piles.items()})


def a_table(*seats: SeatState, **parts: Any) -> Given:
    """A table in such a position."""
    return Given(EXPLORERS_AND_PIRATES, a_position(*seats, **parts))


def fresh(scenario: str = SCENARIO, seats: int = 3, seed: str = "fresh", **options: Any) -> Given:
    """A table as the set-up leaves it."""
    chosen = Options(scenario=scenario, **{"first_seat": 0, **options})
    return Given(EXPLORERS_AND_PIRATES, set_up(EXPLORERS_AND_PIRATES, chosen, seats, Seeded(seed)))


def blank(scenario: str = SCENARIO, seats: int = 3, **options: Any) -> Given:
    """A table before the set-up."""
    chosen = Options(scenario=scenario, **{"first_seat": 0, **options})
    return Given(EXPLORERS_AND_PIRATES, EXPLORERS_AND_PIRATES.blank(chosen, seats))


def track(*spaces: tuple[int, ...], mission: str = "lairs") -> tuple[tuple[int, ...], ...]:
    """The track of a mission with these stacks from S on; the spaces after them are empty."""
    return (*spaces, *((),) * (len(EDITION.track_points[mission]) - len(spaces)))
