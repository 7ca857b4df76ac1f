"""What a seat sees (section 11)."""

import msgspec

from referee.kernel.canon import canonical
from referee.kernel.changes import replace
from referee.kernel.judge import replay
from referee.rulesets.explorers_and_pirates import EXPLORERS_AND_PIRATES
from referee.rulesets.explorers_and_pirates.edition import EDITION, Supply
from referee.rulesets.explorers_and_pirates.position import Options, Result
from referee.rulesets.explorers_and_pirates.scoring import scores
from tests.clauses import clause
from tests.conformance.play import play
from tests.rulesets.explorers_and_pirates.tables import a_position, blank, seat, track

TABLE = a_position(
    seat("brick2 ore1", gold=3),
    seat("wool4", gold=1, harbors={"2,0,N": "unit"}, ships={"1-1": "2,0,NE settler"}),
    up={"5,-1": "gold_river", "6,-1": "hills 9"},
)


def view(reader: int | None):
    return EXPLORERS_AND_PIRATES.view(TABLE, reader)


@clause("EP-R27")
def test_cards_are_hidden_their_number_and_gold_are_open() -> None:
    assert view(0).seats[0].resources == TABLE.seats[0].resources
    assert view(0).seats[1].resources is None
    assert [(each.resources_count, each.gold) for each in view(None).seats] == [(3, 3), (4, 1)]
    assert all(each.resources is None for each in view(None).seats)


def test_pieces_and_the_bank_are_open() -> None:
    for reader in (0, 1, None):
        assert view(reader).seats[1].ships == TABLE.seats[1].ships
        assert view(reader).seats[1].harbors == TABLE.seats[1].harbors
        assert view(reader).bank == TABLE.bank


@clause("EP-26", "EP-86", "EP-87", "EP-112")
def test_points_cards_supplies_and_tracks_are_worked_out_for_every_reader() -> None:
    spices = track((0,), (), (), (), (), (1,), mission="spices")
    position = replace(TABLE, missions={"lairs": track((), (1, 0)), "fish": track((0, 1)), "spices": spices}, fish=())
    for reader in (0, 1, None):
        seen = EXPLORERS_AND_PIRATES.view(position, reader)
        assert [each.points for each in seen.seats] == [1, 2 + 1 + 3 + 2]
        assert [each.points for each in seen.seats] == list(scores(position, EDITION))
        assert seen.tracks["lairs"].points == (1, 1)
        assert {mission: each.card for mission, each in seen.tracks.items()} == {"lairs": 1, "fish": None, "spices": 1}
        assert seen.tracks["spices"].spaces == (0, 1, 1, 2, 2, 3, 3)
        assert seen.seats[0].supply == EDITION.supply
        assert seen.seats[1].supply == Supply(road=15, settlement=5, harbor=3, ship=2, settler=1, unit=8)
        assert (seen.reserve.fish, seen.reserve.spice) == (6, 24)


def test_face_down_tiles_and_stacks_are_hidden_from_everybody() -> None:
    for reader in (0, 1, None):
        seen = view(reader)
        assert seen.areas["6,-1"].tile == "hills"
        assert seen.areas["6,-1"].number == 9
        assert all(tile.tile is None for hex, tile in seen.areas.items() if not TABLE.areas[hex].up)
        assert (seen.stacks.north, seen.stacks.south, seen.stacks.lairs) == (None, None, None)
        assert (seen.stacks.north_count, seen.stacks.south_count, seen.stacks.lairs_count) == (5, 6, 5)
        assert seen.lairs["5,-1"].number is None


def test_after_the_end_everything_is_open() -> None:
    over = replace(TABLE, phase="finished", result=Result(winner=0, scores=(17, 3), ranks=(1, 2)))
    seen = EXPLORERS_AND_PIRATES.view(over, None)
    assert seen.seats[1].resources == TABLE.seats[1].resources
    assert seen.stacks.lairs == TABLE.stacks.lairs
    assert all(tile.tile is not None for tile in seen.areas.values())
    assert seen.lairs["5,-1"].number == TABLE.lairs["5,-1"].number


def test_before_the_set_up_there_is_nothing_to_see() -> None:
    position = blank("land-ho", seats=2).position
    written = msgspec.json.decode(msgspec.json.encode(EXPLORERS_AND_PIRATES.view(position, 0)))
    assert written == {
        "ruleset": "explorers-and-pirates",
        "options": {"scenario": "land-ho", "first_seat": 0, "random_island": False, "starts": None},
        "phase": "setup",
        "seats": [{}, {}],
    }
    assert msgspec.json.decode(msgspec.json.encode(position)) == written


def test_a_game_read_from_its_log_is_seen_byte_for_byte_as_it_was_played() -> None:
    """A log has the keys of an event in alphabetical order; bots and caches compare the bytes of views."""
    game = play(EXPLORERS_AND_PIRATES, Options(scenario="explorers-and-pirates"), 3, "bytes", 400)
    position = EXPLORERS_AND_PIRATES.blank(game.options, game.seats)
    for commit in game.commits:
        stored = msgspec.json.decode(canonical(commit.events), type=tuple[EXPLORERS_AND_PIRATES.any_event, ...])
        position = replay(EXPLORERS_AND_PIRATES, position, stored)
        seen, read = (EXPLORERS_AND_PIRATES.view(each, 0) for each in (commit.after, position))
        assert msgspec.json.encode(read) == msgspec.json.encode(seen), commit.move
