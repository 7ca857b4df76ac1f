"""The tracks of the missions: EP-85 to EP-87, EP-112."""

import pytest

from referee.rulesets.explorers_and_pirates.edition import EDITION
from referee.rulesets.explorers_and_pirates.missions.tracks import MarkerAdvanced, marker_advanced
from referee.rulesets.explorers_and_pirates.movement import MoveShip
from referee.rulesets.explorers_and_pirates.scoring import card_holder, points, scores
from tests.clauses import clause
from tests.rulesets.explorers_and_pirates.tables import a_position, a_table, seat, track


@clause("EP-85")
def test_a_marker_moves_one_space_on_top_of_the_markers_there() -> None:
    position = a_position(seat(), seat(), seat(), seat(), missions=_tracks(fish=track((3, 0), (2, 1))))
    after = marker_advanced(position, MarkerAdvanced(seat=3, mission="fish", to=1))
    assert after.missions["fish"] == track((0,), (2, 1, 3))
    assert after.missions["lairs"] == position.missions["lairs"]


def _tracks(**tracks: object) -> dict[str, object]:
    everybody = (0, 1, 2, 3)
    return {**{mission: track(everybody, mission=mission) for mission in ("lairs", "fish", "spices")}, **tracks}


@clause("EP-86", "EP-R5")
@pytest.mark.parametrize(
    ("mission", "space", "worth"),
    [
        *(("lairs", space, worth) for space, worth in enumerate((0, 1, 1, 2, 2, 2, 3, 3))),
        *(("fish", space, worth) for space, worth in enumerate((0, 1, 1, 2, 2, 2, 3, 3))),
        *(("spices", space, worth) for space, worth in enumerate((0, 1, 1, 2, 2, 3, 3))),
    ],
)
def test_a_seat_has_the_points_of_its_space(mission: str, space: int, worth: int) -> None:
    """Seat 1 is below seat 0 and has the card."""
    start = {each: track((0, 1), mission=each) for each in ("lairs", "fish", "spices")}
    missions = {**start, mission: track(*((),) * space, (1, 0), mission=mission)}
    table = a_table(seat(), seat(), missions=missions)
    assert scores(table.position, EDITION) == (worth, worth + (1 if space else 0))


@clause("EP-86", "EP-R5", "EP-106")
def test_the_fifth_sack_gives_three_points_and_the_sixth_ends_the_track() -> None:
    spices = track((1,), (), (), (), (0,), mission="spices")
    missions = {"lairs": track((0, 1)), "fish": track((0, 1)), "spices": spices}
    own = seat(ships={"0-1": "4,0,NW spice spice"})
    table = a_table(own, seat(), phase="movement", up={"5,-1": "sea"}, missions=missions)
    then = table.when(0, MoveShip(ship="0-1", path=("3,0,NE",)))
    assert [event.to for event in then.events if isinstance(event, MarkerAdvanced)] == [5, 6]
    assert points(table.position, 0, EDITION) == 2 + 1
    assert points(then.position, 0, EDITION) == 3 + 1
    assert len(then.position.missions["spices"]) == 7


@clause("EP-86", "EP-R34")
def test_on_the_last_space_a_success_counts_for_nothing() -> None:
    missions = {
        "lairs": track((0, 1)),
        "fish": track((1,), (), (), (), (), (), (), (0,)),
        "spices": track((0, 1), mission="spices"),
    }
    table = a_table(seat(ships={"0-1": "4,0,NW fish"}), seat(), phase="movement", up={"5,-1": "sea"}, missions=missions)
    after = table.when(0, MoveShip(ship="0-1", path=("3,0,NE",))).tells("ship_moved", "goods_delivered")
    assert after.position.seats[0].ships["0-1"].cargo == ()
    assert after.position.missions == missions


@clause("EP-87", "EP-R33")
def test_the_bottom_marker_of_the_farthest_stack_has_the_card() -> None:
    assert card_holder(track((0, 1, 2, 3))) is None
    assert card_holder(track((0, 1), (3, 2))) == 3
    assert card_holder(track((0,), (3, 2), (), (1,))) == 1


@clause("EP-87", "EP-112")
def test_the_example_of_the_rulebook() -> None:
    missions = _tracks(lairs=track((), (0, 2), (), (3, 1)))
    position = a_position(seat(), seat(), seat(), seat(), missions=missions)
    assert scores(position, EDITION) == (1, 2, 1, 3)


@clause("EP-112")
def test_points_are_buildings_tracks_and_cards_and_nothing_else() -> None:
    missions = {
        "lairs": track((0,), (1,)),
        "fish": track((0, 1)),
        "spices": track((1,), (), (), (0,), mission="spices"),
    }
    own = seat("ore9", gold=9, settlements="0,0,N 0,1,N", harbors={"2,0,N": "unit"}, roads="0,0,NE")
    position = a_position(own, seat(), missions=missions)
    assert points(position, 0, EDITION) == 2 + 2 + 2 + 1
    assert points(position, 1, EDITION) == 1 + 1
