"""What follows from moves at the table, and how the refused ones are reported."""

import random
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from referee.kernel.canon import digest
from referee.kernel.chance import Seeded
from referee.kernel.judge import set_up
from referee.kernel.message import Event, Move
from referee.kernel.seat import REFEREE, Seat
from referee.table.moves import (
    ALL_AGREED,
    Adjudicate,
    AgreeToPause,
    AgreeToResume,
    AnnulGame,
    GameAnnulled,
    GamePaused,
    GameResigned,
    GameResumed,
    PauseAgreed,
    PauseGame,
    PlayerReturned,
    Resign,
    ResumeAgreed,
    ResumeGame,
    ReturnToSeat,
    SeatResigned,
    SeatTakenOver,
    TakeOverSeat,
    Undo,
)
from referee.table.record import ADMIN
from referee.table.rules import VOTES_MAX, TableCase, TableRefusal, decide_at_table
from referee.table.state import PAUSE_S_MAX, TableState, after_move, after_table_move
from referee.table.terms import TABLE_VERSION, Terms
from tests.commits import a_commit
from tests.toy import TOY

TERMS = Terms(bots=(None, None, "random"), table=TABLE_VERSION, takeover_bot="greedy")
POSITION = set_up(TOY, TOY.variants[0], 3, Seeded("table"))
ONE, TWO = Seat(0), Seat(1)
TEA = digest(b"Tea.")
RUNNING = TableState()


def decided(actor: int | str, move: Move, table: TableState = RUNNING, **changes: Any) -> tuple[Event, ...]:
    case = TableCase(TOY, TERMS, table, POSITION, actor, 0)
    return decide_at_table(replace(case, **changes), move)


def at_table(paused_at: int | None = None, **table: Any) -> TableState:
    return TableState(**table, paused_at=paused_at)


PAUSED = at_table(0, status="paused")
TAKEN_OVER = at_table(bots=((ONE, "greedy"),))
RESIGNED = at_table(resigned=(ONE,), bots=((ONE, "greedy"),))


def test_an_admin_pauses_resumes_and_annuls() -> None:
    assert decided(ADMIN, PauseGame(reason=TEA)) == (GamePaused(reason=TEA),)
    assert decided(ADMIN, ResumeGame(reason=TEA), PAUSED) == (GameResumed(reason=TEA),)
    assert decided(ADMIN, AnnulGame(reason=TEA), PAUSED) == (GameAnnulled(reason=TEA),)


def test_a_resignation_ends_as_was_agreed() -> None:
    assert decided(ONE, Resign()) == (SeatResigned(seat=ONE), SeatTakenOver(seat=ONE, bot="greedy"))
    assert decided(ONE, Resign(), TAKEN_OVER) == (SeatResigned(seat=ONE),)
    resigned, end = decided(ONE, Resign(), terms=replace(TERMS, on_resignation="end"))
    assert (resigned, type(end)) == (SeatResigned(seat=ONE), GameResigned)


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


def test_a_player_returns_to_a_seat_that_a_bot_took_over() -> None:
    assert decided(ONE, ReturnToSeat(), TAKEN_OVER) == (PlayerReturned(seat=ONE),)


@pytest.mark.parametrize(
    ("actor", "move", "table", "code"),
    [
        (ADMIN, ResumeGame(reason=TEA), RUNNING, "game-running"),
        (ADMIN, PauseGame(reason=TEA), PAUSED, "game-paused"),
        (ADMIN, AnnulGame(reason=TEA), at_table(status="annulled"), "game-annulled"),
        (ONE, PauseGame(reason=TEA), RUNNING, "wrong-actor"),
        (REFEREE, AnnulGame(reason=TEA), RUNNING, "wrong-actor"),
        (ADMIN, Resign(), RUNNING, "wrong-actor"),
        (REFEREE, TakeOverSeat(seat=ONE), RUNNING, "not-due"),
        (REFEREE, Adjudicate(), RUNNING, "not-due"),
        (ONE, Resign(), at_table(status="finished"), "game-finished"),
        (ONE, Resign(), RESIGNED, "resigned-already"),
        (ONE, AgreeToPause(), PAUSED, "game-paused"),
        (ONE, AgreeToPause(), RESIGNED, "resigned-already"),
        (ONE, AgreeToPause(), TAKEN_OVER, "bot-plays"),
        (ONE, AgreeToResume(), RUNNING, "game-running"),
        (ONE, AgreeToResume(), at_table(status="paused"), "paused-by-admin"),
        (ONE, AgreeToPause(), at_table(agreed=(ONE,)), "nothing-changes"),
        (ONE, AgreeToPause(agreed=False), RUNNING, "nothing-changes"),
        (ONE, AgreeToPause(agreed=False), at_table(agreed=(TWO,)), "nothing-changes"),
        (ONE, AgreeToResume(), at_table(0, status="paused", agreed=(ONE,)), "nothing-changes"),
        (ONE, AgreeToResume(agreed=False), PAUSED, "nothing-changes"),
        (ONE, ReturnToSeat(), RESIGNED, "resigned-already"),
        (ONE, ReturnToSeat(), RUNNING, "not-taken-over"),
        (ONE, Undo(), PAUSED, "game-paused"),
        (ONE, Undo(), RUNNING, "undo-refused"),
    ],
)
def test_moves_that_the_table_refuses(actor: int | str, move: Move, table: TableState, code: str) -> None:
    with pytest.raises(TableRefusal) as refusal:
        decided(actor, move, table)
    assert refusal.value.code == code


