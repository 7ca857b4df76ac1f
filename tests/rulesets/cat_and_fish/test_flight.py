"""Victims of a catastrophe pay, lose a fish and flee: CF-59 to CF-64, CF-8 and CF-9."""

import pytest
from msgspec import UNSET

from referee.kernel.audience import redact, redact_move
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.board import TOUCHES
from referee.rulesets.cat_and_fish.catastrophes import (
    CatastropheMoved,
    MonsterPlaced,
    MoveOil,
    MoveTyphoon,
    PlaceMonster,
)
from referee.rulesets.cat_and_fish.flight import (
    FishLost,
    Flee,
    FlightChosen,
    FlightDemanded,
    FlightResolved,
    PawnFled,
    PenaltyPaid,
    refuges,
)
from referee.rulesets.cat_and_fish.names import CORNERS
from referee.rulesets.cat_and_fish.position import FlightAnswer, MonsterFlight, OilFlight, TyphoonFlight
from referee.rulesets.cat_and_fish.turns import RoundCompleted
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.cat_and_fish.tables import Cat, a_position, awaited, given, seats

FLEET = "fishing_boat fishing_vessel"


def typhoon_enters_1_2(*victims: Cat, mover: Cat | None = None, **rest: object) -> Given:
    """The typhoon comes from 0,-2 to 1,-2, which a0, a1, a17, b0, b1 and b29 touch."""
    mover = mover or Cat("c3", placed="typhoon oil")
    return given(mover, *victims, **{"typhoon": "0,-2", "tiles": {"1,-2": "salmon"}, **rest})


@clause("CF-59", "CF-R28")
def test_victims_are_all_pawns_that_touch_the_hex_the_mover_included_and_no_others() -> None:
    cats = (
        Cat("a1", cards=FLEET, placed="oil typhoon"),
        Cat("a1", cards="fishing_boat"),
        Cat("a3", cards="fishing_boat"),
        Cat("b1", cards=FLEET),
    )
    table = given(*cats, oil="3,-3", typhoon="0,3")
    moved = table.when(0, MoveOil("2,-2"))
    assert [event.seat for event in moved.events if isinstance(event, PenaltyPaid)] == [0, 1, 3]


@clause("CF-59")
def test_pawns_next_to_another_catastrophe_or_the_hex_left_are_not_struck() -> None:
    table = given(Cat("c0", placed="typhoon oil"), Cat("a6", cards="fishing_boat"), typhoon="2,1")
    table.when(0, MoveTyphoon("1,2")).tells("catastrophe_moved")


@clause("CF-60", "CF-R30")
@pytest.mark.parametrize(("money", "amount"), [(5, 2), (2, 2), (1, 1), (0, 0)])
def test_a_victim_of_the_oil_pays_two_euros_or_all_it_has(money: int, amount: int) -> None:
    table = given(Cat("c3", placed="oil typhoon"), Cat("a1", cards="fishing_boat", money=money), oil="3,-3")
    then = table.when(0, MoveOil("2,-2"))
    assert then.event(PenaltyPaid) == PenaltyPaid(1, "oil", amount)
    assert then.position.seats[1].money == money - amount
    assert then.position.seats[1].penalties == 0


@clause("CF-61")
def test_a_victim_of_the_typhoon_discards_one_fish_of_its_choice_and_pays_nothing() -> None:
    table = typhoon_enters_1_2(Cat("a0", cards="fishing_boat", store="crab whale"), discards="shark")
    table = table.when(0, MoveTyphoon("1,-2")).tells("catastrophe_moved", "flight_demanded")
    assert table.legal(1) == (Flee("c0", tile="crab"), Flee("c0", tile="whale"))
    after = table.when(1, Flee("c0", tile="whale")).says(
        FlightChosen(1, "whale", "c0"),
        FishLost(1, "typhoon", "whale"),
        PawnFled(1, "a0", "c0"),
        FlightResolved("execution"),
    )
    assert after.position.seats[1].store == ("crab",)
    assert after.position.seats[1].money == 5
    assert after.position.discards.pink == ("shark", "whale")


