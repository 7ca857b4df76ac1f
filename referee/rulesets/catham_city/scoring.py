"""Influence and the end of the game (sections 4.6 and 4.15): after every gain the end is checked."""

from referee.kernel.changes import replace, with_seat
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event
from referee.kernel.ranking import Place, places, ranks_of
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.edition import Edition
from referee.rulesets.catham_city.names import Faction
from referee.rulesets.catham_city.position import Case, Position, Step

scoring = Chapter()


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
        scores = scores_of(position)
        position = yield GameFinished(winner=seat, scores=scores, ranks=ranks_of(scores))  # CC-65
    return position


def scores_of(position: Position) -> tuple[int, ...]:
    """The influence of each seat: there is no other scoring."""
    return tuple([state.influence for state in position.seats])


def is_over(position: Position) -> bool:
    """Whether nothing further of an effect happens (CC-64)."""
    return position.phase == "finished"


def ranking(position: Position, edition: Edition) -> tuple[Place, ...]:
    """Every seat's place by influence, the best first; equal influence shares the rank."""
    scores = scores_of(position)
    return places(scores, scores, "CC-66")


@scoring.applies(InfluenceGained)
def influence_gained(position: Position, event: InfluenceGained) -> Position:
    """Set the new total."""
    return replace(position, seats=with_seat(position.seats, event.seat, influence=event.total))


@scoring.applies(InfluenceLost)
def influence_lost(position: Position, event: InfluenceLost) -> Position:
    """Set the new total."""
    return replace(position, seats=with_seat(position.seats, event.seat, influence=event.total))


@scoring.applies(GameFinished)
def game_finished(position: Position, event: GameFinished) -> Position:
    """Close the game; cards stay where they are (CC-R30)."""
    return replace(position, phase="finished", pending=None)
