"""The tracks of the missions: EP-85 to EP-87."""

from referee.kernel.changes import replace
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.ending import ScoringEvent
from referee.rulesets.explorers_and_pirates.ids import Mission
from referee.rulesets.explorers_and_pirates.position import Position, SaysOn

tracks = Chapter()


class MarkerAdvanced(ScoringEvent):
    """A seat's marker moved one space, on top of who is there."""

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
    """A success: one space forward, nothing on the last one (EP-85, EP-86)."""
    if not is_last(position, mission, seat):
        space = space_of(position, mission, seat)
        position = yield MarkerAdvanced(seat=seat, mission=mission, to=space + 1)
    return position


@tracks.applies(MarkerAdvanced)
def marker_advanced(position: Position, event: MarkerAdvanced) -> Position:
    """Off its stack, on top of the next one."""
    stacks = [tuple(seat for seat in stack if seat != event.seat) for stack in position.missions[event.mission]]
    stacks[event.to] = (*stacks[event.to], event.seat)
    return replace(position, missions={**position.missions, event.mission: tuple(stacks)})
