"""The state of a table after its events."""

import pytest

from referee.kernel.message import Event
from referee.kernel.ranking import Place
from referee.kernel.seat import REFEREE, Seat
from referee.table.moves import (
    TABLE_EVENTS,
    GameAdjudicated,
    GameAnnulled,
    GamePaused,
    GameResigned,
    GameResumed,
    PauseAgreed,
    PlayerReturned,
    ResumeAgreed,
    SeatResigned,
    SeatTakenOver,
    end_by_resignation,
)
from referee.table.state import TableState, after_event
from tests.toy.turns import TurnStarted


@pytest.mark.parametrize(
    ("event", "after"),
    [
        (GamePaused(reason="Tea."), TableState(status="paused")),
        (GameResumed(reason="Tea is over."), TableState(status="running", moved_at=7, due_since=7)),
        (GameAnnulled(reason="A mistake."), TableState(status="annulled")),
        (GameResigned(seat=Seat(0), scores=(1, 2), ranks=(2, 1)), TableState(status="finished", ranks=(2, 1))),
        (GameAdjudicated(absent=(Seat(1),), scores=(1, 2), ranks=(1, 2)), TableState(status="finished", ranks=(1, 2))),
        (PauseAgreed(seat=Seat(1), agreed=True), TableState(agreed=(Seat(1),), votes=(Seat(1),))),
        (PauseAgreed(seat=Seat(1), agreed=False), TableState(votes=(Seat(1),))),
        (ResumeAgreed(seat=Seat(0), agreed=True), TableState(agreed=(Seat(0),), votes=(Seat(0),))),
        (PlayerReturned(seat=Seat(1)), TableState()),
        (SeatResigned(seat=Seat(1)), TableState(resigned=(Seat(1),))),
        (SeatTakenOver(seat=Seat(1), bot="greedy"), TableState(bots=((Seat(1), "greedy"),))),
    ],
)
def test_table_events_change_the_table(event: Event, after: TableState) -> None:
    assert after_event(TableState(), event, REFEREE, 7) == after
    assert type(event) in TABLE_EVENTS


def test_other_events_leave_the_table_as_it_is() -> None:
    table = TableState(status="paused")
    assert after_event(table, TurnStarted(seat=Seat(0)), REFEREE, 7) is table


def test_a_seat_that_resigns_is_last_and_the_others_keep_their_order() -> None:
    places = tuple(
        Place(seat=Seat(seat), rank=rank, score=score, clause="TY-13")
        for seat, rank, score in ((1, 1, 9), (0, 2, 7), (2, 2, 7), (3, 4, 1))
    )
    assert end_by_resignation(places, Seat(1)) == GameResigned(seat=Seat(1), scores=(7, 9, 7, 1), ranks=(1, 4, 1, 3))
    assert end_by_resignation(places, Seat(3)) == GameResigned(seat=Seat(3), scores=(7, 9, 7, 1), ranks=(2, 1, 2, 4))
