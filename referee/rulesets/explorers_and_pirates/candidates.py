"""Moves worth trying. The rules judge those that do not come as `Proved`."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from msgspec.structs import astuple

from referee.kernel.candidates import Candidates, Many, Proved, proved_if
from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.advantages import sales_per_turn
from referee.rulesets.explorers_and_pirates.building import (
    BuildHarbor,
    BuildRoad,
    BuildSettlement,
    BuildShip,
    edges_in_reach,
)
from referee.rulesets.explorers_and_pirates.candidates_at_sea import movement_candidates
from referee.rulesets.explorers_and_pirates.cargo import BuildSettler, DiscardCargo, Store
from referee.rulesets.explorers_and_pirates.discards import Discard
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.exchanges import (
    BankTrade,
    BuyResource,
    SellResource,
    can_buy,
    can_give,
    has_purchase_left,
)
from referee.rulesets.explorers_and_pirates.founding import (
    PlaceHarbor,
    PlaceRoad,
    PlaceSettlement,
    PlaceSettlerShip,
    current_step,
    road_sites,
)
from referee.rulesets.explorers_and_pirates.missions.captures import CaptureLair, ClaimHero
from referee.rulesets.explorers_and_pirates.names import GOODS, RESOURCES, Bag, Cargo, EdgeId
from referee.rulesets.explorers_and_pirates.offers import (
    AcceptTrade,
    ConfirmTrade,
    DeclineTrade,
    OfferTrade,
    WithdrawTrade,
    held_by_opponents,
)
from referee.rulesets.explorers_and_pirates.pieces import (
    buildings,
    carried,
    crowded,
    keeps_distance,
    parts_of,
    passing_ship,
    roads,
    ship_sites,
)
from referee.rulesets.explorers_and_pirates.pirates import PassPirate, PlacePirate, lies_along
from referee.rulesets.explorers_and_pirates.position import Hand, Position, SeatState, key, opponents
from referee.rulesets.explorers_and_pirates.pressing import SELDOM, pressing
from referee.rulesets.explorers_and_pirates.production import RollDice
from referee.rulesets.explorers_and_pirates.scenarios import scenario_of
from referee.rulesets.explorers_and_pirates.sites import barred_hexes, open_paths
from referee.rulesets.explorers_and_pirates.turns import EndTurn, StartMovement, lairs_due
from referee.rulesets.explorers_and_pirates.units import BuildUnit
from referee.rulesets.explorers_and_pirates.wealth import amount_of, holds

Moves = Iterable[Move]

BANK_TRADES: Final = {
    give: Proved(tuple(BankTrade(give=give, take=take) for take in GOODS if take != give)) for give in RESOURCES
}
PURCHASES: Final = Proved(tuple(BuyResource(resource=resource) for resource in RESOURCES))


def candidates(position: Position, seat: Seat, edition: Edition) -> Candidates:
    """All moves of an awaited seat, except most offers and paths, which are families."""
    return CANDIDATES[position.phase](position, seat, edition)


def _founding(position: Position, seat: Seat, edition: Edition) -> Moves:
    board, taken = position.board, buildings(position)
    match current_step(position).placement:
        case "place_harbor":
            return (
                PlaceHarbor(corner=site) for site in board.map.harbor_sites if keeps_distance(position, site, taken)
            )
        case "place_settlement":
            sites = (corner for corner in board.hexes_at if corner in board.island_corners)
            return (PlaceSettlement(corner=site) for site in sites if keeps_distance(position, site, taken))
        case "place_road":
            return (PlaceRoad(edge=edge) for edge in road_sites(position, seat))
        case "place_settler_ship":
            return (PlaceSettlerShip(edge=edge) for edge in ship_sites(position, seat))


def _discard(position: Position, seat: Seat, edition: Edition) -> Candidates:
    assert position.discards is not None
    need = position.discards.need[key(seat)]
    yield Many(Discard(resources=bag) for bag in bags_of(position.seats[seat].resources, need))


def bags_of(hand: Hand, count: int, place: int = 0) -> Iterator[Bag]:
    """Every distinct bag of `count` cards, of the resources from index `place` on."""
    if place == len(RESOURCES):
        yield {}
        return
    resource = RESOURCES[place]
    held: int = getattr(hand, resource)
    later: int = sum(getattr(hand, other) for other in RESOURCES[place + 1 :])
    for taken in range(max(0, count - later), min(held, count) + 1):
        for rest in bags_of(hand, count - taken, place + 1):
            yield {resource: taken, **rest} if taken else rest


def _pirate(position: Position, seat: Seat, edition: Edition) -> Moves:
    for hex in position.chart.pirate_places:
        yield PlacePirate(hex=hex)
        for other in opponents(position, seat):
            if lies_along(position, other, hex):
                yield PlacePirate(hex=hex, victim=other)
    yield PassPirate()


def _trade_and_build(position: Position, seat: Seat, edition: Edition) -> Candidates:
    if position.offer is not None:
        yield from (ConfirmTrade(partner=other) for other in position.offer.accepted)
        yield from (WithdrawTrade(), AcceptTrade(), DeclineTrade())
        return
    yield from _offers(position, seat, edition)
    yield from _exchanges(position, seat, edition)
    yield from _buildings(position, seat, edition)
    yield from _ships_and_crews(position, seat, edition)
    yield discarded_cargo(position.seats[seat])
    yield Proved((StartMovement(),), SELDOM)
    yield Proved((EndTurn(),))


def _offers(position: Position, seat: Seat, edition: Edition) -> Moves:
    """The first offer of a turn: a card that the seat has twice for one that it lacks. All offers are a family."""
    if not position.this_turn.offered:
        state, wanted = position.seats[seat], held_by_opponents(position, seat, edition)
        for give in [resource for resource in RESOURCES if amount_of(state, resource) > 1]:
            for want in [resource for resource in RESOURCES if wanted[resource] and not amount_of(state, resource)]:
                yield OfferTrade(give={give: 1}, want={want: 1})


def _exchanges(position: Position, seat: Seat, edition: Edition) -> Candidates:
    state = position.seats[seat]
    stocked = 0 not in astuple(position.bank)  # EP-28, EP-29
    for give in RESOURCES:
        if can_give(state, give, edition):
            yield from proved_if(stocked, BANK_TRADES[give])
    if has_purchase_left(position, edition) and can_buy(state, edition):
        yield from proved_if(stocked, PURCHASES)
    if position.villages and position.this_turn.gold_sales < sales_per_turn(position, seat, edition):
        yield from (SellResource(resource=resource) for resource in RESOURCES if amount_of(state, resource))


def _buildings(position: Position, seat: Seat, edition: Edition) -> Candidates:
    state, board, prices = position.seats[seat], position.board, edition.prices
    if holds(state, prices.road) and len(state.roads) < edition.supply.road:
        yield Proved(tuple([BuildRoad(edge=edge) for edge in _free_paths(position, seat)]))
    if holds(state, prices.settlement):
        ends = dict.fromkeys(end for edge in state.roads for end in board.ends[edge])
        built = buildings(position)
        yield from pressing(BuildSettlement(corner=end) for end in ends if keeps_distance(position, end, built))
    if holds(state, prices.harbor):
        yield from pressing(BuildHarbor(corner=corner) for corner in state.settlements)


def _free_paths(position: Position, seat: Seat) -> Iterator[EdgeId]:
    """The paths on which a seat may build a road, if it can pay."""
    barred = barred_hexes(position, position.chart, seat)
    free, taken = open_paths(position.chart, barred), roads(position)  # EP-23 to EP-25, EP-59
    return (edge for edge in edges_in_reach(position, seat) if edge in free and edge not in taken)


def _ships_and_crews(position: Position, seat: Seat, edition: Edition) -> Candidates:
    state, prices = position.seats[seat], edition.prices
    if holds(state, prices.ship):
        edges, full = dict.fromkeys(ship_sites(position, seat)), crowded(position, edition)
        charted = edges.keys().isdisjoint(position.chart.discoveries)  # EP-65
        if len(state.ships) < edition.supply.ship:
            ships = [BuildShip(edge=edge) for edge in edges if edge not in full]
        else:
            charted = charted and edges.keys().isdisjoint(full)  # EP-64
            ships = [BuildShip(edge=edge, replace=ship) for edge in edges for ship in state.ships]
        yield from proved_if(charted, Proved(tuple(ships)))
    if holds(state, prices.settler) and carried(state, "settler") < edition.supply.settler:
        yield from pressing(BuildSettler(place=place) for place, held in stores(state) if not held)
    if scenario_of(position).has_units and holds(state, prices.unit):
        yield from pressing(BuildUnit(place=place) for place, held in stores(state) if len(held) < edition.small_places)


def stores(state: SeatState) -> Iterator[tuple[Store, Cargo]]:
    """Every hold and basin of a seat, with its pieces."""
    for corner, basin in state.harbors.items():
        yield Store(harbor=corner), basin
    for ship, there in state.ships.items():
        yield Store(ship=ship), there.cargo


def discarded_cargo(state: SeatState) -> Proved:
    """Every choice of pieces to throw away (EP-31)."""
    return Proved(
        tuple([DiscardCargo(place=place, pieces=part) for place, held in stores(state) for part in parts_of(held)])
    )


def _movement(position: Position, seat: Seat, edition: Edition) -> Candidates:
    yield from movement_candidates(position, seat, edition)
    yield discarded_cargo(position.seats[seat])
    yield from proved_if(passing_ship(position, edition) is None, Proved((EndTurn(),), SELDOM))  # EP-75


def _nothing(position: Position, seat: Seat, edition: Edition) -> Moves:
    return ()


CANDIDATES: dict[str, Callable[[Position, Seat, Edition], Candidates]] = {
    "setup": _nothing,
    "founding": _founding,
    "roll": lambda position, seat, edition: (Proved((RollDice(),)),),
    "discard": _discard,
    "pirate": _pirate,
    "trade_build": _trade_and_build,
    "movement": _movement,
    "captures": lambda position, seat, edition: (CaptureLair(hex=hex) for hex in lairs_due(position, edition)),
    "hero": lambda position, seat, edition: (ClaimHero(advance=True), ClaimHero(advance=False)),
    "finished": _nothing,
}
