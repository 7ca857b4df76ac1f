"""The dice and what they yield: EP-33 to EP-39."""

from collections import Counter
from typing import Annotated, Literal

from msgspec import Meta

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.seat import Seat, clockwise
from referee.rulesets.explorers_and_pirates.discards import DiscardsDue, after_seven, discards_needed
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.names import RESOURCES, Bag, CornerId, HexId, Resource
from referee.rulesets.explorers_and_pirates.position import Case, Position, Says, SaysOn
from referee.rulesets.explorers_and_pirates.turns import PhaseStarted
from referee.rulesets.explorers_and_pirates.wealth import gold, received

production = Chapter()

CardReason = Literal["start", "production", "discovery"]
GoldReason = Literal["gold_river", "compensation", "discovery", "capture"]


class RollDice(Move):
    """Start your turn by rolling the two dice."""


class DiceRolled(Event):
    """A seat rolled the two dice of its turn."""

    seat: Seat
    dice: tuple[int, int]
    total: int


class ResourcesGained(Event):
    """A seat took resource cards from the bank."""

    seat: Seat
    resources: Bag
    reason: CardReason


class GoldGained(Event):
    """A seat took gold from the bank."""

    seat: Seat
    amount: Annotated[int, Meta(ge=1)]
    reason: GoldReason


@production.decides(RollDice)
def roll_dice(case: Case, move: RollDice) -> Says:
    """Roll the dice; the buildings produce, or a seven takes effect (EP-33)."""
    first, second = case.chance.dice("roll_dice", 2)
    total = first + second
    position = yield DiceRolled(seat=case.seat, dice=(first, second), total=total)
    if total == case.edition.seven:
        yield from _seven(position, case.edition)
    else:
        yield from _produce(position, total, case.edition)
        yield PhaseStarted(phase="trade_build", seat=case.seat)


def _seven(position: Position, edition: Edition) -> Says:
    """Ask for discards (EP-39); if no seat has too many cards, the pirate ship is next (EP-41)."""
    need = discards_needed(position, edition)
    if not need:
        yield after_seven(position)
        return
    yield DiscardsDue(need=need)
    yield PhaseStarted(phase="discard", seat=position.active_seat)


def _produce(position: Position, total: int, edition: Edition) -> Says:
    """Cards, then gold rivers, then compensation; each clockwise from the active seat (EP-38)."""
    order = clockwise(position.active_seat, len(position.seats))
    gains = _gains(position, total, edition)
    rivers = _river_buildings(position, total)
    for seat in order:
        if gains[seat]:
            position = yield ResourcesGained(seat=seat, resources=gains[seat], reason="production")
    for seat in order:
        position = yield from gain_gold(position, seat, rivers[seat] * edition.river_gold, "gold_river")  # EP-35
    for seat in order:
        if not gains[seat]:
            position = yield from gain_gold(position, seat, edition.compensation_gold, "compensation")  # EP-37


def _gains(position: Position, total: int, edition: Edition) -> tuple[Bag, ...]:
    """The cards that each seat gets (EP-34), after shortages (EP-36)."""
    owners = _owners(position)
    due: list[Counter[Resource]] = [Counter() for _ in position.seats]
    for hex, resource in _productive(position, total, edition):
        for corner in position.board.corners_of[hex]:
            if corner in owners:
                due[owners[corner]][resource] += 1
    for resource in RESOURCES:
        left: int = getattr(position.bank, resource)
        claims = [bag for bag in due if bag[resource]]
        if sum(bag[resource] for bag in claims) > left:
            for bag in claims:
                bag[resource] = left if len(claims) == 1 else 0
    return tuple({resource: bag[resource] for resource in RESOURCES if bag[resource]} for bag in due)


def _productive(position: Position, total: int, edition: Edition) -> list[tuple[HexId, Resource]]:
    """The hexes with the number that was rolled, each with its resource."""
    hexes = position.board.map.hexes
    found = [(hex, edition.terrain[terrain]) for hex, terrain in position.island.items() if hexes[hex].number == total]
    for hex, tile in position.areas.items():
        if tile.number == total:
            found.append((hex, resource_of(tile.tile, edition)))
    return found


def resource_of(tile: str, edition: Edition) -> Resource:
    """The resource of a tile that has one."""
    return next(resource for terrain, resource in edition.terrain.items() if terrain == tile)


def _owners(position: Position) -> dict[CornerId, Seat]:
    """The owner of the building on each corner; neutral ones never produce (EP-32)."""
    return {
        corner: Seat(seat)
        for seat, state in enumerate(position.seats)
        for corner in (*state.settlements, *state.harbors)
    }


def _river_buildings(position: Position, total: int) -> tuple[int, ...]:
    """The number of buildings of each seat at captured gold rivers with this number."""
    counts = [0] * len(position.seats)
    rivers = [hex for hex, lair in position.lairs.items() if lair.captured and lair.number == total]
    if rivers:
        owners = _owners(position)
        for hex in rivers:
            for corner in position.board.corners_of[hex]:
                if corner in owners:
                    counts[owners[corner]] += 1
    return tuple(counts)


def gain_gold(position: Position, seat: Seat, amount: int, reason: GoldReason) -> SaysOn:
    """Pay a seat gold from the bank, at most what the bank has (EP-29)."""
    there = min(amount, position.bank.gold)
    if there:
        position = yield GoldGained(seat=seat, amount=there, reason=reason)
    return position


def cards_at(position: Position, corner: CornerId, edition: Edition) -> Bag:
    """One card for each island hex at a corner (EP-9, EP-13)."""
    cards = Counter(
        edition.terrain[position.island[hex]] for hex in position.board.hexes_at[corner] if hex in position.island
    )
    return {resource: cards[resource] for resource in RESOURCES if cards[resource]}


@production.applies(DiceRolled)
def dice_rolled(position: Position, event: DiceRolled) -> Position:
    """Note the roll of the turn."""
    return replace(position, turn=replace(position.this_turn, roll=event.dice))


@production.applies(ResourcesGained)
def resources_gained(position: Position, event: ResourcesGained) -> Position:
    """Move them from the bank to the seat."""
    return received(position, event.seat, event.resources)


@production.applies(GoldGained)
def gold_gained(position: Position, event: GoldGained) -> Position:
    """Move it from the bank to the seat."""
    return received(position, event.seat, gold(event.amount))
