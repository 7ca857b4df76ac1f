"""What a plain but sensible player does (section 15): takes what looks best now, and never dawdles."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.board import voyages
from referee.rulesets.explorers_and_pirates.discards import Discard
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.founding import (
    PlaceHarbor,
    PlaceRoad,
    PlaceSettlement,
    PlaceSettlerShip,
    founding_steps,
)
from referee.rulesets.explorers_and_pirates.greedy_building import improvement
from referee.rulesets.explorers_and_pirates.greedy_sailing import voyage
from referee.rulesets.explorers_and_pirates.ids import RESOURCES, Bundle, CornerId, EdgeId
from referee.rulesets.explorers_and_pirates.offers import AcceptTrade, ConfirmTrade, DeclineTrade, WithdrawTrade
from referee.rulesets.explorers_and_pirates.outlook import Outlook
from referee.rulesets.explorers_and_pirates.pirates import PlacePirate
from referee.rulesets.explorers_and_pirates.view import View

M = TypeVar("M", bound=Move)
Moves = tuple[Move, ...]


def greedy(edition: Edition, view: View, seat: Seat, moves: Moves) -> Move:
    """The move that looks best to who sees this view; among equals the first."""
    if len(moves) == 1:
        return moves[0]
    outlook = Outlook(edition, view, seat)
    advised = ADVICE[view.phase](outlook, moves) if view.phase in ADVICE else None
    return moves[0] if advised is None else advised


def of_kind(moves: Iterable[Move], kind: type[M]) -> list[M]:
    """The moves of one kind."""
    return [move for move in moves if isinstance(move, kind)]


def _founding(outlook: Outlook, moves: Moves) -> Move:
    view = outlook.view
    assert view.founding_step is not None
    step = founding_steps(view.first_seat, len(view.seats))[view.founding_step]
    sign = -1 if step.neutral else 1

    def promise(move: Move) -> int:
        match move:
            case PlaceHarbor(corner=corner) | PlaceSettlement(corner=corner):
                return sign * outlook.worth(corner)
            case PlaceRoad(edge=edge):
                return _prospect(outlook, edge)
            case PlaceSettlerShip(edge=edge):
                return -_way_out(outlook, edge)
        return 0

    return max(moves, key=promise)


def _prospect(outlook: Outlook, road: EdgeId) -> int:
    """The best corner that one more road would reach."""
    board, (settlement,) = outlook.board, outlook.own.settlements
    (far,) = (end for end in board.ends[road] if end != settlement)
    sites: list[CornerId] = [corner for corner in board.next_corners[far] if corner in outlook.open]
    return max((outlook.worth(site) for site in sites), default=0)


def _way_out(outlook: Outlook, start: EdgeId) -> int:
    """How far it is to the nearest tile that is face down."""
    ways = voyages(outlook.chart, start, None)
    return next((len(path) for edge, path in ways.items() if edge in outlook.chart.discoveries), len(ways))


def _discard(outlook: Outlook, moves: Moves) -> Move:
    """Keep as even a hand as possible."""
    hand = outlook.hand
    bags = of_kind(moves, Discard)
    return min(bags, key=lambda move: sum((hand[card] - move.resources.get(card, 0)) ** 2 for card in RESOURCES))


def _pirate(outlook: Outlook, moves: Moves) -> Move | None:
    """Rob whoever has most buildings, where most ships of opponents lie."""
    view, sides = outlook.view, outlook.board.sides

    def spite(move: PlacePirate) -> tuple[int, int]:
        ships = sum(
            move.hex in sides[ship.edge]
            for seat, state in enumerate(view.seats)
            if seat != outlook.seat
            for ship in state.ships.values()
        )
        victim = None if move.victim is None else view.seats[move.victim]
        return (len(victim.settlements) + 2 * len(victim.harbors) if victim else 0), ships

    return max(of_kind(moves, PlacePirate), key=spite, default=None)


def _trade_build(outlook: Outlook, moves: Moves) -> Move | None:
    offer = outlook.view.offer
    if offer is None:
        return improvement(outlook, moves)
    if outlook.seat == outlook.view.active_seat:
        return next(iter(of_kind(moves, ConfirmTrade)), None) or WithdrawTrade()
    gains = _value(outlook, offer.give) > _value(outlook, offer.want)
    return AcceptTrade() if gains and AcceptTrade() in moves else DeclineTrade()


def _value(outlook: Outlook, goods: Bundle) -> int:
    """What goods are worth to the seat: a coin half a card, and a card of which it has none twice as much."""
    return sum(count * (1 if good == "gold" else 2 if outlook.hand[good] else 4) for good, count in goods.items())


ADVICE: dict[str, Callable[[Outlook, Moves], Move | None]] = {
    "founding": _founding,
    "discard": _discard,
    "pirate": _pirate,
    "trade_build": _trade_build,
    "movement": voyage,
}
"""What to do in each phase that leaves a choice; else the first move, so as a hero advance."""
