"""Draw pile and discard pile (section 4.3)."""

import pytest

from referee.kernel.changes import without
from referee.kernel.rejection import InvalidChance
from referee.rulesets.catham_city.cards import listed, total
from referee.rulesets.catham_city.factions.bureaucrats import PlayBureaucrats
from referee.rulesets.catham_city.factions.robocats import PlayRobocats
from referee.rulesets.catham_city.factions.scientists import PlayScientists
from referee.rulesets.catham_city.piles import CardsDrawn, DiscardReshuffled, PileRevealed, TableCleared
from referee.rulesets.catham_city.playing import CardsPlayed
from referee.rulesets.catham_city.taking import TakeCards
from referee.rulesets.catham_city.turns import TurnEnded
from tests.clauses import clause
from tests.rulesets.catham_city.tables import given, hand, heap, row


@clause("CC-11")
def test_cards_come_from_the_top_one_after_another():
    table = given("R2", "", top="SHMDD R")
    then = table.when(0, PlayRobocats(mode="draw"))
    assert then.event(CardsDrawn) == CardsDrawn(seat=0, cards=row("SHMDD"), count=5)
    assert then.position.draw_pile == table.position.draw_pile[5:]


@clause("CC-12", "CC-R11")
def test_a_reshuffle_splits_the_draw_and_leaves_out_what_is_on_the_table():
    table = given("R2", "", top="SH", rest="discard_pile")
    order = row("MDDSS") + without(listed(table.position.discard_pile), row("MDDSS"))
    then = table.when(0, PlayRobocats(mode="draw"), ("reshuffle", order))
    after = then.says(
        CardsPlayed(seat=0, faction="robocat", cards=row("RR"), extra=None, target=None),
        CardsDrawn(seat=0, cards=row("SH"), count=2),
        DiscardReshuffled(order=order, count=len(order)),
        CardsDrawn(seat=0, cards=row("MDD"), count=3),
        TableCleared(cards=row("RR")),
        TurnEnded(seat=0, next_seat=1, actions_left=1),
    )
    assert after.position.draw_pile == order[3:]
    assert listed(after.position.discard_pile) == row("RR")
    assert hand(after.position, 0) == heap("D2 S1 M1 H1")


@clause("CC-12")
def test_an_empty_draw_pile_is_reshuffled_before_the_first_card():
    then = given("S3", "", rest="discard_pile").when(0, PlayScientists())
    then.tells("cards_played", "influence_gained", "discard_reshuffled", "cards_drawn", "table_cleared", "turn_ended")


@clause("CC-12", "CC-R10")
def test_a_draw_pile_emptied_by_the_last_card_needed_is_left_empty():
    table = given("R2", "", market="D7", top="SHMDD", rest="discard_pile")
    after = table.when(0, PlayRobocats(mode="draw")).tells("cards_played", "cards_drawn", "table_cleared", "turn_ended")
    assert after.position.draw_pile == ()
    after.when(1, TakeCards(faction="detective", count=1)).tells(
        "cards_taken", "discard_reshuffled", "market_refilled", "turn_ended"
    )


@clause("CC-12")
@pytest.mark.parametrize("change", [lambda order: order[1:], lambda order: (*order, "hacker"), lambda order: ()])
def test_a_forced_reshuffle_is_exactly_the_discard_pile(change):
    table = given("R2", "", rest="discard_pile")
    with pytest.raises(InvalidChance):
        table.when(0, PlayRobocats(mode="draw"), ("reshuffle", change(listed(table.position.discard_pile))))


@clause("CC-13", "CC-R12")
def test_with_both_piles_empty_the_effect_goes_on_with_the_cards_that_came():
    hands = ("B10", "D10", "D3 S7", "S7 M3", "M9 H1", "M1 H9")
    table = given(*hands, factions="BDSMH", market="B5 H2", top="DDSMH", discarded="M1 H2", influence=(1,) * 6)
    then = table.when(0, PlayBureaucrats(count=10))
    after = then.tells(
        "cards_played",
        "pile_revealed",
        "discard_reshuffled",
        "pile_revealed",
        "influence_gained",
        "table_cleared",
        "turn_ended",
    ).position
    assert after.draw_pile == ()
    assert total(after.discard_pile) == 18
    assert next(event.cards for event in then.events if isinstance(event, PileRevealed)) == row("DDSMH")


@clause("CC-14", "CC-R23")
def test_all_discards_are_face_up():
    table = given("R2", "S3", discarded="D2 H1")
    for reader in (None, 0, 1):
        assert table.ruleset.view(table.position, reader).discard_pile == table.position.discard_pile
