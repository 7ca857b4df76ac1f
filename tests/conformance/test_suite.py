"""Tests of the suite itself: a toy that is broken in one place fails the point that covers it."""

import random
from itertools import count
from typing import Any

import msgspec
import pytest
from msgspec.structs import force_setattr

from referee.kernel.changes import replace as changed
from referee.kernel.rejection import Malformed, Rejection, require
from referee.kernel.ruleset import Decision, Due
from referee.kernel.seat import REFEREE
from tests.conformance import (
    test_flow,
    test_legality,
    test_log,
    test_messages,
    test_positions,
    test_setup,
)
from tests.conformance.breaking import breaks, chapters_without, reduced, ruled
from tests.toy import TOY, flow, position
from tests.toy.bidding import Bid, OfferCard, RevealBids
from tests.toy.bidding import bid as plain_bid
from tests.toy.bidding import offer_card as plain_offer_card
from tests.toy.haggling import ShareCoins
from tests.toy.turns import CardDrawn, DrawCard
from tests.toy.turns import card_drawn as plain_card_drawn
from tests.toy.turns import draw_card as plain_draw_card


def test_an_event_that_is_applied_in_place() -> None:
    def card_drawn(table: Any, event: Any) -> Any:
        after = plain_card_drawn(table, event)
        force_setattr(table, "turns", table.turns + 1)
        return after

    test = test_log.test_deciding_and_applying_leave_the_position_untouched
    breaks(test, "in place", chapters=reduced(CardDrawn, card_drawn))


def test_a_reducer_that_remembers() -> None:
    calls = count()

    def card_drawn(table: Any, event: Any) -> Any:
        return changed(plain_card_drawn(table, event), turns=table.turns + (next(calls) > 15))

    test = test_log.test_folding_the_log_gives_the_position_that_was_played
    breaks(test, "memory", commits_max=lambda edition: 40, chapters=reduced(CardDrawn, card_drawn))


def test_a_rule_that_draws_its_own_luck() -> None:
    luck = random.Random(0)

    def offer_card(case: Any, move: Any) -> Any:
        hand = case.position.seats[case.seat].hand
        yield from plain_offer_card(case, changed(move, card=luck.choice(hand) if hand else move.card))

    breaks(test_log.test_deciding_twice_gives_the_same_events, "own luck", chapters=ruled(OfferCard, offer_card))


def test_a_rule_that_refuses_after_its_first_event() -> None:
    def bid(case: Any, move: Any) -> Any:
        yield from plain_bid(case, move)
        require("TY-7", move.coins != 2, "Two is no bid.")

    test = test_legality.test_each_legal_move_is_accepted_and_leads_to_a_sound_position
    breaks(test, "late refusal", chapters=ruled(Bid, bid))


def test_a_rule_that_refuses_after_a_drawing() -> None:
    def draw_card(case: Any, move: Any) -> Any:
        case.chance.number("whim", 0, 1)
        yield from plain_draw_card(case, move)

    test = test_legality.test_absurd_moves_are_refused_with_a_clause
    breaks(test, "early luck", chapters=ruled(DrawCard, draw_card))


def test_a_refusal_with_a_clause_that_is_not_in_the_rules() -> None:
    def bid(case: Any, move: Any) -> Any:
        require("TY-99", move.coins <= case.position.seats[case.seat].coins, "Too much.")
        yield from plain_bid(case, move)

    test = test_legality.test_absurd_moves_are_refused_with_a_clause
    breaks(test, "unknown clause", chapters=ruled(Bid, bid))


def test_a_rule_that_fails_on_a_huge_number() -> None:
    def bid(case: Any, move: Any) -> Any:
        assert move.coins < 100
        yield from plain_bid(case, move)

    breaks(test_legality.test_absurd_moves_are_refused_with_a_clause, "huge", chapters=ruled(Bid, bid))


def test_a_legal_move_that_is_not_listed() -> None:
    def candidates(table: Any, seat: Any, edition: Any) -> Any:
        return (move for move in TOY.contract.candidates(table, seat, edition) if move != Bid(coins=1))

    breaks(test_legality.test_absurd_moves_are_refused_with_a_clause, "not listed", candidates=candidates)


def test_an_order_of_moves_that_changes() -> None:
    luck = random.Random(0)

    def candidates(table: Any, seat: Any, edition: Any) -> Any:
        return luck.sample(moves := list(TOY.contract.candidates(table, seat, edition)), len(moves))

    breaks(test_legality.test_legal_moves_have_no_duplicates_and_a_stable_order, "order", candidates=candidates)


def test_a_family_of_unreadable_moves() -> None:
    def families(table: Any, seat: Any, edition: Any) -> Any:
        for family in TOY.contract.families(table, seat, edition):
            schema = {"type": "object", "properties": {"shares": {"const": "all"}}, "required": ["shares"]}
            yield changed(family, schema=schema)

    breaks(test_legality.test_a_family_allows_only_readable_moves_and_some_are_legal, "family", families=families)


