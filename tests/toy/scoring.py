"""The end of the game: scores and places (TY-12, TY-13)."""

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Trigger
from referee.kernel.ranking import Place, places, ranks_of
from tests.toy.edition import Edition
from tests.toy.position import Case, Position, Says

scoring = Chapter()


class ScoreGame(Trigger):
    """Count what every seat has, and rank the seats."""


class GameFinished(Event):
    """The game is over. Both lists are by seat; rank 1 is the best."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]


@scoring.decides(ScoreGame)
def score_game(case: Case, move: ScoreGame) -> Says:
    """Score and rank the seats by TY-12 and TY-13."""
    keys = keys_of(case.position, case.edition)
    yield GameFinished(scores=tuple([score for score, _ in keys]), ranks=ranks_of(keys))


@scoring.applies(GameFinished)
def game_finished(position: Position, event: GameFinished) -> Position:
    """The phase is `finished`."""
    return replace(position, phase="finished")


def ranking(position: Position, edition: Edition) -> tuple[Place, ...]:
    """The seats by score, then by coins; equal seats share a rank (TY-13)."""
    keys = keys_of(position, edition)
    return places(keys, [score for score, _ in keys], "TY-13")


def keys_of(position: Position, edition: Edition) -> list[tuple[int, int]]:
    """By seat its score (TY-12), and the coins that break a tie."""
    return [(seat.coins + sum([edition.value[fish] for fish in seat.bought]), seat.coins) for seat in position.seats]
