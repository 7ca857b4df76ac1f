"""Lairs and their captures: EP-24, EP-88 to EP-97."""

from typing import Any

import pytest

from referee.kernel.rejection import InvalidChance
from referee.kernel.seat import REFEREE
from referee.rulesets.explorers_and_pirates.missions.captures import (
    CaptureLair,
    CaptureStarted,
    ClaimHero,
    HeroDeclined,
    HeroDetermined,
    LairCaptured,
    ResolveCapture,
    UnitLost,
)
from referee.rulesets.explorers_and_pirates.missions.lairs import LandUnits, PickUpUnits, UnitsLanded, UnitsPickedUp
from referee.rulesets.explorers_and_pirates.missions.tracks import MarkerAdvanced
from referee.rulesets.explorers_and_pirates.position import Hero
from referee.rulesets.explorers_and_pirates.production import GoldGained
from referee.rulesets.explorers_and_pirates.scoring import card_holder
from referee.rulesets.explorers_and_pirates.turns import EndTurn, PhaseStarted, TurnEnded, TurnStarted
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.explorers_and_pirates.tables import a_table, seat, track

RIVER = {"up": {"5,-1": "gold_river"}, "top": {"lairs": (6,)}}
LAST = track((), (), (), (), (), (), (), (0, 1, 2))


def at_river(cargo: str, units: dict[str, int] | None = None, **parts: Any) -> Given:
    """A ship of seat 0 points at the gold river 5,-1."""
    own = seat(ships={"0-1": f"4,0,NW {cargo}"})
    return a_table(own, seat(), phase="movement", units={"5,-1": units or {}}, **{**RIVER, **parts})


def capturing(units: dict[str, int], **parts: Any) -> Given:
    """The lair on 5,-1 is about to be captured."""
    phase = {"phase": "captures", **parts}
    return a_table(seat(), seat(), seat(), units={"5,-1": units}, scenario="pirate-lairs", **{**RIVER, **phase})


def gold(number: int) -> GoldGained:
    return GoldGained(seat=number, amount=2, reason="capture")


def step(number: int, to: int) -> MarkerAdvanced:
    return MarkerAdvanced(seat=number, mission="lairs", to=to)


@clause("EP-89")
def test_units_land_on_an_uncaptured_lair_up_to_three() -> None:
    table = at_river("unit unit", {"1": 1})
    after = table.when(0, LandUnits(ship="0-1", hex="5,-1", count=2)).says(
        UnitsLanded(seat=0, ship="0-1", hex="5,-1", count=2)
    )
    assert after.position.lairs["5,-1"].units == {"1": 1, "0": 2}
    assert after.position.seats[0].ships["0-1"].cargo == ()
    at_river("unit unit", {"1": 2}).when(0, LandUnits(ship="0-1", hex="5,-1", count=2)).refused("EP-89")
    at_river("unit", {}).when(0, LandUnits(ship="0-1", hex="5,-1", count=2)).refused("EP-89")
    at_river("unit", {}, captured={"5,-1": True}).when(0, LandUnits(ship="0-1", hex="5,-1", count=1)).refused("EP-89")


@clause("EP-89", "EP-70")
def test_units_land_nowhere_else() -> None:
    table = a_table(seat(ships={"0-1": "3,0,NE unit"}), seat(ships={"1-1": "4,0,NW unit"}), phase="movement", **RIVER)
    table.when(0, LandUnits(ship="0-1", hex="5,-1", count=1)).refused("EP-89")
    table.when(0, LandUnits(ship="0-1", hex="4,0", count=1)).refused("EP-89")
    table.when(0, LandUnits(ship="1-1", hex="5,-1", count=1)).refused("EP-70")


@clause("EP-89", "EP-97", "EP-R35")
def test_units_on_an_uncaptured_lair_stay_there() -> None:
    at_river("", {"0": 2}).when(0, PickUpUnits(ship="0-1", hex="5,-1", count=1)).refused("EP-97")


@clause("EP-90", "EP-84")
def test_three_units_capture_after_the_turn() -> None:
    table = at_river("unit", {"1": 2})
    table = table.when(0, LandUnits(ship="0-1", hex="5,-1", count=1)).tells("units_landed")
    assert table.position.phase == "movement"
    after = table.when(0, EndTurn()).says(PhaseStarted(phase="captures", seat=0))
    assert after.ruleset.due(after.position).move == ResolveCapture()
    assert after.ruleset.awaited(after.position) == ()
    at_river("", {"1": 2}).when(0, EndTurn()).tells("turn_ended", "turn_started")


