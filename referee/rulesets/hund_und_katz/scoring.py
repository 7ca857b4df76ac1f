"""The two endings and the scoring (HK-60 to HK-76)."""

from typing import Literal

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Trigger
from referee.kernel.ranking import Place, places, ranks_of
from referee.kernel.seat import Seat
from referee.rulesets.hund_und_katz.edition import Edition
from referee.rulesets.hund_und_katz.names import VALUE_TO, AnimalId
from referee.rulesets.hund_und_katz.position import Animal, Case, Position, Result, Says, is_all_but_one_sated

scoring = Chapter()


class ScoreGame(Trigger):
    """Count the values of the animals for the owners of the pawns on them."""


class EndReached(Event):
    """No further turn starts: all animals but one are sated, or the food deck is empty."""

    reason: Literal["penultimate_sated", "deck_empty"]


class GameFinished(Event):
    """The game is over, with the value of each animal and the score and rank of each seat."""

    animal_values: dict[AnimalId, int]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    winners: tuple[Seat, ...]


def end_of_game(position: Position, edition: Edition) -> EndReached | None:
    """The end that the card just assigned brings, if any; the animals are checked before the deck (HK-63)."""
    if is_all_but_one_sated(position, edition):
        return EndReached(reason="penultimate_sated")  # HK-60
    if not position.food_deck:
        return EndReached(reason="deck_empty")  # HK-61, HK-62
    return None


def animal_value(animal: Animal, edition: Edition) -> int:
    """The value of an animal's whole meal (HK-72)."""
    value_of = VALUE_TO[edition.species[animal.id]]
    return sum([value_of[food] for food in animal.food])


def scores_of(position: Position, edition: Edition) -> tuple[int, ...]:
    """The score of each seat if the game were scored now (HK-73, HK-74)."""
    scores = [0] * len(position.seats)
    for animal in position.animals:
        value = animal_value(animal, edition)
        for owner in animal.pawns:
            scores[owner] += value
    return tuple(scores)


@scoring.decides(ScoreGame)
def score_game(case: Case, move: ScoreGame) -> Says:
    """The scores decide, and nothing breaks a tie (HK-76)."""
    position, edition = case.position, case.edition
    scores = scores_of(position, edition)
    ranks = ranks_of(scores)  # HK-75
    yield GameFinished(
        animal_values={animal.id: animal_value(animal, edition) for animal in position.animals},
        scores=scores,
        ranks=ranks,
        winners=tuple(Seat(seat) for seat, rank in enumerate(ranks) if rank == 1),
    )


@scoring.applies(EndReached)
def end_reached(position: Position, event: EndReached) -> Position:
    """The scoring is due."""
    return replace(position, phase="scoring", series_animal=None)


@scoring.applies(GameFinished)
def game_finished(position: Position, event: GameFinished) -> Position:
    """Record the result."""
    result = Result(animal_values=event.animal_values, scores=event.scores, ranks=event.ranks, winners=event.winners)
    return replace(position, phase="finished", result=result)


def ranking(position: Position, edition: Edition) -> tuple[Place, ...]:
    """The seats by score as the table stands; equal scores share a rank."""
    scores = scores_of(position, edition)
    return places(scores, scores, "HK-75", tie="HK-76")
