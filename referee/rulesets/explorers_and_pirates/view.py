"""What a seat or a spectator sees of a position (section 11)."""

from referee.kernel.audience import shown
from referee.kernel.memo import remember_last
from referee.kernel.seat import Seat, clockwise
from referee.rulesets.explorers_and_pirates.edition import Edition, Supply
from referee.rulesets.explorers_and_pirates.names import (
    Bag,
    Cargo,
    CornerId,
    EdgeId,
    HexId,
    Mission,
    Phase,
    PirateBy,
    SeatKey,
    ShipId,
    Terrain,
    Tile,
)
from referee.rulesets.explorers_and_pirates.pieces import fish_left, sacks_left, supply_left
from referee.rulesets.explorers_and_pirates.position import (
    NOT_YET,
    AreaTile,
    Bank,
    Discards,
    Hand,
    Hero,
    Lair,
    Neutral,
    Offer,
    Options,
    Part,
    Pirate,
    Position,
    Result,
    Ship,
    Stacks,
    Track,
    Turn,
    VillageState,
    key,
)
from referee.rulesets.explorers_and_pirates.scoring import card_holder, points, track_points
from referee.rulesets.explorers_and_pirates.wealth import cards_in


class SeatView(Part, frozen=True):
    """A seat: the cards of other seats are null, their number is open."""

    points: int = NOT_YET
    """The victory points (EP-112)."""
    resources: Hand | None = NOT_YET
    resources_count: int = NOT_YET
    gold: int = NOT_YET
    roads: tuple[EdgeId, ...] = NOT_YET
    settlements: tuple[CornerId, ...] = NOT_YET
    harbors: dict[CornerId, Cargo] = NOT_YET
    ships: dict[ShipId, Ship] = NOT_YET
    supply: Supply = NOT_YET
    """The pieces that the seat has left to build (EP-26)."""


class AreaTileView(Part, frozen=True, omit_defaults=True):
    """A tile of an area; `tile` is null while it is face down."""

    tile: Tile | None
    up: bool
    number: int | None = None


class StacksView(Part, frozen=True):
    """The number of tokens left in each stack; the tokens are null."""

    north: tuple[int, ...] | None
    north_count: int
    south: tuple[int, ...] | None
    south_count: int
    lairs: tuple[int, ...] | None
    lairs_count: int


class LairView(Part, frozen=True):
    """A lair; its number is null until the capture."""

    number: int | None
    captured: bool
    units: dict[SeatKey, int]


class TrackView(Part, frozen=True):
    """What the track of a mission is worth: to each seat, and on each space."""

    points: tuple[int, ...]
    """The points of each seat's marker (EP-86)."""
    card: Seat | None
    """The seat that has the mission's card (EP-87)."""
    card_points: int
    spaces: tuple[int, ...]
    """The points on S and on each space after it."""


class Reserve(Part, frozen=True):
    """The common pieces that are left."""

    fish: int
    spice: int


class DiscardsView(Part, frozen=True):
    """The number of cards that each seat must give back; the choices of other seats are null."""

    need: dict[SeatKey, int]
    given: dict[SeatKey, Bag | None]


class View(Part, frozen=True):
    """A position as one seat or a spectator sees it; after the end everything is open."""

    ruleset: str
    options: Options
    phase: Phase
    seats: tuple[SeatView, ...]
    first_seat: Seat = NOT_YET
    active_seat: Seat = NOT_YET
    neutral: Neutral = NOT_YET
    bank: Bank = NOT_YET
    island: dict[HexId, Terrain] = NOT_YET
    areas: dict[HexId, AreaTileView] = NOT_YET
    stacks: StacksView = NOT_YET
    lairs: dict[HexId, LairView] = NOT_YET
    villages: dict[HexId, VillageState] = NOT_YET
    fish: tuple[HexId, ...] = NOT_YET
    pirate: Pirate | None = NOT_YET
    missions: dict[Mission, Track] = NOT_YET
    tracks: dict[Mission, TrackView] = NOT_YET
    reserve: Reserve = NOT_YET
    turn: Turn | None = NOT_YET
    founding_step: int | None = NOT_YET
    discards: DiscardsView | None = NOT_YET
    offer: Offer | None = NOT_YET
    pirate_by: PirateBy | None = NOT_YET
    hero: Hero | None = NOT_YET
    result: Result | None = NOT_YET


_view = shown(View, Position)


def view(position: Position, seat: Seat | None, edition: Edition) -> View:
    """What a seat sees; None is a spectator."""
    if position.phase == "setup":
        blank = (SeatView(),) * len(position.seats)
        return View(ruleset=position.ruleset, options=position.options, phase=position.phase, seats=blank)
    over, seats = position.phase == "finished", clockwise(Seat(0), len(position.seats))
    return _view(
        position,
        ruleset=position.ruleset,
        seats=tuple([_seat_view(position, each, edition, open=over or each == seat) for each in seats]),
        first_seat=position.first_seat,
        active_seat=position.active_seat,
        areas=_areas_view(position.areas, over),
        stacks=_stacks_view(position.stacks, open=over),
        lairs=_lairs_view(position.lairs, over),
        tracks={mission: _track_view(position, mission, edition) for mission in position.missions},
        reserve=Reserve(fish=fish_left(position, edition), spice=sacks_left(position, edition)),
        discards=_discards_view(position.discards, seat),
    )


def _seat_view(position: Position, seat: Seat, edition: Edition, *, open: bool) -> SeatView:
    state = position.seats[seat]
    return SeatView(
        points=points(position, seat, edition),
        resources=state.resources if open else None,
        resources_count=cards_in(state.resources),
        gold=state.gold,
        roads=state.roads,
        settlements=state.settlements,
        harbors=state.harbors,
        ships=state.ships,
        supply=supply_left(position, seat, edition),
    )


def _track_view(position: Position, mission: Mission, edition: Edition) -> TrackView:
    track, spaces = position.missions[mission], edition.track_points[mission]
    return TrackView(
        points=tuple([track_points(track, Seat(seat), spaces) for seat in range(len(position.seats))]),
        card=card_holder(track),
        card_points=edition.card_points,
        spaces=spaces,
    )


@remember_last
def _areas_view(areas: dict[HexId, AreaTile], over: bool) -> dict[HexId, AreaTileView]:
    return {hex: _tile_view(tile, open=over or tile.up) for hex, tile in areas.items()}


def _tile_view(tile: AreaTile, *, open: bool) -> AreaTileView:
    return AreaTileView(tile=tile.tile if open else None, up=tile.up, number=tile.number)


def _stacks_view(stacks: Stacks, *, open: bool) -> StacksView:
    return StacksView(
        north=stacks.north if open else None,
        north_count=len(stacks.north),
        south=stacks.south if open else None,
        south_count=len(stacks.south),
        lairs=stacks.lairs if open else None,
        lairs_count=len(stacks.lairs),
    )


@remember_last
def _lairs_view(lairs: dict[HexId, Lair], over: bool) -> dict[HexId, LairView]:
    return {hex: _lair_view(lair, open=over or lair.captured) for hex, lair in lairs.items()}


def _lair_view(lair: Lair, *, open: bool) -> LairView:
    return LairView(number=lair.number if open else None, captured=lair.captured, units=lair.units)


def _discards_view(discards: Discards | None, seat: Seat | None) -> DiscardsView | None:
    if discards is None:
        return None
    own = None if seat is None else key(seat)
    given = {mark: bag if mark == own else None for mark, bag in discards.given.items()}
    return DiscardsView(need=discards.need, given=given)