@clause("CF-7", "CF-61", "CF-R31")
def test_a_victim_without_fish_loses_nothing() -> None:
    table = typhoon_enters_1_2(Cat("a0", cards="fishing_boat", store="green_bone pink_bone"))
    after = table.when(0, MoveTyphoon("1,-2")).tells("catastrophe_moved", "pawn_fled").position
    assert after.seats[1].store == ("green_bone", "pink_bone")


@clause("CF-62")
def test_a_victim_names_a_fish_that_it_holds() -> None:
    pending = TyphoonFlight(Seat(0), "execution", seats(1), {})
    table = given(
        Cat("c3", placed="oil"),
        Cat("b0", cards="fishing_boat fishing_vessel", store="tuna pink_bone"),
        typhoon="1,-2",
        phase="flee",
        pending=pending,
    )
    table.when(1, Flee("b2")).refused("CF-62")
    table.when(1, Flee("b2", tile="shark")).refused("CF-62")
    table.when(1, Flee("b2", tile="pink_bone")).refused("CF-62")
    table.when(1, Flee("b2", tile="tuna")).tells("flight_chosen", "fish_lost", "pawn_fled", "flight_resolved")


@clause("CF-62")
@pytest.mark.parametrize(("kind", "store"), [(OilFlight, "tuna"), (TyphoonFlight, "pink_bone"), (MonsterFlight, "")])
def test_a_victim_without_fish_and_any_victim_of_oil_names_none(kind: type, store: str) -> None:
    sea = {"typhoon": "0,3", "year": 4, "monster": "-1,3"}
    place = {OilFlight: "oil", TyphoonFlight: "typhoon", MonsterFlight: "monster"}[kind]
    table = given(
        Cat("c3", cards="summoner", placed="oil"),
        Cat("b0", cards=FLEET, store=store),
        phase="flee",
        pending=kind(Seat(0), "execution", seats(1), {}),
        **{**sea, place: "1,-2"},
    )
    table.when(1, Flee("b2", tile="tuna")).refused("CF-62")
    table.when(1, Flee("b2")).tells("flight_chosen", "pawn_fled", "flight_resolved")
    assert table.legal(1) == (Flee("b2"), Flee("b28"))


@clause("CF-63", "CF-R29")
def test_usually_there_is_one_nearest_safe_corner_beyond_the_edge_that_leads_away() -> None:
    table = typhoon_enters_1_2(Cat("a1", cards="fishing_boat"), Cat("b1", cards=FLEET))
    table.when(0, MoveTyphoon("1,-2")).says(
        CatastropheMoved(0, "typhoon", "0,-2", "1,-2", "salmon"), PawnFled(1, "a1", "a2"), PawnFled(2, "b1", "b2")
    )


@clause("CF-63")
def test_a_victim_flees_only_to_corners_that_are_accessible_to_it() -> None:
    boat = a_position(Cat("a1", cards="fishing_boat"), Cat("c3"), typhoon="1,-2", phase="flee")
    assert refuges(boat, Seat(0)) == ("a2",)
    vessel = a_position(Cat("b0", cards=FLEET), Cat("c3"), typhoon="1,-2", phase="flee")
    assert refuges(vessel, Seat(0)) == ("b2", "b28")
    stranded = a_position(Cat("b0", cards="wizard sorcerer"), Cat("c3"), typhoon="1,-2", phase="flee")
    assert refuges(stranded, Seat(0)) == ("c0",)


@clause("CF-63", "CF-R29")
def test_all_catastrophes_count_as_they_now_lie_and_unsafe_corners_may_lie_between() -> None:
    """b0 flees from 1,-2; with the oil on 3,-3 the corners b2 and b3 are unsafe, too."""
    position = a_position(Cat("b0", cards=FLEET), Cat("c3"), typhoon="1,-2", oil="3,-3", phase="flee")
    assert refuges(position, Seat(0)) == ("b28",)
    position = a_position(Cat("b0", cards=FLEET), Cat("c3"), typhoon="1,-2", oil="0,-3", phase="flee")
    assert refuges(position, Seat(0)) == ("b2",)


