"""The numbers of the box are data (section 2)."""

from typing import Any

import msgspec
import pytest

from referee.kernel.edition import read_edition
from referee.rulesets.editions import editions_of
from referee.rulesets.fangfrisch import FANGFRISCH
from referee.rulesets.fangfrisch.edition import EDITION, PACKAGE, Edition
from referee.rulesets.fangfrisch.names import FISH
from referee.rulesets.fangfrisch.purchase import LotSold
from referee.rulesets.fangfrisch.selling import SellFish
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.fangfrisch.tables import cards

TEXT = (PACKAGE / "edition.toml").read_text(encoding="utf-8")


@clause("FF-R1")
def test_the_box_has_102_ordinary_cards_with_180_fish_in_the_canonical_order() -> None:
    ordinary = EDITION.ordinary_cards
    assert len(ordinary) == 102
    assert sum(FISH.get(card, 0) for card in ordinary) == 180
    assert ordinary[:15] == cards("eel_1 " * 5 + "eel_2 " * 5 + "eel_3 " * 4 + "shark_1")
    assert ordinary[-10:] == cards("octopus_3 " * 2 + "thief " * 4 + "can " * 4)


@clause("FF-21", "FF-70")
def test_half_the_price_rounded_up_is_what_the_list_prints() -> None:
    assert EDITION.half_price == tuple(-(-price // 2) for price in EDITION.price)


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("seats = [3, 4, 5]", "seats = [3, 5]"),
        ("seats = [3, 4, 5]", "seats = []"),
        ("seats = [3, 4, 5]", "seats = [1, 2]"),
        ("half_price = [1, 1, ", "half_price = [1, "),
        ("end_phase_from_last = 15", "end_phase_from_last = 104"),
        ("mixed_with_market_close = 5", "mixed_with_market_close = 15"),
    ],
)
def test_an_edition_that_cannot_be_played_is_refused(line: str, other: str) -> None:
    assert line in TEXT
    with pytest.raises(ValueError, match="fangfrisch-queen-games-2007"):
        read_edition(TEXT.replace(line, other), Edition)


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("thief = 4", "thieves = 4"),
        ("eel = [5, 5, 4]", "eel = [5, 5]"),
        ("lot_price = 10", ""),
        ("hand_pause_s = 2", "hand_pause_s = 1"),
    ],
)
def test_an_edition_with_another_form_is_refused(line: str, other: str) -> None:
    assert line in TEXT
    with pytest.raises(msgspec.ValidationError):
        read_edition(TEXT.replace(line, other), Edition)


def test_rules_with_other_numbers_are_the_same_rules() -> None:
    ruleset = editions_of(FANGFRISCH)["small_catch"]
    position: Any = ruleset.blank(FANGFRISCH.variants[1], 3)
    table = (
        Given(ruleset, position)
        .when("referee", {"type": "set_up"}, ("draw_first_seat", 0))
        .tells("game_set_up", "turn_started")
    )
    assert [each.money for each in table.position.seats] == [24, 24, 24]
    assert table.position.deck.index("end_phase") == len(table.position.deck) - 13
    table = table.when(0, SellFish(lots=())).tells("auction_opened", "card_announced")
    due = ruleset.due(table.position)
    assert due is not None and due.after_ms == 200
    table = table.when("referee", due.move).tells("card_revealed")
    assert [each.not_before_s for each in ruleset.awaited(table.position) if each.moves == ("reveal_card",)] == [3]
    table = table.when(1, {"type": "ring", "seen": 1}).tells("answer_given")
    sold = table.when("referee", {"type": "close_bell"}).event(LotSold)
    assert (sold.price, sold.bonus) == (8, 2)
    assert ruleset.edition_hash != FANGFRISCH.edition_hash
