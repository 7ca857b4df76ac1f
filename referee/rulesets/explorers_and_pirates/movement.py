"""Moving ships: EP-47 to EP-49, EP-70 to EP-76."""

from typing import Annotated, NamedTuple

from msgspec import Meta

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.memo import remember_last
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.advantages import movement_points
from referee.rulesets.explorers_and_pirates.board import Chart
from referee.rulesets.explorers_and_pirates.building import require_price
from referee.rulesets.explorers_and_pirates.discovery import ShipFinished, discover
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.missions.council import carries_goods, deliver
from referee.rulesets.explorers_and_pirates.names import Bag, Edge, EdgeId, HexId, ShipId, ShipName, joined
from referee.rulesets.explorers_and_pirates.pieces import (
    FRESH,
    crowded,
    own_ship,
    require_arrived,
    with_ship,
    with_voyage,
)
from referee.rulesets.explorers_and_pirates.position import Case, Position, Says, Ship, Voyage
from referee.rulesets.explorers_and_pirates.scoring import wins_at_once
from referee.rulesets.explorers_and_pirates.waters import Waters, Ways, touches, waters_near, ways_in
from referee.rulesets.explorers_and_pirates.wealth import gold, paid

movement = Chapter()


class MoveShip(Move):
    """Move one of your ships, edge by edge."""

    ship: ShipName
    path: Annotated[tuple[Edge, ...], Meta(min_length=1, description="The edges that the ship moves to, in order.")]
    pay_tribute: Annotated[bool, Meta(description="True if the tribute is due (EP-47), else false.")] = False


class BuyMovement(Move):
    """Pay 1 wool for two more movement points of a ship."""

    ship: ShipName


class TributePaid(Event):
    """A seat paid the tribute for a ship along the hex of an opponent's pirate ship."""

    seat: Seat
    ship: ShipId
    amount: int


class MovementBought(Event):
    """A seat bought more movement points for a ship in this turn."""

    seat: Seat
    ship: ShipId
    cost: Bag


class ShipMoved(Event):
    """A ship moved along a path, one point per edge."""

    seat: Seat
    ship: ShipId
    path: tuple[EdgeId, ...]
    to: EdgeId


def voyage_of(position: Position, ship: ShipId) -> Voyage:
    """What a ship has done in this turn."""
    return position.this_turn.ships.get(ship, FRESH)


def points_left(position: Position, seat: Seat, voyage: Voyage, edition: Edition) -> int:
    """The movement points that a ship has left (EP-70)."""
    bought = edition.wool_points if voyage.wool else 0
    return max(0, movement_points(position, seat, edition) + bought - voyage.used)


def tribute_hex(position: Position, seat: Seat, voyage: Voyage) -> HexId | None:
    """The hex whose routes cost this ship a tribute: an opponent's pirate ship, not yet paid (EP-47 to EP-49)."""
    pirate = position.pirate
    if pirate is None or pirate.seat == seat or voyage.tribute:
        return None
    return pirate.hex


def require_moving(position: Position, ship: ShipId) -> Voyage:
    """Refuse a ship that is finished (EP-73)."""
    voyage = voyage_of(position, ship)
    require("EP-73", not voyage.finished, f"Ship {ship} has finished its movement in this turn.")
    return voyage


def require_path(chart: Chart, start: EdgeId, path: tuple[EdgeId, ...]) -> None:
    """Refuse steps that lead nowhere (EP-71), and any step after a discovery (EP-76)."""
    steps, discoveries = chart.steps, chart.discoveries
    at, found = start, False
    for edge in path:
        if found:
            tile = f"The step to {at} discovers the tile {discoveries[at]}"
            raise Rejection("EP-76", f"{tile} and finishes the ship: the path must end there, not go on to {edge}.")
        if edge not in steps[at]:
            raise Rejection("EP-71", _step_fault(chart, at, edge))
        at, found = edge, edge in discoveries


