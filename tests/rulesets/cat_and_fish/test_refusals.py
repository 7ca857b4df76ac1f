"""The words of refusals: each names the thing, the numbers and one cause."""

from dataclasses import replace
from typing import Any

import pytest

from referee.kernel.seat import REFEREE, Actor
from referee.rulesets.cat_and_fish.catastrophes import MoveOil, MoveTyphoon, PlaceMonster
from referee.rulesets.cat_and_fish.decks import DrawMagic
from referee.rulesets.cat_and_fish.dues import PayDues
from referee.rulesets.cat_and_fish.fishing import Fish
from referee.rulesets.cat_and_fish.flight import Flee
from referee.rulesets.cat_and_fish.placement import PlaceMarker
from referee.rulesets.cat_and_fish.position import DuesAnswer, DuesCall, OilFlight, TyphoonFlight
from referee.rulesets.cat_and_fish.sailing import Sail
from referee.rulesets.cat_and_fish.seasons import EndSeason, StartYear
from referee.rulesets.cat_and_fish.thief import Steal
from referee.rulesets.cat_and_fish.trading import Buy, Sell
from referee.rulesets.cat_and_fish.turns import EndTurn
from referee.rulesets.cat_and_fish.wizard import Change
from tests.given import Given
from tests.rulesets.cat_and_fish.tables import Cat, given, later, seats

ONLY = "only on Fishing, Sailing, Selling and Buying"


def message(table: Given, actor: Actor | int, move: Any) -> str:
    """The clause and the words that refuse a move."""
    verdict = table.when(actor, move).verdict
    return f"{verdict.clause}: {verdict.message}"


@pytest.mark.parametrize(
    ("actor", "placed", "words"),
    [
        (1, ("fishing", ""), "CF-3: The game waits for seat 0; you have no marker left in this round."),
        (1, ("fishing", "fishing"), "CF-3: The game waits for seat 0; your turn comes later."),
        (REFEREE, ("fishing", ""), "CF-3: The game waits for seat 0; the referee makes no moves of seats."),
        (7, ("fishing", ""), "CF-3: The game waits for seat 0; it has no seat 7."),
    ],
)
def test_a_refusal_out_of_turn_names_the_awaited_seat_and_the_reason(actor: Actor, placed: Any, words: str) -> None:
    table = given(Cat(placed=placed[0]), Cat("c3", placed=placed[1]))
    assert message(table, actor, EndTurn()) == words


def test_a_refused_marker_names_the_seat_that_places_the_next_one() -> None:
    placing, marker = {"phase": "placement"}, PlaceMarker("fishing")
    table = given(Cat(), Cat("c3"), **placing)
    assert message(table, 1, marker) == (
        "CF-3: The game waits for seat 0; you have each placed 0 markers, and it comes before you in this round."
    )
    table = given(Cat(), Cat("c3", placed="oil"), **placing, first_seat=1)
    assert message(table, 1, marker) == "CF-3: The game waits for seat 0; it has placed 0 markers, you 1."
    table = given(Cat(), Cat("c3", placed="oil"), **placing, stopped=(1,))
    assert message(table, 1, marker) == "CF-3: The game waits for seat 0; you stopped placing after 1 marker."
    table = given(Cat(), Cat("c3", placed="thief"), **placing, season="winter", thief=1)
    assert message(table, 1, marker) == (
        "CF-3: The game waits for seat 0; you chose the Thief and place no more markers."
    )
    table = given(Cat(cards="membership", placed="oil typhoon"), Cat("c3", placed="fishing fishing"), **placing)
    assert message(table, 1, marker) == "CF-3: The game waits for seat 0; you have placed all your 2 markers."


def test_a_refused_answer_names_the_seats_that_are_asked() -> None:
    cats = (Cat(store="crab"), Cat("c2", store="crab"), Cat("c4", store="crab"))
    call = DuesCall(seats(0, 1), {})
    table = given(*cats, phase="dues", season="winter", pending=call)
    assert message(table, 2, PayDues("money")) == "CF-3: The game waits for seats 0 and 1; you have nothing to choose."
    call = DuesCall(seats(0, 1), {"0": DuesAnswer("money", None)})
    table = given(*cats, phase="dues", season="winter", pending=call)
    assert message(table, 0, PayDues("money")) == "CF-3: The game waits for seat 1; you have answered already."
    table = given(Cat(cards="summoner"), Cat("c3"), **later(phase="monster", season="winter"))
    assert message(table, 1, PlaceMonster("2,0")) == "CF-3: The game waits for seat 0; you do not own the Summoner."


