"""Influence and the end of the game (sections 4.6 and 4.15): after every gain the end is checked."""

from typing import Final

from referee.kernel.changes import replace
from referee.kernel.message import Event
from referee.kernel.ruleset import Chapter, Place
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.cards import Faction
from referee.rulesets.catham_city.position import Case, Position, Step, with_influence

ending = Chapter()

PLACES_CLAUSE: Final = "CC-66"


class InfluenceGained(Event):
    """A seat gained influence."""

    seat: Seat
    amount: int
    total: int
    source: Faction


class InfluenceLost(Event):
    """A seat lost influence."""

    seat: Seat
    amount: int
    total: int
    source: Faction


class GameFinished(Event):
    """A seat reached the threshold; the game is over."""

    winner: Seat
    scores: tuple[int, ...]
    ranks: tuple[int, ...]


def gain(case: Case, position: Position, seat: Seat, amount: int, source: Faction) -> Step:
    """All influence of one effect at once, and the end if it suffices; 0 is no gain (CC-27)."""
    if amount == 0:
        return position
    total = position.seats[seat].influence + amount
    position = yield InfluenceGained(seat=seat, amount=amount, total=total, source=source)
    if total >= case.edition.influence_to_win(len(position.seats)):  # CC-63, CC-64
        scores = tuple([each.influence for each in position.seats])
        position = yield GameFinished(winner=seat, scores=scores, ranks=ranks(scores))  # CC-65
    return position


def is_over(position: Position) -> bool:
    """Whether nothing further of an effect happens (CC-64)."""
    return position.phase == "finished"


def ranks(scores: tuple[int, ...]) -> tuple[int, ...]:
    """By seat: one more than the number of seats with more influence (CC-66)."""
    return tuple([1 + sum(other > score for other in scores) for score in scores])


def ranking(position: Position) -> tuple[Place, ...]:
    """Every seat's place by influence, the best first; equal influence shares the rank."""
    scores = tuple([each.influence for each in position.seats])
    places = [
        Place(seat=Seat(seat), rank=rank, score=scores[seat], clause=PLACES_CLAUSE)
        for seat, rank in enumerate(ranks(scores))
    ]
    return tuple(sorted(places, key=lambda place: (place.rank, place.seat)))


@ending.applies(InfluenceGained)
def influence_gained(position: Position, event: InfluenceGained) -> Position:
    """Set the new total."""
    return replace(position, seats=with_influence(position, event.seat, event.total))


@ending.applies(InfluenceLost)
def influence_lost(position: Position, event: InfluenceLost) -> Position:
    """Set the new total."""
    return replace(position, seats=with_influence(position, event.seat, event.total))


@ending.applies(GameFinished)
def game_finished(position: Position, event: GameFinished) -> Position:
    """Close the game; cards stay where they are (CC-R30)."""
    return replace(position, phase="finished", pending=None)
