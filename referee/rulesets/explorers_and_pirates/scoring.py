"""Points, victory and ranking: EP-86, EP-87, EP-111 to EP-113."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.ranking import Place, places, ranks_of
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.position import Case, Position, Result, Says, Track

M = TypeVar("M", bound=Move)

scoring = Chapter()


class ScoringEvent(Event):
    """An event after which the active seat may have won (EP-111)."""


class GameFinished(Event):
    """The active seat reached the target, and the game is over."""

    winner: Seat
    scores: tuple[int, ...]
    ranks: tuple[int, ...]


def points(position: Position, seat: Seat, edition: Edition) -> int:
    """The victory points of a seat (EP-112)."""
    state = position.seats[seat]
    total = len(state.settlements) * edition.points.settlement + len(state.harbors) * edition.points.harbor
    for mission, track in position.missions.items():
        total += track_points(track, seat, edition.track_points[mission])
        if card_holder(track) == seat:
            total += edition.card_points
    return total


def track_points(track: Track, seat: Seat, points: tuple[int, ...]) -> int:
    """The points of a seat on a mission's track, whose spaces have these points (EP-86)."""
    return next(points[space] for space, stack in enumerate(track) if seat in stack)


def card_holder(track: Track) -> Seat | None:
    """The seat with the mission's card: the bottom marker of the farthest stack beyond S (EP-87)."""
    return next((stack[0] for stack in reversed(track[1:]) if stack), None)


def scores(position: Position, edition: Edition) -> tuple[int, ...]:
    """The points of all seats."""
    return tuple(points(position, Seat(seat), edition) for seat in range(len(position.seats)))


def merits(scored: tuple[int, ...], winner: Seat | None) -> tuple[tuple[bool, int], ...]:
    """What ranks the seats: the winner first and alone, the others by points (EP-113)."""
    return tuple([(seat == winner, score) for seat, score in enumerate(scored)])


def has_won(position: Position, edition: Edition) -> bool:
    """Whether the active seat has the target of the scenario."""
    return points(position, position.active_seat, edition) >= edition.scenarios[position.options.scenario].target


def wins_at_once(rule: Callable[[Case, M], Says]) -> Callable[[Case, M], Says]:
    """The same rule, which stops as soon as the active seat has won (EP-111)."""

    @wraps(rule)
    def until_victory(case: Case, move: M) -> Says:
        says = rule(case, move)
        event = next(says, None)
        while event is not None:
            position = yield event
            if isinstance(event, ScoringEvent) and has_won(position, case.edition):
                winner, scored = position.active_seat, scores(position, case.edition)
                yield GameFinished(winner=winner, scores=scored, ranks=ranks_of(merits(scored, winner)))
                return
            try:
                event = says.send(position)
            except StopIteration:
                return

    return until_victory


@scoring.applies(GameFinished)
def game_finished(position: Position, event: GameFinished) -> Position:
    """Note the result, and close everything that is open."""
    result = Result(winner=event.winner, scores=event.scores, ranks=event.ranks)
    return replace(position, phase="finished", result=result, offer=None, hero=None, pirate_by=None, discards=None)


def ranking(position: Position, edition: Edition) -> tuple[Place, ...]:
    """Places and points; in a running game as if it ended now without a winner."""
    scored = (0,) * len(position.seats) if position.phase == "setup" else scores(position, edition)
    winner = position.result.winner if position.result else None
    found = places(merits(scored, winner), scored, "EP-113")
    return tuple([replace(place, clause="EP-111") if place.seat == winner else place for place in found])
