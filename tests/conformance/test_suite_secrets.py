"""The suite itself: a toy that leaks in one place fails the points about secrets."""

from typing import Any

import pytest

from referee.kernel.changes import put
from referee.kernel.changes import replace as changed
from referee.kernel.rejection import require
from tests.conformance import (
    test_secrets,
)
from tests.conformance.breaking import breaks, reduced, ruled
from tests.toy import flow, position, rules


def test_a_view_that_shows_hands() -> None:
    def view(table: Any, seat: Any) -> Any:
        seen = position.view(table, seat)
        pairs = zip(seen.seats, table.seats, strict=True)
        return changed(seen, seats=tuple(changed(each, hand=true.hand) for each, true in pairs))

    breaks(test_secrets.test_alike_positions_are_sound_and_cannot_be_told_apart, "open hands", view=view)


def test_a_view_that_gives_a_hint() -> None:
    def view(table: Any, seat: Any) -> Any:
        return changed(position.view(table, seat), turns=table.turns + table.deck[:1].count("eel"))

    breaks(test_secrets.test_what_a_view_leaves_out_can_be_permuted_and_nobody_sees_it, "hint", view=view)


def test_a_view_that_copies_a_hidden_card() -> None:
    def view(table: Any, seat: Any) -> Any:
        return changed(position.view(table, seat), offer=(table.offer or table.deck[-1]) if table.deck else None)

    breaks(test_secrets.test_no_hidden_card_occurs_in_the_bytes_of_a_view, "copy", view=view)


def test_a_question_that_only_some_hands_are_asked() -> None:
    def awaited(table: Any) -> Any:
        found = flow.awaited(table)
        knowing = tuple(decision for decision in found if table.offer not in table.seats[decision.seat].hand)
        return knowing or found

    breaks(test_secrets.test_what_a_view_leaves_out_can_be_permuted_and_nobody_sees_it, "asked", awaited=awaited)


def test_a_refusal_that_tells_a_hidden_card() -> None:
    def draw_card(case: Any, move: Any) -> Any:
        hand = case.position.seats[case.seat].hand
        require("TY-5", not hand or case.position.deck[:1] != ("eel",), "The top card is an eel.")
        yield from rules.draw_card(case, move)

    test = test_secrets.test_alike_positions_are_sound_and_cannot_be_told_apart
    breaks(test, "telling refusal", chapters=ruled(rules.DrawCard, draw_card))


def test_alike_positions_that_are_the_true_one_or_show_it() -> None:
    def shifted(table: Any, seat: Any, chance: Any) -> Any:
        return changed(table, turns=table.turns + 1)

    def true_bids(table: Any, seat: Any, chance: Any) -> Any:
        world = position.alike(table, seat, chance)
        seats = world.seats
        for number, each in enumerate(table.seats):
            seats = put(seats, number, changed(seats[number], bid=each.bid))
        return changed(world, seats=seats)

    differ = test_secrets.test_alike_positions_differ_in_all_that_is_hidden
    breaks(differ, "identity", alike=lambda table, seat, chance: table)
    breaks(differ, "true bids", alike=true_bids)
    breaks(test_secrets.test_alike_positions_are_sound_and_cannot_be_told_apart, "shifted", alike=shifted)


def test_alike_positions_that_keep_the_order_of_the_true_one() -> None:
    def reversed_deck(table: Any, seat: Any, chance: Any) -> Any:
        return changed(position.alike(table, seat, chance), deck=table.deck[::-1])

    test = test_secrets.test_an_alike_position_follows_from_the_view_and_the_luck_alone
    breaks(test, "reversed deck", alike=reversed_deck)


def test_a_secret_that_its_move_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules.Bid, "secret", False)
    breaks(test_secrets.test_a_move_does_not_tell_what_its_events_hide, "open move")


def test_a_secret_answer_that_shows_in_the_position() -> None:
    def bid_made(table: Any, event: Any) -> Any:
        return changed(rules.bid_made(table, event), turns=table.turns + event.coins)

    test = test_secrets.test_a_secret_answer_looks_like_any_other
    breaks(test, "shows", moves_max=60, chapters=reduced(rules.BidMade, bid_made))


def test_an_event_whose_public_part_depends_on_its_hidden_part() -> None:
    def draw_card(case: Any, move: Any) -> Any:
        require("TY-5", bool(case.position.deck), "There is no card.")
        card, count = case.position.deck[0], len(case.position.seats)
        after = yield rules.CardDrawn(seat=(case.seat + (card == "eel")) % count, card=card)
        yield from rules.next_turn(case, after)

    test = test_secrets.test_events_that_hide_something_show_the_same_in_alike_worlds
    breaks(test, "public part", chapters=ruled(rules.DrawCard, draw_card))
