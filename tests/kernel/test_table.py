"""What can happen at every table."""

import pytest

from referee.kernel.message import Event
from referee.kernel.ruleset import Place
from referee.kernel.seat import Seat
from referee.kernel.table import (
    TABLE_EVENTS,
    GameAdjudicated,
    GameAnnulled,
    GameConceded,
    GamePaused,
    GameResumed,
    PauseAgreed,
    ResumeAgreed,
    SeatResigned,
    SeatTakenBack,
    SeatTakenOver,
    Table,
    conceded,
    table_after,
)
from tests.toy.rules import TurnStarted


@pytest.mark.parametrize(
    ("event", "after"),
    [
        (GamePaused(reason="Tea."), Table(status="paused")),
        (GameResumed(reason="Tea is over."), Table(status="running")),
        (GameAnnulled(reason="A mistake."), Table(status="annulled")),
        (GameConceded(seat=Seat(0), scores=(1, 2), ranks=(2, 1)), Table(status="finished", ranks=(2, 1))),
        (GameAdjudicated(absent=(Seat(1),), scores=(1, 2), ranks=(1, 2)), Table(status="finished", ranks=(1, 2))),
        (PauseAgreed(seat=Seat(1), agreed=True), Table(agreed=(Seat(1),))),
        (PauseAgreed(seat=Seat(1), agreed=False), Table()),
        (ResumeAgreed(seat=Seat(0), agreed=True), Table(agreed=(Seat(0),))),
        (SeatTakenBack(seat=Seat(1)), Table()),
        (SeatResigned(seat=Seat(1)), Table(resigned=(Seat(1),))),
        (SeatTakenOver(seat=Seat(1), bot="greedy"), Table(bots=((Seat(1), "greedy"),))),
    ],
)
def test_events_of_the_table_change_it(event: Event, after: Table) -> None:
    assert table_after(Table(), event) == after
    assert type(event) in TABLE_EVENTS


def test_other_events_leave_the_table_as_it_is() -> None:
    table = Table(status="paused")
    assert table_after(table, TurnStarted(seat=Seat(0))) is table


def test_who_concedes_is_last_and_the_others_stay_as_they_stood() -> None:
    places = tuple(
        Place(seat=Seat(seat), rank=rank, score=score, clause="TY-13")
        for seat, rank, score in ((1, 1, 9), (0, 2, 7), (2, 2, 7), (3, 4, 1))
    )
    assert conceded(places, Seat(1)) == GameConceded(seat=Seat(1), scores=(7, 9, 7, 1), ranks=(1, 4, 1, 3))
    assert conceded(places, Seat(3)) == GameConceded(seat=Seat(3), scores=(7, 9, 7, 1), ranks=(2, 1, 2, 4))