BY_SEATS = (Resign(), AgreeToPause(), AgreeToPause(agreed=False), AgreeToResume(), ReturnToSeat(), Undo())


def test_a_repeated_vote_counts_if_it_has_become_the_last_one_missing() -> None:
    alone = at_table(agreed=(ONE,), bots=((TWO, "greedy"),))
    assert decided(ONE, AgreeToPause(), alone)[1] == GamePaused(reason=ALL_AGREED)
    waiting = at_table(0, status="paused", agreed=(ONE,))
    assert decided(ONE, AgreeToResume(), waiting, at=PAUSE_S_MAX * 1000)[1] == GameResumed(reason=ALL_AGREED)


@pytest.mark.parametrize("move", BY_SEATS)
@pytest.mark.parametrize("table", [RUNNING, PAUSED, at_table(bots=((Seat(2), "greedy"),))])
def test_the_seat_of_a_built_in_bot_cannot_act_at_the_table(move: Move, table: TableState) -> None:
    terms = replace(TERMS, undo="free")
    for agreed in ("bot", "end"):
        with pytest.raises(TableRefusal, match="wrong-actor"):
            decided(Seat(2), move, table, terms=replace(terms, on_resignation=agreed))


def test_before_the_set_up_an_admin_can_only_annul_the_game() -> None:
    blank = TOY.blank(TOY.variants[0], 3)
    assert decided(ADMIN, AnnulGame(reason=TEA), position=blank) == (GameAnnulled(reason=TEA),)
    by_admins = ((ADMIN, PauseGame(reason=TEA)), (ADMIN, ResumeGame(reason=TEA)))
    for actor, move in (*by_admins, *((ONE, move) for move in BY_SEATS)):
        with pytest.raises(TableRefusal, match="game-not-set-up"):
            decided(actor, move, position=blank)


class Votes:
    """Two players who vote, commit by commit."""

    def __init__(self) -> None:
        self.table, self.version = RUNNING, 1

    def __call__(self, seat: Seat, move: Move) -> str:
        """Vote; returns the status after it, or the code of the refusal."""
        try:
            events = decided(seat, move, self.table)
        except TableRefusal as refusal:
            return refusal.code
        self.version += 1
        commit = a_commit(self.version, seat, move, events)
        self.table, _ = after_table_move(TOY, TERMS, self.table, commit, 0, POSITION)
        return self.table.status

    def play_on(self) -> None:
        """Commit a move of the ruleset."""
        self.version += 1
        commit = a_commit(self.version, REFEREE, Resign())
        self.table = after_move(TOY, TERMS, self.table, commit, 0, POSITION, POSITION)


def test_a_seat_can_change_its_vote_three_times_between_two_moves() -> None:
    vote = Votes()
    for agreed in (True, False, True):
        assert vote(ONE, AgreeToPause(agreed=agreed)) == "running"
    assert vote(ONE, AgreeToPause(agreed=False)) == "vote-settled"
    assert vote(ONE, AgreeToPause()) == "nothing-changes"
    vote.play_on()
    for agreed in (False, True, False):
        assert vote(ONE, AgreeToPause(agreed=agreed)) == "running"
    assert vote(ONE, AgreeToPause()) == "vote-settled"


def test_no_sequence_of_votes_is_endless_or_leaves_a_game_paused_for_ever() -> None:
    moves = [AgreeToPause(), AgreeToPause(agreed=False), AgreeToResume(), AgreeToResume(agreed=False)]
    for seed in range(300):
        rng, vote = random.Random(seed), Votes()
        for _ in range(200):
            vote(rng.choice((ONE, TWO)), rng.choice(moves))
        assert vote.version <= 1 + 2 * (VOTES_MAX + 2)
        if vote.table.status == "paused":
            for seat in (ONE, TWO):
                vote(seat, AgreeToResume())
        assert vote.table.status == "running", seed
        for seat, move in product((ONE, TWO), moves):
            assert vote(seat, move) in ("vote-settled", "nothing-changes", "game-running", "running")


def test_the_table_refuses_every_move_after_the_rules_ended_the_game() -> None:
    over = replace(POSITION, phase="finished")
    for move in BY_SEATS:
        with pytest.raises(TableRefusal, match="game-finished"):
            decided(ONE, move, position=over)
