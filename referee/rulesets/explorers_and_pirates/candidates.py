"""Moves worth trying. The rules judge those that do not come as `Proved`."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain

from msgspec import UNSET

from referee.kernel.candidates import Candidates, Proved, proved_if, proved_in_reach
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
from referee.rulesets.explorers_and_pirates.cargo import BuildSettler, DiscardCargo, Store, is_at_harbor
from referee.rulesets.explorers_and_pirates.discards import Discard
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.exchanges import (
    BankTrade,
    BuyResource,
    SellResource,
    can_buy,
    can_give,
    goods_left,
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
from referee.rulesets.explorers_and_pirates.names import (
    RESOURCES,
    Bag,
    Cargo,
    CornerId,
    EdgeId,
    Good,
    Piece,
    Resource,
    ShipId,
)
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
    fits,
    has_units_left,
    keeps_distance,
    parts_of,
    passing_ship,
    roads,
    ship_sites,
)
from referee.rulesets.explorers_and_pirates.pirates import PassPirate, PlacePirate, has_loot, hexes_along
from referee.rulesets.explorers_and_pirates.position import Hand, Position, SeatState, key, opponents
from referee.rulesets.explorers_and_pirates.pressing import SELDOM, TIMES, pressing
from referee.rulesets.explorers_and_pirates.production import RollDice
from referee.rulesets.explorers_and_pirates.scenarios import scenario_of
from referee.rulesets.explorers_and_pirates.sites import barred_hexes, open_paths
from referee.rulesets.explorers_and_pirates.turns import EndTurn, StartMovement, lairs_due
from referee.rulesets.explorers_and_pirates.units import BuildUnit
from referee.rulesets.explorers_and_pirates.wealth import amount_of, holds

Moves = Iterable[Move]


@cache
def _trades(give: Resource, left: tuple[Good, ...]) -> Proved:
    """The exchanges of a resource for goods that the bank has left."""
    return Proved(tuple([BankTrade(give=give, take=take) for take in left if take != give]))


@cache
def _purchases(left: tuple[Good, ...]) -> Proved:
    """The purchases of cards that the bank has left."""
    return Proved(tuple([BuyResource(resource=resource) for resource in RESOURCES if resource in left]))


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
    yield proved_in_reach(Discard(resources=bag) for bag in bags_of(position.seats[seat].resources, need))  # EP-40


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


def _pirate(position: Position, seat: Seat, edition: Edition) -> Candidates:
    own = position.pirate.hex if position.pirate and position.pirate.seat == seat else None  # EP-43
    rich = [other for other in opponents(position, seat) if has_loot(position.seats[other], edition)]  # EP-45
    along = {other: hexes_along(position, other) for other in rich}  # EP-44
    yield Proved(
        tuple(
            [
                PlacePirate(hex=hex, victim=victim)
                for hex in position.chart.pirate_places  # EP-42
                if hex != own
                for victim in (None, *[other for other in rich if hex in along[other]])
            ]
        )
    )
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


def _offers(position: Position, seat: Seat, edition: Edition) -> Candidates:
    """The first offer of a turn: a card that the seat has twice for one that it lacks. All offers are a family."""
    if not position.this_turn.offered:
        state = position.seats[seat]
        spare = [resource for resource in RESOURCES if amount_of(state, resource) > 1]
        missing = [resource for resource in RESOURCES if not amount_of(state, resource)]
        if spare and missing:
            wanted = held_by_opponents(position, seat, edition)
            yield Proved(tuple([_offer(give, want) for give in spare for want in missing if wanted[want]]))  # EP-51


@cache
def _offer(give: Resource, want: Resource) -> OfferTrade:
    return OfferTrade(give={give: 1}, want={want: 1})


def _exchanges(position: Position, seat: Seat, edition: Edition) -> Candidates:
    state, left = position.seats[seat], goods_left(position)  # EP-28, EP-29
    for give in RESOURCES:
        if can_give(state, give, edition):
            yield _trades(give, left)
    if has_purchase_left(position, edition) and can_buy(state, edition):
        yield _purchases(left)
    if position.villages and position.this_turn.gold_sales < sales_per_turn(position, seat, edition):
        sales = Proved(tuple([SellResource(resource=resource) for resource in RESOURCES if amount_of(state, resource)]))
        yield from proved_if(position.bank.gold >= edition.sale_gold, sales)  # EP-29


def _buildings(position: Position, seat: Seat, edition: Edition) -> Candidates:
    state, board, prices = position.seats[seat], position.board, edition.prices
    if holds(state, prices.road) and len(state.roads) < edition.supply.road:
        yield Proved(tuple([BuildRoad(edge=edge) for edge in _free_paths(position, seat)]))
    if holds(state, prices.settlement):
        ends = dict.fromkeys([end for edge in state.roads for end in board.ends[edge]])
        built = buildings(position)
        yield from pressing([BuildSettlement(corner=end) for end in ends if keeps_distance(position, end, built)])
    if holds(state, prices.harbor) and len(state.harbors) < edition.supply.harbor:
        coast = position.chart.coast  # EP-62
        yield Proved(tuple([BuildHarbor(corner=corner) for corner in state.settlements if corner in coast]), TIMES)


def _free_paths(position: Position, seat: Seat) -> list[EdgeId]:
    """The paths on which a seat may build a road, if it can pay."""
    barred = barred_hexes(position, position.chart, seat)
    free, taken = open_paths(position.chart, barred), roads(position)  # EP-23 to EP-25, EP-59
    return [edge for edge in edges_in_reach(position, seat) if edge in free and edge not in taken]


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
        yield Proved(tuple([BuildSettler(place=place) for place in _places(position, seat, "settler", edition)]), TIMES)
    if scenario_of(position).has_units and holds(state, prices.unit) and has_units_left(position, seat, edition):
        yield Proved(tuple([BuildUnit(place=place) for place in _places(position, seat, "unit", edition)]), TIMES)


def _places(position: Position, seat: Seat, piece: Piece, edition: Edition) -> list[Store]:
    """The basins, and the ships at harbour settlements, that have room for a new piece (EP-30, EP-67)."""
    state = position.seats[seat]
    places = [Store(harbor=corner) for corner, basin in state.harbors.items() if fits((*basin, piece), edition)]
    return places + [
        Store(ship=ship)
        for ship, there in state.ships.items()
        if fits((*there.cargo, piece), edition) and is_at_harbor(position, state, there)
    ]


def discarded_cargo(state: SeatState) -> Proved:
    """Every choice of pieces to throw away (EP-31)."""
    found = [_thrown(corner, None, basin) for corner, basin in state.harbors.items() if basin]
    found += [_thrown(None, ship, there.cargo) for ship, there in state.ships.items() if there.cargo]
    return Proved(tuple(chain.from_iterable(found)))


@lru_cache(maxsize=4096)
def _thrown(harbor: CornerId | None, ship: ShipId | None, held: Cargo) -> tuple[DiscardCargo, ...]:
    """Every choice of pieces of one basin or hold."""
    place = Store(harbor=harbor) if harbor is not None else Store(ship=ship or UNSET)
    return tuple([DiscardCargo(place=place, pieces=part) for part in parts_of(held)])


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
