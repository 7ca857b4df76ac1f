"""What happens at the table: pausing, resuming, annulling, conceding."""

import random
from typing import Any

import pytest

from referee.kernel.message import Event, Move
from referee.kernel.seat import REFEREE
from referee.kernel.table import (
    AnnulGame,
    GameAnnulled,
    GameConceded,
    GamePaused,
    GameResumed,
    PauseGame,
    Resign,
    ResumeGame,
    SeatResigned,
    SeatTakenOver,
    conceded,
)
from referee.kernel.terms import TABLE_VERSION, Terms
from tests.audit.forging import audited, detail, failing
from tests.audit.playing import Play
from tests.audit.race import RACE, CloseLap, Roll, SetUp

PAUSE = PauseGame(reason="tea"), GamePaused(reason="tea")
RESUME = ResumeGame(reason="enough"), GameResumed(reason="enough")
ANNUL = AnnulGame(reason="fire"), GameAnnulled(reason="fire")


def begun(**terms: Any) -> Play:
    """A race after its set-up and one move."""
    play = Play(RACE, terms=Terms(bots=(None,) * 3, table=TABLE_VERSION, **terms)).move(REFEREE, SetUp())
    return play.move(play.position.active, Roll())


def resigned(play: Play, seat: int, *, bot: str | None = None, cause: dict[str, Any] | None = None) -> Play:
    """A seat concedes: a bot plays on, or the game ends."""
    after = SeatTakenOver(seat=seat, bot=bot) if bot else conceded(RACE.ranking(play.position), seat)
    return play.commit(seat, Resign(), (SeatResigned(seat=seat), after), cause)


def test_a_game_that_was_paused_and_resumed_is_proved() -> None:
    play = begun().commit("admin", *_with(PAUSE)).wait(3600).commit("admin", *_with(RESUME))
    assert audited(play.to_the_end(random.Random(1)).record).verdict == "proved"


def _with(pair: tuple[Move, Event]) -> tuple[Move, tuple[Event, ...]]:
    move, event = pair
    return move, (event,)


@pytest.mark.parametrize("paused", [False, True])
def test_an_annulled_game_is_proved(paused: bool) -> None:
    play = begun()
    if paused:
        play.commit("admin", *_with(PAUSE))
    report = audited(play.commit("admin", *_with(ANNUL)).record)
    assert report.verdict == "proved"
    assert "ends with game_annulled" in detail(report, "end")


def test_a_concession_ends_a_game() -> None:
    report = audited(resigned(begun(on_resignation="end"), 1).record)
    assert report.verdict == "proved"
    assert "ends with game_conceded" in detail(report, "end")


def test_a_bot_plays_on_for_a_seat_that_conceded() -> None:
    play = resigned(begun(), 1, bot="random")
    assert audited(play.to_the_end(random.Random(1)).record).verdict == "proved"


CAUSES = ({}, {"bot": "random"}, {"deadline": "2026-11-16T08:00:00.000Z", "lapse": 9})


@pytest.mark.parametrize("cause", CAUSES)
def test_nothing_at_the_table_has_a_cause(cause: dict[str, Any]) -> None:
    play = resigned(begun(), 1, bot="random", cause=cause).to_the_end(random.Random(1))
    report = audited(play.record)
    assert (failing(report), report.first_bad_version) == ({"moves"}, 3)
    assert "resign of seat 1 has a cause" in detail(report, "moves")
    paused = begun().commit("admin", *_with(PAUSE), cause)
    assert "pause_game of admin has a cause" in refused(paused)


def test_a_seat_may_concede_while_the_game_is_paused() -> None:
    assert audited(resigned(begun(on_resignation="end").commit("admin", *_with(PAUSE)), 2).record).verdict == "proved"


def refused(play: Play) -> str:
    """Why the last commit is refused."""
    report = audited(play.record)
    assert "moves" in failing(report) <= {"moves", "end"}
    assert report.first_bad_version == len(play.entries)
    return detail(report, "moves")


