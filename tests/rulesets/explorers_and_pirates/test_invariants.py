"""The invariants of every position (section 12): a damaged position is refused with the invariant that it breaks."""

from copy import deepcopy
from typing import Any

import msgspec
import pytest

from referee.kernel.judge import read_position
from referee.kernel.rejection import Malformed
from referee.rulesets.explorers_and_pirates import EXPLORERS_AND_PIRATES
from referee.rulesets.explorers_and_pirates.edition import EDITION, PACKAGE
from referee.rulesets.explorers_and_pirates.position import Discards, Hero, Offer, Position, Result
from referee.rulesets.explorers_and_pirates.scoring import scores
from tests.clauses import clause
from tests.rulesets.explorers_and_pirates.tables import a_position, fresh, seat

RULES = (PACKAGE / "rules.md").read_text(encoding="utf-8")
EXAMPLE: dict[str, Any] = msgspec.json.decode(
    RULES.partition("Example: `explorers-and-pirates`")[2].partition("```json\n")[2].partition("```")[0]
)
"""The example position of rules.md: three seats, turn 41, seat 1 in its movement phase."""


@clause("EP-112")
def test_the_example_of_the_rules_is_read_and_written_again() -> None:
    position = read_position(EXPLORERS_AND_PIRATES, EXAMPLE)
    assert msgspec.json.decode(msgspec.json.encode(position)) == EXAMPLE
    assert scores(position, EDITION) == (10, 9, 9)
    assert [each.seat for each in EXPLORERS_AND_PIRATES.awaited(position)] == [1]


def damaged(path: str, value: Any, invariant: str) -> None:
    """The example with another value at a path is refused with this invariant."""
    raw = deepcopy(EXAMPLE)
    *steps, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    part: Any = raw
    for step in steps:
        part = part[step] if isinstance(part, list) or not isinstance(step, int) else part[str(step)]
    if value is None and isinstance(part, dict) and last in part and part[last] is not None:
        del part[last]
    else:
        part[last] = value
    with pytest.raises(Malformed) as refused:
        read_position(EXPLORERS_AND_PIRATES, raw)
    assert invariant in refused.value.invariant, refused.value.invariant