@clause("EP-91", "EP-92", "EP-95", "EP-96", "EP-R36")
def test_a_seat_that_captures_alone_is_the_hero_without_a_die() -> None:
    after = (
        capturing({"0": 3})
        .when(REFEREE, ResolveCapture())
        .says(
            CaptureStarted(hex="5,-1", seats=(0,)),
            gold(0),
            step(0, 1),
            HeroDetermined(hex="5,-1", seat=0, seats=(0,), rounds=()),
            step(0, 2),
            UnitLost(seat=0, hex="5,-1"),
            LairCaptured(hex="5,-1", number=6),
            TurnEnded(seat=0),
            TurnStarted(seat=1, number=6),
        )
    )
    lair = after.position.lairs["5,-1"]
    assert (lair.captured, lair.units) == (True, {"0": 2})


@clause("EP-92", "EP-93", "EP-94")
def test_several_participants_share_and_roll_for_the_hero() -> None:
    table = capturing({"2": 1, "1": 2}, active_seat=2)
    after = table.when(REFEREE, ResolveCapture(), ("hero_dice", [[5, 2]])).says(
        CaptureStarted(hex="5,-1", seats=(2, 1)),
        gold(2),
        gold(1),
        step(2, 1),
        step(1, 1),
        HeroDetermined(hex="5,-1", seat=2, seats=(2, 1), rounds=((5, 2),)),
        PhaseStarted(phase="hero", seat=2, hex="5,-1"),
    )
    assert after.position.hero == Hero(hex="5,-1", seat=2)
    assert after.position.missions["lairs"][1] == (2, 1)
    after.when(1, ClaimHero(advance=True)).refused("EP-18")


@clause("EP-93")
def test_in_a_tie_more_units_decide() -> None:
    then = capturing({"0": 2, "1": 1}).when(REFEREE, ResolveCapture(), ("hero_dice", [[5, 6]]))
    assert then.event(HeroDetermined).seat == 0


@clause("EP-93", "EP-R8")
def test_three_equal_participants_roll_until_one_is_first() -> None:
    table = capturing({"0": 1, "1": 1, "2": 1})
    then = table.when(REFEREE, ResolveCapture(), ("hero_dice", [[5, 5, 1], [6, 6, 6], [1, 2, 3]]))
    assert (then.event(HeroDetermined).seat, len(then.event(HeroDetermined).rounds)) == (2, 3)
    for rounds in ([[5, 5, 1]], [[5, 4, 1], [1, 2, 3]], [[5, 5, 5], [1, 1]], [], [[7, 1, 2]], [[True, 2, 3]], [5], 5):
        with pytest.raises(InvalidChance):
            table.when(REFEREE, ResolveCapture(), ("hero_dice", rounds))


def heroic(**parts: Any) -> Given:
    """Seat 1 is asked in seat 0's turn."""
    hero = Hero(hex="5,-1", seat=1)
    missions = {"lairs": track((2,), (0, 1))}
    return capturing({"0": 1, "1": 2}, phase="hero", **{"hero": hero, "missions": missions, **parts})


@clause("EP-94", "EP-R6")
def test_the_hero_advances_and_loses_a_unit_or_keeps_it() -> None:
    table = heroic()
    after = table.when(1, ClaimHero(advance=True)).says(
        step(1, 2),
        UnitLost(seat=1, hex="5,-1"),
        LairCaptured(hex="5,-1", number=6),
        TurnEnded(seat=0),
        TurnStarted(seat=1, number=6),
    )
    assert after.position.lairs["5,-1"].units == {"0": 1, "1": 1}
    kept = table.when(1, ClaimHero(advance=False)).says(
        HeroDeclined(seat=1, hex="5,-1"),
        LairCaptured(hex="5,-1", number=6),
        TurnEnded(seat=0),
        TurnStarted(seat=1, number=6),
    )
    assert kept.position.lairs["5,-1"].units == {"0": 1, "1": 2}
    table.when(0, ClaimHero(advance=True)).refused("EP-18")
    assert table.legal(1) == (ClaimHero(advance=True), ClaimHero(advance=False))


@clause("EP-94", "EP-95", "EP-R7")
@pytest.mark.parametrize("units", [{"0": 3}, {"0": 2, "1": 1}])
def test_a_hero_on_the_last_space_is_not_asked_and_keeps_the_unit(units: dict[str, int]) -> None:
    table = capturing(units, missions={"lairs": LAST})
    dice = [("hero_dice", [[6, 1]])] if len(units) > 1 else []
    then = table.when(REFEREE, ResolveCapture(), *dice)
    gains = ("gold_gained",) * len(units)
    after = then.tells("capture_started", *gains, "hero_determined", "lair_captured", "turn_ended", "turn_started")
    assert after.position.lairs["5,-1"].units == units
    assert after.position.missions["lairs"] == LAST


