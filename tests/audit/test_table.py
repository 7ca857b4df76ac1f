"""Moves at the table: pause, resume, annul, resign, vote, return to the seat."""

import random
from typing import Any

import pytest

from referee.kernel.canon import digest
from referee.kernel.message import Event, Move
from referee.kernel.seat import REFEREE
from referee.table.moves import (
    ALL_AGREED,
    AgreeToPause,
    AnnulGame,
    GameAnnulled,
    GamePaused,
    GameResigned,
    GameResumed,
    PauseAgreed,
    PauseGame,
    PlayerReturned,
    Resign,
    ResumeGame,
    ReturnToSeat,
    SeatResigned,
    SeatTakenOver,
    end_by_resignation,
)
from referee.table.terms import TABLE_VERSION, Terms
from tests.audit.forgeries import audited, detail, failing, forged
from tests.audit.race import RACE, CloseLap, Roll, SetUp
from tests.audit.recorded_game import Play

PAUSE = PauseGame(reason=digest(b"tea")), GamePaused(reason=digest(b"tea"))
RESUME = ResumeGame(reason=digest(b"enough")), GameResumed(reason=digest(b"enough"))
ANNUL = AnnulGame(reason=digest(b"fire")), GameAnnulled(reason=digest(b"fire"))


def begun(bots: tuple[str | None, ...] = (None, None, None), **terms: Any) -> Play:
    """A race after its set-up and one move."""
    play = Play(RACE, terms=Terms(bots=bots, table=TABLE_VERSION, **terms)).move(REFEREE, SetUp())
    return play.move(play.position.active, Roll(), play.cause(play.position.active))


def resigned(play: Play, seat: int, *, bot: str | None = None, cause: dict[str, Any] | None = None) -> Play:
    """A seat resigns: a bot takes over, or the game ends."""
    after = SeatTakenOver(seat=seat, bot=bot) if bot else end_by_resignation(RACE.ranking(play.position), seat)
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


def test_a_resignation_ends_a_game() -> None:
    report = audited(resigned(begun(on_resignation="end"), 1).record)
    assert report.verdict == "proved"
    assert "ends with game_resigned" in detail(report, "end")


def test_a_bot_takes_over_from_a_player_who_resigned() -> None:
    play = resigned(begun(), 1, bot="random")
    assert audited(play.to_the_end(random.Random(1)).record).verdict == "proved"


CAUSES = ({}, {"bot": "random"}, {"deadline": "2026-11-16T08:00:00.000Z", "missed_deadlines": 9})


@pytest.mark.parametrize("cause", CAUSES)
def test_a_cause_of_a_move_at_the_table_is_found(cause: dict[str, Any]) -> None:
    play = resigned(begun(), 1, bot="random", cause=cause).to_the_end(random.Random(1))
    report = audited(play.record)
    assert (failing(report), report.first_bad_version) == ({"moves"}, 3)
    assert "resign by seat 1 has a cause" in detail(report, "moves")
    paused = begun().commit("admin", *_with(PAUSE), cause)
    assert "pause_game by admin has a cause" in refused(paused)


def test_a_seat_may_resign_while_the_game_is_paused() -> None:
    assert audited(resigned(begun(on_resignation="end").commit("admin", *_with(PAUSE)), 2).record).verdict == "proved"


def refused(play: Play) -> str:
    """The fault in the last commit."""
    report = audited(play.record)
    assert "moves" in failing(report) <= {"moves", "end"}
    assert report.first_bad_version == len(play.entries)
    return detail(report, "moves")


@pytest.mark.parametrize("actor", [0, 1, REFEREE])
@pytest.mark.parametrize("pair", [PAUSE, ANNUL])
def test_only_an_admin_pauses_and_annuls(actor: Any, pair: tuple[Move, Event]) -> None:
    assert "Only an admin can make this move" in refused(begun().commit(actor, *_with(pair)))


def test_only_an_admin_resumes() -> None:
    play = begun().commit("admin", *_with(PAUSE))
    assert "Only an admin can make this move" in refused(play.commit(0, *_with(RESUME)))


def test_a_running_game_is_not_resumed() -> None:
    assert "while the game was running" in refused(begun().commit("admin", *_with(RESUME)))


def test_a_paused_game_is_not_paused_again() -> None:
    play = begun().commit("admin", *_with(PAUSE))
    assert "while the game was paused" in refused(play.commit("admin", *_with(PAUSE)))


def test_nobody_moves_while_a_game_is_paused() -> None:
    play = begun().commit("admin", *_with(PAUSE))
    assert "roll by seat" in refused(play.move(play.position.active, Roll()))
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


def test_nobody_resigns_from_a_game_that_is_over() -> None:
    assert "while the game was finished" in refused(resigned(Play(RACE).to_the_end(random.Random(1)), 1))


@pytest.mark.parametrize("actor", ["admin", REFEREE])
def test_only_a_seat_resigns(actor: str) -> None:
    play = begun()
    play.commit(actor, Resign(), (SeatResigned(seat=1), end_by_resignation(RACE.ranking(play.position), 1)))
    assert "Only a seat can make this move" in refused(play)


def test_nobody_resigns_twice() -> None:
    play = resigned(begun(), 1, bot="random")
    assert "This seat has resigned" in refused(resigned(play, 1, bot="greedy"))