@pytest.mark.parametrize(
    ("phase", "actor", "move", "words"),
    [
        ("season_end", REFEREE, StartYear(), "CF-2: `start_year` is not due; the referee owes `end_season`."),
        ("season_end", 0, EndSeason(), "CF-3: `end_season` is a move of the referee; no seat makes it."),
        ("placement", REFEREE, EndSeason(), "CF-2: `end_season` is not due; the referee owes no move."),
        (
            "placement",
            0,
            EndTurn(),
            "CF-2: `end_turn` belongs to the phase `execution`; the game is in the phase `placement`.",
        ),
        ("finished", 0, EndTurn(), "CF-2: The game is over."),
    ],
)
def test_a_refused_move_of_another_phase_names_that_phase(phase: str, actor: Actor, move: Any, words: str) -> None:
    assert message(given(phase=phase), actor, move) == words


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (Steal(2, "crab"), "`seat` must be 0 to 1, not 2."),
        (PayDues("fish"), "Name the fish that you pay with as `tile`."),
        (PayDues("money", "crab"), "Leave out `tile`: you pay with money."),
    ],
)
def test_a_refused_parameter_shows_what_is_allowed(move: Any, words: str) -> None:
    assert message(given(Cat(placed="fishing"), Cat("c3")), 0, move) == f"CF-1: {words}"


@pytest.mark.parametrize(
    ("space", "words"),
    [
        ("oil", "CF-12: Oil is full: it takes 1 marker with 3 players, placed by seat 2."),
        ("sailing", "CF-12: Sailing is full: it takes 2 markers with 3 players, placed by seats 0 and 1."),
        ("magic_library", "CF-14: Magic Library is closed: its deck is empty."),
        ("thief", "CF-15: The Thief can be chosen in winter only; it is spring."),
        ("summoner", "CF-17: Only the owner of the Summoner can choose it, and nobody owns it yet."),
    ],
)
def test_a_refused_space_names_the_reason(space: str, words: str) -> None:
    cats = (Cat(placed="sailing"), Cat("c2", placed="sailing"), Cat("c4", placed="oil"))
    assert message(given(*cats, phase="placement"), 0, PlaceMarker(space)) == words


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (Fish("1,-2"), "CF-24: 1,-2 is at distance 2; your gear reaches 1."),
        (Fish("1,-1"), "CF-25: No tile lies on 1,-1: it stays empty until it is refilled."),
        (Fish("0,-1", good_haul=True), "CF-54: You play 1 Good Haul card and hold 0."),
        (Sail("c0"), "CF-30: Your pawn is on c0 already."),
        (Sail("b7"), "CF-32: b7 is not safe: it touches the hex of the typhoon."),
        (Sail("a0"), "CF-31: a0 is on the zone-1 line, which needs the Fishing Boat; you do not own it."),
        (Sail("c2"), "CF-33: The shortest safe route to c2 has 2 edges; this Sailing goes 1 edge."),
        (
            Sail("c3", boosts=("engine",)),
            "CF-33: The shortest safe route to c3 has 3 edges; this Sailing goes 2 edges.",
        ),
        (Sail("c2", boosts=("engine", "engine")), "CF-54: You play 2 Engine cards and hold 1."),
        (Sail("c2", boosts=("engine",), warp="warp"), "CF-36: A Sailing takes `boosts` or a `warp`, not both."),
        (Sail("b0", warp="sorcerer"), "CF-34: A warp needs the Sorcerer, which you do not own."),
        (Sell(("crab", "crab")), "CF-37: You sell 2 tiles of crab; your store holds 1."),
        (Buy("fishing_rod"), "CF-43: The Fishing Rod is never for sale: every seat has one from the start."),
        (Buy("wizard"), "CF-44: You own the Wizard already; a seat owns one card of each kind."),
        (Buy("fisherman"), "CF-45: The Fisherman needs the Fishing Net, which you do not own."),
        (Buy("merchant"), "CF-46: The Merchant costs 6 euros; you have 1."),
        (
            Buy("merchant", Change("selling", "wizard")),
            "CF-46: The Merchant costs 6 euros; you have 0 after the fee for the changed action.",
        ),
        (Buy("merchant", Change("selling", "change")), "CF-51: You do not hold the magic card Change."),
        (
            Buy("merchant", Change("oil", "wizard")),
            "CF-48: The Wizard changes Fishing, Sailing, Selling and Buying only, not Oil.",
        ),
        (Buy("merchant", Change("buying", "wizard")), "CF-48: You must change Buying into a different action."),
        (DrawMagic(), f"CF-20: You have no marker on Magic Library, {ONLY}."),
        (MoveOil("-2,0"), f"CF-20: You have no marker on Oil, {ONLY}."),
    ],
)
def test_a_refused_action_names_what_it_lacks(move: Any, words: str) -> None:
    cat = Cat(money=1, cards="wizard", store="crab", magic="engine", placed="fishing sailing selling buying")
    assert message(given(cat, Cat("c3", placed="oil"), empty="1,-1"), 0, move) == words


