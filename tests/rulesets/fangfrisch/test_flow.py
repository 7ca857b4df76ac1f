"""Whose move it is (FF-1 to FF-3, section 6)."""

from typing import Any

import pytest

from referee.kernel.judge import refusal
from referee.kernel.message import tag
from referee.kernel.ruleset import Decision, Due
from referee.kernel.seat import REFEREE
from referee.rulesets.fangfrisch import FANGFRISCH
from referee.rulesets.fangfrisch.bell import CloseBell, Pass, RevealCard, Ring, ShowOffer
from referee.rulesets.fangfrisch.canning import ClearTrash
from referee.rulesets.fangfrisch.position import Options
from referee.rulesets.fangfrisch.scoring import CloseMarket, SettleAccounts
from referee.rulesets.fangfrisch.selling import SellFish
from referee.rulesets.fangfrisch.setup import SetUp
from referee.rulesets.fangfrisch.stowing import Placement, StowCards
from referee.rulesets.fangfrisch.thieving import StealCards
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.fangfrisch.tables import a_purchase, an_auction, cards, given, seat

FISH = seat(basin="eel_1", trash="crab_1")
MOVES = {
    "setup": [SetUp()],
    "selling": [SellFish(lots=())],
    "auction": [Ring(), Pass(), RevealCard(), ShowOffer(), CloseBell()],
    "thieving": [StealCards(thefts=())],
    "stowing": [StowCards(place=Placement())],
    "canning": [ClearTrash(cards=())],
    "buyer_sale": [SellFish(lots=())],
    "closing": [CloseMarket()],
    "final_sale": [SellFish(lots=())],
    "settling": [SettleAccounts()],
    "finished": [],
}


def tables() -> dict[str, Given]:
    """One table in each phase; seat 0 sells, seat 1 buys."""
    return {
        "setup": Given(FANGFRISCH, FANGFRISCH.blank(Options(), 4)),
        "selling": given(FISH),
        "auction": an_auction(FISH),
        "thieving": a_purchase(FISH, phase="thieving", thieves=1),
        "stowing": a_purchase(FISH, phase="stowing", hand="tuna_1"),
        "canning": a_purchase(FISH, FISH, phase="canning", cans=1),
        "buyer_sale": a_purchase(FISH, FISH, phase="buyer_sale", aside="end_phase"),
        "closing": given(FISH, phase="closing"),
        "final_sale": given(FISH, phase="final_sale"),
        "settling": given(FISH, phase="settling"),
        "finished": given(FISH, phase="finished"),
    }


AWAITED = {
    "selling": [Decision(0, ("sell_fish",))],
    "auction": [Decision(each, ("ring", "pass")) for each in (1, 2, 3)],
    "thieving": [Decision(1, ("steal_cards",))],
    "stowing": [Decision(1, ("stow_cards",))],
    "canning": [Decision(1, ("clear_trash",))],
    "buyer_sale": [Decision(1, ("sell_fish",))],
    "final_sale": [Decision(0, ("sell_fish",))],
}

DUE = {"setup": SetUp(), "closing": CloseMarket(), "settling": SettleAccounts()}


@clause("FF-1")
@pytest.mark.parametrize("phase", MOVES)
def test_a_move_of_another_phase_is_refused_for_every_actor(phase: str) -> None:
    table = tables()[phase]
    own = {type(move) for move in MOVES[phase]}
    for move in {type(move): move for moves in MOVES.values() for move in moves}.values():
        if type(move) not in own:
            for actor in (0, 1, REFEREE):
                table.when(actor, move).refused("FF-1")


@clause("FF-1", "FF-3")
def test_a_malformed_move_of_another_phase_is_refused_for_its_phase() -> None:
    tables()["selling"].when(0, {"type": "ring", "seen": "many"}).refused("FF-1")
    tables()["finished"].when(0, {"type": "sell_fish"}).refused("FF-1")


@clause("FF-3")
@pytest.mark.parametrize("move", [{"type": "fish"}, {"type": 7}, {}, [], None, "ring", {"type": ["ring"]}])
@pytest.mark.parametrize("phase", ["selling", "auction", "finished"])
def test_an_unknown_type_is_refused_at_once(move: Any, phase: str) -> None:
    tables()[phase].when(2, move).refused("FF-3")


