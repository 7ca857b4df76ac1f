"""Change of season and new year: CF-69 to CF-71, CF-82, CF-83."""

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Trigger
from referee.kernel.seat import Seat, next_seat
from referee.rulesets.cat_and_fish.dues import call_dues
from referee.rulesets.cat_and_fish.names import HEXES, SEASONS, Season
from referee.rulesets.cat_and_fish.position import Case, Position, Says
from referee.rulesets.cat_and_fish.restocking import is_open, restock

seasons = Chapter()


class EndSeason(Trigger):
    """Begin the next season; after a winter, ask for the union dues."""


class StartYear(Trigger):
    """Begin the next spring and refill the sea."""


class SeasonChanged(Event):
    """The next season began, with another first seat."""

    year: int
    season: Season
    first_seat: Seat


class YearStarted(Event):
    """A new year began with its spring."""

    year: int
    first_seat: Seat


@seasons.decides(EndSeason)
def end_season(case: Case, move: EndSeason) -> Says:
    """The next season begins without a refill (CF-69); after a winter the seats owe dues (CF-71)."""
    position = case.position
    if position.season == "winter":
        yield from call_dues(case)
    else:
        following = SEASONS[SEASONS.index(position.season) + 1]
        first_seat = next_seat(position.first_seat, len(position.seats))  # CF-70
        yield SeasonChanged(year=position.year, season=following, first_seat=first_seat)


@seasons.decides(StartYear)
def start_year(case: Case, move: StartYear) -> Says:
    """The thief of the winter is the first seat, otherwise the next seat (CF-82); open hexes are refilled (CF-83)."""
    position = case.position
    following = next_seat(position.first_seat, len(position.seats))
    first_seat = following if position.thief is None else position.thief
    position = yield YearStarted(year=position.year + 1, first_seat=first_seat)
    yield from restock(case, position, [hex for hex in HEXES if is_open(position, hex)])


@seasons.applies(SeasonChanged)
def season_changed(position: Position, event: SeasonChanged) -> Position:
    """Begin a new round in the next season."""
    return replace(position, phase="placement", year=event.year, season=event.season, first_seat=event.first_seat)


@seasons.applies(YearStarted)
def year_started(position: Position, event: YearStarted) -> Position:
    """Begin a new round in spring; the thief's claim is used up."""
    return replace(
        position, phase="placement", year=event.year, season="spring", first_seat=event.first_seat, thief=None
    )
