"""Which marker an action spends, and the Wizard: CF-48 to CF-51, CF-89."""

import pytest

from referee.rulesets.cat_and_fish.candidates import Fish, Sail
from referee.rulesets.cat_and_fish.decks import MagicPlayed
from referee.rulesets.cat_and_fish.fishing import FishCaught
from referee.rulesets.cat_and_fish.position import Options
from referee.rulesets.cat_and_fish.trading import Buy, CardBought, Sell, TilesSold
from referee.rulesets.cat_and_fish.turns import EndTurn
from referee.rulesets.cat_and_fish.wizard import ActionChanged, Change
from tests.clauses import clause
from tests.rulesets.cat_and_fish.tables import Cat, given

BY_WIZARD = Change("buying", "wizard")
BY_CARD = Change("buying", "change")
FOR_ALL = Options(magic_for_all=True)


@clause("CF-48", "CF-50")
def test_the_wizard_turns_one_basic_action_into_another_for_a_euro() -> None:
    table = given(Cat(cards="wizard", money=3, placed="oil buying"), Cat("c3"), tiles={"1,-1": "crab"})
    table = table.when(0, Fish("1,-1", change=BY_WIZARD)).says(
        ActionChanged(0, "buying", "fishing", paid=1), FishCaught(0, "1,-1", "crab")
    )
    assert table.position.seats[0].money == 2
    assert table.position.seats[0].placed == ("oil",)


@clause("CF-48", "CF-R23")
@pytest.mark.parametrize(
    ("placed", "change"),
    [("oil", "oil"), ("treasure_island", "treasure_island"), ("thief", "thief"), ("fishing", "fishing")],
)
def test_only_another_basic_action_can_be_given_up(placed: str, change: str) -> None:
    table = given(Cat(cards="wizard", placed=placed), Cat("c3"), season="winter")
    table.when(0, Fish("1,-1", change=Change(change, "wizard"))).refused("CF-48")


@clause("CF-48")
def test_capacities_do_not_limit_a_changed_action() -> None:
    full = Cat("c3", placed="selling selling")
    table = given(Cat(cards="wizard", placed="buying", store="crab"), full, season="autumn")
    table.when(0, Sell(("crab",), change=BY_WIZARD)).tells("action_changed", "tiles_sold")


@clause("CF-20", "CF-48")
def test_the_marker_given_up_must_be_there() -> None:
    table = given(Cat(cards="wizard", placed="fishing sailing", store="crab"), Cat("c3"))
    table.when(0, Sell(("crab",), change=BY_WIZARD)).refused("CF-20")


@clause("CF-49")
def test_a_change_needs_the_wizard() -> None:
    table = given(Cat(placed="buying", magic="change", store="crab"), Cat("c3"))
    table.when(0, Sell(("crab",), change=BY_WIZARD)).refused("CF-49")


@clause("CF-49", "CF-51", "CF-R22")
def test_the_card_change_needs_the_wizard_all_the_same() -> None:
    table = given(Cat(placed="buying", magic="change", store="crab"), Cat("c3"))
    table.when(0, Sell(("crab",), change=BY_CARD)).refused("CF-49")


@clause("CF-50")
def test_the_wizard_is_paid_before_the_sale() -> None:
    table = given(Cat(cards="wizard", money=0, placed="buying", store="crab"), Cat("c3"))
    table.when(0, Sell(("crab",), change=BY_WIZARD)).refused("CF-50")


@clause("CF-50")
def test_several_markers_may_be_changed_in_a_turn() -> None:
    table = given(Cat(cards="wizard", placed="buying sailing", store="crab shrimp"), Cat("c3"))
    table = table.when(0, Sell(("crab",), change=BY_WIZARD)).tells("action_changed", "tiles_sold")
    table.when(0, Sell(("shrimp",), change=Change("sailing", "wizard"))).tells(
        "action_changed", "tiles_sold", "round_completed"
    )


@clause("CF-51", "CF-54")
def test_the_card_change_waives_the_euro() -> None:
    table = given(Cat(cards="wizard", money=0, placed="buying oil", magic="change", store="crab"), Cat("c3"))
    table = table.when(0, Sell(("crab",), change=BY_CARD)).says(
        MagicPlayed(0, "change"), ActionChanged(0, "buying", "selling", paid=0), TilesSold(0, ("crab",), 1)
    )
    assert table.position.seats[0].magic == ()
    assert "change" in table.position.magic_used
    assert table.position.seats[0].money == 1


@clause("CF-51")
def test_the_card_change_must_be_in_hand() -> None:
    table = given(Cat(cards="wizard", placed="buying", store="crab"), Cat("c3"))
    table.when(0, Sell(("crab",), change=BY_CARD)).refused("CF-51")