def test_a_rule_that_does_not_check_the_actor() -> None:
    def before(case: Any, attempt: Any) -> None:
        try:
            flow.before(case, attempt)
        except Rejection as rejection:
            if rejection.clause != "TY-4" or case.actor == REFEREE:
                raise

    breaks(test_legality.test_no_other_actor_can_make_the_move_of_an_awaited_seat, "any actor", before=before)
    breaks(test_legality.test_no_seat_can_make_a_trigger_and_the_referee_only_due_ones, "any trigger", before=before)


def test_a_rule_that_reads_seat_minus_one_as_the_last_seat() -> None:
    def before(case: Any, attempt: Any) -> None:
        flow.before(changed(case, actor=len(case.position.seats) - 1 if case.actor == -1 else case.actor), attempt)

    breaks(test_legality.test_an_actor_without_a_seat_cannot_move, "minus one", before=before)


def test_a_game_that_continues_after_its_end() -> None:
    def before(case: Any, attempt: Any) -> None:
        if case.position.phase != "finished":
            flow.before(case, attempt)
        attempt.readable("TY-2")

    breaks(test_legality.test_a_finished_game_refuses_every_move_with_one_clause, "no end", before=before)


def test_a_dead_end() -> None:
    def awaited(table: Any, edition: Any) -> Any:
        return () if table.phase == "bidding" else flow.awaited(table, edition)

    breaks(test_flow.test_random_play_ends_in_time_and_then_nothing_is_owed, "dead end", awaited=awaited)


def test_a_game_that_no_seat_is_obliged_to_continue() -> None:
    def awaited(table: Any, edition: Any) -> Any:
        return tuple(changed(decision, obliged=False) for decision in flow.awaited(table, edition))

    breaks(test_flow.test_until_the_end_a_seat_is_awaited_or_a_trigger_is_due, "no duty", awaited=awaited)


def test_an_awaited_seat_without_a_legal_move() -> None:
    def awaited(table: Any, edition: Any) -> Any:
        found = flow.awaited(table, edition)
        return found and (*found, Decision(seat=(found[0].seat + 1) % len(table.seats), moves=("draw_card",)))

    def default(table: Any, seat: Any, edition: Any) -> Any:
        return DrawCard()

    breaks(test_flow.test_every_awaited_seat_exists_and_has_a_legal_move, "in vain", awaited=awaited)
    breaks(test_flow.test_each_safe_default_is_legal_and_of_an_awaited_type, "default", default=default)


def test_a_game_that_is_too_long() -> None:
    breaks(
        test_flow.test_random_play_ends_in_time_and_then_nothing_is_owed,
        "too long",
        commits_max=lambda edition: 5,
    )


def test_a_trigger_that_is_due_and_refused() -> None:
    def due(table: Any, edition: Any) -> Any:
        return Due(RevealBids()) if table.phase == "turn" and table.turns == 3 else TOY.due(table)

    breaks(test_flow.test_due_triggers_are_accepted_and_come_to_rest, "due", due=due)


def test_a_ranking_that_forgets_a_seat_or_shares_no_rank() -> None:
    def no_ties(table: Any, edition: Any) -> Any:
        return tuple(changed(place, rank=number + 2) for number, place in enumerate(TOY.ranking(table)))

    ranked = test_flow.test_the_ranking_covers_each_seat_and_names_the_clause
    breaks(ranked, "forgets", ranking=lambda table, edition: TOY.ranking(table)[1:])
    breaks(ranked, "second is first", ranking=no_ties)
    breaks(test_flow.test_the_ranking_matches_the_last_event_and_does_not_change, "reversed", ranking=no_ties)


@pytest.mark.parametrize("invariant", ["Every fish", "`active_seat`", "`first_seat`", "There are two"])
def test_an_invariant_that_is_not_checked(invariant: str) -> None:
    def check(table: Any, edition: Any) -> None:
        try:
            TOY.check(table)
        except Malformed as fault:
            if not fault.invariant.startswith(invariant):
                raise

    breaks(test_positions.test_damaged_positions_are_refused, invariant, check=check)


def test_a_position_that_accepts_any_key() -> None:
    named = [(field.name, field.type) for field in msgspec.structs.fields(position.Position)]
    loose = msgspec.defstruct("Position", named, frozen=True)
    breaks(
        test_positions.test_damaged_positions_are_refused,
        "any key",
        position_type=loose,
        check=lambda table, edition: None,
    )


def test_a_check_that_accepts_an_unplayable_position() -> None:
    breaks(
        test_positions.test_a_disturbed_position_is_refused_or_can_be_played,
        "no check",
        check=lambda table, edition: None,
    )


def test_a_set_up_that_accepts_any_number_of_seats() -> None:
    def blank(options: Any, seats: int, edition: Any) -> Any:
        return position.Position(options=options, phase="setup", seats=(position.SeatState(),) * seats)

    breaks(test_setup.test_too_few_or_too_many_seats_are_refused_with_a_clause, "any seats", blank=blank)


def test_a_type_that_is_lost_or_not_declared() -> None:
    fewer = chapters_without(ShareCoins)
    breaks(test_messages.test_no_type_is_lost_or_renamed, "lost", chapters=fewer)
    breaks(test_messages.test_every_kind_of_message_is_declared, "forgotten", chapters=fewer)
    breaks(
        test_messages.test_each_kind_of_message_has_one_function_and_a_sentence,
        "twice",
        chapters=(*TOY.chapters, *fewer),
    )
