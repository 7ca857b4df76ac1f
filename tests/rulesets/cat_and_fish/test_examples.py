"""The worked examples and the scripted opening of rules.md, section 14."""

import pytest

from referee.kernel.seat import REFEREE
from referee.rulesets.cat_and_fish import CAT_AND_FISH
from referee.rulesets.cat_and_fish.catastrophes import CatastropheMoved
from referee.rulesets.cat_and_fish.dues import LoanGranted
from referee.rulesets.cat_and_fish.edition import EDITION
from referee.rulesets.cat_and_fish.fishing import FishCaught
from referee.rulesets.cat_and_fish.flight import FlightDemanded, PawnFled, PenaltyPaid
from referee.rulesets.cat_and_fish.names import COLOURS, HEXES, TILES_OF, Colour
from referee.rulesets.cat_and_fish.placement import FirstPlayerClaimed
from referee.rulesets.cat_and_fish.position import Options
from referee.rulesets.cat_and_fish.sailing import PawnSailed
from referee.rulesets.cat_and_fish.seasons import SeasonChanged, StartYear
from referee.rulesets.cat_and_fish.trading import CardBought, TilesSold
from referee.rulesets.cat_and_fish.turns import RoundCompleted
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.cat_and_fish.tables import Cat, awaited, given

OTHER = Cat("c4", placed="oil")


@clause("CF-24")
def test_e1_with_the_rod_only_the_two_hexes_beside_the_pawn_can_be_fished() -> None:
    table = given(Cat("c2", placed="fishing"), OTHER)
    for hex in HEXES:
        then = table.when(0, {"type": "fish", "hex": hex})
        if hex in ("1,0", "0,1"):
            assert then.events
        else:
            then.refused("CF-24")


@clause("CF-31", "CF-33", "CF-R9", "CF-R10")
def test_e2_the_next_spot_of_the_coast_or_with_the_boat_one_edge_out() -> None:
    coast = given(Cat("c2", placed="sailing", magic="engine"), OTHER)
    coast.when(0, {"type": "sail", "to": "c3"}).says(PawnSailed(0, "c2", "c3"))
    coast.when(0, {"type": "sail", "to": "a6"}).refused("CF-31")
    coast.when(0, {"type": "sail", "to": "c4"}).refused("CF-33")
    coast.when(0, {"type": "sail", "to": "c4", "boosts": ["engine"]}).tells("magic_played", "pawn_sailed")
    boat = given(Cat("c2", cards="fishing_boat", placed="sailing"), OTHER)
    boat.when(0, {"type": "sail", "to": "a6"}).says(PawnSailed(0, "c2", "a6"))


@clause("CF-38", "CF-39")
@pytest.mark.parametrize(
    ("season", "cards", "gained"),
    [("autumn", "", 2), ("autumn", "merchant", 3), ("summer", "", 0), ("summer", "merchant", 0)],
)
def test_e3_a_crab_earns_two_in_autumn_and_nothing_in_summer(season: str, cards: str, gained: int) -> None:
    table = given(Cat(cards=cards, store="crab", placed="selling"), OTHER, season=season)
    table.when(0, {"type": "sell", "tiles": ["crab"]}).says(TilesSold(0, ("crab",), gained))


@clause("CF-19")
def test_e4_actions_are_carried_out_in_any_order() -> None:
    table = given(Cat(placed="buying selling", money=1, store="crab shrimp"), OTHER, season="spring")
    table = table.when(0, {"type": "sell", "tiles": ["crab", "shrimp"]}).says(TilesSold(0, ("crab", "shrimp"), 3))
    assert table.position.seats[0].money == 4
    table = table.when(0, {"type": "buy", "card": "fishing_boat"}).says(CardBought(0, "fishing_boat", 2))
    assert table.position.seats[0].money == 2


@clause("CF-58", "CF-60", "CF-63")
def test_e5_the_oil_strikes_and_drives_off() -> None:
    cats = (Cat("c3", placed="oil typhoon"), Cat("a1", cards="fishing_boat", money=3))
    table = given(*cats, oil="3,-3", tiles={"2,-2": "salmon"})
    table = table.when(0, {"type": "move_oil", "to": "2,-2"}).says(
        CatastropheMoved(0, "oil", "3,-3", "2,-2", "salmon"), PenaltyPaid(1, "oil", 2), PawnFled(1, "a1", "a0")
    )
    assert table.position.discards.blue == ("salmon",)
    assert table.position.seats[1].money == 1


@clause("CF-61", "CF-63")
@pytest.mark.parametrize("tile", ["tuna", "shark"])
@pytest.mark.parametrize("to", ["b2", "b28"])
def test_e6_the_typhoon_leaves_a_choice_of_fish_and_corner(tile: str, to: str) -> None:
    cats = (Cat("c3", placed="typhoon oil"), Cat("b0", cards="fishing_boat fishing_vessel", store="tuna shark"))
    then = given(*cats, typhoon="0,-2").when(0, {"type": "move_typhoon", "to": "1,-2"})
    assert then.event(FlightDemanded) == FlightDemanded("typhoon", "1,-2", 0, "execution", (1,))
    table = Given(CAT_AND_FISH, then.position)
    for unsafe in ("b1", "b29"):
        table.when(1, {"type": "flee", "to": unsafe, "tile": tile}).refused("CF-63")
    after = table.when(1, {"type": "flee", "to": to, "tile": tile}).position
    assert after.seats[1].pawn == to
    assert tile not in after.seats[1].store