def test_a_route_that_is_too_long_and_one_that_is_not_safe_have_different_messages() -> None:
    cat = Cat("b10", cards="fishing_boat wizard sorcerer", money=0, placed="sailing")
    words = (
        "CF-33: Every route from b10 to a7 leads over corners that are not open to you: you lack the Fishing Vessel."
    )
    assert message(given(cat, Cat("c3")), 0, Sail("a7")) == words
    cat = replace(cat, cards="fishing_boat fishing_vessel wizard sorcerer")
    assert message(given(cat, Cat("c3"), typhoon="2,0", oil="0,2"), 0, Sail("c3")) == (
        "CF-33: Every route from b10 to c3 passes a catastrophe: the typhoon on 2,0 and the oil on 0,2."
    )
    assert message(given(cat, Cat("c3")), 0, Sail("c0", warp="sorcerer")) == (
        "CF-34: The Sorcerer costs 2 euros each time; you have 0."
    )


def test_a_refused_theft_names_the_store_or_the_fish() -> None:
    full = Cat(store="crab crab", placed="fishing thief")
    table = given(full, Cat("c3", store="tuna"), season="winter", thief=0)
    assert message(table, 0, Fish("1,-1")) == "CF-23: Your store is full: it takes 2 tiles."
    assert message(table, 0, Steal(1, "tuna")) == "CF-67: Your store is full: it takes 2 tiles."
    table = given(Cat(placed="thief"), Cat("c3", store="tuna"), season="winter", thief=0)
    assert message(table, 0, Steal(1, "shark")) == "CF-68: Seat 1 has no shark in its store."
    assert message(table, 0, Steal(1, "pink_bone")) == "CF-68: A pink bone is not a fish; only fish can be stolen."
    assert message(table, 0, Steal(0, "tuna")) == "CF-68: You cannot steal from yourself."


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (MoveTyphoon("1,0"), "CF-56: The typhoon never enters zone 1, where 1,0 lies."),
        (MoveTyphoon("2,0"), "CF-57: The oil is on 2,0: the typhoon cannot enter that hex."),
        (MoveTyphoon("3,0"), "CF-55: The typhoon is on 3,0 already and cannot stay there."),
        (MoveTyphoon("1,1"), "CF-55: The typhoon goes 1 step; 1,1 is 2 steps from 3,0, where it is."),
        (
            MoveTyphoon("0,2", storm=True),
            "CF-55: The typhoon goes 1 or 2 steps with Storm; 0,2 is 3 steps from 3,0, where it is.",
        ),
    ],
)
def test_a_refused_step_of_a_catastrophe_names_what_forbids_it(move: Any, words: str) -> None:
    table = given(Cat(placed="typhoon", magic="storm"), Cat("c3"), oil="2,0")
    assert message(table, 0, move) == words


