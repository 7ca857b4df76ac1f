"""Treasure Island and Magic Library: CF-52 to CF-54."""

from referee.kernel.audience import redact
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.catastrophes import MoveTyphoon
from referee.rulesets.cat_and_fish.decks import BlankDrawn, DrawMagic, MagicDrawn, OpenTreasure, TreasureOpened
from referee.rulesets.cat_and_fish.fishing import Fish
from referee.rulesets.cat_and_fish.sailing import Sail
from tests.clauses import clause
from tests.rulesets.cat_and_fish.tables import Cat, given

OTHER = Cat("c3", placed="oil")


@clause("CF-52")
def test_the_top_treasure_card_is_paid_and_used_up() -> None:
    table = given(Cat(placed="treasure_island oil", money=1), OTHER, treasure_deck=(4, 5, 0))
    after = table.when(0, OpenTreasure()).says(TreasureOpened(0, 4)).position
    assert after.seats[0].money == 5
    assert after.seats[0].placed == ("oil",)
    assert after.treasure_deck == (5, 0)
    assert after.treasure_used[-1] == 4


@clause("CF-52", "CF-R2")
def test_a_blank_of_treasure_island_pays_nothing() -> None:
    table = given(Cat(placed="treasure_island oil", money=1), OTHER, treasure_deck=(0, 5))
    assert table.when(0, OpenTreasure()).says(TreasureOpened(0, 0)).position.seats[0].money == 1


@clause("CF-53", "CF-R44")
def test_the_top_magic_card_goes_to_the_hand_unseen_by_the_others() -> None:
    table = given(Cat(placed="magic_library oil", magic="wind"), OTHER, magic_deck="storm warp")
    then = table.when(0, DrawMagic())
    after = then.says(MagicDrawn(0, "storm")).position
    assert after.seats[0].magic == ("wind", "storm")
    assert after.magic_deck == ("warp",)
    assert after.seats[0].placed == ("oil",)
    event = then.event(MagicDrawn)
    assert redact(event, Seat(0)) == event
    assert redact(event, Seat(1)) == redact(event, None) == MagicDrawn(0)


@clause("CF-53", "CF-R2")
def test_a_blank_of_the_magic_library_is_shown_and_leaves_the_game() -> None:
    table = given(Cat(placed="magic_library oil", magic="wind"), OTHER, magic_deck="blank warp")
    after = table.when(0, DrawMagic()).says(BlankDrawn(0)).position
    assert after.seats[0].magic == ("wind",)
    assert after.magic_used[-1] == "blank"
    assert after.seats[0].placed == ("oil",)


@clause("CF-53")
def test_a_hand_has_no_limit() -> None:
    hand = "engine engine engine wind wind strong_wind good_haul good_haul change warp"
    table = given(Cat(placed="magic_library", magic=hand), OTHER, magic_deck="storm")
    assert len(table.when(0, DrawMagic()).position.seats[0].magic) == 11


@clause("CF-54", "CF-R25")
def test_a_card_can_be_used_with_an_action_of_the_turn_in_which_it_is_drawn() -> None:
    table = given(Cat("c1", placed="magic_library sailing"), OTHER, magic_deck="engine")
    table = table.when(0, DrawMagic()).tells("magic_drawn")
    table.when(0, Sail("c5", boosts=("engine",))).tells("magic_played", "pawn_sailed")


@clause("CF-54")
def test_a_card_of_another_seat_cannot_be_played() -> None:
    other = Cat("c3", magic="engine good_haul storm warp", placed="oil")
    table = given(Cat("c1", cards="wizard sorcerer", placed="sailing fishing typhoon"), other, empty="1,-1")
    table.when(0, Sail("c5", boosts=("engine",))).refused("CF-54")
    table.when(0, Sail("c5", warp="warp")).refused("CF-54")
    table.when(0, Fish("1,-1", good_haul=True)).refused("CF-54")
    table.when(0, MoveTyphoon("2,0", storm=True)).refused("CF-54")


@clause("CF-54")
def test_a_played_card_is_shown_and_leaves_the_game() -> None:
    table = given(Cat("c1", placed="sailing", magic="engine wind engine"), OTHER)
    after = table.when(0, Sail("c5", boosts=("engine",))).position
    assert after.seats[0].magic == ("wind", "engine")
    assert after.magic_used[-1] == "engine"


@clause("CF-20")
def test_a_deck_needs_a_marker() -> None:
    table = given(Cat(placed="fishing"), OTHER, magic_deck="storm")
    table.when(0, OpenTreasure()).refused("CF-20")
    table.when(0, DrawMagic()).refused("CF-20")


@clause("CF-14", "CF-R53")
def test_an_action_on_an_empty_deck_is_refused() -> None:
    table = given(Cat(placed="treasure_island magic_library"), OTHER, treasure_deck=(), magic_deck="")
    table.when(0, OpenTreasure()).refused("CF-14")
    table.when(0, DrawMagic()).refused("CF-14")
    assert [str(type(move).__name__) for move in table.legal(0)] == ["EndTurn"]
