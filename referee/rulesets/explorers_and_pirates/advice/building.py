"""How a plain but sensible player trades and builds: what it can pay, at once or after exchanges."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from msgspec import UnsetType

from referee.kernel.message import Move
from referee.rulesets.explorers_and_pirates.advice.prospects import Prospects
from referee.rulesets.explorers_and_pirates.building import BuildHarbor, BuildRoad, BuildSettlement, BuildShip
from referee.rulesets.explorers_and_pirates.cargo import BuildSettler, DiscardCargo
from referee.rulesets.explorers_and_pirates.exchanges import BankTrade, BuyResource, SellResource
from referee.rulesets.explorers_and_pirates.names import RESOURCES, Bag, CornerId
from referee.rulesets.explorers_and_pirates.offers import OfferTrade
from referee.rulesets.explorers_and_pirates.turns import EndTurn, StartMovement
from referee.rulesets.explorers_and_pirates.units import BuildUnit

HOARD = 7
"""With more cards than this a 7 costs half of them, so it is better to exchange some."""
UNITS_UNDER_WAY = 3


class Goal(NamedTuple):
    """Something worth building, and what it costs."""

    kind: type[Move]
    price: Bag


def improvement(prospects: Prospects, moves: tuple[Move, ...]) -> Move:
    """Build; else exchange cards to build something; else go to sea."""
    goals, promise = list(_goals(prospects)), partial(_promise, prospects)
    for goal in goals:
        best = max((move for move in moves if isinstance(move, goal.kind)), key=promise, default=None)
        if best is not None and promise(best) > 0:
            return best
    return (
        _useful_trade(prospects, goals, moves)
        or _thrown_away(prospects, moves)
        or (StartMovement() if prospects.own.ships else EndTurn())
    )


def _goals(prospects: Prospects) -> Iterator[Goal]:
    """The things that the seat would build if it could pay, best first."""
    own, supply, prices = prospects.own, prospects.edition.supply, prospects.edition.prices
    free_settlement = len(own.settlements) < supply.settlement
    settlers = prospects.carried("settler")
    if len(own.harbors) < supply.harbor and any(corner in prospects.chart.coast for corner in own.settlements):
        yield Goal(BuildHarbor, prices.harbor)
    sites = _sites_at_roads(prospects)
    if free_settlement and sites:
        yield Goal(BuildSettlement, prices.settlement)
    if not own.ships:
        yield Goal(BuildShip, prices.ship)
    room = any(not cargo for cargo in prospects.cargoes())
    if room and not settlers and len(own.settlements) + settlers < supply.settlement:
        yield Goal(BuildSettler, prices.settler)
    if _needs_unit(prospects):
        yield Goal(BuildUnit, prices.unit)
    if own.ships and len(own.ships) < supply.ship and _needs_ship(prospects):
        yield Goal(BuildShip, prices.ship)
    if free_settlement and not sites and len(own.roads) < supply.road and prospects.sites_by_road:
        yield Goal(BuildRoad, prices.road)


def _needs_unit(prospects: Prospects) -> bool:
    """Whether there is work for one more unit, and a ship to carry it."""
    if prospects.berths < 1:
        return False
    under_way = prospects.carried("unit") + len(prospects.left_behind)
    wanted = len(prospects.villages) + sum(prospects.lairs.values())
    return under_way < min(UNITS_UNDER_WAY, wanted)


def _needs_ship(prospects: Prospects) -> bool:
    """Whether there is work for one more ship."""
    ships = prospects.own.ships.values()
    waiting = any(prospects.own.harbors.values()) and all(ship.cargo for ship in ships)
    return waiting or not prospects.is_charted or prospects.pursues("fish")


def _sites_at_roads(prospects: Prospects) -> list[CornerId]:
    """The corners at own roads where a settlement may stand."""
    ends = dict.fromkeys(end for road in prospects.own.roads for end in prospects.board.ends[road])
    return [corner for corner in ends if corner in prospects.open]


def _promise(prospects: Prospects, move: Move) -> int:
    """How good a place is for the piece; 0 if the player should not build there."""
    match move:
        case BuildHarbor(corner=corner):
            overseas = corner not in prospects.board.island_corners  # a harbour settlement there saves voyages
            return 1 + prospects.worth(corner) + (4 if overseas else 0)
        case BuildSettlement(corner=corner):
            return 1 + prospects.worth(corner)
        case BuildSettler(place=place) | BuildUnit(place=place):
            if isinstance(place.ship, UnsetType):
                assert not isinstance(place.harbor, UnsetType)
                return 1 + _ships_at(prospects, place.harbor)
            return 4 + len(prospects.own.ships[place.ship].cargo)
        case BuildShip(edge=edge, replace=None):
            ends = prospects.board.ends[edge]
            return 1 + sum(len(prospects.own.harbors.get(end, ())) for end in ends)
        case BuildRoad(edge=edge):
            ends = prospects.board.ends[edge]
            near = prospects.sites_by_road.get(edge, ())
            return max((prospects.worth(site) + 9 * (site in ends) for site in near), default=0)
    return 0


def _ships_at(prospects: Prospects, corner: CornerId) -> int:
    return sum(corner in prospects.board.ends[ship.edge] for ship in prospects.own.ships.values())


def _useful_trade(prospects: Prospects, goals: list[Goal], moves: tuple[Move, ...]) -> Move | None:
    """An offer, or the next exchange towards the nearest goal; else an exchange that evens a large hand."""
    nearest = sorted(goals, key=lambda goal: _missing(prospects, goal.price))
    offer = _offer(prospects, nearest, moves)
    if offer is not None:
        return offer
    trades = [move for move in moves if isinstance(move, (BankTrade, BuyResource))]
    if not trades:
        return None
    for goal in nearest:
        if (trade := _towards(prospects, goal.price)) in trades:
            return trade
    if sum(prospects.hand.values()) <= HOARD:
        return None
    most = max(RESOURCES, key=lambda card: prospects.hand[card])
    least = min(RESOURCES, key=lambda card: prospects.hand[card])
    evened = BankTrade(give=most, take=least)
    return evened if evened in trades else None


def _offer(prospects: Prospects, goals: list[Goal], moves: tuple[Move, ...]) -> Move | None:
    """An offer of a card that a goal does not need for one that it lacks; the nearest goal first."""
    offers = [move for move in moves if isinstance(move, OfferTrade)]
    for goal in goals if offers else ():
        spare = {card for card in RESOURCES if prospects.hand[card] > goal.price.get(card, 0)}
        lacking = {card for card, count in goal.price.items() if prospects.hand[card] < count}
        for offer in offers:
            if spare.issuperset(offer.give) and lacking.issuperset(offer.want):
                return offer
    return None


def _missing(prospects: Prospects, price: Bag) -> int:
    return sum(max(0, count - prospects.hand[card]) for card, count in price.items())


def _towards(prospects: Prospects, price: Bag) -> Move | None:
    """The first of the exchanges that together make a price affordable; None if they cannot."""
    hand, edition = prospects.hand, prospects.edition
    wanted = [card for card, count in price.items() if hand[card] < count]
    spare = {card: hand[card] - price.get(card, 0) for card in RESOURCES}
    turn = prospects.view.turn
    assert turn is not None
    bought = min(prospects.coins // edition.gold_price, edition.gold_buys - turn.gold_buys)
    swapped = sum(max(0, count) // edition.bank_rate for count in spare.values())
    if not wanted or _missing(prospects, price) > bought + swapped:
        return None
    if bought:
        return BuyResource(resource=wanted[0])
    most = max(RESOURCES, key=lambda card: spare[card])
    return BankTrade(give=most, take=wanted[0])


def _thrown_away(prospects: Prospects, moves: tuple[Move, ...]) -> Move | None:
    """Sell a spare card, or make room where units have nothing left to do."""
    for move in moves:
        match move:
            case SellResource(resource=resource) if prospects.hand[resource] > prospects.edition.bank_rate:
                return move
            case DiscardCargo(pieces=pieces) if set(pieces) == {"unit"} and not prospects.wants_units:
                return move
    return None