@clause("CF-13")
def test_e7_two_markers_on_fishing_fish_twice_if_the_store_has_room() -> None:
    table = given(Cat(placed="fishing fishing"), OTHER, tiles={"1,-1": "crab", "0,-1": "squid"})
    table = table.when(0, {"type": "fish", "hex": "1,-1"}).says(FishCaught(0, "1,-1", "crab"))
    table.when(0, {"type": "fish", "hex": "0,-1"}).says(FishCaught(0, "0,-1", "squid"))
    full = given(Cat(placed="fishing fishing", store="tuna"), OTHER, tiles={"1,-1": "crab", "0,-1": "squid"})
    full = full.when(0, {"type": "fish", "hex": "1,-1"}).tells("fish_caught")
    full.when(0, {"type": "fish", "hex": "0,-1"}).refused("CF-23")


@clause("CF-75")
def test_e8_a_whale_and_a_bone_do_not_pay_the_dues() -> None:
    cats = (Cat(money=1, store="whale pink_bone"), Cat("c4"))
    then = given(*cats, phase="season_end", season="winter", year=2).when(REFEREE, {"type": "end_season"})
    assert then.event(LoanGranted) == LoanGranted(0)
    assert (then.position.seats[0].money, then.position.seats[0].penalties) == (1, 1)


@clause("CF-16", "CF-82")
def test_e9_the_thief_of_a_crew_of_three_has_no_third_marker_and_is_first_in_spring() -> None:
    cats = (Cat(cards="membership", placed="fishing"), Cat("c4", cards="membership", placed="fishing fishing selling"))
    table = given(*cats, phase="placement", season="winter", first_seat=1)
    then = table.when(0, {"type": "place_marker", "space": "thief"})
    assert then.event(FirstPlayerClaimed) == FirstPlayerClaimed(0)
    assert then.position.phase == "execution"
    spring = given(Cat(), Cat("c4"), phase="year_end", season="winter", thief=0, first_seat=0)
    assert spring.when(REFEREE, StartYear()).position.first_seat == 0


def in_rounds(colour: Colour) -> list[str]:
    """The kinds of a colour again and again, one tile of every kind that has some left."""
    left = {tile: EDITION.tiles[tile].count for tile in TILES_OF[colour]}
    return [tile for lap in range(max(left.values())) for tile, count in left.items() if lap < count]


MAGIC = "engine wind good_haul blank storm change strong_wind engine warp wind good_haul engine"
SHUFFLES = (
    *((f"shuffle_{colour}", in_rounds(colour)) for colour in COLOURS),
    ("shuffle_treasure", [2, 0, 3, 1, 4, 2, 0, 3, 5, 2, 0, 3]),
    ("shuffle_magic", MAGIC.split()),
)


def test_the_scripted_opening() -> None:
    table = Given(CAT_AND_FISH, CAT_AND_FISH.blank(Options(first_seat=0), 2))
    table = table.when(REFEREE, {"type": "set_up"}, *SHUFFLES).tells("game_set_up")
    assert table.position.phase == "placement"
    assert [table.position.board[hex] for hex in ("1,-1", "1,-2", "0,-1")] == ["crab", "mackerel", "green_treasure"]
    for seat, space, *following in ((0, "fishing"), (1, "buying"), (0, "buying"), (1, "sailing", "placement_closed")):
        assert awaited(table) == [seat]
        table = table.when(seat, {"type": "place_marker", "space": space}).tells("marker_placed", *following)
    assert awaited(table) == [0]
    table.when(0, {"type": "fish", "hex": "1,-2"}).refused("CF-24")
    table.when(0, {"type": "buy", "card": "fishing_net"}).refused("CF-46")
    table = table.when(0, {"type": "buy", "card": "cold_storage"}).says(CardBought(0, "cold_storage", 4))
    assert table.position.seats[0].money == 1
    table = table.when(0, {"type": "fish", "hex": "1,-1"}).says(FishCaught(0, "1,-1", "crab"))
    assert awaited(table) == [1]
    table = table.when(1, {"type": "buy", "card": "fishing_boat"}).says(CardBought(1, "fishing_boat", 2))
    assert table.position.seats[1].money == 3
    table = table.when(1, {"type": "sail", "to": "a9"}).says(PawnSailed(1, "c3", "a9"), RoundCompleted(1, "spring"))
    assert awaited(table) == []
    table = table.when(REFEREE, {"type": "end_season"}).says(SeasonChanged(1, "summer", 1))
    assert table.position.phase == "placement"
    table.when(1, {"type": "place_marker", "space": "thief"}).refused("CF-15")
    table.when(0, {"type": "place_marker", "space": "fishing"}).refused("CF-3")