@pytest.mark.parametrize(
    ("path", "value", "invariant"),
    [
        ("bank", None, "Frame: `bank`"),
        ("seats/0/gold", None, "Frame: `gold`"),
        ("active_seat", 3, "Frame: first and active"),
        ("options/first_seat", 4, "Options (EP-1)"),
        ("options/scenario", "land-ho-ho", "Options (EP-1)"),
        ("island/2,0", "fields", "Island: the loose tiles"),
        ("island/0,0", "forest", "Island: the terrain of 0,0"),
        ("island/4,0", "forest", "Island: exactly"),
        ("areas/10,-3/tile", "fish2", "Areas: the tiles of the north"),
        ("areas/10,-3/number", 4, "Areas: a number on 10,-3"),
        ("areas/7,-3/number", 8, "Areas: the number tokens of the north"),
        ("stacks/south", [], "Areas: the number tokens of the south"),
        ("stacks/lairs", [6, 11], "Lairs: the lair tokens"),
        ("lairs/4,3/units", {"1": 4}, "Lairs: at most three"),
        ("lairs/4,3/units", {"3": 1}, "Lairs: units on 4,3"),
        ("lairs/4,3/units", {"1": 0}, "Lairs: units on 4,3"),
        ("lairs/7,3", None, "Lairs: exactly"),
        ("villages/6,3/sacks", 2, "Villages: 6,3 has one sack"),
        ("villages/6,3/units", [1, 1], "Villages: at most one unit"),
        ("villages/6,3", None, "Villages: exactly"),
        ("seats/1/resources/brick", 4, "Cards: there are 19 of brick"),
        ("bank/gold", 148, "Gold: there is 148"),
        ("seats/1/settlements", ["3,-3,S", "1,4,N", "3,3,N", "5,-2,S"], "Buildings: one building per corner"),
        ("seats/1/settlements", ["3,-3,S", "1,4,N", "3,3,N", "4,-1,S"], "Buildings: 4,-1,S is a corner of land"),
        ("seats/1/settlements", ["3,-3,S", "1,4,N", "3,3,N", "3,-2,N"], "distance rule (EP-22)"),
        ("neutral/roads", ["2,0,NE"], "Buildings: only two seats"),
        ("seats/1/roads", ["0,2,E"], "Roads: one road per path"),
        ("seats/1/roads", ["3,0,NE"], "Roads: every road"),
        ("seats/0/ships", {"1-3": {"edge": "3,0,NE", "cargo": []}}, "Ships: 1-3 is the id"),
        ("seats/0/ships/0-1/edge", "0,0,E", "Ships: 0-1 lies on a sea route"),
        ("seats/0/ships/0-1/edge", "8,0,NE", "Ships: 0-1 points at no face-down tile"),
        ("seats/0/ships/0-1/cargo", ["unit", "fish"], "Cargo: no hold of seat 0"),
        ("seats/0/ships/0-1/cargo", ["sheep"], "cargo"),
        ("fish", ["8,-2"], "Fish: at most one"),
        ("fish", ["4,1", "4,1"], "Fish: at most one"),
        ("pirate/seat", 3, "Pirate: it belongs"),
        ("pirate/hex", "3,0", "Pirate: it stands on the sea"),
        ("missions/fish", None, "Missions: those of the scenario"),
        ("missions/fish", [[0], [1, 2]], "Missions: the track of fish"),
        ("missions/fish", [[0], [1, 1], [], [], [], [], [], []], "Missions: each seat has one marker"),
        ("turn", None, "Frame: `turn`"),
        ("turn/current_ship", "1-2", "Turn: the current ship"),
        ("turn/ships/0-1", {"used": 1}, "Turn: 0-1"),
        ("founding_step", 0, "Phase: `founding_step`"),
        ("hero", {"hex": "4,3", "seat": 1}, "Phase: `hero`"),
        ("pirate_by", "seven", "Phase: `pirate_by`"),
        ("phase", "captures", "Captures: a lair"),
        ("phase", "roam", "phase"),
        ("ruleset", "catan", "ruleset"),
        ("weather", "fine", "weather"),
    ],
)
def test_a_damaged_position_names_its_invariant(path: str, value: Any, invariant: str) -> None:
    damaged(path, value, invariant)


def refused(position: Position, invariant: str) -> None:
    with pytest.raises(Malformed) as found:
        EXPLORERS_AND_PIRATES.check(position)
    assert invariant in found.value.invariant, found.value.invariant


def changed(position: Position, **parts: Any) -> Position:
    return msgspec.structs.replace(position, **parts)


def test_ships_are_not_crowded_and_seats_have_no_more_pieces_than_the_box() -> None:
    ships = {"0-1": "3,0,NE", "0-2": "3,0,NE", "0-3": "3,0,NE"}
    refused(a_position(seat(ships=ships), seat()), "Ships: at most 2")
    basins = {"2,0,N": "settler", "1,3,N": "settler", "4,-3,S": "settler"}
    refused(a_position(seat(harbors=basins), seat()), "Supply: seat 0 has at most 2 of settler")
    refused(a_position(seat(ships={"0-1": "3,0,NE fish"}), seat(), scenario="pirate-lairs"), "Cargo: there are no fish")
    refused(a_position(seat(ships={"0-1": "3,0,NE spice"}), seat(), scenario="pirate-lairs"), "no spice")
    refused(a_position(seat(ships={"0-1": "3,0,NE unit"}), seat(), scenario="land-ho"), "no units")


def test_there_are_six_fish_and_no_pirates_in_land_ho() -> None:
    six = {"2,0,N": "fish", "1,3,N": "fish", "4,-3,S": "fish"}
    more = seat(harbors={"2,0,S": "fish"}, ships={"1-1": "3,0,E fish", "1-2": "3,0,E fish"})
    refused(a_position(seat(harbors=six), more, up={"5,-1": "fish1"}, fish=("5,-1",)), "Fish: there are no more")
    refused(a_position(seat(), seat(), scenario="land-ho", pirate=(0, "5,0")), "Pirate: there are no pirate ships")
    shoal = {"up": {"5,-1": "fish1"}, "fish": ("5,-1",)}
    refused(a_position(seat(), seat(), pirate=(0, "5,-1"), **shoal), "Pirate: there is no fish")


