"""The functions for every ruleset, tested with the toy."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from referee.kernel.candidates import Proved, Weighed, one_by_one, proved_if
from referee.kernel.chance import Forced, Seeded
from referee.kernel.chapter import Chapter
from referee.kernel.judge import (
    Accepted,
    awaited_seats,
    judge,
    legal_moves,
    pick_weighed,
    read_options,
    read_position,
    refusal,
    replay,
    set_up,
    settle,
    weighed_moves,
)
from referee.kernel.message import Move
from referee.kernel.rejection import InvalidChance, Malformed, Rejection, require
from referee.kernel.seat import REFEREE
from tests.conformance.samples import as_json
from tests.parts import with_functions
from tests.toy import TOY
from tests.toy.bidding import Bid, CardOffered, OfferCard
from tests.toy.edition import EDITION
from tests.toy.position import Options, SeatState
from tests.toy.setup import SetUp
from tests.toy.turns import DrawCard

FRESH = set_up(TOY, Options(first_seat=0), 3, Seeded(1))
BLANK = {"ruleset": "toy", "options": {}, "phase": "setup", "seats": [{}, {}]}


def test_a_new_position_is_sound_and_nothing_is_due() -> None:
    assert FRESH.phase == "turn"
    assert TOY.due(FRESH) is None
    TOY.check(FRESH)
    assert settle(TOY, FRESH, Seeded(2)) is FRESH


def test_settling_stops_at_a_trigger_that_is_due_later() -> None:
    haggling = msgspec.structs.replace(FRESH, phase="haggling", buyer=1)
    assert TOY.due(haggling).after_ms > 0
    assert settle(TOY, haggling, Seeded(0)) is haggling


def test_replaying_events_gives_the_position_after_them() -> None:
    verdict = judge(TOY, FRESH, 0, OfferCard(card=FRESH.seats[0].hand[0]))
    assert isinstance(verdict, Accepted)
    assert replay(TOY, FRESH, verdict.events) == verdict.position
    assert replay(TOY, FRESH, ()) is FRESH


def test_a_refusal_names_clause_and_reason_and_draws_nothing() -> None:
    assert refusal(TOY, FRESH, 0, DrawCard()) is None
    refused = refusal(TOY, FRESH, 1, DrawCard())
    assert isinstance(refused, Rejection)
    assert (refused.clause, refused.message) == ("TY-4", "It is not your move; the game waits for seat 0.")


def test_a_move_whose_rule_reaches_a_drawing_is_legal() -> None:
    blank = TOY.blank(Options(), 2)
    assert refusal(TOY, blank, REFEREE, SetUp()) is None


def test_legal_moves_are_listed_once_for_awaited_seats_only() -> None:
    twice = msgspec.structs.replace(FRESH, seats=(SeatState(hand=("eel", "eel"), coins=5), *FRESH.seats[1:]))
    assert legal_moves(TOY, twice, 0) == (DrawCard(), OfferCard(card="eel"))
    assert legal_moves(TOY, twice, 1) == ()
    assert awaited_seats(TOY, twice) == {0}


def test_the_weight_of_a_move_is_the_sum_over_the_candidates() -> None:
    twice = msgspec.structs.replace(FRESH, seats=(SeatState(hand=("eel", "pike", "eel"), coins=5), *FRESH.seats[1:]))
    moves = weighed_moves(TOY, twice, 0)
    offers = (Weighed(OfferCard(card="eel"), 2), Weighed(OfferCard(card="pike"), 1))
    assert moves == offers, "nothing is drawn into a full hand"
    assert weighed_moves(TOY, twice, 1) == ()
    picked = [pick_weighed(moves, Forced([("pick_move", number)], Seeded(0))).card for number in range(3)]
    assert picked == ["eel", "eel", "pike"]


def test_proved_candidates_are_listed_in_order_and_not_judged() -> None:
    eel, pike, bid = OfferCard(card="eel"), OfferCard(card="pike"), Bid(coins=1)

    def some(position: Any, seat: Any, edition: Any) -> Any:
        return iter((DrawCard(), Proved((eel, pike)), Proved((eel,), 2), Weighed(bid, 3), Weighed(pike, 2), pike))

    sure = with_functions(TOY, candidates=some)
    assert refusal(TOY, FRESH, 0, pike) is not None, "nobody has a pike"
    assert weighed_moves(sure, FRESH, 0) == (Weighed(DrawCard(), 1), Weighed(eel, 3), Weighed(pike, 4))
    each = [DrawCard(), eel, pike, eel, eel, bid, bid, bid, pike, pike, pike]
    assert list(one_by_one(some(FRESH, 0, EDITION))) == each
    both = Proved((eel, pike))
    assert (list(proved_if(True, both)), list(proved_if(False, both))) == ([both], [eel, pike])


def test_moves_that_hold_a_dictionary_are_listed_once() -> None:
    class Give(Move):
        goods: dict[str, int]

    def give(case: Any, move: Give) -> Any:
        require("TY-9", "eel" in move.goods, "Eels only.")
        yield from ()

    def some(position: Any, seat: Any, edition: Any) -> Any:
        return (Give(goods={name: 1}) for name in ("eel", "pike", "eel"))

    chapters = (*TOY.chapters, Chapter(rules={Give: give}))
    giving = with_functions(replace(TOY, chapters=chapters), candidates=some, before=lambda case, attempt: None)
    assert weighed_moves(giving, FRESH, 0) == (Weighed(Give(goods={"eel": 1}), 2),)


def test_judging_and_listing_check_a_declared_requirement_before_the_rule() -> None:
    drought = Chapter()

    @drought.requires(DrawCard)
    def no_card(case: Any, move: DrawCard) -> None:
        raise Rejection("TY-9", "Not today.")

    dry = replace(TOY, chapters=(*TOY.chapters, drought))
    refused = judge(dry, FRESH, 0, DrawCard())
    assert isinstance(refused, Rejection) and refused.clause == "TY-9"
    assert DrawCard() in legal_moves(TOY, FRESH, 0)
    assert legal_moves(dry, FRESH, 0) == tuple(move for move in legal_moves(TOY, FRESH, 0) if move != DrawCard())


def test_listing_does_not_run_a_rule_whose_requirement_is_declared() -> None:
    called = []
    free = Chapter()
    free.requires(DrawCard)(lambda case, move: called.append("requirement"))

    def rule(case: Any, move: DrawCard) -> Any:
        called.append("rule")
        yield from ()

    rules = TOY.chapters[0].rules | {DrawCard: rule}
    lavish = replace(TOY, chapters=(replace(TOY.chapters[0], rules=rules), free))
    assert refusal(lavish, FRESH, 0, DrawCard()) is None
    assert called == ["requirement"]
    lavish.decide(FRESH, 0, DrawCard(), Seeded(0))
    assert called == ["requirement", "requirement", "rule"]


def test_options_are_read_with_their_defaults() -> None:
    assert read_options(TOY, {"haggling": False}) == Options(haggling=False)
    for wrong in ({"haggling": 1}, {"size": 3}, [], None):
        with pytest.raises(msgspec.ValidationError):
            read_options(TOY, wrong)


def test_a_position_is_read_and_checked() -> None:
    assert read_position(TOY, as_json(FRESH)) == FRESH
    with pytest.raises(Malformed, match="Every fish"):
        read_position(TOY, {**as_json(FRESH), "deck": []})
    with pytest.raises(Malformed, match="active_seat"):
        read_position(TOY, {**as_json(FRESH), "active_seat": "0"})
    with pytest.raises(Malformed, match="object"):
        read_position(TOY, [])


@pytest.mark.parametrize("more", [{}, {"deck": []}, {"turns": 0, "offer": None}, as_json(TOY.blank(Options(), 2))])
def test_a_blank_table_may_be_written_in_short_or_in_full(more: dict[str, Any]) -> None:
    assert read_position(TOY, {**more, **BLANK}) == TOY.blank(Options(), 2)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"turns": 1}, "turns"),
        ({"absurd": 1}, "absurd"),
        ({"seats": [{}]}, "TY-S1"),
        ({"seats": [{}, {"coins": 1}]}, "seat"),
        ({"seats": {"0": {}}}, "seats"),
        ({"seats": [1, 2]}, "seats"),
        ({"options": {"first_seat": 2}}, "TY-S2"),
        ({"options": {"size": 1}}, "options"),
        ({"ruleset": "chess"}, "ruleset"),
    ],
)
def test_a_position_in_phase_setup_must_match_the_blank_table(change: dict[str, Any], fault: str) -> None:
    with pytest.raises(Malformed, match=fault):
        read_position(TOY, {**BLANK, **change})


@pytest.mark.parametrize("missing", ["ruleset", "options", "seats"])
def test_a_position_in_phase_setup_needs_ruleset_options_and_seats(missing: str) -> None:
    with pytest.raises(Malformed, match=missing):
        read_position(TOY, {key: value for key, value in BLANK.items() if key != missing})


def test_the_judge_forces_luck_and_returns_what_was_drawn() -> None:
    luck = [("draw_first_seat", 1), ("shuffle_deck", list(reversed(EDITION.deck)))]
    verdict = judge(TOY, TOY.blank(Options(), 2), REFEREE, SetUp(), luck)
    assert isinstance(verdict, Accepted)
    assert verdict.position.active_seat == 1
    assert verdict.drawn == (("draw_first_seat", 1), ("shuffle_deck", tuple(reversed(EDITION.deck))))


def test_the_judge_always_draws_the_same_where_nothing_is_forced() -> None:
    blank = TOY.blank(Options(), 2)
    assert judge(TOY, blank, REFEREE, SetUp()) == judge(TOY, blank, REFEREE, SetUp())
    other = judge(TOY, blank, REFEREE, SetUp(), otherwise=Seeded(5))
    assert other != judge(TOY, blank, REFEREE, SetUp())


def test_the_judge_reports_impossible_luck_before_anything_else() -> None:
    with pytest.raises(InvalidChance):
        judge(TOY, FRESH, 0, DrawCard(), [("roll", 6)])
    with pytest.raises(InvalidChance):
        judge(TOY, FRESH, 1, DrawCard(), [("roll", 6)])


def test_the_judge_refuses_an_unreadable_move() -> None:
    for raw in ({"type": "swim"}, {"type": "bid"}, {}, [], None, "bid"):
        verdict = judge(TOY, FRESH, 0, TOY.read_move(raw))
        assert isinstance(verdict, Rejection)
        assert verdict.clause == "TY-2"


def test_a_move_is_read_from_bytes_or_from_decoded_json() -> None:
    assert TOY.read_move(b'{"type":"bid","coins":2}').move == Bid(coins=2)
    assert TOY.read_move({"type": "bid", "coins": 2}).move == Bid(coins=2)
    unreadable = TOY.read_move(b'{"type":"bid","coins":"2"}')
    assert unreadable.move is None
    assert unreadable.kind is Bid
    assert "coins" in unreadable.fault
    assert TOY.read_move(b'{"type":["bid"]}').kind is None
    with pytest.raises(msgspec.DecodeError):
        TOY.read_move(b"{")


def test_every_message_is_found_by_its_type() -> None:
    assert TOY.moves["draw_card"] is DrawCard
    assert set(TOY.triggers) == {"set_up", "reveal_bids", "close_haggling", "score_game"}
    assert TOY.events["card_offered"] is CardOffered


def test_the_hash_of_an_edition_is_that_of_its_numbers() -> None:
    assert TOY.edition_hash == replace(TOY, edition=msgspec.structs.replace(EDITION)).edition_hash
    richer = msgspec.structs.replace(EDITION, coins=6)
    assert replace(TOY, edition=richer).edition_hash != TOY.edition_hash
    assert replace(TOY, title="Another").edition_hash == TOY.edition_hash
