"""How good a position is for each seat, in hundredths of a settlement; the bot `search` compares these numbers.

The weights come from the differences between winners and losers in 1,650 games of two plain but sensible players.
"""

from typing import Final

from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.advice.prospects import EVEN
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.missions.council import carries_goods
from referee.rulesets.explorers_and_pirates.names import TERRAINS, CornerId, EdgeId, HexId
from referee.rulesets.explorers_and_pirates.pieces import buildings
from referee.rulesets.explorers_and_pirates.position import Position, SeatState, key
from referee.rulesets.explorers_and_pirates.scoring import points
from referee.rulesets.explorers_and_pirates.sites import barred_hexes, open_corners
from referee.rulesets.explorers_and_pirates.waters import voyages
from referee.rulesets.explorers_and_pirates.wealth import cards_in

VICTORY: Final = 2000
"""The value of a victory."""
BUILDING: Final = 100
"""A point of a building."""
POINT: Final = 100
"""Any point, divided by the points that the leader still lacks: near the end nothing else counts."""
SPACE: Final = 50
"""A step on a mission's track."""
COAST: Final = 15
"""A settlement that may become a harbour settlement."""
DOT: Final = 2
"""A way of the dice that yields a card."""
RESOURCE: Final = 45
"""A kind of resource that the buildings yield at all: a missing kind needs exchanges."""
CARD: Final = 11
CARDS_KEPT: Final = 9
"""A seat will hardly keep more cards than this."""
GOLD: Final = 12
SHIPS: Final = (0, 68, 136, 150)
"""The value of a fleet, by its number of ships."""
SITE: Final = 40
"""A free corner for a settlement at a road of the seat."""
NEAR_SITE: Final = 40
"""The same, one road away."""
ABOARD: Final = {"settler": 77, "unit": 38, "fish": 45, "spice": 45}
IN_BASIN: Final = {"settler": 77, "unit": 22, "fish": 20, "spice": 20}
STEP: Final = 4
"""What each step that is left to the Council takes from the value of the goods aboard."""
LANDED: Final = 46
"""A unit at a lair that is not captured yet."""
LEFT_BEHIND: Final = 20
FRIENDS: Final = 42
"""A village where the seat has a unit."""


def evaluate(position: Position, edition: Edition) -> tuple[int, ...]:
    """The points, and the value of pieces, cards and places that may bring more points."""
    scored = [points(position, Seat(seat), edition) for seat in range(len(position.seats))]
    if position.result is not None:
        return tuple(
            BUILDING * score + VICTORY * (rank == 1) for score, rank in zip(scored, position.result.ranks, strict=True)
        )
    lacking = max(1, edition.scenarios[position.options.scenario].target - max(scored))
    return tuple(POINT * score // lacking + _means(position, Seat(seat), edition) for seat, score in enumerate(scored))


def _means(position: Position, seat: Seat, edition: Edition) -> int:
    """The value of everything that may bring a seat points."""
    state = position.seats[seat]
    return (
        BUILDING * (edition.points.settlement * len(state.settlements) + edition.points.harbor * len(state.harbors))
        + CARD * min(CARDS_KEPT, cards_in(state.resources))
        + GOLD * state.gold
        + _fleet(position, state)
        + _income(position, (*state.settlements, *state.harbors))
        + _land(position, seat)
        + _missions(position, seat)
    )


def _fleet(position: Position, state: SeatState) -> int:
    """Ships, and the pieces in holds and basins; goods near the Council are worth more."""
    cargo = sum(ABOARD[piece] for ship in state.ships.values() for piece in ship.cargo)
    stored = sum(IN_BASIN[piece] for basin in state.harbors.values() for piece in basin)
    steps = sum(_steps_to_dock(position, ship.edge) for ship in state.ships.values() if carries_goods(ship.cargo))
    return SHIPS[min(len(state.ships), len(SHIPS) - 1)] + cargo + stored - STEP * steps


def _steps_to_dock(position: Position, start: EdgeId) -> int:
    """The number of steps to the Council; 0 if no path leads there."""
    docked = position.board.docked
    ways = voyages(position.chart, start, None).items() if start not in docked else ()
    return next((len(path) for edge, path in ways if edge in docked), 0)


def _land(position: Position, seat: Seat) -> int:
    """Settlements on the coast, and places for further ones."""
    state, board, chart = position.seats[seat], position.board, position.chart
    coastal = sum(corner in chart.coast for corner in state.settlements)
    ends = dict.fromkeys(end for road in state.roads for end in board.ends[road])
    free = open_corners(chart, buildings(position), barred_hexes(position, chart, seat))
    at_road = any(end in free for end in ends)
    near_road = any(corner in free for end in ends for corner in board.next_corners[end])
    return COAST * coastal + SITE * at_road + NEAR_SITE * near_road


def _missions(position: Position, seat: Seat) -> int:
    """Steps on the tracks, and units on lairs and in villages."""
    spaces = sum(space for track in position.missions.values() for space, at in enumerate(track) if seat in at)
    landed = sum(lair.units.get(key(seat), 0) for lair in position.lairs.values() if not lair.captured)
    left = sum(lair.units.get(key(seat), 0) for lair in position.lairs.values() if lair.captured)
    friends = sum(seat in village.units for village in position.villages.values())
    return SPACE * spaces + LANDED * landed + LEFT_BEHIND * left + FRIENDS * friends


def _income(position: Position, corners: tuple[CornerId, ...]) -> int:
    """The value of what the dice yield to buildings on these corners."""
    dots, terrains = 0, list[str]()
    for corner in corners:
        for hex in position.board.hexes_at[corner]:
            terrain, number = _ground(position, hex)
            if number is not None:
                dots += EVEN - 1 - abs(EVEN - number)
                terrains.append(terrain)
    return DOT * dots + RESOURCE * len(set(terrains))


def _ground(position: Position, hex: HexId) -> tuple[str, int | None]:
    """The terrain of a hex, and its number if it yields a resource."""
    if hex in position.island:
        return position.island[hex], position.board.map.hexes[hex].number
    area = position.areas.get(hex)
    if area is None or not area.up or area.tile not in TERRAINS:
        return "", None
    return area.tile, area.number
