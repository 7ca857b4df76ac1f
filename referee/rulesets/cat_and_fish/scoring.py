"""The end: CF-85 to CF-87."""

from referee.kernel.changes import replace
from referee.kernel.message import Event, Trigger
from referee.kernel.ruleset import Chapter, Place
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.names import FISH
from referee.rulesets.cat_and_fish.position import Case, Position, Says, SeatState

scoring = Chapter()


class ScoreGame(Trigger):
    """Count money, fish and penalty tokens after the last winter."""


class GameFinished(Event):
    """The game is over."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]


def score(state: SeatState, edition: Edition) -> int:
    """Money, fish in the store and penalty tokens; it may be negative (CF-86)."""
    fish = sum(tile in FISH for tile in state.store)
    return state.money + fish * edition.fish_score + state.penalties * edition.token_score


def ranking(edition: Edition, position: Position) -> tuple[Place, ...]:
    """The seats by score; ties go to fewer penalty tokens, then to more money (CF-87)."""
    scores = [score(state, edition) for state in position.seats]
    merits = [(scores[at], -state.penalties, state.money) for at, state in enumerate(position.seats)]
    places = (
        Place(
            seat=Seat(at),
            rank=1 + sum(other > merit for other in merits),
            score=scores[at],
            clause="CF-86" if scores.count(scores[at]) == 1 else "CF-87",
        )
        for at, merit in enumerate(merits)
    )
    return tuple(sorted(places, key=lambda place: (place.rank, place.seat)))


@scoring.decides(ScoreGame)
def score_game(case: Case, move: ScoreGame) -> Says:
    """No dues, no refill, no Summoner after the last winter (CF-85)."""
    by_seat = sorted(ranking(case.edition, case.position), key=lambda place: place.seat)
    yield GameFinished(scores=tuple(place.score for place in by_seat), ranks=tuple(place.rank for place in by_seat))


@scoring.applies(GameFinished)
def game_finished(position: Position, event: GameFinished) -> Position:
    """Nothing more is played."""
    return replace(position, phase="finished")
