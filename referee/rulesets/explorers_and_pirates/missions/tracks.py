"""The tracks of the missions: EP-85 to EP-87."""

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.names import Mission
from referee.rulesets.explorers_and_pirates.position import Position, SaysOn
from referee.rulesets.explorers_and_pirates.scoring import ScoringEvent

tracks = Chapter()


class MarkerAdvanced(ScoringEvent):
    """A seat's marker advanced one space, on top of the markers there."""

    seat: Seat
    mission: Mission
    to: int


def space_of(position: Position, mission: Mission, seat: Seat) -> int:
    """The space of a seat's marker; S is 0."""
    return next(space for space, stack in enumerate(position.missions[mission]) if seat in stack)


def is_last(position: Position, mission: Mission, seat: Seat) -> bool:
    """Whether a marker has reached the last space (EP-86)."""
    return space_of(position, mission, seat) == len(position.missions[mission]) - 1


def advance(position: Position, mission: Mission, seat: Seat) -> SaysOn:
    """Advance a seat's marker one space; on the last space it stays (EP-85, EP-86)."""
    if not is_last(position, mission, seat):
        space = space_of(position, mission, seat)
        position = yield MarkerAdvanced(seat=seat, mission=mission, to=space + 1)
    return position


@tracks.applies(MarkerAdvanced)
def marker_advanced(position: Position, event: MarkerAdvanced) -> Position:
    """Move the marker from its stack to the top of the next one."""
    stacks = [tuple(seat for seat in stack if seat != event.seat) for stack in position.missions[event.mission]]
    stacks[event.to] = (*stacks[event.to], event.seat)
    return replace(position, missions={**position.missions, event.mission: tuple(stacks)})
