"""Other positions with the same view: everything that the view hides is dealt again."""

from collections.abc import Sequence

from referee.kernel.chance import Chance
from referee.kernel.changes import replace, without
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.edition import AreaTiles, Edition
from referee.rulesets.explorers_and_pirates.names import RESOURCES, Bag, HexId, Resource, SeatKey, Tile
from referee.rulesets.explorers_and_pirates.position import Discards, Hand, Position, key
from referee.rulesets.explorers_and_pirates.wealth import NO_CARDS, each_card

POINT = "alike"


def alike(position: Position, seat: Seat | None, chance: Chance, edition: Edition) -> Position:
    """Another full position that this reader cannot tell from the true one."""
    if position.phase in ("setup", "finished"):
        return position
    numbers = edition.scenarios[position.options.scenario]
    board = position.board
    other = _with_tiles(position, board.north, numbers.north, chance)
    other = _with_tiles(other, board.south, numbers.south, chance)
    other = _with_tokens(other, chance)
    other = _with_hands(other, seat, chance)
    return _with_discards(other, seat, chance)


def _with_tiles(position: Position, area: tuple[HexId, ...], box: AreaTiles, chance: Chance) -> Position:
    """Shuffle the face-down tiles; tiles that were drawn unseen are drawn again."""
    covered = [hex for hex in area if not position.areas[hex].up]
    tiles: list[Tile] = [position.areas[hex].tile for hex in covered]
    drawn = [tile for tile in tiles if tile in box.drawn_from]
    seen = {position.areas[hex].tile for hex in area if position.areas[hex].up}
    unseen = [tile for tile in box.drawn_from if tile not in seen]
    rest = sorted(tile for tile in tiles if tile not in drawn)
    dealt = chance.shuffle(POINT, (*rest, *chance.pick(POINT, unseen, len(drawn))))
    changes = {hex: replace(position.areas[hex], tile=tile) for hex, tile in zip(covered, dealt, strict=True)}
    return replace(position, areas={**position.areas, **changes})


def _with_tokens(position: Position, chance: Chance) -> Position:
    """Shuffle the stacks, and the numbers of lairs that are not captured."""
    stacks = position.stacks
    closed = [hex for hex, lair in position.lairs.items() if not lair.captured]
    pool = chance.shuffle(POINT, sorted((*(position.lairs[hex].number for hex in closed), *stacks.lairs)))
    lairs = {hex: replace(position.lairs[hex], number=number) for hex, number in zip(closed, pool, strict=False)}
    return replace(
        position,
        lairs={**position.lairs, **lairs},
        stacks=replace(
            stacks,
            north=chance.shuffle(POINT, sorted(stacks.north)),
            south=chance.shuffle(POINT, sorted(stacks.south)),
            lairs=pool[len(closed) :],
        ),
    )


def _with_hands(position: Position, seat: Seat | None, chance: Chance) -> Position:
    """Deal the cards of the other seats again, except those that an open offer shows."""
    others = [number for number in range(len(position.seats)) if number != seat]
    shown = {number: _shown(position, Seat(number)) for number in others}
    hidden = {number: without(each_card(position.seats[number].resources), shown[number]) for number in others}
    pool = chance.shuffle(POINT, sorted(card for number in others for card in hidden[number]))
    seats, dealt = list(position.seats), 0
    for number in others:
        count = len(hidden[number])
        hand = hand_of((*shown[number], *pool[dealt : dealt + count]))
        seats[number] = replace(seats[number], resources=hand)
        dealt += count
    return replace(position, seats=tuple(seats))


def _shown(position: Position, seat: Seat) -> tuple[Resource, ...]:
    """The cards that an open offer shows in a seat's hand: the seat offers them, or has accepted to give them."""
    offer = position.offer
    if offer is None:
        return ()
    bundle = offer.give if seat == position.active_seat else offer.want if seat in offer.accepted else {}
    return tuple(resource for resource in RESOURCES for _ in range(bundle.get(resource, 0)))


def hand_of(cards: Sequence[Resource]) -> Hand:
    """A hand of these cards."""
    return replace(NO_CARDS, **{resource: cards.count(resource) for resource in RESOURCES})


def _with_discards(position: Position, seat: Seat | None, chance: Chance) -> Position:
    """Choose again, from their new hands, the cards that the other seats give back."""
    due = position.discards
    if due is None:
        return position
    given: dict[SeatKey, Bag] = {}
    for number, state in enumerate(position.seats):
        mark = key(Seat(number))
        if mark in due.given and number != seat:
            cards = chance.pick(POINT, each_card(state.resources), due.need[mark])
            given[mark] = {resource: cards.count(resource) for resource in RESOURCES if resource in cards}
    return replace(position, discards=Discards(need=due.need, given={**due.given, **given}))