@clause("EP-91", "EP-R9")
def test_the_active_seat_chooses_which_of_several_lairs_is_captured_first() -> None:
    table = two_captures()
    assert table.ruleset.due(table.position) is None
    assert [(each.seat, each.moves) for each in table.ruleset.awaited(table.position)] == [(0, ("capture_lair",))]
    assert table.legal(0) == (CaptureLair(hex="6,-2"), CaptureLair(hex="5,-1"))
    assert table.ruleset.default(table.position, 0) == CaptureLair(hex="6,-2")
    then = table.when(0, CaptureLair(hex="5,-1"))
    assert then.event(CaptureStarted).hex == "5,-1"
    assert then.events[-1] == PhaseStarted(phase="captures", seat=0)
    after = Given(table.ruleset, then.position).when(REFEREE, ResolveCapture())
    assert after.event(CaptureStarted).hex == "6,-2"
    assert after.events[-1] == TurnStarted(seat=1, number=6)


def two_captures() -> Given:
    """The end of seat 0's turn, with three units of one seat on each of two lairs."""
    return a_table(
        seat(), seat(), seat(), phase="captures", scenario="pirate-lairs",
        up={"6,-2": "gold_river", "5,-1": "gold_river"}, units={"5,-1": {"0": 3}, "6,-2": {"1": 3}},
    )  # fmt: skip


@clause("EP-91", "EP-87", "EP-R9")
@pytest.mark.parametrize(("first", "holder"), [("5,-1", 0), ("6,-2", 1)])
def test_the_order_of_the_captures_decides_who_has_the_card(first: str, holder: int) -> None:
    """Both markers come to space 2, and the one that comes first lies at the bottom."""
    chosen = two_captures().when(0, CaptureLair(hex=first))
    after = Given(chosen.given.ruleset, chosen.position).when(REFEREE, ResolveCapture()).position
    assert card_holder(after.missions["lairs"]) == holder


@clause("EP-91", "EP-18")
def test_only_a_choice_between_lairs_is_the_active_seats() -> None:
    table = two_captures()
    table.when(REFEREE, ResolveCapture()).refused("EP-18")
    table.when(1, CaptureLair(hex="5,-1")).refused("EP-18")
    table.when(0, CaptureLair(hex="7,-3")).refused("EP-91")
    single = capturing({"0": 3})
    single.when(0, CaptureLair(hex="5,-1")).refused("EP-18")
    assert single.legal(0) == ()


@clause("EP-92", "EP-29")
def test_without_gold_in_the_bank_there_is_no_reward() -> None:
    table = a_table(seat(), seat(gold=148), phase="captures", units={"5,-1": {"0": 3}}, **RIVER)
    then = table.when(REFEREE, ResolveCapture())
    assert not any(isinstance(event, GoldGained) for event in then.events)


@clause("EP-97", "EP-30")
def test_a_ship_picks_up_units_of_its_owner_after_the_capture() -> None:
    captured = {"captured": {"5,-1": True}}
    table = at_river("spice", {"0": 2, "1": 1}, **captured)
    after = table.when(0, PickUpUnits(ship="0-1", hex="5,-1", count=1)).says(
        UnitsPickedUp(seat=0, ship="0-1", hex="5,-1", count=1)
    )
    assert after.position.seats[0].ships["0-1"].cargo == ("spice", "unit")
    assert after.position.lairs["5,-1"].units == {"1": 1, "0": 1}
    table.when(0, PickUpUnits(ship="0-1", hex="5,-1", count=2)).refused("EP-30")
    table.when(0, PickUpUnits(ship="0-1", hex="5,-1", count=3)).refused("EP-97")
    table.when(0, PickUpUnits(ship="0-1", hex="4,0", count=1)).refused("EP-97")
    both = at_river("", {"0": 2}, **captured).when(0, PickUpUnits(ship="0-1", hex="5,-1", count=2)).position
    assert both.lairs["5,-1"].units == {}
    far = a_table(
        seat(ships={"0-1": "3,0,NE"}), seat(), phase="movement", units={"5,-1": {"0": 1}}, **captured, **RIVER
    )
    far.when(0, PickUpUnits(ship="0-1", hex="5,-1", count=1)).refused("EP-97")


@clause("EP-88")
def test_a_lair_shows_its_number_only_when_it_is_captured() -> None:
    closed = at_river("")
    opened = at_river("", captured={"5,-1": True})
    for reader in (0, 1, None):
        assert closed.ruleset.view(closed.position, reader).lairs["5,-1"].number is None
        assert opened.ruleset.view(opened.position, reader).lairs["5,-1"].number == 6
