"""What follows from moves at the table, and what a client is told of those that cannot be made."""

from typing import Any

import pytest
from msgspec.structs import replace

from referee.kernel.chance import Seeded
from referee.kernel.course import PAUSE_S_MAX, Course
from referee.kernel.judge import set_up
from referee.kernel.message import Event, Move
from referee.kernel.record import ADMIN
from referee.kernel.seat import REFEREE, Seat
from referee.kernel.table import (
    ALL_AGREED,
    Adjudicate,
    AgreeToPause,
    AgreeToResume,
    AnnulGame,
    GameAnnulled,
    GameConceded,
    GamePaused,
    GameResumed,
    PauseAgreed,
    PauseGame,
    Resign,
    ResumeAgreed,
    ResumeGame,
    ReturnToSeat,
    SeatResigned,
    SeatTakenBack,
    SeatTakenOver,
    StandIn,
    Table,
    Undo,
)
from referee.kernel.table_rules import TableCase, TableRefusal, decide_at_table
from referee.kernel.terms import TABLE_VERSION, Terms
from tests.toy import TOY

TERMS = Terms(bots=(None, None, "random"), table=TABLE_VERSION, stand_in="greedy")
POSITION = set_up(TOY, TOY.variants[0], 3, Seeded("table"))
ONE, TWO = Seat(0), Seat(1)
TEA = "Tea."
RUNNING = Course()


def decided(actor: int | str, move: Move, course: Course = RUNNING, **changes: Any) -> tuple[Event, ...]:
    case = TableCase(TOY, TERMS, course, POSITION, actor, 0)
    return decide_at_table(replace(case, **changes), move)


def at_table(paused_at: int | None = None, **table: Any) -> Course:
    return Course(table=Table(**table), paused_at=paused_at)


PAUSED = at_table(0, status="paused")
STOOD_IN_FOR = at_table(bots=((ONE, "greedy"),))
CONCEDED = at_table(resigned=(ONE,), bots=((ONE, "greedy"),))


def test_an_admin_pauses_resumes_and_annuls() -> None:
    assert decided(ADMIN, PauseGame(reason=TEA)) == (GamePaused(reason=TEA),)
    assert decided(ADMIN, ResumeGame(reason=TEA), PAUSED) == (GameResumed(reason=TEA),)
    assert decided(ADMIN, AnnulGame(reason=TEA), PAUSED) == (GameAnnulled(reason=TEA),)


def test_a_concession_ends_as_was_agreed() -> None:
    assert decided(ONE, Resign()) == (SeatResigned(seat=ONE), SeatTakenOver(seat=ONE, bot="greedy"))
    assert decided(ONE, Resign(), STOOD_IN_FOR) == (SeatResigned(seat=ONE),)
    conceding, end = decided(ONE, Resign(), terms=replace(TERMS, on_resignation="end"))
    assert (conceding, type(end)) == (SeatResigned(seat=ONE), GameConceded)


def test_players_pause_and_resume_when_all_of_them_agree() -> None:
    agrees = PauseAgreed(seat=ONE, agreed=True)
    assert decided(ONE, AgreeToPause()) == (agrees,)
    assert decided(ONE, AgreeToPause(), at_table(agreed=(TWO,))) == (agrees, GamePaused(reason=ALL_AGREED))
    assert decided(ONE, AgreeToPause(agreed=False), at_table(agreed=(ONE,))) == (replace(agrees, agreed=False),)
    resumes = ResumeAgreed(seat=ONE, agreed=True)
    assert decided(ONE, AgreeToResume(), PAUSED) == (resumes,)
    agreed = at_table(0, status="paused", agreed=(TWO,))
    assert decided(ONE, AgreeToResume(), agreed) == (resumes, GameResumed(reason=ALL_AGREED))
    later = {"at": PAUSE_S_MAX * 1000}
    assert decided(ONE, AgreeToResume(), PAUSED, **later) == (resumes, GameResumed(reason=ALL_AGREED))


def test_a_player_comes_back_to_a_seat_that_a_bot_stood_in_for() -> None:
    assert decided(ONE, ReturnToSeat(), STOOD_IN_FOR) == (SeatTakenBack(seat=ONE),)


@pytest.mark.parametrize(
    ("actor", "move", "course", "code"),
    [
        (ADMIN, ResumeGame(reason=TEA), RUNNING, "game-running"),
        (ADMIN, PauseGame(reason=TEA), PAUSED, "game-paused"),
        (ADMIN, AnnulGame(reason=TEA), at_table(status="annulled"), "game-annulled"),
        (ONE, PauseGame(reason=TEA), RUNNING, "wrong-actor"),
        (REFEREE, AnnulGame(reason=TEA), RUNNING, "wrong-actor"),
        (ADMIN, Resign(), RUNNING, "wrong-actor"),
        (REFEREE, StandIn(seat=ONE), RUNNING, "not-due"),
        (REFEREE, Adjudicate(), RUNNING, "not-due"),
        (ONE, Resign(), at_table(status="finished"), "game-finished"),
        (ONE, Resign(), CONCEDED, "resigned-already"),
        (ONE, AgreeToPause(), PAUSED, "game-paused"),
        (ONE, AgreeToPause(), CONCEDED, "resigned-already"),
        (ONE, AgreeToPause(), STOOD_IN_FOR, "bot-plays"),
        (ONE, AgreeToResume(), RUNNING, "game-running"),
        (ONE, AgreeToResume(), at_table(status="paused"), "paused-by-admin"),
        (ONE, ReturnToSeat(), CONCEDED, "resigned-already"),
        (ONE, ReturnToSeat(), RUNNING, "no-stand-in"),
        (ONE, Undo(), PAUSED, "game-paused"),
        (ONE, Undo(), RUNNING, "undo-refused"),
    ],
)
def test_what_cannot_be_done_at_the_table(actor: int | str, move: Move, course: Course, code: str) -> None:
    with pytest.raises(TableRefusal) as refusal:
        decided(actor, move, course)
    assert refusal.value.code == code


def test_nothing_is_done_at_the_table_of_a_game_that_its_rules_ended() -> None:
    over = replace(POSITION, phase="finished")
    for move in (Resign(), AgreeToPause(), AgreeToResume(), ReturnToSeat(), Undo()):
        with pytest.raises(TableRefusal, match="game-finished"):
            decided(ONE, move, position=over)
