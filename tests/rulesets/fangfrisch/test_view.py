"""What may be seen (section 11), and positions that a reader cannot tell apart."""

from collections import Counter
from typing import Any

import msgspec
import pytest

from referee.kernel.audience import redact
from referee.kernel.chance import Seeded
from referee.kernel.seat import REFEREE
from referee.rulesets.fangfrisch import FANGFRISCH
from referee.rulesets.fangfrisch.position import Options, Position
from referee.rulesets.fangfrisch.setup import GameSetUp, SetUp
from tests.clauses import clause
from tests.rulesets.fangfrisch.tables import a_position, bought, cards, seat

READERS = (0, 1, 2, 3, None)


def an_auction() -> Position:
    return a_position(
        seat(trash="crab_3"),
        seat(basin="eel_1", trash="eel_2 eel_3", answer="ring"),
        seat(answer="pass"),
        phase="auction",
        offer="tuna_1 thief",
        discard="shark_1 can",
        cleared="lobster_1 lobster_3",
    )


def canning() -> Position:
    return a_position(
        seat(trash="crab_3"), seat(trash="eel_2 eel_3"), phase="canning", purchase=bought(1, cans=1), discard="can"
    )


@pytest.mark.parametrize("reader", READERS)
def test_the_deck_and_what_cans_removed_are_only_counted(reader: Any) -> None:
    seen = FANGFRISCH.view(an_auction(), reader)
    assert (seen.deck, seen.deck_count) == (None, 104 - 10)
    assert (seen.cleared, seen.cleared_count) == (None, 2)


@clause("FF-R28")
@pytest.mark.parametrize("reader", READERS)
def test_the_discard_pile_is_open(reader: Any) -> None:
    assert FANGFRISCH.view(an_auction(), reader).discard == cards("shark_1 can")


@clause("FF-R29")
@pytest.mark.parametrize("reader", READERS)
def test_money_stalls_offer_and_what_lies_aside_are_open(reader: Any) -> None:
    position = a_position(seat(7), seat(basin="eel_1"), phase="auction", offer="tuna_1 thief", aside="end_phase")
    seen = FANGFRISCH.view(position, reader)
    assert [each.money for each in seen.seats] == [7, 30, 30, 30]
    assert seen.seats[1].basin == ("eel_1",)
    assert (seen.offer, seen.aside) == (cards("tuna_1 thief"), ("end_phase",))


@pytest.mark.parametrize("reader", READERS)
def test_a_purchase_is_open(reader: Any) -> None:
    position = a_position(phase="stowing", purchase=bought(1, "eel_1 crab_2", cans=1))
    assert FANGFRISCH.view(position, reader).purchase == position.purchase


@clause("FF-38")
@pytest.mark.parametrize("reader", READERS)
def test_other_readers_see_only_that_a_seat_has_answered(reader: Any) -> None:
    seen = FANGFRISCH.view(an_auction(), reader)
    answers = [None, True, True, None]
    if reader in (1, 2):
        answers[reader] = {1: "ring", 2: "pass"}[reader]
    assert [each.answer for each in seen.seats] == answers


@clause("FF-17", "FF-R28")
@pytest.mark.parametrize("reader", READERS)
def test_a_trash_lies_face_down_even_for_its_owner(reader: Any) -> None:
    seen = FANGFRISCH.view(an_auction(), reader)
    assert [each.trash for each in seen.seats] == [None] * 4
    assert [each.trash_count for each in seen.seats] == [1, 2, 0, 0]


@clause("FF-62", "FF-R28")
@pytest.mark.parametrize("reader", READERS)
def test_the_buyer_looks_at_its_own_trash_while_it_uses_a_can(reader: Any) -> None:
    seen = FANGFRISCH.view(canning(), reader)
    own = cards("eel_2 eel_3") if reader == 1 else None
    assert [each.trash for each in seen.seats] == [None, own, None, None]


@pytest.mark.parametrize("phase", ["settling", "finished"])
@pytest.mark.parametrize("reader", READERS)
def test_from_the_settlement_on_every_trash_is_open(phase: Any, reader: Any) -> None:
    seen = FANGFRISCH.view(a_position(seat(trash="crab_3"), phase=phase), reader)
    assert [each.trash for each in seen.seats] == [("crab_3",), (), (), ()]


@clause("FF-7")
def test_nobody_sees_the_deck_that_was_shuffled() -> None:
    events = FANGFRISCH.decide(FANGFRISCH.blank(Options(), 4), REFEREE, SetUp(), Seeded(1))
    for reader in READERS:
        shown = redact(events[0], reader)
        assert isinstance(shown, GameSetUp)
        assert msgspec.to_builtins(shown) == {"type": "game_set_up", "money": 30, "first_seat": events[0].first_seat}


def every_card(position: Position) -> Counter[str]:
    piles = [position.deck, position.discard, position.cleared, *[each.trash for each in position.seats]]
    return Counter(card for pile in piles for card in pile)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("make", [an_auction, canning])
def test_a_position_alike_looks_the_same_and_holds_the_same_cards(make: Any, reader: Any) -> None:
    position = make()
    for seed in range(10):
        other = FANGFRISCH.alike(position, reader, Seeded(seed))
        FANGFRISCH.check(other)
        assert FANGFRISCH.view(other, reader) == FANGFRISCH.view(position, reader)
        assert every_card(other) == every_card(position)


def test_hidden_cards_and_answers_vary_between_positions_alike() -> None:
    position = an_auction()
    others = [FANGFRISCH.alike(position, 1, Seeded(seed)) for seed in range(60)]
    assert {other.seats[2].answer for other in others} == {"ring", "pass"}
    assert {other.seats[1].answer for other in others} == {"ring"}
    assert len({other.deck for other in others}) == 60
    assert len({other.seats[0].trash for other in others}) > 5
    assert len({other.seats[1].trash for other in others}) > 5
    assert {other.discard for other in others} == {cards("shark_1 can")}
    assert len({other.cleared for other in others}) > 5


def test_a_buyer_with_a_can_knows_its_trash() -> None:
    position = canning()
    others = [FANGFRISCH.alike(position, 1, Seeded(seed)) for seed in range(20)]
    assert {other.seats[1].trash for other in others} == {cards("eel_2 eel_3")}
    assert len({other.seats[0].trash for other in others}) > 5


@clause("FF-8", "FF-9")
def test_in_a_position_alike_the_special_cards_lie_where_the_set_up_puts_them() -> None:
    fresh = FANGFRISCH.play(FANGFRISCH.blank(Options(), 4), REFEREE, SetUp(), Seeded(0))[1]
    decks = [FANGFRISCH.alike(fresh, None, Seeded(seed)).deck for seed in range(60)]
    assert {deck.index("end_phase") for deck in decks} == {88}
    assert {deck.index("market_close") for deck in decks} == set(range(98, 104))


@clause("FF-9")
def test_near_the_end_market_close_may_be_any_card_left() -> None:
    ordinary = a_position().deck[:-2]
    position = msgspec.structs.replace(
        a_position(aside="end_phase"), deck=(*ordinary[:2], "market_close"), discard=ordinary[2:]
    )
    decks = [FANGFRISCH.alike(position, 0, Seeded(seed)).deck for seed in range(60)]
    assert {deck.index("market_close") for deck in decks} == {0, 1, 2}
