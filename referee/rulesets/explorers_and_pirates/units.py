"""Building units: EP-67, EP-68."""

from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.building import require_price
from referee.rulesets.explorers_and_pirates.cargo import PlaceOf, Store, added, require_store
from referee.rulesets.explorers_and_pirates.ids import Bag
from referee.rulesets.explorers_and_pirates.pieces import units_in_use
from referee.rulesets.explorers_and_pirates.position import Case, Position, Says
from referee.rulesets.explorers_and_pirates.scenarios import scenario_of
from referee.rulesets.explorers_and_pirates.wealth import paid

units = Chapter()


class BuildUnit(Move):
    """Build a unit into a basin, or a ship at your harbour settlement, with a free small place."""

    place: PlaceOf


class UnitBuilt(Event):
    """A seat built a unit."""

    seat: Seat
    place: Store
    cost: Bag


@units.decides(BuildUnit)
def build_unit(case: Case, move: BuildUnit) -> Says:
    """EP-67, EP-68."""
    require("EP-68", scenario_of(case.position).has_units, "There are no units in this scenario.")
    left = units_in_use(case.position, case.seat) < case.edition.supply.unit
    require("EP-26", left, "You have no unit left.")
    require_store(case, move.place, "unit")
    price = case.edition.prices.unit
    require_price(case, price)
    yield UnitBuilt(seat=case.seat, place=move.place, cost=price)


@units.applies(UnitBuilt)
def unit_built(position: Position, event: UnitBuilt) -> Position:
    """Paid and added."""
    return added(paid(position, event.seat, event.cost), event.seat, event.place, "unit")