ON_RESIGNATION: dict[str, tuple[Event, ...]] = {
    "bot": (SeatResigned(seat=2), SeatTakenOver(seat=2, bot="random")),
    "bot and no more": (SeatResigned(seat=2),),
    "end": (SeatResigned(seat=2),),
}


@pytest.mark.parametrize("way", ON_RESIGNATION)
def test_a_built_in_bot_does_not_resign(way: str) -> None:
    bots = (None, None, "greedy")
    play = begun(on_resignation=way.split()[0], bots=bots)
    end = (end_by_resignation(RACE.ranking(play.position), 2),) if way == "end" else ()
    assert "Only a player can make this move" in refused(play.commit(2, Resign(), (*ON_RESIGNATION[way], *end)))


@pytest.mark.parametrize(
    ("move", "events"),
    [
        (AgreeToPause(), (PauseAgreed(seat=2, agreed=True),)),
        (AgreeToPause(), (PauseAgreed(seat=2, agreed=True), GamePaused(reason=ALL_AGREED))),
        (ReturnToSeat(), (PlayerReturned(seat=2),)),
    ],
)
def test_a_built_in_bot_does_nothing_else_at_the_table(move: Move, events: tuple[Event, ...]) -> None:
    assert "Only a player can make this move" in refused(begun(bots=(None, None, "greedy")).commit(2, move, events))


def votes(play: Play, *agreed: bool) -> Play:
    """Seat 0 votes on a pause."""
    for each in agreed:
        play.commit(0, AgreeToPause(agreed=each), (PauseAgreed(seat=0, agreed=each),))
    return play


def test_votes_that_change_nothing_or_change_too_often_are_found() -> None:
    assert refused(votes(begun(), True, True)).endswith("You have already agreed.")
    assert "there is nothing to withdraw" in refused(votes(begun(), False))
    assert "You have changed your vote 3 times" in refused(votes(begun(), True, False, True, False))
    again = votes(votes(begun(), True, False, True).move(_active(begun()), Roll()), False, True, False)
    assert audited(again.to_the_end(random.Random(1)).record).verdict == "proved"


def _active(play: Play) -> int:
    return play.position.active


@pytest.mark.parametrize(
    ("actor", "move", "event"),
    [
        (0, AgreeToPause(), PauseAgreed(seat=0, agreed=True)),
        (0, Resign(), SeatResigned(seat=0)),
        ("admin", *PAUSE),
        ("admin", *RESUME),
    ],
)
def test_nothing_happens_at_the_table_before_the_set_up(actor: Any, move: Move, event: Event) -> None:
    assert "The referee has not set up the game yet" in refused(Play(RACE).commit(actor, move, (event,)))


def test_a_game_can_be_annulled_before_its_set_up() -> None:
    assert audited(Play(RACE).commit("admin", *_with(ANNUL)).record).verdict == "proved"


WRONG_EVENTS: dict[str, tuple[str | int, Move, tuple[Event, ...]]] = {
    "another reason": ("admin", PAUSE[0], (GamePaused(reason=digest(b"coffee")),)),
    "none": ("admin", PAUSE[0], ()),
    "another": ("admin", PAUSE[0], (GameResumed(reason=digest(b"tea")),)),
    "more": ("admin", PAUSE[0], (GamePaused(reason=digest(b"tea")), GameResumed(reason=digest(b"tea")))),
    "another seat": (1, Resign(), (SeatResigned(seat=2), SeatTakenOver(seat=1, bot="random"))),
    "a bot for another seat": (1, Resign(), (SeatResigned(seat=1), SeatTakenOver(seat=2, bot="random"))),
    "no consequence": (1, Resign(), (SeatResigned(seat=1),)),
    "other ranks": (
        1,
        Resign(),
        (SeatResigned(seat=1), GameResigned(seat=1, scores=(0, 0, 0), ranks=(2, 1, 3))),
    ),
}


@pytest.mark.parametrize("name", WRONG_EVENTS)
def test_events_that_do_not_follow_from_a_move_at_the_table_are_found(name: str) -> None:
    assert "has events that do not follow from it: event" in refused(begun().commit(*WRONG_EVENTS[name]))


@pytest.mark.parametrize("reason", ["", "x" * 501])
def test_a_reason_has_1_to_500_characters(reason: str) -> None:
    play = begun().commit("admin", PauseGame(reason=reason), (GamePaused(reason=reason),))
    assert "cannot be read" in refused(play)


@pytest.mark.parametrize("extra", [{}, {"type": "game_paused"}, {"comment": "x"}])
def test_additional_events_of_a_move_at_the_table_are_found(extra: dict[str, Any]) -> None:
    record = begun().commit("admin", *_with(PAUSE)).commit("admin", *_with(ANNUL)).record
    report = audited(forged(record, 3, lambda commit: commit["events"].append(extra)))
    assert failing(report) == {"moves"}
    assert "has events that do not follow from it: event 2, type: " in detail(report, "moves")


def test_a_move_at_the_table_is_written_out_in_full() -> None:
    """A request may leave members out, but the record has them all: there is only one record of a game."""
    agreed = PauseAgreed(seat=0, agreed=True)
    record = begun().commit(0, AgreeToPause(), (agreed,)).commit("admin", *_with(ANNUL)).record
    assert audited(record).verdict == "proved"
    report = audited(forged(record, 3, lambda commit: commit["move"].pop("agreed")))
    assert failing(report) == {"moves"}
    assert 'must be written as {"agreed":true,"type":"agree_to_pause"}.' in detail(report, "moves")
