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
        + DOT * sum(_dots(board, position, corner) for corner in (*state.settlements, *state.harbors))
        + SPACE * sum(space for track in position.missions.values() for space, at in enumerate(track) if seat in at)
    )


def _dots(board: Board, position: Position, corner: CornerId) -> int:
    """In how many ways two dice yield something to a building on a corner."""
    return sum(_ways(_number(board, position, hex)) for hex in board.hexes_at[corner])


def _number(board: Board, position: Position, hex: HexId) -> int | None:
    if hex in position.island:
        return board.map.hexes[hex].number
    area = position.areas.get(hex)
    return area.number if area is not None and area.up and area.tile in TERRAINS else None


def _ways(number: int | None) -> int:
    return 0 if number is None else EVEN - 1 - abs(EVEN - number)