@clause("CF-63")
def test_a_victim_chooses_among_the_nearest_only() -> None:
    table = typhoon_enters_1_2(Cat("b0", cards=FLEET))
    table = table.when(0, MoveTyphoon("1,-2")).tells("catastrophe_moved", "flight_demanded")
    for corner in CORNERS:
        then = table.when(1, Flee(corner))
        if corner in ("b2", "b28"):
            then.tells("flight_chosen", "pawn_fled", "flight_resolved")
        else:
            then.refused("CF-63")


@clause("CF-32", "CF-63")
def test_wherever_catastrophes_lie_a_victim_has_a_refuge() -> None:
    for hexes in (("1,-2", "2,-2", "1,-1"), ("2,0", "1,1", "1,0"), ("0,2", "-1,2", "0,1")):
        typhoon, oil, monster = hexes
        position = a_position(typhoon=typhoon, oil=oil, monster=monster, year=4, phase="flee")
        for pawn in (corner for hex in hexes for corner in CORNERS if hex in TOUCHES[corner]):
            moved = a_position(Cat(pawn), Cat("c5"), typhoon=typhoon, oil=oil, monster=monster, year=4, phase="flee")
            assert all(corner.startswith("c") for corner in refuges(moved, Seat(0)))
        assert position.monster == monster


@clause("CF-8", "CF-64")
def test_payments_come_first_then_forced_answers_then_the_others_are_asked() -> None:
    """Seat 1 has a choice of corners, seats 0 and 2 have none; seat 2 moves the oil."""
    cats = (
        Cat("a0", cards=FLEET, money=1),
        Cat("b0", cards=FLEET),
        Cat("a17", cards="fishing_boat", placed="oil typhoon"),
    )
    table = given(*cats, oil="2,-2", tiles={"1,-2": "salmon"}, typhoon="0,3", first_seat=2)
    table = table.when(2, MoveOil("1,-2")).says(
        CatastropheMoved(2, "oil", "2,-2", "1,-2", "salmon"),
        PenaltyPaid(2, "oil", 2),
        PenaltyPaid(0, "oil", 1),
        PenaltyPaid(1, "oil", 2),
        PawnFled(2, "a17", "a16"),
        PawnFled(0, "a0", "c0"),
        FlightDemanded("oil", "1,-2", start=2, resume="execution", seats=(1,)),
    )
    assert table.position.phase == "flee"
    assert awaited(table) == [1]


@clause("CF-8")
def test_equal_tiles_are_one_answer() -> None:
    table = typhoon_enters_1_2(Cat("a0", cards="fishing_boat", store="crab crab"))
    table.when(0, MoveTyphoon("1,-2")).says(
        CatastropheMoved(0, "typhoon", "0,-2", "1,-2", "salmon"),
        FishLost(1, "typhoon", "crab"),
        PawnFled(1, "a0", "c0"),
    )


def two_victims() -> Given:
    """Seats 1 and 2 must choose, seat 0 moved the typhoon and has a marker left."""
    table = typhoon_enters_1_2(Cat("b0", cards=FLEET, store="tuna shark"), Cat("b0", cards=FLEET))
    return table.when(0, MoveTyphoon("1,-2")).tells("catastrophe_moved", "flight_demanded")


@clause("CF-9", "CF-22", "CF-64")
@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_victims_answer_in_any_order_and_all_is_resolved_once_clockwise_from_the_mover(order: tuple[int, int]) -> None:
    answers = {1: Flee("b28", tile="shark"), 2: Flee("b2")}
    table = two_victims()
    assert awaited(table) == [1, 2]
    first, second = order
    table = table.when(first, answers[first]).tells("flight_chosen")
    assert awaited(table) == [second]
    assert [state.pawn for state in table.position.seats] == ["c3", "b0", "b0"]
    then = table.when(second, answers[second])
    assert then.events[1:] == (
        FishLost(1, "typhoon", "shark"),
        PawnFled(1, "b0", "b28"),
        PawnFled(2, "b0", "b2"),
        FlightResolved("execution"),
    )
    assert then.position.phase == "execution"
    assert then.position.pending is None
    assert awaited(Given(table.ruleset, then.position)) == [0]


