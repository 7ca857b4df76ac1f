"""Founding with a settler ship: EP-81."""

from referee.kernel.changes import replace
from referee.kernel.message import Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.building import require_open
from referee.rulesets.explorers_and_pirates.ending import ScoringEvent, wins_at_once
from referee.rulesets.explorers_and_pirates.ids import Corner, CornerId, ShipId, ShipName
from referee.rulesets.explorers_and_pirates.pieces import own_ship, require_distance, with_seat
from referee.rulesets.explorers_and_pirates.position import Case, Position, Says

settlers = Chapter()


class FoundSettlement(Move):
    """Found a settlement where a ship with a settler points; ship and settler go back to your supply."""

    ship: ShipName
    corner: Corner


class SettlementFounded(ScoringEvent):
    """A settler ship became a settlement."""

    seat: Seat
    ship: ShipId
    corner: CornerId


@settlers.decides(FoundSettlement)
@wins_at_once
def found_settlement(case: Case, move: FoundSettlement) -> Says:
    """EP-81."""
    position = case.position
    ship = own_ship(position, case.seat, move.ship)
    require("EP-81", "settler" in ship.cargo, "The ship has no settler aboard.")
    ashore = move.corner in position.board.ends[ship.edge] and move.corner in position.chart.land_corners
    require("EP-81", ashore, "The ship points at no such corner of land.")
    left = len(position.seats[case.seat].settlements) < case.edition.supply.settlement
    require("EP-26", left, "You have no settlement left.")
    require_distance(position, move.corner)
    require_open(position, case.seat, position.board.hexes_at[move.corner])
    yield SettlementFounded(seat=case.seat, ship=move.ship, corner=move.corner)


@settlers.applies(SettlementFounded)
def settlement_founded(position: Position, event: SettlementFounded) -> Position:
    """Ship and settler are back in the supply, and the ship's counters are gone."""
    state, turn = position.seats[event.seat], position.this_turn
    founded = with_seat(
        position,
        event.seat,
        settlements=(*state.settlements, event.corner),
        ships={id: ship for id, ship in state.ships.items() if id != event.ship},
    )
    current = None if turn.current_ship == event.ship else turn.current_ship
    voyages = {id: voyage for id, voyage in turn.ships.items() if id != event.ship}
    return replace(founded, turn=replace(turn, current_ship=current, ships=voyages))
