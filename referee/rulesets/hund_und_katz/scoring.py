"""The two endings and the scoring (HK-60 to HK-76)."""

from typing import Literal

from referee.kernel.changes import replace
from referee.kernel.message import Event, Trigger
from referee.kernel.ruleset import Chapter, Place
from referee.kernel.seat import Seat
from referee.rulesets.hund_und_katz.edition import VALUE_TO, AnimalId, Edition
from referee.rulesets.hund_und_katz.position import Animal, Case, Position, Result, Says, is_all_but_one_sated

scoring = Chapter()


class ScoreGame(Trigger):
    """Count what the pawns' animals have eaten."""


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
    """Whether the card just assigned ends the game; the animals are looked at before the deck (HK-63)."""
    if is_all_but_one_sated(position, edition):
        return EndReached(reason="penultimate_sated")  # HK-60
    if not position.food_deck:
        return EndReached(reason="deck_empty")  # HK-61, HK-62
    return None


def animal_value(animal: Animal, edition: Edition) -> int:
    """What the whole meal counts (HK-72)."""
    value_of = VALUE_TO[edition.species[animal.id]]
    return sum([value_of[food] for food in animal.food])


def scores_of(position: Position, edition: Edition) -> tuple[int, ...]:
    """What the pawns on the animals bring each seat as the table stands (HK-73, HK-74)."""
    scores = [0] * len(position.seats)
    for animal in position.animals:
        value = animal_value(animal, edition)
        for owner in animal.pawns:
            scores[owner] += value
    return tuple(scores)


def ranks_of(scores: tuple[int, ...]) -> tuple[int, ...]:
    """One more than the seats with a higher score (HK-75); equal scores share a rank (HK-76)."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)


@scoring.decides(ScoreGame)
def score_game(case: Case, move: ScoreGame) -> Says:
    """The scores decide, and nothing breaks a tie (HK-76)."""
    position, edition = case.position, case.edition
    scores = scores_of(position, edition)
    ranks = ranks_of(scores)
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
    """The result stands."""
    result = Result(animal_values=event.animal_values, scores=event.scores, ranks=event.ranks, winners=event.winners)
    return replace(position, phase="finished", result=result)


def ranking(edition: Edition, position: Position) -> tuple[Place, ...]:
    """The seats by rank as the table stands; a rank that is shared cites the tie's clause."""
    scores = scores_of(position, edition)
    ranks = ranks_of(scores)
    places = [
        Place(seat=Seat(seat), rank=rank, score=scores[seat], clause="HK-76" if ranks.count(rank) > 1 else "HK-75")
        for seat, rank in enumerate(ranks)
    ]
    return tuple(sorted(places, key=lambda place: (place.rank, place.seat)))