def test_a_founding_has_the_pieces_of_its_steps() -> None:
    position = fresh("pirate-lairs").position
    refused(changed(position, founding_step=1), "Founding: seat 0")
    refused(changed(position, founding_step=12), "Founding: the steps are 0 to 11")
    refused(changed(position, active_seat=1), "Founding: the active seat")
    refused(changed(fresh("pirate-lairs", seats=2).position, founding_step=0, neutral=_bare()), "Founding: the neutral")
    refused(a_position(seat(), seat(), scenario="land-ho", phase="founding", founding_step=0), "there is a turn")
    fixed = changed(fresh("land-ho").position, phase="founding", founding_step=0, turn=None)
    refused(fixed, "Founding: this scenario has fixed starts")


def _bare() -> Any:
    return a_position(seat(), seat(), neutral={"harbors": "2,0,N"}).neutral


def _discards(**parts: Any) -> Any:
    return Discards(**{"need": {"0": 4}, "given": {}, **parts})


def test_discards_match_the_hands() -> None:
    hands = (seat("brick8"), seat("ore9"), seat())
    refused(a_position(*hands, phase="discard", discards=_discards()), "Discards: half")
    two = {"0": 4, "1": 4}
    refused(
        a_position(*hands, phase="discard", discards=_discards(need=two, given={"0": {"brick": 3}})), "Discards: seat 0"
    )
    both = {"0": {"brick": 4}, "1": {"ore": 4}}
    refused(a_position(*hands, phase="discard", discards=_discards(need=two, given=both)), "Discards: a seat that owes")


def _offer(**parts: Any) -> Any:
    made = {"give": {"brick": 1}, "want": {"ore": 1}, "to": (1, 2), "accepted": (), "declined": ()}
    return Offer(**{**made, **parts})


@pytest.mark.parametrize(
    ("parts", "invariant"),
    [
        ({"give": {}}, "Offer: both sides"),
        ({"want": {"brick": 1}}, "Offer: no kind"),
        ({"to": (0,)}, "Offer: opponents"),
        ({"to": ()}, "Offer: opponents"),
        ({"accepted": (1,), "declined": (1,)}, "Offer: asked seats"),
        ({"declined": (1, 2)}, "Offer: it is closed"),
        ({"give": {"brick": 3}}, "Offer: the active seat"),
        ({"accepted": (2,)}, "Offer: seat 2"),
    ],
)
def test_an_open_offer_is_legal_and_can_be_confirmed(parts: dict[str, Any], invariant: str) -> None:
    hands = (seat("brick2"), seat("ore1"), seat())
    refused(a_position(*hands, offer=_offer(**parts)), invariant)


def test_an_offer_and_a_result_belong_to_their_phases() -> None:
    refused(a_position(seat("brick1"), seat(), seat(), phase="movement", offer=_offer()), "Phase: an offer")
    refused(a_position(seat(), seat(), phase="finished"), "Phase: `result`")
    refused(a_position(seat(), seat(), phase="pirate", pirate_by="chase", pirate=(1, "4,0")), "Pirate: after a chase")
    refused(a_position(seat(), seat(), scenario="land-ho", phase="pirate", pirate_by="seven"), "Pirate: there are no")


def test_a_hero_stands_at_a_lair_that_is_being_captured() -> None:
    river = {"up": {"5,-1": "gold_river"}, "phase": "hero", "hero": Hero(hex="5,-1", seat=1)}
    refused(a_position(seat(), seat(), captured={"5,-1": True}, **river), "Hero: the lair")
    refused(a_position(seat(), seat(), units={"5,-1": {"1": 1, "0": 1}}, **river), "Hero: three units")
    refused(a_position(seat(), seat(), units={"5,-1": {"1": 3}}, **river), "Hero: one of several")
    over = {"phase": "finished", "result": Result(winner=2, scores=(1, 1), ranks=(1, 2))}
    refused(a_position(seat(), seat(), **over), "Result: the winner")
    over = {"phase": "finished", "result": Result(winner=1, scores=(1, 1, 1), ranks=(1, 2))}
    refused(a_position(seat(), seat(), **over), "Result: every seat")