@clause("CF-9")
def test_an_answer_cannot_be_changed() -> None:
    table = two_victims().when(1, Flee("b2", tile="tuna")).tells("flight_chosen")
    table.when(1, Flee("b28", tile="tuna")).refused("CF-3")
    assert table.legal(1) == ()


@clause("CF-9")
def test_resolution_follows_the_mover_round_the_table() -> None:
    """Seat 1 moved; seats 2 and 0 choose, and 2 comes first."""
    cats = (Cat("b0", cards=FLEET), Cat("c3", placed="typhoon oil"), Cat("b0", cards=FLEET))
    table = given(*cats, typhoon="0,-2", first_seat=1)
    table = table.when(1, MoveTyphoon("1,-2")).tells("catastrophe_moved", "flight_demanded")
    assert table.position.pending == TyphoonFlight(Seat(1), "execution", seats(2, 0), {})
    table = table.when(0, Flee("b2")).tells("flight_chosen")
    assert [event.seat for event in table.when(2, Flee("b28")).events if isinstance(event, PawnFled)] == [2, 0]


@clause("CF-9")
def test_an_answer_stays_hidden_until_all_have_answered() -> None:
    then = two_victims().when(1, Flee("b2", tile="tuna"))
    event = then.event(FlightChosen)
    assert redact(event, Seat(1)) == event
    for reader in (None, Seat(0), Seat(2)):
        assert redact(event, reader) == FlightChosen(1)
        assert redact_move(Flee("b2", tile="tuna"), Seat(1), reader) is None
    assert redact(event, None).to is UNSET


@clause("CF-19", "CF-64")
def test_the_round_is_complete_only_after_the_flight() -> None:
    table = typhoon_enters_1_2(Cat("b0", cards=FLEET), mover=Cat("c3", placed="typhoon"))
    table = table.when(0, MoveTyphoon("1,-2")).tells("catastrophe_moved", "flight_demanded")
    table.when(1, Flee("b2")).says(
        FlightChosen(1, None, "b2"), PawnFled(1, "b0", "b2"), FlightResolved("execution"), RoundCompleted(1, "spring")
    )


@clause("CF-81")
def test_after_a_placed_monster_the_new_year_is_due() -> None:
    cats = (Cat("b0", cards=FLEET, store="tuna shark"), Cat("c3", cards="summoner"))
    table = given(*cats, phase="monster", season="winter", year=3)
    table = table.when(1, PlaceMonster("1,-2"))
    assert isinstance(table.events[0], MonsterPlaced)
    table = table.tells("monster_placed", "penalty_paid", "flight_demanded")
    assert table.position.pending == MonsterFlight(Seat(1), "year_end", seats(0), {})
    after = table.when(0, Flee("b2", tile="tuna")).tells("flight_chosen", "fish_lost", "pawn_fled", "flight_resolved")
    assert after.position.phase == "year_end"


def test_a_pending_answer_can_be_given_in_a_position() -> None:
    answers = {"1": FlightAnswer("tuna", "b28")}
    table = given(
        Cat("c3", placed="oil"),
        Cat("b0", cards=FLEET, store="tuna shark"),
        Cat("b0", cards=FLEET),
        typhoon="1,-2",
        phase="flee",
        pending=TyphoonFlight(Seat(0), "execution", seats(1, 2), answers),
    )
    assert awaited(table) == [2]
    assert table.when(2, Flee("b2")).position.seats[1].pawn == "b28"


def test_a_flight_is_checked_in_the_order_of_the_rules() -> None:
    """The tile, then the corner."""
    table = two_victims()
    table.when(1, Flee("c0")).refused("CF-62")
    table.when(2, Flee("c0", tile="tuna")).refused("CF-62")
    table.when(1, Flee("c0", tile="tuna")).refused("CF-63")
