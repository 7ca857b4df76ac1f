"""The numbers of the box, and editions with other numbers."""

import pytest

from referee.kernel.edition import read_edition
from referee.rulesets.editions import editions_of
from referee.rulesets.explorers_and_pirates import EXPLORERS_AND_PIRATES
from referee.rulesets.explorers_and_pirates.edition import EDITION, PACKAGE, Edition
from tests.clauses import clause

TEXT = (PACKAGE / "edition.toml").read_text(encoding="utf-8")


def test_every_clause_and_ruling_of_the_rules_is_read() -> None:
    clauses = EXPLORERS_AND_PIRATES.rulebook.clauses
    assert [f"EP-{number}" for number in range(1, 114)] == [id for id in clauses if id[3] != "R"]
    assert sorted(int(id[4:]) for id in clauses if id[3] == "R") == list(range(1, 40))


@clause("EP-R2", "EP-R4", "EP-R5")
def test_the_numbers_that_owners_may_correct_are_data() -> None:
    assert EDITION.lair_numbers == (2, 3, 5, 6, 8, 11)
    assert EDITION.track_points == {
        "lairs": (0, 1, 1, 2, 2, 2, 3, 3),
        "fish": (0, 1, 1, 2, 2, 2, 3, 3),
        "spices": (0, 1, 1, 2, 2, 3, 3),
    }
    assert EDITION.north_numbers == (3, 4, 5, 6, 9, 10)
    assert EDITION.scenarios["land-ho"].north.tiles["mountains"] == 2
    assert EDITION.scenarios["land-ho"].south.tiles["fields"] == 2


def test_each_area_has_a_tile_for_each_hex() -> None:
    for name, numbers in EDITION.scenarios.items():
        kinds = [hex.kind for hex in EDITION.maps[name].hexes.values()]
        assert len(numbers.north.fixed) + numbers.north.drawn == kinds.count("north")
        assert len(numbers.south.fixed) + numbers.south.drawn == kinds.count("south")


def test_another_edition_plays_by_its_own_numbers() -> None:
    short = editions_of(EXPLORERS_AND_PIRATES)["short"]
    assert short.edition.scenarios["land-ho"].target == 5
    assert short.edition_hash != EXPLORERS_AND_PIRATES.edition_hash
    assert short.edition.maps == EDITION.maps


@pytest.mark.parametrize(
    ("old", "new", "demand"),
    [
        ("fields = 2, hills = 2 }", "fields = 2, hills = 3 }", "cover the island"),
        ("spices = [0, 1, 1, 2, 2, 3, 3]", "spices = [0]", "S and a space after it"),
        ("spices = [0, 1, 1, 2, 2, 3, 3]", "", "every mission has a track"),
        ("ships_per_route = 2", "ships_per_route = 0", "free route"),
        ("ship = 3", "ship = 0", "can found"),
        ("gold_start = 2", "gold_start = 50", "gold to begin with"),
        ("cards_each = 19", "cards_each = 2", "starting cards"),
        ("target = 12", "target = 0", "points to win"),
        ("drawn = 2", "drawn = 4", "cover the north"),
        ("north_numbers = [3, 4,", "north_numbers = [4,", "a number for every land"),
        ("lair_numbers = [2, 3, 5, 6,", "lair_numbers = [5, 6,", "a lair for every gold river"),
        ('hills = "brick"', 'hills = "ore"', "its resource"),
        ("[scenarios.land-ho", "[scenarios.sea-ho", "every scenario"),
    ],
)
def test_numbers_that_cannot_be_played_are_refused(old: str, new: str, demand: str) -> None:
    assert old in TEXT
    with pytest.raises(ValueError, match=demand):
        read_edition(TEXT.replace(old, new), Edition)
