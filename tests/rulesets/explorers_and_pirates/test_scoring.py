"""Victory and ranking: EP-111 to EP-113."""

from typing import Any

from referee.kernel.ranking import ranks_of
from referee.kernel.seat import REFEREE
from referee.rulesets.explorers_and_pirates import EXPLORERS_AND_PIRATES
from referee.rulesets.explorers_and_pirates.building import BuildHarbor
from referee.rulesets.explorers_and_pirates.edition import EDITION
from referee.rulesets.explorers_and_pirates.exchanges import BuyResource
from referee.rulesets.explorers_and_pirates.missions.captures import ResolveCapture
from referee.rulesets.explorers_and_pirates.movement import MoveShip
from referee.rulesets.explorers_and_pirates.position import Result
from referee.rulesets.explorers_and_pirates.scoring import GameFinished, merits
from referee.rulesets.explorers_and_pirates.settlers import FoundSettlement
from referee.rulesets.explorers_and_pirates.turns import EndTurn, TurnEnded, TurnStarted
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.explorers_and_pirates.tables import a_table, seat, track

FOUR = {"4,-3,S": "", "2,0,N": "", "2,0,S": "", "1,3,N": ""}
ELEVEN = {"harbors": FOUR, "settlements": "0,0,N 0,1,N 0,3,N"}
"""Four harbour settlements and three settlements: eleven points."""


def last_step(**parts: Any) -> Given:
    """Seat 0 lacks one point in the pirate lairs."""
    own = seat(ships={"0-1": "4,0,NW settler"}, **ELEVEN)
    return a_table(own, seat(), scenario="pirate-lairs", phase="movement", up={"5,-1": "fields"}, **parts)


@clause("EP-111", "EP-113")
def test_the_active_seat_wins_as_soon_as_it_has_the_points() -> None:
    after = last_step().when(0, FoundSettlement(ship="0-1", corner="4,0,N"))
    assert after.events[1:] == (GameFinished(winner=0, scores=(12, 0), ranks=(1, 2)),)
    position = after.position
    assert (position.phase, position.result) == ("finished", Result(winner=0, scores=(12, 0), ranks=(1, 2)))
    assert EXPLORERS_AND_PIRATES.awaited(position) == ()


@clause("EP-111")
def test_a_seat_can_win_by_building() -> None:
    own = seat("grain2 ore2", settlements="2,0,N 0,0,N 0,1,N", harbors={"4,-3,S": "", "1,3,N": ""})
    table = a_table(own, seat(), scenario="land-ho")
    then = table.when(0, BuildHarbor(corner="2,0,N")).tells("harbor_built", "game_finished")
    assert then.position.result.scores == (8, 0)


@clause("EP-111")
def test_further_consequences_of_the_move_are_not_carried_out() -> None:
    own = seat(ships={"0-1": "4,0,NW fish"}, harbors=FOUR, settlements="0,0,N 0,1,N 0,3,N 3,-3,S 4,-3,N")
    missions = {"lairs": track((1,), (), (), (0,)), "fish": track((0, 1))}
    up = {"5,-1": "fields"}
    table = a_table(own, seat(), scenario="fish-for-catan", phase="movement", up=up, missions=missions)
    then = table.when(0, MoveShip(ship="0-1", path=("3,0,NE", "3,0,NW")))
    after = then.tells("ship_moved", "goods_delivered", "marker_advanced", "game_finished")
    assert after.position.seats[0].ships["0-1"].edge == "3,0,NE"
    assert after.position.result.scores[0] == 18


@clause("EP-111")
def test_a_capture_stops_when_the_active_seat_wins() -> None:
    own = seat(harbors=FOUR, settlements="0,0,N 0,1,N")
    table = a_table(
        own, seat(), scenario="pirate-lairs", phase="captures", up={"5,-1": "gold_river"}, units={"5,-1": {"0": 3}}
    )
    table.when(REFEREE, ResolveCapture()).tells("capture_started", "gold_gained", "marker_advanced", "game_finished")


@clause("EP-111")
def test_points_reached_in_another_turn_win_when_the_turn_of_the_seat_starts() -> None:
    full = seat(harbors=FOUR, settlements="0,0,N 0,1,N 0,3,N 3,-3,S")
    table = a_table(seat(gold=2), full, scenario="pirate-lairs")
    table.when(0, BuyResource(resource="ore")).tells("resource_bought")
    table.when(0, EndTurn()).says(
        TurnEnded(seat=0), TurnStarted(seat=1, number=6), GameFinished(winner=1, scores=(0, 12), ranks=(2, 1))
    )


@clause("EP-111")
def test_each_scenario_has_its_target() -> None:
    targets = [EDITION.scenarios[name].target for name in EDITION.maps]
    assert targets == [8, 12, 15, 15, 17]


@clause("EP-113", "EP-R38")
def test_the_others_are_ranked_by_points_and_share_ranks() -> None:
    assert ranks_of(merits((12, 9, 12, 9), 2)) == (2, 3, 1, 3)
    assert ranks_of(merits((5, 12, 4), 1)) == (2, 1, 3)


@clause("EP-113")
def test_the_ranking_of_a_running_game_has_no_winner() -> None:
    position = a_table(seat(settlements="0,0,N"), seat(settlements="0,3,N"), seat()).position
    places = EXPLORERS_AND_PIRATES.ranking(position)
    assert [(place.seat, place.rank, place.score) for place in places] == [(0, 1, 1), (1, 1, 1), (2, 3, 0)]
    assert {place.clause for place in places} == {"EP-113"}
