"""Change of season and new year: CF-69 to CF-71, CF-82, CF-83."""

from referee.kernel.changes import replace
from referee.kernel.message import Event, Trigger
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.dues import call_dues
from referee.rulesets.cat_and_fish.names import HEXES, SEASONS, Season
from referee.rulesets.cat_and_fish.position import Case, Position, Says, next_first_seat
from referee.rulesets.cat_and_fish.restocking import is_open, restock

seasons = Chapter()


class EndSeason(Trigger):
    """Move the season marker on; after a winter, call the union dues."""


class StartYear(Trigger):
    """Begin the next spring and refill the sea."""


class SeasonChanged(Event):
    """The next season has begun, with the next seat first."""

    year: int
    season: Season
    first_seat: Seat


class YearStarted(Event):
    """The next spring has begun."""

    year: int
    first_seat: Seat


@seasons.decides(EndSeason)
def end_season(case: Case, move: EndSeason) -> Says:
    """Nothing is refilled within a year (CF-69); after a winter dues are owed (CF-71)."""
    position = case.position
    if position.season == "winter":
        yield from call_dues(case)
    else:
        following = SEASONS[SEASONS.index(position.season) + 1]
        yield SeasonChanged(year=position.year, season=following, first_seat=next_first_seat(position))  # CF-70


@seasons.decides(StartYear)
def start_year(case: Case, move: StartYear) -> Says:
    """The thief of the winter is first, else the next seat (CF-82); every open hex is refilled (CF-83)."""
    position = case.position
    first_seat = next_first_seat(position) if position.thief is None else position.thief
    position = yield YearStarted(year=position.year + 1, first_seat=first_seat)
    yield from restock(case, position, [hex for hex in HEXES if is_open(position, hex)])


@seasons.applies(SeasonChanged)
def season_changed(position: Position, event: SeasonChanged) -> Position:
    """A new round of the year."""
    return replace(position, phase="placement", year=event.year, season=event.season, first_seat=event.first_seat)


@seasons.applies(YearStarted)
def year_started(position: Position, event: YearStarted) -> Position:
    """A new round in a new spring; the thief's claim is used up."""
    return replace(
        position, phase="placement", year=event.year, season="spring", first_seat=event.first_seat, thief=None
    )
