"""Tests of the suite itself: a toy that leaks in one place fails the points about secrets."""

from typing import Any

import pytest

from referee.kernel.changes import put
from referee.kernel.changes import replace as changed
from referee.kernel.rejection import require
from tests.conformance import (
    test_secrets,
)
from tests.conformance.breaking import breaks, reduced, ruled
from tests.toy import TOY, flow
from tests.toy.bidding import Bid, BidMade
from tests.toy.bidding import bid_made as plain_bid_made
from tests.toy.turns import CardDrawn, DrawCard
from tests.toy.turns import draw_card as plain_draw_card
from tests.toy.turns import next_turn as plain_next_turn


def test_a_view_that_shows_hands() -> None:
    def view(table: Any, seat: Any, edition: Any) -> Any:
        seen = TOY.contract.view(table, seat, edition)
        pairs = zip(seen.seats, table.seats, strict=True)
        return changed(seen, seats=tuple(changed(each, hand=true.hand) for each, true in pairs))

    breaks(test_secrets.test_alike_positions_are_sound_and_indistinguishable, "open hands", view=view)


def test_a_view_that_gives_a_hint() -> None:
    def view(table: Any, seat: Any, edition: Any) -> Any:
        return changed(TOY.contract.view(table, seat, edition), turns=table.turns + table.deck[:1].count("eel"))

    breaks(test_secrets.test_permuting_what_a_view_leaves_out_changes_nothing_for_its_reader, "hint", view=view)


def test_a_view_that_copies_a_hidden_card() -> None:
    def view(table: Any, seat: Any, edition: Any) -> Any:
        return changed(
            TOY.contract.view(table, seat, edition), offer=(table.offer or table.deck[-1]) if table.deck else None
        )

    breaks(test_secrets.test_no_hidden_card_occurs_in_the_bytes_of_a_view, "copy", view=view)


def test_a_decision_that_depends_on_a_hidden_hand() -> None:
    def awaited(table: Any, edition: Any) -> Any:
        found = flow.awaited(table, edition)
        knowing = tuple(decision for decision in found if table.offer not in table.seats[decision.seat].hand)
        return knowing or found

    breaks(test_secrets.test_permuting_what_a_view_leaves_out_changes_nothing_for_its_reader, "asked", awaited=awaited)


def test_a_refusal_that_reveals_a_hidden_card() -> None:
    def draw_card(case: Any, move: Any) -> Any:
        hand = case.position.seats[case.seat].hand
        require("TY-5", not hand or case.position.deck[:1] != ("eel",), "The top card is an eel.")
        yield from plain_draw_card(case, move)

    test = test_secrets.test_alike_positions_are_sound_and_indistinguishable
    breaks(test, "telling refusal", chapters=ruled(DrawCard, draw_card))


def test_alike_positions_that_are_the_true_one_or_show_it() -> None:
    def shifted(table: Any, seat: Any, chance: Any, edition: Any) -> Any:
        return changed(table, turns=table.turns + 1)

    def true_bids(table: Any, seat: Any, chance: Any, edition: Any) -> Any:
        world = TOY.contract.alike(table, seat, chance, edition)
        seats = world.seats
        for number, each in enumerate(table.seats):
            seats = put(seats, number, changed(seats[number], bid=each.bid))
        return changed(world, seats=seats)

    differ = test_secrets.test_alike_positions_differ_in_all_that_is_hidden
    breaks(differ, "identity", alike=lambda table, seat, chance, edition: table)
    breaks(differ, "true bids", alike=true_bids)
    breaks(test_secrets.test_alike_positions_are_sound_and_indistinguishable, "shifted", alike=shifted)


def test_alike_positions_that_keep_the_order_of_the_true_one() -> None:
    def reversed_deck(table: Any, seat: Any, chance: Any, edition: Any) -> Any:
        return changed(TOY.contract.alike(table, seat, chance, edition), deck=table.deck[::-1])

    test = test_secrets.test_an_alike_position_follows_from_the_view_and_the_luck_alone
    breaks(test, "reversed deck", alike=reversed_deck)


def test_a_secret_that_its_move_reveals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bid, "secret", False)
    breaks(test_secrets.test_a_move_does_not_reveal_what_its_events_hide, "open move")


def test_a_secret_answer_that_shows_in_the_position() -> None:
    def bid_made(table: Any, event: Any) -> Any:
        return changed(plain_bid_made(table, event), turns=table.turns + event.coins)

    test = test_secrets.test_a_secret_answer_looks_like_any_other
    breaks(test, "shows", commits_max=lambda edition: 60, chapters=reduced(BidMade, bid_made))


def test_an_event_whose_public_part_depends_on_its_hidden_part() -> None:
    def draw_card(case: Any, move: Any) -> Any:
        require("TY-5", bool(case.position.deck), "There is no card.")
        card, count = case.position.deck[0], len(case.position.seats)
        after = yield CardDrawn(seat=(case.seat + (card == "eel")) % count, card=card)
        yield from plain_next_turn(case, after)

    test = test_secrets.test_events_that_hide_something_show_the_same_in_alike_worlds
    breaks(test, "public part", chapters=ruled(DrawCard, draw_card))