@clause("FF-2")
@pytest.mark.parametrize("phase", ["selling", "thieving", "stowing", "canning", "buyer_sale", "final_sale"])
def test_only_the_awaited_seat_moves(phase: str) -> None:
    table = tables()[phase]
    (decision,) = AWAITED[phase]
    for actor in {0, 1, 2, 3, 4, -1, REFEREE} - {decision.seat}:
        for move in MOVES[phase]:
            table.when(actor, move).refused("FF-2")
            table.when(actor, {"type": tag(move), "nonsense": True}).refused("FF-2")


@clause("FF-2")
@pytest.mark.parametrize("move", [Ring(), Pass()])
def test_only_seats_answer(move: Any) -> None:
    for actor in (REFEREE, 4, -1):
        an_auction().when(actor, move).refused("FF-2")
        an_auction(pace="live").when(actor, move).refused("FF-2")


@clause("FF-2")
def test_the_last_seller_follows_the_sales_made() -> None:
    table = given(FISH, FISH, FISH, FISH, phase="final_sale", seller=3, final_sales=2)
    table.when(3, SellFish(lots=())).refused("FF-2")
    table.when(1, SellFish(lots=())).tells("final_sale_made", "step_started")


@pytest.mark.parametrize("phase", MOVES)
def test_the_phase_determines_the_awaited_seats_and_what_is_due(phase: str) -> None:
    position = tables()[phase].position
    assert list(FANGFRISCH.awaited(position)) == AWAITED.get(phase, [])
    assert FANGFRISCH.due(position) == (Due(DUE[phase]) if phase in DUE else None)


def test_a_seat_that_has_answered_is_not_awaited() -> None:
    position = an_auction(seat(), seat(answer="pass"), seat(9)).position
    assert FANGFRISCH.awaited(position) == (Decision(3, ("ring", "pass")),)


@pytest.mark.parametrize(
    ("phase", "default"),
    [
        ("selling", SellFish(lots=())),
        ("auction", Pass()),
        ("thieving", StealCards(thefts=())),
        ("stowing", StowCards(place=Placement(crate_1=("tuna_1",)))),
        ("canning", ClearTrash(cards=())),
        ("buyer_sale", SellFish(lots=())),
        ("final_sale", SellFish(lots=())),
    ],
)
def test_the_safe_default_does_as_little_as_possible(phase: str, default: Any) -> None:
    position = tables()[phase].position
    for decision in AWAITED[phase]:
        assert FANGFRISCH.default(position, decision.seat) == default
        assert refusal(FANGFRISCH, position, decision.seat, default) is None


def test_nobody_rings_by_default_in_live_pace_and_the_seller_turns_a_card() -> None:
    position = an_auction(n=3, pace="live").position
    assert FANGFRISCH.default(position, 0) == RevealCard(seen=2)
    assert FANGFRISCH.default(position, 1) == Pass()


def default_stowing(hand: str, stall: Any) -> StowCards:
    table = a_purchase(seat(), stall, phase="stowing", hand=hand)
    move = FANGFRISCH.default(table.position, 1)
    assert refusal(FANGFRISCH, table.position, 1, move) is None
    return move


def test_by_default_species_join_their_slot_others_take_empty_slots_and_jokers_go_last_onto_the_first_crate() -> None:
    move = default_stowing("octopus_1 eel_1 crab_2 tuna_3 eel_2 shark_1 shark_2", seat(crate_2="crab_1"))
    assert move == StowCards(
        place=Placement(crate_1=cards("eel_1 eel_2 octopus_1"), crate_2=("crab_2",), basin=("tuna_3",)),
        discard=cards("shark_1 shark_2"),
    )


def test_by_default_a_slot_of_jokers_is_not_an_empty_one() -> None:
    move = default_stowing("eel_1 tuna_1", seat(crate_1="octopus_1", crate_2="crab_1"))
    assert move == StowCards(place=Placement(basin=("eel_1",)), discard=("tuna_1",))
