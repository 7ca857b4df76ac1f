"""The end of the toy: what every seat has, and its place."""

from referee.kernel.changes import replace
from referee.kernel.message import Event, Trigger
from referee.kernel.ruleset import Chapter, Place
from referee.kernel.seat import Seat
from tests.toy.edition import Edition
from tests.toy.position import Position
from tests.toy.rules import Says, TableCase

scoring = Chapter()


class ScoreGame(Trigger):
    """Count what every seat has."""


class GameFinished(Event):
    """The game is over."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]


@scoring.decides(ScoreGame)
def score_game(case: TableCase, move: ScoreGame) -> Says:
    places = sorted(ranking(case.edition, case.position), key=lambda place: place.seat)
    yield GameFinished(
        scores=tuple(place.score for place in places), ranks=tuple(place.rank for place in places)
    )  # TY-12, TY-13


@scoring.applies(GameFinished)
def game_finished(position: Position, event: GameFinished) -> Position:
    return replace(position, phase="finished")


def ranking(edition: Edition, position: Position) -> tuple[Place, ...]:
    """Places by score, then by coins (TY-13)."""
    keys = [(seat.coins + sum(edition.value[fish] for fish in seat.bought), seat.coins) for seat in position.seats]
    places = (
        Place(seat=Seat(number), rank=1 + sum(other > key for other in keys), score=key[0], clause="TY-13")
        for number, key in enumerate(keys)
    )
    return tuple(sorted(places, key=lambda place: (place.rank, place.seat)))
