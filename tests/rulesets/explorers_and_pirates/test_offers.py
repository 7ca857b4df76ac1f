"""Trade between the seats: EP-50 to EP-54, EP-27."""

import jsonschema
import pytest

from referee.kernel.changes import replace
from referee.rulesets.explorers_and_pirates import EXPLORERS_AND_PIRATES
from referee.rulesets.explorers_and_pirates.offers import (
    AcceptTrade,
    ConfirmTrade,
    DeclineTrade,
    OfferTrade,
    TradeAccepted,
    TradeDeclined,
    TradeMade,
    TradeOffered,
    TradeWithdrawn,
    WithdrawTrade,
)
from referee.rulesets.explorers_and_pirates.position import Offer
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.explorers_and_pirates.tables import a_table, bag, seat

HANDS = (seat("brick2", gold=1), seat("ore1"), seat("ore1", gold=3))
OFFER = Offer(give={"brick": 1}, want={"ore": 1}, to=(1, 2), accepted=(), declined=())


def offering(**parts: object) -> Given:
    return a_table(*HANDS, offer=replace(OFFER, **parts))


@clause("EP-51")
@pytest.mark.parametrize(
    ("give", "want", "to"),
    [
        ("", "ore1", None),
        ("brick1", "", None),
        ("brick1", "brick1", None),
        ("brick1 gold1", "ore1 gold2", None),
        ("brick1", "ore1", (0,)),
        ("brick1", "ore1", (1, 0)),
        ("brick1", "ore1", ()),
        ("brick1", "ore1", (1, 1)),
    ],
)
def test_an_offer_has_two_sides_and_asks_opponents(give: str, want: str, to: tuple[int, ...] | None) -> None:
    asked = {} if to is None else {"to": to}
    a_table(*HANDS).when(0, OfferTrade(give=bag(give), want=bag(want), **asked)).refused("EP-51")


@clause("EP-27", "EP-51")
def test_a_seat_offers_only_what_it_has() -> None:
    table = a_table(*HANDS)
    table.when(0, OfferTrade(give={"brick": 3}, want={"ore": 1})).refused("EP-27")
    table.when(0, OfferTrade(give={"gold": 2}, want={"ore": 1})).refused("EP-27")
    table.when(0, OfferTrade(give={"brick": 2, "gold": 1}, want={"ore": 9})).tells("trade_offered")


@clause("EP-51")
def test_an_offer_goes_to_all_opponents_or_to_those_named() -> None:
    table = a_table(*HANDS, active_seat=0)
    everybody = table.when(0, OfferTrade(give={"brick": 1}, want={"ore": 1})).says(
        TradeOffered(seat=0, give={"brick": 1}, want={"ore": 1}, to=(1, 2))
    )
    assert everybody.position.offer == OFFER
    one = table.when(0, OfferTrade(give={"brick": 1}, want={"ore": 1}, to=(2, 1)))
    assert one.events[0].to == (1, 2), "clockwise"


@clause("EP-52", "EP-R26")
def test_answers_are_public_and_given_once() -> None:
    table = offering()
    table.when(1, AcceptTrade()).says(TradeAccepted(seat=1)).when(1, DeclineTrade()).refused("EP-18")
    position = table.when(2, DeclineTrade()).says(TradeDeclined(seat=2)).position
    assert EXPLORERS_AND_PIRATES.view(position, None).offer == replace(OFFER, declined=(2,))


@clause("EP-52")
def test_only_a_seat_that_has_the_wanted_goods_accepts() -> None:
    hands = (seat("brick2"), seat("wool1"), seat("ore1"))
    table = a_table(*hands, offer=OFFER)
    table.when(1, AcceptTrade()).refused("EP-52")
    assert table.legal(1) == (DeclineTrade(),)
    for_gold = replace(OFFER, want={"gold": 4})
    a_table(*HANDS, offer=for_gold).when(2, AcceptTrade()).refused("EP-52")


@clause("EP-52")
def test_an_offer_that_all_have_declined_is_closed() -> None:
    table = offering(declined=(2,))
    after = table.when(1, DeclineTrade()).says(TradeDeclined(seat=1), TradeWithdrawn(seat=0))
    assert after.position.offer is None
    offering(accepted=(2,)).when(1, DeclineTrade()).says(TradeDeclined(seat=1))


@clause("EP-53")
def test_the_active_seat_trades_with_one_seat_that_has_accepted() -> None:
    table = offering(accepted=(2,), declined=(1,))
    table.when(0, ConfirmTrade(partner=1)).refused("EP-53")
    table.when(0, ConfirmTrade(partner=0)).refused("EP-53")
    after = table.when(0, ConfirmTrade(partner=2)).says(
        TradeMade(seat=0, partner=2, give={"brick": 1}, want={"ore": 1})
    )
    hands = [(state.resources.brick, state.resources.ore) for state in after.position.seats]
    assert hands == [(1, 1), (0, 1), (1, 0)]
    assert after.position.offer is None


@clause("EP-53", "EP-27")
def test_gold_changes_hands_as_well() -> None:
    offer = Offer(give={"brick": 1, "gold": 1}, want={"ore": 1}, to=(1, 2), accepted=(1,), declined=())
    after = a_table(*HANDS, offer=offer).when(0, ConfirmTrade(partner=1)).position
    assert [state.gold for state in after.seats] == [0, 1, 3]
    assert after.bank == a_table(*HANDS).position.bank


@clause("EP-53")
def test_the_active_seat_withdraws_its_offer_at_any_time() -> None:
    offering(accepted=(1,)).when(0, WithdrawTrade()).says(TradeWithdrawn(seat=0))
    assert offering(accepted=(1,)).legal(0) == (ConfirmTrade(partner=1), WithdrawTrade())


@clause("EP-50")
def test_only_the_active_seat_trades_as_often_as_it_likes() -> None:
    table = a_table(*HANDS)
    table.when(1, OfferTrade(give={"ore": 1}, want={"brick": 1})).refused("EP-18")
    for _ in range(3):
        table = table.when(0, OfferTrade(give={"brick": 1}, want={"ore": 1})).tells("trade_offered")
        table = table.when(0, WithdrawTrade()).tells("trade_withdrawn")


@clause("EP-51")
def test_offers_are_a_family_with_bounds() -> None:
    position = a_table(*HANDS).position
    (family,) = EXPLORERS_AND_PIRATES.families(position, 0)
    good = {"type": "offer_trade", "give": {"brick": 2, "gold": 1}, "want": {"ore": 2}, "to": [1]}
    jsonschema.validate(good, family.schema)
    for bad in ({"brick": 3}, {}, {"wool": 1}, {"gold": 2}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**good, "give": bad}, family.schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**good, "want": {"ore": 3}}, family.schema)
    assert tuple(EXPLORERS_AND_PIRATES.families(position, 1)) == ()
    assert tuple(EXPLORERS_AND_PIRATES.families(offering().position, 0)) == ()
    assert tuple(EXPLORERS_AND_PIRATES.families(a_table(seat(), seat("ore1")).position, 0)) == ()