@clause("CF-6", "CF-46")
def test_the_fee_counts_when_a_price_is_checked() -> None:
    selling = Change("selling", "wizard")
    table = given(Cat(cards="wizard", money=9, placed="selling"), Cat("c3"))
    table.when(0, Buy("fishing_net", change=selling)).refused("CF-46")
    table = given(Cat(cards="wizard", money=10, placed="selling oil"), Cat("c3"))
    table = table.when(0, Buy("fishing_net", change=selling)).says(
        ActionChanged(0, "selling", "buying", paid=1), CardBought(0, "fishing_net", 9)
    )
    assert table.position.seats[0].money == 0


@clause("CF-6", "CF-34")
def test_the_fee_counts_when_the_sorcerer_is_paid() -> None:
    to_sail = Sail("b0", warp="sorcerer", change=BY_WIZARD)
    table = given(Cat(cards="wizard sorcerer", money=2, placed="buying"), Cat("c3"))
    table.when(0, to_sail).refused("CF-34")
    table = given(Cat(cards="wizard sorcerer", money=3, placed="buying oil"), Cat("c3"))
    assert table.when(0, to_sail).tells("action_changed", "pawn_warped").position.seats[0].money == 0


@clause("CF-89", "CF-R22")
def test_with_magic_for_all_the_card_change_costs_the_fee_without_the_wizard() -> None:
    table = given(Cat(placed="buying oil", money=1, magic="change"), Cat("c3"), options=FOR_ALL, tiles={"1,-1": "crab"})
    table = table.when(0, Fish("1,-1", change=BY_CARD)).says(
        MagicPlayed(0, "change"), ActionChanged(0, "buying", "fishing", paid=1), FishCaught(0, "1,-1", "crab")
    )
    assert table.position.seats[0].money == 0
    poor = given(Cat(placed="buying", money=0, magic="change"), Cat("c3"), options=FOR_ALL)
    poor.when(0, Fish("1,-1", change=BY_CARD)).refused("CF-89")


@clause("CF-89")
def test_with_magic_for_all_the_card_change_is_free_with_the_wizard() -> None:
    cat = Cat(cards="wizard", placed="buying oil", money=0, magic="change")
    table = given(cat, Cat("c3"), options=FOR_ALL, tiles={"1,-1": "crab"})
    table.when(0, Fish("1,-1", change=BY_CARD)).says(
        MagicPlayed(0, "change"), ActionChanged(0, "buying", "fishing", paid=0), FishCaught(0, "1,-1", "crab")
    )


@clause("CF-49", "CF-51", "CF-89")
def test_magic_for_all_needs_the_card_in_hand_and_gives_nobody_the_wizard() -> None:
    table = given(Cat(placed="buying", money=5, magic="change"), Cat("c3"), options=FOR_ALL)
    table.when(0, Fish("1,-1", change=BY_WIZARD)).refused("CF-49")
    table = given(Cat(placed="buying", money=5), Cat("c3"), options=FOR_ALL)
    table.when(0, Fish("1,-1", change=BY_CARD)).refused("CF-51")


@clause("CF-6", "CF-89")
def test_the_fee_for_the_card_change_counts_when_a_price_is_checked() -> None:
    cat = Cat(placed="selling", money=2, magic="change")
    table = given(cat, Cat("c3"), options=FOR_ALL)
    table.when(0, Buy("fishing_boat", change=Change("selling", "change"))).refused("CF-46")


def test_a_change_is_checked_in_the_order_of_the_rules() -> None:
    """The space given up, its marker, the Wizard, then the fee or the card."""
    table = given(Cat(money=0, placed="oil"), Cat("c3"))
    table.when(0, Fish("1,-1", change=Change("fishing", "wizard"))).refused("CF-48")
    table.when(0, Fish("1,-1", change=BY_WIZARD)).refused("CF-20")
    table = given(Cat(money=0, placed="buying"), Cat("c3"))
    table.when(0, Fish("1,-1", change=BY_WIZARD)).refused("CF-49")
    table.when(0, Fish("1,-1", change=BY_CARD)).refused("CF-49")


def test_every_way_to_a_marker_is_listed() -> None:
    table = given(Cat(cards="wizard", placed="buying sailing oil", magic="change", store="crab"), Cat("c3"))
    sales = [move for move in table.legal(0) if isinstance(move, Sell)]
    assert sales == [
        Sell(("crab",), change=Change("sailing", "wizard")),
        Sell(("crab",), change=Change("buying", "wizard")),
        Sell(("crab",), change=Change("sailing", "change")),
        Sell(("crab",), change=Change("buying", "change")),
    ]
    assert table.legal(0)[-1] == EndTurn()