def test_a_refused_placing_of_the_monster_names_what_is_in_its_way() -> None:
    table = given(Cat(cards="summoner"), Cat("c3"), **later(phase="monster", season="winter"))
    assert message(table, 0, PlaceMonster("-3,0")) == "CF-80: The oil is on -3,0; choose another hex."


def test_a_refused_flight_lists_the_fish_and_the_corners() -> None:
    victim = Cat("b0", cards="fishing_boat fishing_vessel", store="tuna shark")
    cats, pending = (Cat("c3"), victim), {"start": 0, "resume": "execution", "seats": seats(1), "answers": {}}
    table = given(*cats, phase="flee", typhoon="1,-2", pending=TyphoonFlight(**pending))
    assert message(table, 1, Flee("b2")) == "CF-62: Name a fish that you hold as `tile`: tuna or shark."
    assert message(table, 1, Flee("b3", "tuna")) == "CF-63: Flee to a nearest safe corner: b2 or b28."
    table = given(*cats, phase="flee", oil="1,-2", pending=OilFlight(**pending))
    assert message(table, 1, Flee("b2", "tuna")) == "CF-62: Leave out `tile`: the oil takes no fish."
    cats = (Cat("c3"), Cat("b0", cards="fishing_boat fishing_vessel"))
    table = given(*cats, phase="flee", typhoon="1,-2", pending=TyphoonFlight(**pending))
    assert message(table, 1, Flee("b2", "tuna")) == "CF-62: Leave out `tile`: you hold no fish."


def test_a_refused_payment_of_dues_names_what_the_union_takes() -> None:
    cat = Cat(money=1, store="crab tuna", cards="cold_storage")
    table = given(cat, Cat("c3"), phase="dues", season="winter", pending=DuesCall(seats(0), {}))
    assert message(table, 0, PayDues("money")) == "CF-73: The dues are 2 euros; you have 1."
    assert message(table, 0, PayDues("fish", "whale")) == "CF-74: The union takes no whale."
    assert message(table, 0, PayDues("fish", "blue_bone")) == (
        "CF-74: A blue bone is not a fish; the union takes fish only."
    )
    assert message(table, 0, PayDues("fish", "squid")) == "CF-74: You have no squid in your store."


def test_a_card_that_is_sold_out_differs_from_one_that_is_never_for_sale() -> None:
    owners = [Cat(corner, cards="merchant") for corner in ("c2", "c4", "c5")]
    table = given(Cat("c1", placed="buying"), *owners)
    assert message(table, 0, Buy("merchant")) == "CF-43: The Merchant is sold out: seats 1, 2 and 3 own all 3 cards."
    assert message(table, 0, Buy("summoner")) == (
        "CF-43: The Summoner is never for sale: the poorest seat gets it for nothing."
    )


def test_a_tile_under_a_catastrophe_and_a_way_that_is_closed_are_named() -> None:
    cat = Cat("b10", cards="fishing_boat fishing_vessel fishing_net", placed="fishing typhoon", magic="storm")
    table = given(cat, Cat("c3"), typhoon="0,3", oil="2,0")
    assert message(table, 0, Fish("2,0")) == "CF-25: No tile lies on 2,0: the oil is there."
    table = given(cat, Cat("c3"), typhoon="3,-3", oil="3,-2")
    assert message(table, 0, MoveTyphoon("3,-1", storm=True)) == (
        "CF-55: From 3,-3 to 3,-1 it is 2 steps over 3,-2, which the typhoon may not enter."
    )


def test_a_good_haul_that_refills_nothing_names_the_hexes() -> None:
    table = given(Cat(placed="fishing", magic="good_haul"), Cat("c3"))
    assert message(table, 0, Fish("1,-1", good_haul=True)) == (
        "CF-28: Good Haul refills nothing: 1,-1 and 0,-1 each hold a tile or a catastrophe."
    )


def test_the_owner_of_the_summoner_is_named() -> None:
    table = given(Cat(), Cat("c3", cards="summoner"), **later(phase="placement"))
    assert message(table, 0, PlaceMarker("summoner")) == (
        "CF-17: Only the owner of the Summoner can choose it, and seat 1 owns it."
    )