def _step_fault(chart: Chart, at: EdgeId, edge: EdgeId) -> str:
    """Why a step leads nowhere."""
    if edge == at:
        return f"The ship is on {at} already: a step leads to a neighbouring edge."
    if edge not in chart.board.next_edges[at]:
        return f"{edge} is not a neighbour of {at}: they share no end."
    covered = joined([hex for hex in chart.board.sides[edge] if hex in chart.covered])
    return f"{edge} is not a sea route: {f'{covered} is face down' if covered else 'it borders no sea'}."


class Course(NamedTuple):
    """Everything that the legality of a ship's paths depends on."""

    waters: Waters
    """The chart as far as the ship can sail."""
    start: EdgeId
    left: int
    """The movement points left (EP-70)."""
    full: frozenset[EdgeId]
    """The routes without room for the ship (EP-75)."""
    pirate: HexId | None
    """The hex whose routes cost the ship a tribute (EP-47); None if it is too far away, too."""

    @property
    def ways(self) -> Ways:
        """The shortest paths within the movement points left."""
        return ways_in(self.waters, self.start, None, self.left)

    @property
    def detours(self) -> Ways:
        """The shortest such paths that avoid the routes along the pirate ship."""
        return ways_in(self.waters, self.start, self.pirate, self.left)

    def costs_tribute(self, path: tuple[EdgeId, ...]) -> bool:
        """Whether the ship lies or comes along an opponent's pirate ship."""
        if self.pirate is None:
            return False
        toll = self.waters.board.sides_of[self.pirate]
        return self.start in toll or not toll.isdisjoint(path)

    def can_sail_on(self, path: tuple[EdgeId, ...], solvent: bool) -> bool:
        """Whether the ship can go on from a full route to one with room (EP-75), and its seat can pay for that."""
        stop, left = path[-1], self.left - len(path)
        shunned = None if solvent or self.costs_tribute(path) else self.pirate
        return any(edge not in self.full for edge in ways_in(self.waters, stop, shunned, left))


@remember_last
def _courses(position: Position, edition: Edition) -> dict[tuple[Seat, ShipId], Course]:
    """The courses of this position that were computed so far."""
    return {}


def course_of(position: Position, edition: Edition, seat: Seat, id: ShipId) -> Course:
    """The course of a ship; refuses one that is not the seat's (EP-70) or is finished (EP-73)."""
    courses = _courses(position, edition)
    course = courses.get((seat, id))
    if course is None:
        start, voyage = own_ship(position, seat, id).edge, require_moving(position, id)
        left, pirate = points_left(position, seat, voyage, edition), tribute_hex(position, seat, voyage)
        waters = waters_near(position.chart, start, left)
        if pirate is not None and not touches(waters, start, pirate):
            pirate = None
        course = courses[seat, id] = Course(waters, start, left, crowded(position, edition, besides=id), pirate)
    return course


@movement.requires(MoveShip)
def require_passage(case: Case, move: MoveShip) -> None:
    """Refuse a path that breaks EP-71 to EP-75 or EP-47."""
    course = course_of(case.position, case.edition, case.seat, move.ship)
    if case.position.this_turn.current_ship != move.ship:
        require_arrived(case.position, case.edition)
    path, stop = move.path, move.path[-1]
    if course.ways.get(stop) != path:
        require_path(case.position.chart, course.start, path)
    if len(path) > course.left:
        raise Rejection(
            "EP-72",
            f"The path has {len(path)} steps; ship {move.ship} has {course.left} movement points left"
            f" and has used {voyage_of(case.position, move.ship).used} in this turn.",
        )
    held, due = case.position.seats[case.seat].gold, course.costs_tribute(path)
    if stop in course.full and not course.can_sail_on(path, held >= case.edition.tribute_gold):
        full = f"{stop} already carries {case.edition.ships_per_route} other ships"
        left = f"with {course.left - len(path)} movement points left"
        raise Rejection("EP-75", f"{full}, and {left} ship {move.ship} cannot sail on from there to a route with room.")
    if move.pay_tribute != due:
        raise Rejection("EP-47", _tribute_fault(case, move, course, due))
    if due and held < case.edition.tribute_gold:
        raise Rejection("EP-27", f"The tribute costs {case.edition.tribute_gold} gold; you have {held}.")


