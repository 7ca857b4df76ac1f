"""Change of season and new year: CF-4, CF-69 to CF-71, CF-82, CF-83."""

import pytest

from referee.kernel.seat import REFEREE
from referee.rulesets.cat_and_fish.seasons import EndSeason, SeasonChanged, StartYear, YearStarted
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.cat_and_fish.tables import Cat, awaited, given, later


def ended(season: str, *cats: Cat, **rest: object) -> Given:
    return given(*(cats or (Cat("c0"), Cat("c2"), Cat("c4"))), phase="season_end", season=season, **rest)


@clause("CF-4", "CF-69")
@pytest.mark.parametrize(("season", "following"), [("spring", "summer"), ("summer", "autumn"), ("autumn", "winter")])
def test_within_a_year_the_season_moves_on_and_nothing_else_changes(season: str, following: str) -> None:
    table = ended(season, empty="1,-1 0,2", year=2)
    after = table.when(REFEREE, EndSeason()).says(SeasonChanged(2, following, 1)).position
    assert (after.phase, after.year, after.season) == ("placement", 2, following)
    assert after.board == table.position.board
    assert after.seats == table.position.seats


@clause("CF-5", "CF-70")
@pytest.mark.parametrize(("first", "following"), [(0, 1), (1, 2), (2, 0)])
def test_the_first_player_tile_passes_to_the_next_seat(first: int, following: int) -> None:
    table = ended("spring", first_seat=first).when(REFEREE, EndSeason()).tells("season_changed")
    assert table.position.first_seat == following
    assert awaited(table) == [following]


@clause("CF-71")
@pytest.mark.parametrize("year", [1, 2])
def test_after_a_winter_dues_are_called(year: int) -> None:
    table = ended("winter", year=year)
    assert table.when(REFEREE, EndSeason()).events[0].seats == ()


@clause("CF-71", "CF-85")
def test_after_the_last_winter_no_dues_are_called() -> None:
    table = ended("winter", Cat(cards="summoner"), Cat("c2"), **later(year=5))
    table.when(REFEREE, EndSeason()).refused("CF-2")


@clause("CF-82")
def test_a_new_year_begins_with_the_next_seat() -> None:
    table = given(Cat("c0"), Cat("c2"), Cat("c4"), phase="year_end", season="winter", first_seat=2)
    after = table.when(REFEREE, StartYear()).says(YearStarted(2, 0)).position
    assert (after.phase, after.year, after.season, after.first_seat) == ("placement", 2, "spring", 0)


@clause("CF-82", "CF-70", "CF-R41")
def test_the_thief_of_the_winter_is_first_in_spring_and_only_then() -> None:
    table = given(Cat("c0"), Cat("c2"), Cat("c4"), phase="year_end", season="winter", first_seat=2, thief=1)
    table = table.when(REFEREE, StartYear()).says(YearStarted(2, 1))
    assert table.position.thief is None
    assert awaited(table) == [1]
    assert ended("spring", first_seat=1, year=2).when(REFEREE, EndSeason()).position.first_seat == 2


@clause("CF-82", "CF-R35")
def test_the_thief_is_kept_until_the_new_year() -> None:
    table = ended("winter", thief=2).when(REFEREE, EndSeason())
    assert table.position.thief == 2


@clause("CF-83", "CF-R35")
def test_the_refill_comes_with_the_spring() -> None:
    table = ended("winter", empty="1,-1")
    table = table.when(REFEREE, EndSeason()).tells("dues_called", "dues_paid", "dues_paid", "dues_paid", "dues_closed")
    assert table.position.board["1,-1"] is None
    table = table.when(REFEREE, StartYear()).tells("year_started", "hexes_restocked")
    assert table.position.board["1,-1"] is not None
