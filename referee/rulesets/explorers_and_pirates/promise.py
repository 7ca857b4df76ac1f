"""How promising a position is for each seat, in hundredths of a point: what a bot that looks ahead compares."""

from typing import Final

from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.board import BOARDS, Board
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.ending import points
from referee.rulesets.explorers_and_pirates.ids import TERRAINS, CornerId, HexId
from referee.rulesets.explorers_and_pirates.outlook import EVEN
from referee.rulesets.explorers_and_pirates.position import Position
from referee.rulesets.explorers_and_pirates.wealth import each_card

POINT: Final = 100
VICTORY: Final = 10 * POINT
"""What it is worth to have won."""
SPACE: Final = 40
"""A step on a mission's track, beside the points that it brings."""
DOT: Final = 5
"""A way of the dice that yields a card."""
RESOURCE: Final = 20
"""A kind of resource that is yielded at all: what one lacks has to be exchanged."""
CARD: Final = 14
CARDS_KEPT: Final = 9
"""More cards than these will hardly be kept."""
GOLD: Final = 5
SHIP: Final = 30
SHIPS_NEEDED: Final = 2
ROAD: Final = 12
WORTH_OF_PIECE: Final = {"settler": 70, "unit": 32, "fish": 60, "spice": 60}


def outlook(edition: Edition, position: Position) -> tuple[int, ...]:
    """The points, and what pieces, cards and places may turn into further ones."""
    seats = [Seat(number) for number in range(len(position.seats))]
    if position.result is not None:
        winner = position.result.winner
        return tuple(POINT * points(position, seat, edition) + VICTORY * (seat == winner) for seat in seats)
    board = BOARDS[position.options.scenario]
    return tuple(POINT * points(position, seat, edition) + _means(board, position, seat) for seat in seats)


def _means(board: Board, position: Position, seat: Seat) -> int:
    """What a seat has to make points with."""
    state = position.seats[seat]
    cargoes = (*state.harbors.values(), *(ship.cargo for ship in state.ships.values()))
    return (
        CARD * min(CARDS_KEPT, len(each_card(state.resources)))
        + GOLD * state.gold
        + SHIP * min(SHIPS_NEEDED, len(state.ships))
        + ROAD * len(state.roads)
        + sum(WORTH_OF_PIECE.get(piece, 0) for cargo in cargoes for piece in cargo)
        + _income(board, position, (*state.settlements, *state.harbors))
        + SPACE * sum(space for track in position.missions.values() for space, at in enumerate(track) if seat in at)
    )


def _income(board: Board, position: Position, corners: tuple[CornerId, ...]) -> int:
    """What the dice will yield to buildings on these corners."""
    dots, terrains = 0, list[str]()
    for corner in corners:
        for hex in board.hexes_at[corner]:
            terrain, number = _ground(board, position, hex)
            if number is not None:
                dots += EVEN - 1 - abs(EVEN - number)
                terrains.append(terrain)
    return DOT * dots + RESOURCE * len(set(terrains))


def _ground(board: Board, position: Position, hex: HexId) -> tuple[str, int | None]:
    """What a hex shows, and its number if it yields a resource."""
    if hex in position.island:
        return position.island[hex], board.map.hexes[hex].number
    area = position.areas.get(hex)
    if area is None or not area.up or area.tile not in TERRAINS:
        return "", None
    return area.tile, area.number
