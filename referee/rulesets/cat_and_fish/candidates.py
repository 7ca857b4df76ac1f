"""Moves worth trying, by phase: generous where the rules judge them, exact where there can be dozens."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Final, TypeVar

from msgspec import UNSET, UnsetType

from referee.kernel.candidates import Candidates, Proved
from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.board import ADJACENT, DISTANCE
from referee.rulesets.cat_and_fish.catastrophes import MoveMonster, MoveOil, MoveTyphoon, PlaceMonster
from referee.rulesets.cat_and_fish.decks import DrawMagic, OpenTreasure
from referee.rulesets.cat_and_fish.dues import PayDues, dues_answers
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.fishing import Fish, good_haul_hexes, hexes_in_reach
from referee.rulesets.cat_and_fish.flight import Flee, flight_answers
from referee.rulesets.cat_and_fish.names import (
    BOOSTS,
    CORNERS,
    FOR_SALE,
    HEXES,
    SPACES,
    Boost,
    Corner,
    Phase,
    Space,
)
from referee.rulesets.cat_and_fish.placement import PlaceMarker, StopPlacing, can_choose
from referee.rulesets.cat_and_fish.position import (
    Flight,
    Position,
    fish_held,
    has_free_place,
    is_safe,
)
from referee.rulesets.cat_and_fish.sailing import Sail, routes, warps
from referee.rulesets.cat_and_fish.thief import Steal
from referee.rulesets.cat_and_fish.trading import Buy, Sell, can_buy, is_saleable
from referee.rulesets.cat_and_fish.turns import EndTurn
from referee.rulesets.cat_and_fish.wizard import Change, money_left, ways

T = TypeVar("T")
PLACING_WEIGHT: Final = 4
PLACINGS: Final = {space: PlaceMarker(space=space) for space in SPACES}
STOPPING: Final = Proved((StopPlacing(),))
Naming = Callable[[Position, Seat, Edition], Candidates]


def candidates(position: Position, seat: Seat, edition: Edition) -> Candidates:
    """Every legal move of a seat is among these. The order of sold tiles and of boosts does not make another move."""
    return CANDIDATES[position.phase](position, seat, edition)


def bags(items: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """Every different bag of one or more of these items, smaller bags first."""
    held = Counter(items)
    taken = product(*(range(count + 1) for count in held.values()))
    for counts in sorted(taken, key=sum):
        if any(counts):
            yield tuple([item for item, count in zip(held, counts, strict=True) for _ in range(count)])


def placings(position: Position, seat: Seat, edition: Edition) -> Candidates:
    """Put a marker on any open space, which is what random play mostly does, or stop placing."""
    open_to = [space for space in SPACES if can_choose(position, seat, space, edition)]
    yield Proved(tuple([PLACINGS[space] for space in open_to]), PLACING_WEIGHT)
    yield STOPPING


def actions(position: Position, seat: Seat, edition: Edition) -> Candidates:
    """Basic actions with every marker that can be spent, other actions with their own, and the end of the turn."""
    state = position.seats[seat]
    for space, basic in BASIC_ACTIONS.items():
        if changes := ways(state, space, position.options, edition):
            yield from basic(position, seat, edition, changes)
    for space in dict.fromkeys(state.placed):
        if space in OTHER_ACTIONS:
            yield from OTHER_ACTIONS[space](position, seat, edition)
    yield Proved((EndTurn(),))


Changes = tuple[Change | UnsetType, ...]


def _fishings(position: Position, seat: Seat, edition: Edition, changes: Changes) -> Candidates:
    state = position.seats[seat]
    if not has_free_place(state, edition):
        return
    near = hexes_in_reach(state, edition)
    yield Proved(
        tuple([Fish(hex=hex, change=way) for way in changes for hex in near if position.board[hex] is not None])
    )
    if "good_haul" in state.magic and good_haul_hexes(position, seat):
        yield from (Fish(hex=hex, good_haul=True, change=way) for way in changes for hex in near)


def _sailings(position: Position, seat: Seat, edition: Edition, changes: Changes) -> Candidates:
    state = position.seats[seat]
    boosts: list[Boost] = [boost for boost in BOOSTS for _ in range(state.magic.count(boost))]
    lengths = routes(position, seat, edition.sailing_range + sum(edition.boosts[boost] for boost in boosts))
    nearest_first = [corner for corner in DISTANCE[state.pawn] if corner in lengths]
    safe = [corner for corner in CORNERS if corner != state.pawn and is_safe(position, corner)]

    def within(edges: int) -> list[Corner]:
        return [corner for corner in nearest_first if lengths[corner] <= edges]

    for way in changes:
        yield Proved(tuple([Sail(to=corner, change=way) for corner in within(edition.sailing_range)]))
        for bag in bags(boosts):
            edges = edition.sailing_range + sum(edition.boosts[boost] for boost in bag)
            yield Proved(tuple([Sail(to=corner, boosts=bag, change=way) for corner in within(edges)]))
        for warp in warps(state, money_left(state, way, edition), position.options, edition):
            yield Proved(tuple([Sail(to=corner, warp=warp, change=way) for corner in safe]))


def _sales(position: Position, seat: Seat, edition: Edition, changes: Changes) -> Candidates:
    state = position.seats[seat]
    saleable = [tile for tile in state.store if is_saleable(state, tile)]
    yield Proved(tuple([Sell(tiles=bag, change=way) for way in changes for bag in bags(saleable)]))


def _purchases(position: Position, seat: Seat, edition: Edition, changes: Changes) -> Candidates:
    for way in changes:
        money = money_left(position.seats[seat], way, edition)
        kinds = [kind for kind in FOR_SALE if can_buy(position, seat, kind, money, edition)]
        yield Proved(tuple([Buy(card=kind, change=way) for kind in kinds]))


BASIC_ACTIONS: Final[dict[Space, Callable[[Position, Seat, Edition, Changes], Candidates]]] = {
    "fishing": _fishings,
    "sailing": _sailings,
    "selling": _sales,
    "buying": _purchases,
}


def _typhoon(position: Position, seat: Seat, edition: Edition) -> Iterator[Move]:
    near = ADJACENT[position.typhoon]
    yield from (MoveTyphoon(to=hex) for hex in near)
    if "storm" in position.seats[seat].magic:
        far = dict.fromkeys([*near, *(hex for over in near for hex in ADJACENT[over])])
        yield from (MoveTyphoon(to=hex, storm=True) for hex in far)


def _oil(position: Position, seat: Seat, edition: Edition) -> Iterator[Move]:
    return (MoveOil(to=hex) for hex in ADJACENT[position.oil])


def _monster(position: Position, seat: Seat, edition: Edition) -> Iterator[Move]:
    if position.monster is not None:
        yield from (MoveMonster(to=hex) for hex in ADJACENT[position.monster])


def _thief(position: Position, seat: Seat, edition: Edition) -> Iterator[Move]:
    for victim, state in enumerate(position.seats):
        yield from (Steal(seat=Seat(victim), tile=tile) for tile in fish_held(state))


def _treasure(position: Position, seat: Seat, edition: Edition) -> Iterator[Move]:
    yield OpenTreasure()


def _magic(position: Position, seat: Seat, edition: Edition) -> Iterator[Move]:
    yield DrawMagic()


OTHER_ACTIONS: Final[dict[Space, Naming]] = {
    "typhoon": _typhoon,
    "oil": _oil,
    "summoner": _monster,
    "thief": _thief,
    "treasure_island": _treasure,
    "magic_library": _magic,
}


def flights(position: Position, seat: Seat, edition: Edition) -> Iterator[Move]:
    """Every answer that a victim can give."""
    assert isinstance(position.pending, Flight)
    for answer in flight_answers(position, position.pending.kind, seat):
        yield Flee(to=answer.to, tile=UNSET if answer.tile is None else answer.tile)


def payments(position: Position, seat: Seat, edition: Edition) -> Iterator[Move]:
    """Every way to pay the dues."""
    for answer in dues_answers(position.seats[seat], edition):
        yield PayDues(with_=answer.with_, tile=UNSET if answer.tile is None else answer.tile)


def monster_placings(position: Position, seat: Seat, edition: Edition) -> Iterator[Move]:
    """Put the monster on any sea hex."""
    return (PlaceMonster(hex=hex) for hex in HEXES)


CANDIDATES: Final[dict[Phase, Naming]] = {
    "placement": placings,
    "execution": actions,
    "flee": flights,
    "dues": payments,
    "monster": monster_placings,
}
"""A seat is awaited in these phases only."""
