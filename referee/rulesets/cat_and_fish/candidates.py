"""Moves worth trying, by phase: generous where the rules judge them, exact where there can be dozens."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Final, TypeVar

from msgspec import UNSET, UnsetType

from referee.kernel.candidates import Candidates, Proved
from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.board import ADJACENT, DISTANCE, FISHING_DISTANCE
from referee.rulesets.cat_and_fish.catastrophes import MoveMonster, MoveOil, MoveTyphoon, PlaceMonster
from referee.rulesets.cat_and_fish.decks import DrawMagic, OpenTreasure
from referee.rulesets.cat_and_fish.dues import PayDues, dues_answers
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.fishing import Fish, good_haul_hexes
from referee.rulesets.cat_and_fish.flight import Flee, flight_answers
from referee.rulesets.cat_and_fish.names import (
    BASIC,
    BOOSTS,
    CORNERS,
    FOR_SALE,
    HEXES,
    SPACES,
    WHALE,
    Boost,
    Corner,
    Phase,
    Space,
)
from referee.rulesets.cat_and_fish.placement import PlaceMarker
from referee.rulesets.cat_and_fish.position import (
    Flight,
    Position,
    SeatState,
    fish_held,
    is_accessible,
    is_safe,
    owns,
    places,
    reach,
)
from referee.rulesets.cat_and_fish.sailing import Sail, routes
from referee.rulesets.cat_and_fish.thief import Steal
from referee.rulesets.cat_and_fish.trading import Buy, Sell
from referee.rulesets.cat_and_fish.turns import EndTurn
from referee.rulesets.cat_and_fish.wizard import Change

T = TypeVar("T")
Naming = Callable[[Position, Seat, Edition], Candidates]


def candidates(edition: Edition, position: Position, seat: Seat) -> Candidates:
    """Every legal move of a seat is among these, of sales and boosts each bag once."""
    return CANDIDATES[position.phase](position, seat, edition)


def bags(items: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """Every different bag of some of these items, the smaller before the larger, the empty one left out."""
    held = Counter(items)
    taken = product(*(range(count + 1) for count in held.values()))
    for counts in sorted(taken, key=sum):
        if any(counts):
            yield tuple([item for item, count in zip(held, counts, strict=True) for _ in range(count)])


def ways(state: SeatState, space: Space, edition: Edition) -> list[Change | UnsetType]:
    """How a seat can spend a marker for a basic action: its own, or one that the Wizard changes."""
    found: list[Change | UnsetType] = [UNSET] if space in state.placed else []
    if owns(state, "wizard"):
        others = [other for other in BASIC if other in state.placed and other != space]
        if state.money >= edition.wizard_fee:
            found += [Change(from_=other, by="wizard") for other in others]
        if "change" in state.magic:
            found += [Change(from_=other, by="change") for other in others]
    return found


def placings(position: Position, seat: Seat, edition: Edition) -> Iterator[Move]:
    """A marker on any space."""
    return (PlaceMarker(space=space) for space in SPACES)


def actions(position: Position, seat: Seat, edition: Edition) -> Candidates:
    """The basic actions by every way to a marker, the others by their own, and the end of the turn."""
    state = position.seats[seat]
    for space, basic in BASIC_ACTIONS.items():
        changes = ways(state, space, edition)
        if changes:
            yield from basic(position, seat, edition, changes)
    for space in dict.fromkeys(state.placed):
        if space in OTHER_ACTIONS:
            yield from OTHER_ACTIONS[space](position, seat, edition)
    yield Proved((EndTurn(),))


Changes = list[Change | UnsetType]


def _fishings(position: Position, seat: Seat, edition: Edition, changes: Changes) -> Candidates:
    state = position.seats[seat]
    if len(state.store) >= places(state, edition):
        return
    within = reach(state, edition)
    near = [hex for hex, distance in FISHING_DISTANCE[state.pawn].items() if distance <= within]
    yield Proved(
        tuple([Fish(hex=hex, change=way) for way in changes for hex in near if position.board[hex] is not None])
    )
    if "good_haul" in state.magic and good_haul_hexes(position, seat):
        yield from (Fish(hex=hex, good_haul=True, change=way) for way in changes for hex in near)


def _sailings(position: Position, seat: Seat, edition: Edition, changes: Changes) -> Candidates:
    state = position.seats[seat]
    boosts: list[Boost] = [boost for boost in BOOSTS for _ in range(state.magic.count(boost))]
    lengths = routes(position, seat, edition.sailing_range + sum(edition.boosts[boost] for boost in boosts))
    safe = [corner for corner in CORNERS if corner != state.pawn and is_safe(position, corner)]
    near = [corner for corner in DISTANCE[state.pawn] if corner in lengths and corner in safe]
    goals = [corner for corner in near if is_accessible(state, corner)]

    def within(edges: int) -> list[Corner]:
        return [corner for corner in goals if lengths[corner] <= edges]

    for way in changes:
        yield Proved(tuple([Sail(to=corner, change=way) for corner in within(edition.sailing_range)]))
        for bag in bags(boosts):
            edges = edition.sailing_range + sum(edition.boosts[boost] for boost in bag)
            yield Proved(tuple([Sail(to=corner, boosts=bag, change=way) for corner in within(edges)]))
        if owns(state, "sorcerer"):
            yield from (Sail(to=corner, warp="sorcerer", change=way) for corner in safe)
            if "warp" in state.magic:
                yield Proved(tuple([Sail(to=corner, warp="warp", change=way) for corner in safe]))


def _sales(position: Position, seat: Seat, edition: Edition, changes: Changes) -> Candidates:
    state = position.seats[seat]
    store = [tile for tile in state.store if tile != WHALE or owns(state, "black_market")]
    yield Proved(tuple([Sell(tiles=bag, change=way) for way in changes for bag in bags(store)]))


def _purchases(position: Position, seat: Seat, edition: Edition, changes: Changes) -> Iterator[Move]:
    return (Buy(card=kind, change=way) for way in changes for kind in FOR_SALE)


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
    """Every answer of a victim."""
    assert isinstance(position.pending, Flight)
    for answer in flight_answers(position, position.pending.kind, seat):
        yield Flee(to=answer.to, tile=UNSET if answer.tile is None else answer.tile)


def payments(position: Position, seat: Seat, edition: Edition) -> Iterator[Move]:
    """Every way to pay the dues."""
    for answer in dues_answers(position.seats[seat], edition):
        yield PayDues(with_=answer.with_, tile=UNSET if answer.tile is None else answer.tile)


def monster_placings(position: Position, seat: Seat, edition: Edition) -> Iterator[Move]:
    """The monster on any sea hex."""
    return (PlaceMonster(hex=hex) for hex in HEXES)


CANDIDATES: Final[dict[Phase, Naming]] = {
    "placement": placings,
    "execution": actions,
    "flee": flights,
    "dues": payments,
    "monster": monster_placings,
}
"""A seat is awaited in these phases only."""
