"""The opening of `land-ho` for three, with forced chance, commit by commit."""

from referee.kernel.seat import REFEREE
from referee.rulesets.explorers_and_pirates.discovery import ShipFinished, TileDiscovered
from referee.rulesets.explorers_and_pirates.edition import EDITION
from referee.rulesets.explorers_and_pirates.exchanges import BuyResource
from referee.rulesets.explorers_and_pirates.movement import MoveShip, ShipMoved
from referee.rulesets.explorers_and_pirates.production import GoldGained, ResourcesGained, RollDice
from referee.rulesets.explorers_and_pirates.scoring import points
from referee.rulesets.explorers_and_pirates.settlers import FoundSettlement
from referee.rulesets.explorers_and_pirates.setup import SetUp
from referee.rulesets.explorers_and_pirates.turns import EndTurn, StartMovement
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.explorers_and_pirates.tables import blank

CHANCE = (
    ("north_tiles", ["mountains", "sea", "pasture", "forest", "mountains", "hills", "sea", "fields"]),
    ("south_tiles", ["fields", "mountains", "sea", "hills", "forest", "pasture", "fields", "sea"]),
    ("north_numbers", [9, 4, 10, 3, 6, 5]),
    ("south_numbers", [8, 5, 11, 10, 4, 9]),
)


def cards(table: Given) -> list[dict[str, int]]:
    names = ("brick", "lumber", "wool", "grain", "ore")
    hands = [state.resources for state in table.position.seats]
    return [{name: getattr(hand, name) for name in names if getattr(hand, name)} for hand in hands]


@clause("EP-9", "EP-34", "EP-37", "EP-56", "EP-77", "EP-78", "EP-81", "EP-84")
def test_the_opening_yields_the_written_events() -> None:
    table = blank("land-ho", first_seat=1)
    table = Given(table.ruleset, table.when(REFEREE, SetUp(), *CHANCE).position)
    assert cards(table) == [
        {"wool": 1, "grain": 1, "ore": 1},
        {"brick": 1, "lumber": 1, "ore": 1},
        {"wool": 1, "grain": 1, "ore": 1},
    ]
    bank = table.position.bank
    assert (bank.brick, bank.lumber, bank.wool, bank.grain, bank.ore, bank.gold) == (18, 18, 17, 17, 16, 142)
    assert (table.position.active_seat, table.position.this_turn.number) == (1, 1)
    then = table.when(1, RollDice(), ("roll_dice", [5, 6]))
    assert then.events[1:4] == (
        ResourcesGained(seat=1, resources={"lumber": 1}, reason="production"),
        ResourcesGained(seat=0, resources={"ore": 1}, reason="production"),
        GoldGained(seat=2, amount=1, reason="compensation"),
    )
    table = then.tells("dice_rolled", "resources_gained", "resources_gained", "gold_gained", "phase_started")
    table = table.when(1, StartMovement()).tells("phase_started")
    path = ("4,-2,NE", "5,-2,NW", "5,-2,NE")
    table = table.when(1, MoveShip(ship="1-1", path=path)).says(
        ShipMoved(seat=1, ship="1-1", path=path, to="5,-2,NE"),
        TileDiscovered(seat=1, ship="1-1", hex="6,-2", tile="pasture", number=9),
        ResourcesGained(seat=1, resources={"wool": 1}, reason="discovery"),
        ShipFinished(seat=1, ship="1-1"),
    )
    table = table.when(1, EndTurn()).tells("turn_ended", "turn_started")
    assert (table.position.active_seat, table.position.this_turn.number) == (2, 2)
    _second_turn(table)


def _second_turn(table: Given) -> None:
    then = table.when(2, RollDice(), ("roll_dice", [4, 4]))
    assert then.events[1:4] == (
        ResourcesGained(seat=2, resources={"lumber": 1}, reason="production"),
        ResourcesGained(seat=0, resources={"wool": 1}, reason="production"),
        ResourcesGained(seat=1, resources={"wool": 1}, reason="production"),
    )
    table = then.tells("dice_rolled", *("resources_gained",) * 3, "phase_started")
    table = table.when(2, BuyResource(resource="wool")).tells("resource_bought")
    assert (table.position.seats[2].gold, table.position.seats[2].resources.wool) == (1, 2)
    table = table.when(2, StartMovement()).tells("phase_started")
    then = table.when(2, MoveShip(ship="2-1", path=("2,1,NE", "3,1,NW", "3,1,NE")))
    found = then.event(TileDiscovered)
    assert (found.hex, found.tile, found.number) == ("4,1", "fields", 8)
    table = then.tells("ship_moved", "tile_discovered", "resources_gained", "ship_finished")
    table = table.when(2, FoundSettlement(ship="2-1", corner="4,0,S")).tells("settlement_founded")
    assert table.position.seats[2].settlements == ("0,1,N", "4,0,S")
    assert table.position.seats[2].ships == {}
    assert points(table.position, 2, EDITION) == 4
    table = table.when(2, EndTurn()).tells("turn_ended", "turn_started")
    assert (table.position.active_seat, table.position.this_turn.number) == (0, 3)
