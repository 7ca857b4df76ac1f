"""Ships that move: EP-47 to EP-49, EP-70 to EP-76."""

from typing import Annotated, NamedTuple

from msgspec import Meta

from referee.kernel.changes import replace
from referee.kernel.latest import of_latest
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.advantages import movement_points
from referee.rulesets.explorers_and_pirates.board import Chart, Ways, voyages
from referee.rulesets.explorers_and_pirates.building import require_price
from referee.rulesets.explorers_and_pirates.discovery import ShipFinished, discover
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.ending import wins_at_once
from referee.rulesets.explorers_and_pirates.ids import Bag, Edge, EdgeId, HexId, ShipId, ShipName
from referee.rulesets.explorers_and_pirates.missions.council import carries_goods, deliver
from referee.rulesets.explorers_and_pirates.pieces import FRESH, crowded, own_ship, with_ship, with_voyage
from referee.rulesets.explorers_and_pirates.position import Case, Position, Says, Ship, Voyage
from referee.rulesets.explorers_and_pirates.wealth import gold, paid

movement = Chapter()


class MoveShip(Move):
    """Move one of your ships, edge by edge."""

    ship: ShipName
    path: Annotated[tuple[Edge, ...], Meta(min_length=1, description="The edges that the ship comes to, in order.")]
    pay_tribute: Annotated[bool, Meta(description="True exactly if the tribute is due (EP-47).")] = False


class BuyMovement(Move):
    """Pay a wool for two more points of a ship."""

    ship: ShipName


class TributePaid(Event):
    """A ship paid for the routes along an opponent's pirate ship."""

    seat: Seat
    ship: ShipId
    amount: int


class MovementBought(Event):
    """A ship has more points in this turn."""

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
    require("EP-73", not voyage.finished, "This ship has finished its movement.")
    return voyage


def require_path(chart: Chart, start: EdgeId, path: tuple[EdgeId, ...]) -> None:
    """Refuse steps that lead nowhere (EP-71), and any step after a discovery (EP-76)."""
    steps, discoveries = chart.steps, chart.discoveries
    at, found = start, False
    for edge in path:
        if found:
            raise Rejection("EP-76", "A discovery ends the movement.")
        if edge not in steps[at]:
            raise Rejection("EP-71", "A step leads to a neighbouring sea route.")
        at, found = edge, edge in discoveries


class Course(NamedTuple):
    """What a ship's movement depends on, whichever path it takes."""

    chart: Chart
    start: EdgeId
    left: int
    """The points that it has left (EP-70)."""
    full: frozenset[EdgeId]
    """The routes that have no room for it (EP-75)."""
    pirate: HexId | None
    """The hex whose routes cost it a tribute (EP-47)."""

    @property
    def ways(self) -> Ways:
        """The shortest paths within its points, which need no further proof."""
        return voyages(self.chart, self.start, None, self.left)

    @property
    def detours(self) -> Ways:
        """The shortest paths within its points that keep clear of the pirate ship."""
        return voyages(self.chart, self.start, self.pirate, self.left)

    def costs_tribute(self, path: tuple[EdgeId, ...]) -> bool:
        """Whether the ship lies or comes along an opponent's pirate ship."""
        if self.pirate is None:
            return False
        toll = self.chart.board.sides_of[self.pirate]
        return self.start in toll or not toll.isdisjoint(path)


@of_latest
def _courses(position: Position, edition: Edition) -> dict[tuple[Seat, ShipId], Course]:
    """The courses of a position that have been asked for."""
    return {}


def course_of(position: Position, edition: Edition, seat: Seat, id: ShipId) -> Course:
    """The course of a ship; refuses one that is not the seat's (EP-70) or is finished (EP-73)."""
    courses = _courses(position, edition)
    course = courses.get((seat, id))
    if course is None:
        ship = own_ship(position, seat, id)
        voyage = require_moving(position, id)
        course = courses[seat, id] = Course(
            position.chart,
            ship.edge,
            points_left(position, seat, voyage, edition),
            crowded(position, edition, besides=id),
            tribute_hex(position, seat, voyage),
        )
    return course


@movement.requires(MoveShip)
def require_passage(case: Case, move: MoveShip) -> None:
    """EP-71 to EP-75, and EP-47."""
    course = course_of(case.position, case.edition, case.seat, move.ship)
    path, stop = move.path, move.path[-1]
    if course.ways.get(stop) != path:
        require_path(course.chart, course.start, path)
    if len(path) > course.left:
        raise Rejection("EP-72", "The ship has not so many points left.")
    if stop in course.full:
        raise Rejection("EP-75", "There is no room for the ship on this route.")
    due = course.costs_tribute(path)
    if move.pay_tribute != due:
        raise Rejection("EP-47", "The tribute is declared exactly if it is due.")
    if due and case.position.seats[case.seat].gold < case.edition.tribute_gold:
        raise Rejection("EP-27", "You cannot pay the tribute.")


@movement.decides(MoveShip)
@wins_at_once
def move_ship(case: Case, move: MoveShip) -> Says:
    """The course of 7.1."""
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
    """How many steps lead to the first dock on the way of a ship with goods aboard; 0 if none does (EP-102)."""
    if not carries_goods(ship.cargo):
        return 0
    docked = position.board.docked
    return next((steps for steps, edge in enumerate(path, start=1) if edge in docked), 0)


@movement.decides(BuyMovement)
def buy_movement(case: Case, move: BuyMovement) -> Says:
    """EP-74."""
    own_ship(case.position, case.seat, move.ship)
    voyage = require_moving(case.position, move.ship)
    require("EP-74", not voyage.wool, "A ship gets more points once a turn.")
    price = case.edition.prices.movement
    require_price(case, price)
    yield MovementBought(seat=case.seat, ship=move.ship, cost=price)


@movement.applies(TributePaid)
def tribute_paid(position: Position, event: TributePaid) -> Position:
    """Gold to the bank; the ship has paid for this turn (EP-48)."""
    return with_voyage(paid(position, event.seat, gold(event.amount)), event.ship, tribute=True)


@movement.applies(MovementBought)
def movement_bought(position: Position, event: MovementBought) -> Position:
    """Paid; the ship has its further points."""
    return with_voyage(paid(position, event.seat, event.cost), event.ship, wool=True)


@movement.applies(ShipMoved)
def ship_moved(position: Position, event: ShipMoved) -> Position:
    """The ship lies elsewhere and is the current ship."""
    used = voyage_of(position, event.ship).used + len(event.path)
    moved = with_voyage(with_ship(position, event.ship, edge=event.to), event.ship, used=used)
    return replace(moved, turn=replace(moved.this_turn, current_ship=event.ship))
