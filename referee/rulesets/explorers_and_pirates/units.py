"""Building units: EP-67, EP-68."""

from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.building import require_price
from referee.rulesets.explorers_and_pirates.cargo import PlaceOf, Store, added, require_store
from referee.rulesets.explorers_and_pirates.names import Bag
from referee.rulesets.explorers_and_pirates.pieces import require_supply, units_in_use
from referee.rulesets.explorers_and_pirates.position import Case, Position, Says
from referee.rulesets.explorers_and_pirates.scenarios import scenario_of
from referee.rulesets.explorers_and_pirates.wealth import paid

units = Chapter()


class BuildUnit(Move):
    """Build a unit into a basin or a ship at your harbour settlement that has a free small place."""

    place: PlaceOf


class UnitBuilt(Event):
    """A seat built a unit."""

    seat: Seat
    place: Store
    cost: Bag


@units.decides(BuildUnit)
def build_unit(case: Case, move: BuildUnit) -> Says:
    """Check EP-67 and EP-68; then build the unit."""
    scenario = scenario_of(case.position)
    require("EP-68", scenario.has_units, f"There are no units in the scenario `{scenario.name}`.")
    require_supply(units_in_use(case.position, case.seat), case.edition.supply.unit, "units")
    require_store(case, move.place, "unit")
    price = case.edition.prices.unit
    require_price(case, "A unit", price)
    yield UnitBuilt(seat=case.seat, place=move.place, cost=price)


@units.applies(UnitBuilt)
def unit_built(position: Position, event: UnitBuilt) -> Position:
    """Pay the price, add the unit."""
    return added(paid(position, event.seat, event.cost), event.seat, event.place, "unit")
