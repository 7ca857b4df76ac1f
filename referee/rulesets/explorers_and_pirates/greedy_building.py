"""How a plain but sensible player trades and builds: what is affordable, or what trade makes so at once."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from msgspec import UnsetType

from referee.kernel.message import Move
from referee.rulesets.explorers_and_pirates.building import BuildHarbor, BuildRoad, BuildSettlement, BuildShip
from referee.rulesets.explorers_and_pirates.cargo import BuildSettler, DiscardCargo
from referee.rulesets.explorers_and_pirates.exchanges import BankTrade, BuyResource, SellResource
from referee.rulesets.explorers_and_pirates.ids import RESOURCES, Bag, CornerId
from referee.rulesets.explorers_and_pirates.outlook import Outlook
from referee.rulesets.explorers_and_pirates.turns import EndTurn, StartMovement
from referee.rulesets.explorers_and_pirates.units import BuildUnit

HOARD = 7
"""With more cards than these, a seven costs half of them: better exchange some."""
UNITS_UNDER_WAY = 3


class Goal(NamedTuple):
    """Something worth building, and what it costs."""

    kind: type[Move]
    price: Bag


def improvement(outlook: Outlook, moves: tuple[Move, ...]) -> Move:
    """Build, else trade for what can then be built, else go to sea."""
    goals, promise = list(_goals(outlook)), partial(_promise, outlook)
    for goal in goals:
        best = max((move for move in moves if isinstance(move, goal.kind)), key=promise, default=None)
        if best is not None and promise(best) > 0:
            return best
    return (
        _useful_trade(outlook, goals, moves)
        or _thrown_away(outlook, moves)
        or (StartMovement() if outlook.own.ships else EndTurn())
    )


def _goals(outlook: Outlook) -> Iterator[Goal]:
    """What the seat would build if it could pay, best first."""
    own, supply, prices = outlook.own, outlook.edition.supply, outlook.edition.prices
    free_settlement = len(own.settlements) < supply.settlement
    settlers = outlook.carried("settler")
    if len(own.harbors) < supply.harbor and any(corner in outlook.chart.coast for corner in own.settlements):
        yield Goal(BuildHarbor, prices.harbor)
    sites = _sites_at_roads(outlook)
    if free_settlement and sites:
        yield Goal(BuildSettlement, prices.settlement)
    if not own.ships:
        yield Goal(BuildShip, prices.ship)
    room = any(not cargo for cargo in outlook.cargoes())
    if room and not settlers and len(own.settlements) + settlers < supply.settlement:
        yield Goal(BuildSettler, prices.settler)
    if _needs_unit(outlook):
        yield Goal(BuildUnit, prices.unit)
    if own.ships and len(own.ships) < supply.ship and _needs_ship(outlook):
        yield Goal(BuildShip, prices.ship)
    if free_settlement and not sites and len(own.roads) < supply.road and outlook.sites_by_road:
        yield Goal(BuildRoad, prices.road)


def _needs_unit(outlook: Outlook) -> bool:
    under_way = outlook.carried("unit") + len(outlook.left_behind)
    wanted = len(outlook.villages) + sum(outlook.lairs.values())
    return under_way < min(UNITS_UNDER_WAY, wanted)


def _needs_ship(outlook: Outlook) -> bool:
    """Whether there is work for one more ship."""
    ships = outlook.own.ships.values()
    waiting = any(outlook.own.harbors.values()) and all(ship.cargo for ship in ships)
    return waiting or not outlook.is_charted or outlook.pursues("fish")


def _sites_at_roads(outlook: Outlook) -> list[CornerId]:
    """The corners at own roads where a settlement may stand."""
    ends = dict.fromkeys(end for road in outlook.own.roads for end in outlook.board.ends[road])
    return [corner for corner in ends if corner in outlook.open]


def _promise(outlook: Outlook, move: Move) -> int:
    """How good a place is for what is built; 0: better not."""
    match move:
        case BuildHarbor(corner=corner):
            overseas = corner not in outlook.board.island_corners  # a harbour settlement there saves voyages
            return 1 + outlook.worth(corner) + (4 if overseas else 0)
        case BuildSettlement(corner=corner):
            return 1 + outlook.worth(corner)
        case BuildSettler(place=place) | BuildUnit(place=place):
            if isinstance(place.ship, UnsetType):
                assert not isinstance(place.harbor, UnsetType)
                return 1 + _ships_at(outlook, place.harbor)
            return 4 + len(outlook.own.ships[place.ship].cargo)
        case BuildShip(edge=edge, replace=None):
            ends = outlook.board.ends[edge]
            return 1 + sum(len(outlook.own.harbors.get(end, ())) for end in ends)
        case BuildRoad(edge=edge):
            ends = outlook.board.ends[edge]
            near = outlook.sites_by_road.get(edge, ())
            return max((outlook.worth(site) + 9 * (site in ends) for site in near), default=0)
    return 0


def _ships_at(outlook: Outlook, corner: CornerId) -> int:
    return sum(corner in outlook.board.ends[ship.edge] for ship in outlook.own.ships.values())


def _useful_trade(outlook: Outlook, goals: list[Goal], moves: tuple[Move, ...]) -> Move | None:
    """The next exchange on the way to what can be had this turn, nearest first; else one that evens a large hand."""
    trades = [move for move in moves if isinstance(move, (BankTrade, BuyResource))]
    if not trades:
        return None
    for goal in sorted(goals, key=lambda goal: _missing(outlook, goal.price)):
        if (trade := _towards(outlook, goal.price)) in trades:
            return trade
    if sum(outlook.hand.values()) <= HOARD:
        return None
    most = max(RESOURCES, key=lambda card: outlook.hand[card])
    least = min(RESOURCES, key=lambda card: outlook.hand[card])
    evened = BankTrade(give=most, take=least)
    return evened if evened in trades else None


def _missing(outlook: Outlook, price: Bag) -> int:
    return sum(max(0, count - outlook.hand[card]) for card, count in price.items())


def _towards(outlook: Outlook, price: Bag) -> Move | None:
    """The first of the exchanges that together make a price affordable; None if they cannot."""
    hand, edition = outlook.hand, outlook.edition
    wanted = [card for card, count in price.items() if hand[card] < count]
    spare = {card: hand[card] - price.get(card, 0) for card in RESOURCES}
    turn = outlook.view.turn
    assert turn is not None
    bought = min(outlook.own.gold // edition.gold_price, edition.gold_buys - turn.gold_buys)
    swapped = sum(max(0, count) // edition.bank_rate for count in spare.values())
    if not wanted or _missing(outlook, price) > bought + swapped:
        return None
    if bought:
        return BuyResource(resource=wanted[0])
    most = max(RESOURCES, key=lambda card: spare[card])
    return BankTrade(give=most, take=wanted[0])


def _thrown_away(outlook: Outlook, moves: tuple[Move, ...]) -> Move | None:
    """Sell a spare card, or make room where units have nothing to do any more."""
    for move in moves:
        match move:
            case SellResource(resource=resource) if outlook.hand[resource] > outlook.edition.bank_rate:
                return move
            case DiscardCargo(pieces=pieces) if set(pieces) == {"unit"} and not outlook.wants_units:
                return move
    return None
