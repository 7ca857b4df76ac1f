"""Selling and buying: CF-37 to CF-47."""

import pytest

from referee.rulesets.cat_and_fish.fishing import Fish
from referee.rulesets.cat_and_fish.names import FOR_SALE
from referee.rulesets.cat_and_fish.placement import PlaceMarker
from referee.rulesets.cat_and_fish.position import Card
from referee.rulesets.cat_and_fish.sailing import Sail
from referee.rulesets.cat_and_fish.trading import Buy, CardBought, Sell, TilesSold
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.cat_and_fish.tables import Cat, awaited, given


def trading(cat: Cat, **rest: object) -> Given:
    return given(cat, Cat("c3", placed="oil"), **rest)


@clause("CF-37")
def test_any_part_of_the_store_may_be_sold() -> None:
    table = trading(Cat(store="tuna crab", placed="selling"), season="autumn")
    sales = [move for move in table.legal(0) if isinstance(move, Sell)]
    assert sales == [Sell(("crab",)), Sell(("tuna",)), Sell(("tuna", "crab"))]
    after = table.when(0, Sell(("crab",))).says(TilesSold(0, ("crab",), 2))
    assert after.position.seats[0].store == ("tuna",)


@clause("CF-37")
@pytest.mark.parametrize("tiles", [("shark",), ("tuna", "tuna"), ("tuna", "crab", "crab"), ("pink_treasure",)])
def test_every_tile_named_must_be_in_the_store_as_often_as_named(tiles: tuple[str, ...]) -> None:
    trading(Cat(store="tuna crab", placed="selling")).when(0, Sell(tiles)).refused("CF-37")


@clause("CF-37")
def test_equal_bags_are_listed_once() -> None:
    table = trading(Cat(cards="cold_storage", store="tuna crab tuna", placed="selling"))
    sales = [move.tiles for move in table.legal(0) if isinstance(move, Sell)]
    assert sales == [("crab",), ("tuna",), ("tuna", "crab"), ("tuna", "tuna"), ("tuna", "tuna", "crab")]


@clause("CF-38")
@pytest.mark.parametrize(("season", "gained"), [("spring", 4), ("summer", 3), ("autumn", 2), ("winter", 1)])
def test_a_tile_earns_its_price_of_the_season(season: str, gained: int) -> None:
    table = trading(Cat(store="flounder", money=0, placed="selling oil"), season=season)
    after = table.when(0, Sell(("flounder",))).says(TilesSold(0, ("flounder",), gained)).position
    assert after.seats[0].money == gained
    assert after.seats[0].placed == ("oil",)


@clause("CF-39", "CF-R18")
def test_the_merchant_gets_a_euro_more_for_each_tile_that_has_a_price() -> None:
    cat = Cat(cards="merchant cold_storage", store="tuna tuna crab green_bone", placed="selling oil")
    table = trading(cat, season="summer")
    table.when(0, Sell(("tuna", "tuna"))).says(TilesSold(0, ("tuna", "tuna"), 10))
    table.when(0, Sell(("crab", "green_bone"))).says(TilesSold(0, ("crab", "green_bone"), 0))
    table.when(0, Sell(("tuna", "crab"))).says(TilesSold(0, ("tuna", "crab"), 5))


@clause("CF-40", "CF-R47")
def test_a_whale_is_sold_with_the_black_market_only() -> None:
    trading(Cat(store="whale crab", placed="selling")).when(0, Sell(("crab", "whale"))).refused("CF-40")
    table = trading(Cat(cards="black_market", store="whale", placed="selling oil"), season="winter")
    table.when(0, Sell(("whale",))).says(TilesSold(0, ("whale",), 9))


@clause("CF-40", "CF-47", "CF-R47")
def test_a_whale_can_be_sold_after_the_black_market_is_bought() -> None:
    table = trading(Cat(store="whale whale", placed="buying selling"))
    table = table.when(0, Buy("black_market")).tells("card_bought")
    table.when(0, Sell(("whale", "whale"))).tells("tiles_sold")


@clause("CF-41", "CF-R17")
def test_tiles_without_a_price_may_be_sold_to_free_places() -> None:
    table = trading(Cat(store="squid green_bone", placed="selling oil"), season="spring")
    after = table.when(0, Sell(("green_bone", "squid"))).says(TilesSold(0, ("green_bone", "squid"), 0)).position
    assert after.seats[0].store == ()


@clause("CF-41")
def test_sold_tiles_are_discarded_in_the_order_named() -> None:
    table = trading(
        Cat(cards="cold_storage", store="tuna crab shark squid", placed="selling oil"), discards="shrimp whale"
    )
    after = table.when(0, Sell(("squid", "shark", "crab", "tuna"))).position
    assert after.discards.green == ("shrimp", "squid", "crab")
    assert after.discards.pink == ("whale", "shark", "tuna")
    assert after.discards.blue == ()


