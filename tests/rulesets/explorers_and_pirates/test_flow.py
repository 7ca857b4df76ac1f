"""Form, phase and actor: EP-17, EP-18, EP-54, EP-69, and the awaited seats (section 6)."""

from typing import Any

import pytest

from referee.kernel.changes import replace
from referee.kernel.message import Move
from referee.kernel.seat import REFEREE
from referee.rulesets.explorers_and_pirates import CHAPTERS, EXPLORERS_AND_PIRATES
from referee.rulesets.explorers_and_pirates.building import BuildRoad
from referee.rulesets.explorers_and_pirates.cargo import DiscardCargo, Store
from referee.rulesets.explorers_and_pirates.discards import Discard
from referee.rulesets.explorers_and_pirates.exchanges import BankTrade
from referee.rulesets.explorers_and_pirates.flow import TRADE_AND_BUILD
from referee.rulesets.explorers_and_pirates.missions.captures import ClaimHero, ResolveCapture
from referee.rulesets.explorers_and_pirates.movement import BuyMovement
from referee.rulesets.explorers_and_pirates.offers import AcceptTrade, ConfirmTrade, DeclineTrade, WithdrawTrade
from referee.rulesets.explorers_and_pirates.pirates import PassPirate
from referee.rulesets.explorers_and_pirates.position import Discards, Offer, Result
from referee.rulesets.explorers_and_pirates.production import RollDice
from referee.rulesets.explorers_and_pirates.scenarios import SCENARIOS
from referee.rulesets.explorers_and_pirates.setup import SetUp
from referee.rulesets.explorers_and_pirates.turns import EndTurn, PhaseStarted, StartMovement
from tests.clauses import clause
from tests.rulesets.explorers_and_pirates.tables import a_position, a_table, blank, fresh, seat

OFFER = Offer(give={"brick": 1}, want={"ore": 1}, to=(1,), accepted=(), declined=())


@clause("EP-17")
@pytest.mark.parametrize(
    "move",
    [
        {"type": "build_castle"},
        {"type": "build_road"},
        {"type": "build_road", "edge": "9,9,E"},
        {"type": "build_road", "edge": "2,0,N"},
        {"type": "build_road", "edge": 7},
        {"type": "build_road", "edge": "2,0,NE", "free": True},
        {"type": "build_settlement", "corner": "2,0"},
        {"type": "build_ship", "edge": "2,0,NE", "replace": "2-1"},
        {"type": "build_ship", "edge": "2,0,NE", "replace": "0-4"},
        {"type": "build_unit", "place": {}},
        {"type": "build_unit", "place": {"harbor": "2,0,N", "ship": "0-1"}},
        {"type": "build_unit", "place": {"harbor": "9,9,N"}},
        {"type": "build_unit", "place": {"ship": "3-1"}},
        {"type": "discard_cargo", "place": {"ship": "0-1"}, "pieces": []},
        {"type": "discard_cargo", "place": {"ship": "0-1"}, "pieces": ["sheep"]},
        {"type": "place_pirate", "hex": "99,0"},
        {"type": "place_pirate", "hex": "4,0", "victim": 2},
        {"type": "offer_trade", "give": {"brick": 0}, "want": {"ore": 1}},
        {"type": "offer_trade", "give": {"brick": True}, "want": {"ore": 1}},
        {"type": "offer_trade", "give": {"fish": 1}, "want": {"ore": 1}},
        {"type": "offer_trade", "give": {"brick": 1}, "want": {"ore": 1}, "to": [2]},
        {"type": "confirm_trade", "with": -1},
        {"type": "move_ship", "ship": "0-1", "path": []},
        {"type": "move_ship", "ship": "0-1", "path": ["2,0,NE", "0,9,E"]},
        {"type": "transfer_cargo", "ship": "0-1", "harbor": "2,0,N"},
        {"type": "land_units", "ship": "0-1", "hex": "5,-1", "count": 0},
        {"type": "claim_hero", "advance": 1},
    ],
)
def test_a_move_that_does_not_fit_the_map_or_the_table_is_refused(move: dict[str, Any]) -> None:
    a_table(seat(), seat()).when(0, move).refused("EP-17")


@clause("EP-17", "EP-18")
def test_the_form_is_checked_before_phase_and_actor() -> None:
    table = a_table(seat(), seat(), phase="roll", turn={"roll": None})
    table.when(1, {"type": "build_road", "edge": "9,9,E"}).refused("EP-17")
    table.when(1, {"type": "build_road", "edge": "2,0,NE"}).refused("EP-18")


@clause("EP-18", "EP-33")
def test_before_the_roll_the_active_seat_can_do_nothing_else() -> None:
    table = a_table(seat(gold=9), seat(), phase="roll", turn={"roll": None})
    assert table.legal(0) == (RollDice(),)
    for move in (EndTurn(), StartMovement(), BankTrade(give="brick", take="ore")):
        table.when(0, move).refused("EP-18")
    table.when(1, RollDice()).refused("EP-18")
    table.when(REFEREE, RollDice()).refused("EP-18")


@clause("EP-18")
def test_only_the_referee_makes_triggers() -> None:
    blank().when(0, SetUp()).refused("EP-18")
    fresh().when(REFEREE, SetUp()).refused("EP-18")
    a_table(seat(), seat()).when(REFEREE, ResolveCapture()).refused("EP-18")


