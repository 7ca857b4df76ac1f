"""The suite itself: a toy that is broken in one place fails the point that is about it."""

import random
from itertools import count
from typing import Any

import msgspec
import pytest
from msgspec.structs import force_setattr

from referee.kernel.changes import replace as changed
from referee.kernel.rejection import Malformed, Rejection, require
from referee.kernel.ruleset import Chapter, Decision, Due
from referee.kernel.seat import REFEREE
from tests.conformance import (
    test_flow,
    test_legality,
    test_log,
    test_messages,
    test_positions,
    test_setup,
)
from tests.conformance.breaking import breaks, reduced, ruled
from tests.toy import TOY, flow, position, rules
from tests.toy.scoring import scoring


def test_an_event_that_is_applied_in_place() -> None:
    def card_drawn(table: Any, event: Any) -> Any:
        after = rules.card_drawn(table, event)
        force_setattr(table, "turns", table.turns + 1)
        return after

    test = test_log.test_deciding_and_applying_leave_the_position_untouched
    breaks(test, "in place", chapters=reduced(rules.CardDrawn, card_drawn))


def test_a_reducer_that_remembers() -> None:
    calls = count()

    def card_drawn(table: Any, event: Any) -> Any:
        return changed(rules.card_drawn(table, event), turns=table.turns + (next(calls) > 15))

    test = test_log.test_folding_the_log_gives_the_position_that_was_played
    breaks(test, "memory", moves_max=40, chapters=reduced(rules.CardDrawn, card_drawn))


def test_a_rule_with_luck_of_its_own() -> None:
    luck = random.Random(0)

    def offer_card(case: Any, move: Any) -> Any:
        hand = case.position.seats[case.seat].hand
        yield from rules.offer_card(case, changed(move, card=luck.choice(hand) if hand else move.card))

    breaks(test_log.test_deciding_twice_gives_the_same_events, "own luck", chapters=ruled(rules.OfferCard, offer_card))


def test_a_rule_that_refuses_after_its_first_event() -> None:
    def bid(case: Any, move: Any) -> Any:
        yield from rules.bid(case, move)
        require("TY-7", move.coins != 2, "Two is no bid.")

    test = test_legality.test_each_legal_move_is_accepted_and_leads_to_a_sound_position
    breaks(test, "late refusal", chapters=ruled(rules.Bid, bid))


def test_a_rule_that_refuses_after_a_drawing() -> None:
    def draw_card(case: Any, move: Any) -> Any:
        case.chance.number("whim", 0, 1)
        yield from rules.draw_card(case, move)

    test = test_legality.test_moves_without_sense_are_refused_with_a_clause
    breaks(test, "early luck", chapters=ruled(rules.DrawCard, draw_card))


def test_a_refusal_with_a_clause_that_is_not_in_the_rules() -> None:
    def bid(case: Any, move: Any) -> Any:
        require("TY-99", move.coins <= case.position.seats[case.seat].coins, "Too much.")
        yield from rules.bid(case, move)

    test = test_legality.test_moves_without_sense_are_refused_with_a_clause
    breaks(test, "unknown clause", chapters=ruled(rules.Bid, bid))


def test_a_rule_that_falls_over_a_huge_number() -> None:
    def bid(case: Any, move: Any) -> Any:
        assert move.coins < 100
        yield from rules.bid(case, move)

    breaks(test_legality.test_moves_without_sense_are_refused_with_a_clause, "huge", chapters=ruled(rules.Bid, bid))


def test_a_legal_move_that_is_not_listed() -> None:
    def candidates(table: Any, seat: Any) -> Any:
        return (move for move in flow.candidates(table, seat) if move != rules.Bid(coins=1))

    breaks(test_legality.test_moves_without_sense_are_refused_with_a_clause, "not listed", candidates=candidates)


def test_an_order_of_moves_that_changes() -> None:
    luck = random.Random(0)

    def candidates(table: Any, seat: Any) -> Any:
        return luck.sample(moves := list(flow.candidates(table, seat)), len(moves))

    breaks(test_legality.test_legal_moves_have_no_duplicates_and_a_stable_order, "order", candidates=candidates)


def test_a_family_of_what_is_no_move() -> None:
    def families(table: Any, seat: Any) -> Any:
        for family in flow.families(table, seat):
            schema = {"type": "object", "properties": {"shares": {"const": "all"}}, "required": ["shares"]}
            yield changed(family, schema=schema)

    breaks(test_legality.test_what_a_family_allows_is_a_move_and_some_of_it_is_accepted, "family", families=families)


def test_a_rule_that_does_not_ask_who_moves() -> None:
    def before(case: Any, attempt: Any) -> None:
        try:
            flow.before(case, attempt)
        except Rejection as rejection:
            if rejection.clause != "TY-4" or case.actor == REFEREE:
                raise

    breaks(test_legality.test_nobody_else_makes_the_move_of_an_awaited_seat, "any actor", before=before)
    breaks(test_legality.test_no_seat_makes_a_trigger_and_the_referee_only_what_is_due, "any trigger", before=before)