@clause("CF-42")
def test_the_top_card_of_a_pile_is_bought_at_its_price() -> None:
    table = trading(Cat(money=5, placed="buying oil"))
    table = table.when(0, Buy("fishing_boat")).says(CardBought(0, "fishing_boat", 2))
    assert table.position.seats[0].cards == (Card("fishing_rod", 0), Card("fishing_boat", 2))
    assert table.position.seats[0].money == 3
    assert table.position.seats[0].placed == ("oil",)
    assert table.position.market["fishing_boat"] == (2, 1, 1)


@clause("CF-43", "CF-R1")
def test_only_cards_of_a_pile_that_is_not_empty_are_for_sale() -> None:
    table = trading(Cat(placed="buying", money=50))
    table.when(0, Buy("fishing_rod")).refused("CF-43")
    table.when(0, Buy("summoner")).refused("CF-43")
    owners = [Cat(spot, cards="merchant", placed="oil") for spot in ("c2", "c4", "c5")]
    sold_out = given(Cat("c1", placed="buying", money=50), *owners)
    sold_out.when(0, Buy("merchant")).refused("CF-43")


@clause("CF-44", "CF-R1")
def test_a_seat_owns_at_most_one_card_of_each_kind() -> None:
    trading(Cat(cards="wizard", placed="buying")).when(0, Buy("wizard")).refused("CF-44")


@clause("CF-45")
@pytest.mark.parametrize(
    ("card", "needed"), [("fisherman", "fishing_net"), ("fishing_vessel", "fishing_boat"), ("sorcerer", "wizard")]
)
def test_some_cards_need_another(card: str, needed: str) -> None:
    trading(Cat(money=50, placed="buying")).when(0, Buy(card)).refused("CF-45")
    trading(Cat(cards=needed, money=50, placed="buying")).when(0, Buy(card)).tells("card_bought")


@clause("CF-6", "CF-46")
def test_the_seat_must_have_the_price() -> None:
    trading(Cat(money=8, placed="buying")).when(0, Buy("fishing_net")).refused("CF-46")
    after = trading(Cat(money=9, placed="buying")).when(0, Buy("fishing_net")).position
    assert after.seats[0].money == 0


@clause("CF-47")
def test_a_card_works_at_once() -> None:
    table = trading(Cat(money=10, placed="buying sailing"))
    table = table.when(0, Buy("fishing_boat")).tells("card_bought")
    table.when(0, Sail("a0")).tells("pawn_sailed")
    table = trading(Cat(money=10, placed="buying fishing"))
    table = table.when(0, Buy("fishing_net")).tells("card_bought")
    table.when(0, Fish("1,-2")).tells("fish_caught")


@clause("CF-47")
def test_membership_counts_from_the_next_placement() -> None:
    table = trading(Cat(money=10, placed="buying oil"))
    table = table.when(0, Buy("membership")).tells("card_bought")
    assert awaited(table) == [0]
    assert table.position.seats[0].placed == ("oil",)
    table.when(0, PlaceMarker("fishing")).refused("CF-2")


def test_trade_is_checked_in_the_order_of_the_rules() -> None:
    """Selling: marker, store, Black Market. Buying: marker, pile, kind, needed card, price."""
    trading(Cat(placed="oil")).when(0, Sell(("whale",))).refused("CF-20")
    trading(Cat(placed="selling")).when(0, Sell(("whale",))).refused("CF-37")
    trading(Cat(placed="oil")).when(0, Buy("summoner")).refused("CF-20")
    owners = [Cat(spot, cards="merchant", placed="oil") for spot in ("c2", "c4")]
    owner = Cat("c1", cards="merchant", placed="buying", money=0)
    given(owner, *owners).when(0, Buy("merchant")).refused("CF-43")
    trading(Cat(cards="wizard sorcerer", placed="buying", money=0)).when(0, Buy("sorcerer")).refused("CF-44")
    trading(Cat(placed="buying", money=0)).when(0, Buy("sorcerer")).refused("CF-45")


def test_what_can_be_bought_is_listed() -> None:
    table = trading(Cat(cards="wizard", money=4, placed="buying"))
    cards = [move.card for move in table.legal(0) if isinstance(move, Buy)]
    assert cards == ["fishing_boat", "sorcerer", "cold_storage", "black_market"]
    rich = trading(Cat(cards="wizard fishing_net fishing_boat", money=50, placed="buying"))
    cards = [move.card for move in rich.legal(0) if isinstance(move, Buy)]
    assert cards == [kind for kind in FOR_SALE if kind not in ("wizard", "fishing_net", "fishing_boat")]