@pytest.mark.parametrize("actor", [0, 1, REFEREE])
@pytest.mark.parametrize("pair", [PAUSE, ANNUL])
def test_only_an_admin_pauses_and_annuls(actor: Any, pair: tuple[Move, Event]) -> None:
    assert "is for an admin to make" in refused(begun().commit(actor, *_with(pair)))


def test_only_an_admin_resumes() -> None:
    play = begun().commit("admin", *_with(PAUSE))
    assert "is for an admin to make" in refused(play.commit(0, *_with(RESUME)))


def test_a_running_game_is_not_resumed() -> None:
    assert "while the game was running" in refused(begun().commit("admin", *_with(RESUME)))


def test_a_paused_game_is_not_paused_again() -> None:
    play = begun().commit("admin", *_with(PAUSE))
    assert "while the game was paused" in refused(play.commit("admin", *_with(PAUSE)))


def test_nobody_moves_while_a_game_is_paused() -> None:
    play = begun().commit("admin", *_with(PAUSE))
    assert "roll of seat" in refused(play.move(play.position.active, Roll()))
    assert "while the game was paused" in refused(play)


def test_the_referee_waits_while_a_game_is_paused() -> None:
    play = begun()
    for _ in range(2):
        play.move(play.position.active, Roll())
    play.commit("admin", *_with(PAUSE)).move(REFEREE, CloseLap())
    assert "while the game was paused" in refused(play)


@pytest.mark.parametrize("pair", [PAUSE, RESUME, ANNUL])
def test_nothing_happens_at_the_table_of_a_game_that_is_over(pair: tuple[Move, Event]) -> None:
    ends = (
        Play(RACE).to_the_end(random.Random(1)),
        resigned(begun(on_resignation="end"), 1),
        begun().commit("admin", *_with(ANNUL)),
    )
    for play, status in zip(ends, ("finished", "finished", "annulled"), strict=True):
        assert f"while the game was {status}" in refused(play.commit("admin", *_with(pair)))


def test_nobody_concedes_a_game_that_is_over() -> None:
    assert "while the game was finished" in refused(resigned(Play(RACE).to_the_end(random.Random(1)), 1))


@pytest.mark.parametrize("actor", ["admin", REFEREE])
def test_only_a_seat_concedes(actor: str) -> None:
    play = begun()
    play.commit(actor, Resign(), (SeatResigned(seat=1), conceded(RACE.ranking(play.position), 1)))
    assert "is for a seat to make" in refused(play)


def test_nobody_concedes_twice() -> None:
    play = resigned(begun(), 1, bot="random")
    assert "This seat conceded" in refused(resigned(play, 1, bot="greedy"))


WRONG_EVENTS: dict[str, tuple[str | int, Move, tuple[Event, ...]]] = {
    "another reason": ("admin", PAUSE[0], (GamePaused(reason="coffee"),)),
    "none": ("admin", PAUSE[0], ()),
    "another": ("admin", PAUSE[0], (GameResumed(reason="tea"),)),
    "more": ("admin", PAUSE[0], (GamePaused(reason="tea"), GameResumed(reason="tea"))),
    "another seat": (1, Resign(), (SeatResigned(seat=2), SeatTakenOver(seat=1, bot="random"))),
    "a bot for another seat": (1, Resign(), (SeatResigned(seat=1), SeatTakenOver(seat=2, bot="random"))),
    "no consequence": (1, Resign(), (SeatResigned(seat=1),)),
    "other ranks": (
        1,
        Resign(),
        (SeatResigned(seat=1), GameConceded(seat=1, scores=(0, 0, 0), ranks=(2, 1, 3))),
    ),
}


@pytest.mark.parametrize("name", WRONG_EVENTS)
def test_events_that_do_not_follow_at_the_table(name: str) -> None:
    assert "has other events: event" in refused(begun().commit(*WRONG_EVENTS[name]))


@pytest.mark.parametrize("reason", ["", "x" * 501])
def test_a_reason_is_given_and_short(reason: str) -> None:
    play = begun().commit("admin", PauseGame(reason=reason), (GamePaused(reason=reason),))
    assert "cannot be read" in refused(play)