def test_a_rule_that_takes_the_last_seat_for_seat_minus_one() -> None:
    def before(case: Any, attempt: Any) -> None:
        flow.before(changed(case, actor=len(case.position.seats) - 1 if case.actor == -1 else case.actor), attempt)

    breaks(test_legality.test_who_has_no_seat_makes_no_move, "minus one", before=before)


def test_a_game_that_goes_on_after_its_end() -> None:
    def before(case: Any, attempt: Any) -> None:
        if case.position.phase != "finished":
            flow.before(case, attempt)
        attempt.readable("TY-2")

    breaks(test_legality.test_a_finished_game_accepts_nothing_and_one_clause_says_so, "no end", before=before)


def test_a_dead_end() -> None:
    def awaited(table: Any) -> Any:
        return () if table.phase == "bidding" else flow.awaited(table)

    breaks(test_flow.test_random_play_ends_in_time_and_then_nothing_is_left_to_do, "dead end", awaited=awaited)


def test_a_game_that_nobody_is_obliged_to_go_on_with() -> None:
    def awaited(table: Any) -> Any:
        return tuple(changed(decision, obliged=False) for decision in flow.awaited(table))

    breaks(test_flow.test_until_the_end_somebody_is_awaited_or_something_is_due, "no duty", awaited=awaited)


def test_a_seat_that_is_awaited_in_vain() -> None:
    def awaited(table: Any) -> Any:
        found = flow.awaited(table)
        return found and (*found, Decision(seat=(found[0].seat + 1) % len(table.seats), moves=("draw_card",)))

    def default(table: Any, seat: Any) -> Any:
        return rules.DrawCard()

    breaks(test_flow.test_who_is_awaited_has_a_seat_and_a_legal_move, "in vain", awaited=awaited)
    breaks(test_flow.test_each_safe_default_is_legal_and_is_what_was_awaited, "default", default=default)


def test_a_game_that_is_too_long() -> None:
    breaks(test_flow.test_random_play_ends_in_time_and_then_nothing_is_left_to_do, "too long", moves_max=5)


def test_a_trigger_that_is_due_and_refused() -> None:
    def due(table: Any) -> Any:
        return Due(rules.RevealBids()) if table.phase == "turn" and table.turns == 3 else TOY.due(table)

    breaks(test_flow.test_the_referee_accepts_what_is_due_and_comes_to_rest, "due", due=due)


def test_a_ranking_that_forgets_a_seat_or_shares_no_rank() -> None:
    def no_ties(table: Any) -> Any:
        return tuple(changed(place, rank=number + 2) for number, place in enumerate(TOY.ranking(table)))

    ranked = test_flow.test_the_ranking_covers_each_seat_and_names_the_clause
    breaks(ranked, "forgets", ranking=lambda table: TOY.ranking(table)[1:])
    breaks(ranked, "second is first", ranking=no_ties)
    breaks(test_flow.test_the_ranking_is_what_the_last_event_says_and_stays_still, "reversed", ranking=no_ties)


@pytest.mark.parametrize("invariant", ["Every fish", "`active_seat`", "`first_seat`", "There are two"])
def test_an_invariant_that_is_not_checked(invariant: str) -> None:
    def check(table: Any) -> None:
        try:
            TOY.check(table)
        except Malformed as fault:
            if not fault.invariant.startswith(invariant):
                raise

    breaks(test_positions.test_damaged_positions_are_refused, invariant, check=check)


def test_a_position_that_takes_any_key() -> None:
    named = [(field.name, field.type) for field in msgspec.structs.fields(position.Position)]
    loose = msgspec.defstruct("Position", named, frozen=True)
    breaks(test_positions.test_damaged_positions_are_refused, "any key", position_type=loose, check=lambda table: None)


def test_a_check_that_lets_pass_what_cannot_be_played() -> None:
    breaks(test_positions.test_a_disturbed_position_is_refused_or_can_be_played, "no check", check=lambda table: None)


def test_a_set_up_that_takes_any_number_of_seats() -> None:
    def blank(options: Any, seats: int) -> Any:
        return position.Position(options=options, phase="setup", seats=(position.SeatState(),) * seats)

    breaks(test_setup.test_too_few_or_too_many_seats_are_refused_with_a_clause, "any seats", blank=blank)


def test_a_type_that_is_lost_or_not_declared() -> None:
    rest = {kind: rule for kind, rule in rules.toy.rules.items() if kind is not rules.ShareCoins}
    fewer = (Chapter(rest, rules.toy.reducers), scoring)
    breaks(test_messages.test_no_type_is_lost_or_renamed, "lost", chapters=fewer)
    breaks(test_messages.test_no_kind_of_message_is_forgotten, "forgotten", chapters=fewer)
    breaks(
        test_messages.test_each_kind_of_message_has_one_function_and_a_sentence, "twice", chapters=(rules.toy, *fewer)
    )
