"""The moves of a plain but sensible player: it takes what looks best now, and never delays."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.advice.building import improvement
from referee.rulesets.explorers_and_pirates.advice.prospects import Prospects
from referee.rulesets.explorers_and_pirates.advice.sailing import voyage
from referee.rulesets.explorers_and_pirates.discards import Discard
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.founding import (
    PlaceHarbor,
    PlaceRoad,
    PlaceSettlement,
    PlaceSettlerShip,
    founding_steps,
)
from referee.rulesets.explorers_and_pirates.names import RESOURCES, Bundle, CornerId, EdgeId
from referee.rulesets.explorers_and_pirates.offers import (
    AcceptTrade,
    ConfirmTrade,
    DeclineTrade,
    WithdrawTrade,
    unanswered,
)
from referee.rulesets.explorers_and_pirates.pirates import PlacePirate
from referee.rulesets.explorers_and_pirates.view import View
from referee.rulesets.explorers_and_pirates.waters import voyages

M = TypeVar("M", bound=Move)
Moves = tuple[Move, ...]


def choose(view: View, seat: Seat, moves: Moves, edition: Edition) -> Move:
    """The move that looks best with this view; the first among equals."""
    if len(moves) == 1:
        return moves[0]
    prospects = Prospects(edition, view, seat)
    advised = ADVICE[view.phase](prospects, moves) if view.phase in ADVICE else None
    return moves[0] if advised is None else advised


def waits(view: View, seat: Seat, move: Move, edition: Edition) -> bool:
    """Whether the seat withdraws its offer only if those who have not answered take no time to answer."""
    return isinstance(move, WithdrawTrade) and view.offer is not None and bool(unanswered(view.offer))


def of_kind(moves: Iterable[Move], kind: type[M]) -> list[M]:
    """The moves of one kind."""
    return [move for move in moves if isinstance(move, kind)]


def _founding(prospects: Prospects, moves: Moves) -> Move:
    view = prospects.view
    assert view.founding_step is not None
    step = founding_steps(view.first_seat, len(view.seats))[view.founding_step]
    sign = -1 if step.neutral else 1

    def promise(move: Move) -> int:
        match move:
            case PlaceHarbor(corner=corner) | PlaceSettlement(corner=corner):
                return sign * prospects.worth(corner)
            case PlaceRoad(edge=edge):
                return _prospect(prospects, edge)
            case PlaceSettlerShip(edge=edge):
                return -_way_out(prospects, edge)
        return 0

    return max(moves, key=promise)


def _prospect(prospects: Prospects, road: EdgeId) -> int:
    """The best corner that one more road would reach."""
    board, (settlement,) = prospects.board, prospects.own.settlements
    (far,) = (end for end in board.ends[road] if end != settlement)
    sites: list[CornerId] = [corner for corner in board.next_corners[far] if corner in prospects.open]
    return max((prospects.worth(site) for site in sites), default=0)


def _way_out(prospects: Prospects, start: EdgeId) -> int:
    """The number of steps to the nearest face-down tile."""
    ways = voyages(prospects.chart, start, None)
    return next((len(path) for edge, path in ways.items() if edge in prospects.chart.discoveries), len(ways))


def _discard(prospects: Prospects, moves: Moves) -> Move:
    """Keep as even a hand as possible."""
    hand = prospects.hand
    bags = of_kind(moves, Discard)
    return min(bags, key=lambda move: sum((hand[card] - move.resources.get(card, 0)) ** 2 for card in RESOURCES))


def _pirate(prospects: Prospects, moves: Moves) -> Move | None:
    """Rob the opponent with the most buildings, on the hex with the most ships of opponents."""
    view, sides = prospects.view, prospects.board.sides

    def spite(move: PlacePirate) -> tuple[int, int]:
        ships = sum(
            move.hex in sides[ship.edge]
            for seat, state in enumerate(view.seats)
            if seat != prospects.seat
            for ship in state.ships.values()
        )
        victim = None if move.victim is None else view.seats[move.victim]
        return (len(victim.settlements) + 2 * len(victim.harbors) if victim else 0), ships

    return max(of_kind(moves, PlacePirate), key=spite, default=None)


def _trade_build(prospects: Prospects, moves: Moves) -> Move | None:
    offer = prospects.view.offer
    if offer is None:
        return improvement(prospects, moves)
    if prospects.seat == prospects.view.active_seat:
        return next(iter(of_kind(moves, ConfirmTrade)), None) or WithdrawTrade()
    gains = _value(prospects, offer.give) > _value(prospects, offer.want)
    return AcceptTrade() if gains and AcceptTrade() in moves else DeclineTrade()


def _value(prospects: Prospects, goods: Bundle) -> int:
    """What goods are worth to the seat: a coin half a card, and a card of which it has none twice as much."""
    return sum(count * (1 if good == "gold" else 2 if prospects.hand[good] else 4) for good, count in goods.items())


ADVICE: dict[str, Callable[[Prospects, Moves], Move | None]] = {
    "founding": _founding,
    "discard": _discard,
    "pirate": _pirate,
    "trade_build": _trade_build,
    "movement": voyage,
}
"""The advice for each phase with a choice; in other phases the first move, so a hero advances."""