@clause("EP-18")
def test_a_finished_game_accepts_nothing() -> None:
    result = Result(winner=0, scores=(17, 3), ranks=(1, 2))
    table = a_table(seat(), seat(), phase="finished", result=result)
    for actor, move in ((0, EndTurn()), (1, RollDice()), (REFEREE, SetUp())):
        table.when(actor, move).refused("EP-18")
    assert EXPLORERS_AND_PIRATES.awaited(table.position) == ()
    assert EXPLORERS_AND_PIRATES.due(table.position) is None


@clause("EP-18")
def test_only_a_seat_that_owes_a_discard_makes_one() -> None:
    hands = (seat("brick8"), seat("ore9"), seat("wool2"))
    discards = Discards(need={"0": 4, "1": 4}, given={"1": {"ore": 4}})
    table = a_table(*hands, phase="discard", discards=discards)
    table.when(1, Discard(resources={"ore": 4})).refused("EP-18")
    table.when(2, Discard(resources={"wool": 1})).refused("EP-18")
    table.when(-1, Discard(resources={"wool": 1})).refused("EP-18")
    assert [each.seat for each in EXPLORERS_AND_PIRATES.awaited(table.position)] == [0]


@clause("EP-18", "EP-R25")
def test_only_a_seat_that_is_asked_answers_and_only_the_active_seat_offers() -> None:
    hands = (seat("brick1"), seat("ore1"), seat("ore1"))
    table = a_table(*hands, offer=OFFER)
    table.when(2, AcceptTrade()).refused("EP-18")
    table.when(0, AcceptTrade()).refused("EP-18")
    table.when(1, {"type": "offer_trade", "give": {"ore": 1}, "want": {"brick": 1}}).refused("EP-18")
    answered = a_table(*hands, offer=replace(OFFER, accepted=(1,)))
    answered.when(1, DeclineTrade()).refused("EP-18")
    a_table(*hands).when(1, AcceptTrade()).refused("EP-18")


@clause("EP-18", "EP-53")
def test_without_an_offer_nobody_confirms_or_withdraws_one() -> None:
    table = a_table(seat("brick1"), seat("ore1"))
    table.when(0, ConfirmTrade(partner=1)).refused("EP-18")
    table.when(0, WithdrawTrade()).refused("EP-18")


@clause("EP-54")
def test_the_active_seat_only_confirms_or_withdraws_its_open_offer() -> None:
    table = a_table(seat("brick1 lumber1"), seat("ore1"), offer=OFFER)
    for move in (BuildRoad(edge="2,0,NE"), EndTurn(), StartMovement(), DiscardCargo(Store(ship="0-1"), ("unit",))):
        table.when(0, move).refused("EP-54")
    table.when(1, EndTurn()).refused("EP-18")
    assert table.legal(0) == (WithdrawTrade(),)
    assert table.legal(1) == (AcceptTrade(), DeclineTrade())
    decisions = EXPLORERS_AND_PIRATES.awaited(table.position)
    assert [(each.seat, each.obliged) for each in decisions] == [(0, True), (1, False)]


@clause("EP-69")
def test_in_the_movement_phase_nobody_trades_or_builds() -> None:
    table = a_table(seat("wool9"), seat("wool3"), phase="movement")
    table.when(0, BankTrade(give="wool", take="ore")).refused("EP-69")
    table.when(0, StartMovement()).refused("EP-69")
    table.when(0, WithdrawTrade()).refused("EP-69")
    table.when(1, BankTrade(give="wool", take="ore")).refused("EP-18")
    table.when(0, AcceptTrade()).refused("EP-18")
    assert len(TRADE_AND_BUILD) == 13


@clause("EP-50", "EP-69")
def test_the_movement_phase_is_started_once() -> None:
    table = a_table(seat("wool3"), seat())
    table.when(0, BuyMovement(ship="0-1")).refused("EP-18")
    table.when(0, StartMovement()).says(PhaseStarted(phase="movement", seat=0))


@clause("EP-18")
@pytest.mark.parametrize(
    ("parts", "move"),
    [
        ({"phase": "movement"}, PassPirate()),
        ({"phase": "trade_build"}, ClaimHero(advance=True)),
        ({"phase": "pirate", "pirate_by": "seven"}, EndTurn()),
    ],
)
def test_a_move_of_another_phase_is_refused(parts: dict[str, Any], move: Move) -> None:
    a_table(seat(), seat(), **parts).when(0, move).refused("EP-18")


def test_every_scenario_lists_existing_chapters() -> None:
    for scenario in SCENARIOS.values():
        assert set(scenario.chapters) <= set(CHAPTERS)
        assert len(set(scenario.chapters)) == len(scenario.chapters)
    assert set(SCENARIOS["explorers-and-pirates"].chapters) == set(CHAPTERS)
    assert SCENARIOS["spices-for-catan"].missions == ("fish", "spices")
    assert not SCENARIOS["land-ho"].has_pirates


def test_in_each_phase_the_right_seat_is_awaited() -> None:
    chase = a_position(seat(), seat(), phase="pirate", pirate_by="chase")
    (decision,) = EXPLORERS_AND_PIRATES.awaited(chase)
    assert decision.moves == ("place_pirate", "pass_pirate")
    (decision,) = EXPLORERS_AND_PIRATES.awaited(replace(chase, pirate_by="seven"))
    assert decision.moves == ("place_pirate",)
    assert [each.moves for each in EXPLORERS_AND_PIRATES.awaited(fresh().position)] == [("place_harbor",)]
    assert EXPLORERS_AND_PIRATES.awaited(blank().position) == ()