def _tribute_fault(case: Case, move: MoveShip, course: Course, due: bool) -> str:
    """Why `pay_tribute` does not fit the path."""
    pirate = case.position.pirate
    if pirate is None:
        return "No pirate ship is on the board, so no tribute is due: `pay_tribute` must be false."
    if due:
        toll = case.position.board.sides_of[pirate.hex]
        where = next(edge for edge in (course.start, *move.path) if edge in toll)
        there = f"{where} is along {pirate.hex}, where the pirate ship of seat {pirate.seat} stands"
        return f"{there}: `pay_tribute` must be true, for {case.edition.tribute_gold} gold."
    if pirate.seat == case.seat:
        why = f"The pirate ship on {pirate.hex} is your own"
    elif voyage_of(case.position, move.ship).tribute:
        why = f"Ship {move.ship} has paid the tribute in this turn already"
    else:
        why = f"No route of this path is along {pirate.hex}, where the pirate ship of seat {pirate.seat} stands"
    return f"{why}, so no tribute is due: `pay_tribute` must be false."


@movement.decides(MoveShip)
@wins_at_once
def move_ship(case: Case, move: MoveShip) -> Says:
    """Move the ship along its path, step by step (section 7.1 of rules.md)."""
    position, seat = case.position, case.seat
    ship = own_ship(position, seat, move.ship)
    current = position.this_turn.current_ship
    if current is not None and current != move.ship:
        position = yield ShipFinished(seat=seat, ship=current)
    if move.pay_tribute:
        position = yield TributePaid(seat=seat, ship=move.ship, amount=case.edition.tribute_gold)
    sailed = _steps_to_dock(position, ship, move.path)
    if sailed:
        path = move.path[:sailed]
        position = yield ShipMoved(seat=seat, ship=move.ship, path=path, to=path[-1])
        position = yield from deliver(position, seat, move.ship)
    if sailed < len(move.path):
        position = yield ShipMoved(seat=seat, ship=move.ship, path=move.path[sailed:], to=move.path[-1])
    found = position.chart.discoveries.get(move.path[-1])
    if found is not None:
        yield from discover(case, position, move.ship, found)


def _steps_to_dock(position: Position, ship: Ship, path: tuple[EdgeId, ...]) -> int:
    """The number of steps to the first dock on the path of a ship with goods aboard; 0 if there is none (EP-102)."""
    if not carries_goods(ship.cargo):
        return 0
    docked = position.board.docked
    return next((steps for steps, edge in enumerate(path, start=1) if edge in docked), 0)


@movement.decides(BuyMovement)
def buy_movement(case: Case, move: BuyMovement) -> Says:
    """Check EP-74; then buy extra movement points for the ship."""
    own_ship(case.position, case.seat, move.ship)
    voyage = require_moving(case.position, move.ship)
    require("EP-74", not voyage.wool, f"Ship {move.ship} has already got extra movement points in this turn.")
    price = case.edition.prices.movement
    require_price(case, "More movement", price)
    yield MovementBought(seat=case.seat, ship=move.ship, cost=price)


@movement.applies(TributePaid)
def tribute_paid(position: Position, event: TributePaid) -> Position:
    """Move gold to the bank; the ship has paid for this turn (EP-48)."""
    return with_voyage(paid(position, event.seat, gold(event.amount)), event.ship, tribute=True)


@movement.applies(MovementBought)
def movement_bought(position: Position, event: MovementBought) -> Position:
    """Pay the price; the ship has more movement points."""
    return with_voyage(paid(position, event.seat, event.cost), event.ship, wool=True)


@movement.applies(ShipMoved)
def ship_moved(position: Position, event: ShipMoved) -> Position:
    """Move the ship; it becomes the current ship."""
    used = voyage_of(position, event.ship).used + len(event.path)
    moved = with_voyage(with_ship(position, event.ship, edge=event.to), event.ship, used=used)
    return replace(moved, turn=replace(moved.this_turn, current_ship=event.ship))
