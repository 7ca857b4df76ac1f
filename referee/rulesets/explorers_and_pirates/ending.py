"""Points, victory and ranking: EP-85 to EP-87 as far as they count points, EP-111 to EP-113."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from referee.kernel.changes import replace
from referee.kernel.message import Event, Move
from referee.kernel.ruleset import Chapter, Place
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.position import Case, Position, Result, Says

M = TypeVar("M", bound=Move)

ending = Chapter()


class ScoringEvent(Event):
    """An event after which the active seat may have the points that win (EP-111)."""


class GameFinished(Event):
    """The active seat has the points that win; the game is over."""

    winner: Seat
    scores: tuple[int, ...]
    ranks: tuple[int, ...]


def points(position: Position, seat: Seat, edition: Edition) -> int:
    """The victory points of a seat (EP-112)."""
    state = position.seats[seat]
    total = len(state.settlements) * edition.points.settlement + len(state.harbors) * edition.points.harbor
    for track in position.missions.values():
        space = next(space for space, stack in enumerate(track) if seat in stack)
        total += edition.track_points[space]  # EP-86
        if card_holder(track) == seat:
            total += edition.card_points
    return total


def card_holder(track: tuple[tuple[Seat, ...], ...]) -> Seat | None:
    """The seat with the mission's card: the bottom marker of the farthest stack beyond S (EP-87)."""
    return next((stack[0] for stack in reversed(track[1:]) if stack), None)


def scores(position: Position, edition: Edition) -> tuple[int, ...]:
    """The points of all seats."""
    return tuple(points(position, Seat(seat), edition) for seat in range(len(position.seats)))


def ranks(scored: tuple[int, ...], winner: Seat | None) -> tuple[int, ...]:
    """The winner first and alone, the others by points; equal points share a rank (EP-113)."""
    return tuple(
        1
        if seat == winner
        else 1 + sum(other == winner or score > own for other, score in enumerate(scored) if other != seat)
        for seat, own in enumerate(scored)
    )


def has_won(position: Position, edition: Edition) -> bool:
    """Whether the active seat has the points that win."""
    return points(position, position.active_seat, edition) >= edition.scenarios[position.options.scenario].target


def wins_at_once(rule: Callable[[Case, M], Says]) -> Callable[[Case, M], Says]:
    """A rule that the active seat's victory cuts short: nothing follows after it (EP-111)."""

    @wraps(rule)
    def told(case: Case, move: M) -> Says:
        says = rule(case, move)
        event = next(says, None)
        while event is not None:
            position = yield event
            if isinstance(event, ScoringEvent) and has_won(position, case.edition):
                winner, scored = position.active_seat, scores(position, case.edition)
                yield GameFinished(winner=winner, scores=scored, ranks=ranks(scored, winner))
                return
            try:
                event = says.send(position)
            except StopIteration:
                return

    return told


@ending.applies(GameFinished)
def game_finished(position: Position, event: GameFinished) -> Position:
    """The result stands; nothing is open any more."""
    result = Result(winner=event.winner, scores=event.scores, ranks=event.ranks)
    return replace(position, phase="finished", result=result, offer=None, hero=None, pirate_by=None, discards=None)


def ranking(edition: Edition, position: Position) -> tuple[Place, ...]:
    """Places and points; while the game runs, as if it ended now without a winner."""
    if position.phase == "setup":
        return tuple(Place(Seat(seat), 1, 0, "EP-113") for seat in range(len(position.seats)))
    scored = scores(position, edition)
    winner = position.result.winner if position.result else None
    places = [
        Place(Seat(seat), rank, scored[seat], "EP-111" if seat == winner else "EP-113")
        for seat, rank in enumerate(ranks(scored, winner))
    ]
    return tuple(sorted(places, key=lambda place: (place.rank, place.seat)))
