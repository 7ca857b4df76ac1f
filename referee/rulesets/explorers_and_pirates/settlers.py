"""Founding with a settler ship: EP-81."""

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Move
from referee.kernel.rejection import require
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.building import require_open
from referee.rulesets.explorers_and_pirates.names import Corner, CornerId, ShipId, ShipName
from referee.rulesets.explorers_and_pirates.pieces import own_ship, require_distance, require_supply, with_state
from referee.rulesets.explorers_and_pirates.position import Case, Position, Says
from referee.rulesets.explorers_and_pirates.scoring import ScoringEvent, wins_at_once

settlers = Chapter()


class FoundSettlement(Move):
    """Found a settlement where a ship with a settler points; ship and settler go back to your supply."""

    ship: ShipName
    corner: Corner


class SettlementFounded(ScoringEvent):
    """A seat founded a settlement; the ship and its settler returned to the supply."""

    seat: Seat
    ship: ShipId
    corner: CornerId


@settlers.decides(FoundSettlement)
@wins_at_once
def found_settlement(case: Case, move: FoundSettlement) -> Says:
    """Check EP-81; then turn the settler into a settlement."""
    position = case.position
    ship = own_ship(position, case.seat, move.ship)
    require("EP-81", "settler" in ship.cargo, f"Founding takes a settler; ship {move.ship} has none aboard.")
    pointing = move.corner in position.board.ends[ship.edge]
    require("EP-81", pointing, f"Ship {move.ship} is on {ship.edge}, which does not end at {move.corner}.")
    require("EP-81", move.corner in position.chart.land_corners, f"{move.corner} is not a corner of land.")
    require_supply(len(position.seats[case.seat].settlements), case.edition.supply.settlement, "settlements")
    require_distance(position, move.corner)
    require_open(position, case.seat, position.board.hexes_at[move.corner])
    yield SettlementFounded(seat=case.seat, ship=move.ship, corner=move.corner)


@settlers.applies(SettlementFounded)
def settlement_founded(position: Position, event: SettlementFounded) -> Position:
    """Add the settlement; the ship, its settler and its counters are gone."""
    state, turn = position.seats[event.seat], position.this_turn
    founded = with_state(
        position,
        event.seat,
        settlements=(*state.settlements, event.corner),
        ships={id: ship for id, ship in state.ships.items() if id != event.ship},
    )
    current = None if turn.current_ship == event.ship else turn.current_ship
    voyages = {id: voyage for id, voyage in turn.ships.items() if id != event.ship}
    return replace(founded, turn=replace(turn, current_ship=current, ships=voyages))
