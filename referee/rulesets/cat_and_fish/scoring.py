"""Scores and the end of the game: CF-85 to CF-87."""

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Trigger
from referee.kernel.ranking import Place, places
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.names import FISH
from referee.rulesets.cat_and_fish.position import Case, Position, Says, SeatState

scoring = Chapter()


class ScoreGame(Trigger):
    """Count money, fish and penalty tokens after the last winter."""


class GameFinished(Event):
    """The game ended with these scores and ranks, by seat."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]


def score(state: SeatState, edition: Edition) -> int:
    """The score of a seat from money, fish in its store and penalty tokens; it may be negative (CF-86)."""
    fish = sum(tile in FISH for tile in state.store)
    return state.money + fish * edition.fish_score + state.penalties * edition.token_score


def ranking(position: Position, edition: Edition) -> tuple[Place, ...]:
    """The places by score; seats with equal scores share a place (CF-87)."""
    scores = [score(state, edition) for state in position.seats]
    return places(scores, scores, "CF-86", tie="CF-87")


@scoring.decides(ScoreGame)
def score_game(case: Case, move: ScoreGame) -> Says:
    """The game ends without dues, refill or Summoner (CF-85)."""
    by_seat = sorted(ranking(case.position, case.edition), key=lambda place: place.seat)
    yield GameFinished(scores=tuple(place.score for place in by_seat), ranks=tuple(place.rank for place in by_seat))


@scoring.applies(GameFinished)
def game_finished(position: Position, event: GameFinished) -> Position:
    """End the game."""
    return replace(position, phase="finished")
