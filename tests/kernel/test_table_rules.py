"""What follows from moves at the table, and what a client is told of those that cannot be made."""

import random
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from referee.kernel.chance import Seeded
from referee.kernel.course import PAUSE_S_MAX, Course, Fact, at_the_table, by_the_rules
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
from referee.kernel.table_rules import VOTES_MAX, TableCase, TableRefusal, decide_at_table
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
        (ONE, AgreeToPause(), at_table(agreed=(ONE,)), "nothing-changes"),
        (ONE, AgreeToPause(agreed=False), RUNNING, "nothing-changes"),
        (ONE, AgreeToPause(agreed=False), at_table(agreed=(TWO,)), "nothing-changes"),
        (ONE, AgreeToResume(), at_table(0, status="paused", agreed=(ONE,)), "nothing-changes"),
        (ONE, AgreeToResume(agreed=False), PAUSED, "nothing-changes"),
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


BY_SEATS = (Resign(), AgreeToPause(), AgreeToPause(agreed=False), AgreeToResume(), ReturnToSeat(), Undo())


def test_a_vote_that_was_given_already_counts_when_it_has_become_the_last_one() -> None:
    alone = at_table(agreed=(ONE,), bots=((TWO, "greedy"),))
    assert decided(ONE, AgreeToPause(), alone)[1] == GamePaused(reason=ALL_AGREED)
    waiting = at_table(0, status="paused", agreed=(ONE,))
    assert decided(ONE, AgreeToResume(), waiting, at=PAUSE_S_MAX * 1000)[1] == GameResumed(reason=ALL_AGREED)


@pytest.mark.parametrize("move", BY_SEATS)
@pytest.mark.parametrize("course", [RUNNING, PAUSED, at_table(bots=((Seat(2), "greedy"),))])
def test_the_seat_of_a_built_in_bot_does_nothing_at_the_table(move: Move, course: Course) -> None:
    terms = replace(TERMS, undo="free")
    for agreed in ("bot", "end"):
        with pytest.raises(TableRefusal, match="wrong-actor"):
            decided(Seat(2), move, course, terms=replace(terms, on_resignation=agreed))


def test_before_the_set_up_an_admin_can_annul_the_game_and_nothing_else_happens() -> None:
    blank = TOY.blank(TOY.variants[0], 3)
    assert decided(ADMIN, AnnulGame(reason=TEA), position=blank) == (GameAnnulled(reason=TEA),)
    by_admins = ((ADMIN, PauseGame(reason=TEA)), (ADMIN, ResumeGame(reason=TEA)))
    for actor, move in (*by_admins, *((ONE, move) for move in BY_SEATS)):
        with pytest.raises(TableRefusal, match="game-not-set-up"):
            decided(actor, move, position=blank)


class Votes:
    """Two players who vote, commit by commit."""

    def __init__(self) -> None:
        self.course, self.version = RUNNING, 1

    def __call__(self, seat: Seat, move: Move) -> str:
        """Vote; gives the status after it, or the code of the refusal."""
        try:
            events = decided(seat, move, self.course)
        except TableRefusal as refusal:
            return refusal.code
        self.version += 1
        fact = Fact(self.version, 0, seat, move, None, events)
        self.course, _ = at_the_table(TOY, TERMS, self.course, fact, POSITION)
        return self.course.table.status

    def play_on(self) -> None:
        """Somebody makes a move of the game."""
        self.version += 1
        fact = Fact(self.version, 0, REFEREE, Resign(), None, ())
        self.course = by_the_rules(TOY, TERMS, self.course, fact, POSITION, POSITION)


def test_a_seat_changes_its_vote_three_times_between_two_moves() -> None:
    vote = Votes()
    for agreed in (True, False, True):
        assert vote(ONE, AgreeToPause(agreed=agreed)) == "running"
    assert vote(ONE, AgreeToPause(agreed=False)) == "vote-settled"
    assert vote(ONE, AgreeToPause()) == "nothing-changes"
    vote.play_on()
    for agreed in (False, True, False):
        assert vote(ONE, AgreeToPause(agreed=agreed)) == "running"
    assert vote(ONE, AgreeToPause()) == "vote-settled"


def test_no_row_of_votes_is_endless_and_none_leaves_a_game_paused_for_ever() -> None:
    moves = [AgreeToPause(), AgreeToPause(agreed=False), AgreeToResume(), AgreeToResume(agreed=False)]
    for seed in range(300):
        rng, vote = random.Random(seed), Votes()
        for _ in range(200):
            vote(rng.choice((ONE, TWO)), rng.choice(moves))
        assert vote.version <= 1 + 2 * (VOTES_MAX + 2)
        if vote.course.table.status == "paused":
            for seat in (ONE, TWO):
                vote(seat, AgreeToResume())
        assert vote.course.table.status == "running", seed
        for seat, move in product((ONE, TWO), moves):
            assert vote(seat, move) in ("vote-settled", "nothing-changes", "game-running", "running")


def test_nothing_is_done_at_the_table_of_a_game_that_its_rules_ended() -> None:
    over = replace(POSITION, phase="finished")
    for move in BY_SEATS:
        with pytest.raises(TableRefusal, match="game-finished"):
            decided(ONE, move, position=over)
