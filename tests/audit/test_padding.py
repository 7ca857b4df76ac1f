"""Luck cannot be chosen after the start: nothing but a drawing moves it on, and the audit counts the drawings."""

import random
from collections.abc import Callable, Iterator

import pytest

from referee.audit.verify import audit
from referee.kernel.message import Move
from referee.kernel.record import ADMIN
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Seat
from referee.kernel.table import AgreeToPause, AgreeToResume, PauseGame, Resign, ResumeGame, ReturnToSeat, Undo
from referee.kernel.table_rules import TableRefusal
from referee.kernel.terms import Clock
from referee.offline.play import next_commit
from referee.rulesets import TITLES
from referee.service.views import commit_view
from tests.audit.forging import commits_of, detail, failing, forged
from tests.corpus.__main__ import at_random
from tests.corpus.playing import Sitting

every_title = pytest.mark.parametrize("title", [pytest.param(title, id=title.slug) for title in TITLES])

SEEDS = 2
ROUNDS = 25

Pad = Callable[[Sitting], None]


def votes(sitting: Sitting) -> None:
    """Everybody agrees to a pause as often as they may, but for the last, who has not agreed."""
    for seat in range(len(sitting.game.seats) - 1):
        for agreed in (True, False, True, False):
            sitting.try_at_the_table(seat, AgreeToPause(agreed=agreed))


def pauses(sitting: Sitting) -> None:
    """The players pause and go on as often as they can."""
    for _ in range(5):
        for move in (AgreeToPause(), AgreeToResume()):
            for seat in range(len(sitting.game.seats)):
                sitting.try_at_the_table(seat, move)


def rulings(sitting: Sitting) -> None:
    """An admin pauses the game and lets it go on, again and again."""
    for _ in range(5):
        sitting.try_at_the_table(ADMIN, PauseGame(reason="Tea."))
        sitting.try_at_the_table(ADMIN, ResumeGame(reason="Tea."))


def undos(sitting: Sitting) -> None:
    """Somebody takes a move back and makes it again, twice."""
    for _ in range(2):
        past = sitting.state.course.past
        if past and past[-1].actor != REFEREE and sitting.try_at_the_table(past[-1].actor, Undo()):
            sitting.make(past[-1].actor, past[-1].move)


PADS: tuple[Pad, ...] = (votes, pauses, rulings, undos)


def begun(title: Ruleset, seed: str) -> tuple[Sitting, Callable[[], tuple[int | str, Move]]]:
    """A game at a table where everything is allowed, and what somebody at random would do there next."""
    clock = Clock(decision_s=86_400, lapses=1)
    sitting = Sitting(title, title.variants[0], title.seats[0], seed, undo="free", clock=clock)
    choose = at_random(title, random.Random(seed))
    return sitting, lambda: choose(sitting.state.position)


def played(title: Ruleset) -> Iterator[tuple[Sitting, int | str, Move]]:
    """Games, move by move: each time with what comes next."""
    for number in range(SEEDS):
        sitting, choose = begun(title, f"padding-{number}")
        for _ in range(ROUNDS):
            if sitting.state.status != "running":
                break
            actor, move = choose()
            yield sitting, actor, move
            sitting.make(actor, move)


@every_title
@pytest.mark.parametrize("pad", PADS)
def test_nothing_that_is_done_at_the_table_moves_luck_on(title: Ruleset, pad: Pad) -> None:
    padded, drawn = 0, 0
    for sitting, actor, move in played(title):
        version = sitting.state.version
        plain = sitting.make(actor, move).newest
        sitting.back_to(version)
        pad(sitting)
        padded += sitting.state.version > version
        assert sitting.state.course.drawn == sitting.states[version].course.drawn
        assert sitting.state.course.decided == sitting.states[version].course.decided
        after = sitting.make(actor, move).newest
        assert (after.events, after.draws) == (plain.events, plain.draws), f"{actor} {move}"
        drawn += after.draws
        sitting.back_to(version)
    assert drawn > 0
    assert padded > 0 or pad is undos, "not every title has moves that can be taken back so early"


@every_title
def test_going_away_and_coming_back_moves_no_luck_on(title: Ruleset) -> None:
    sitting, choose = begun(title, "away")
    sitting.play(lambda position: choose(), 6).fall_asleep()
    away = sitting.states[-2].course
    back = sitting.wake_up().state.course
    assert (back.drawn, back.decided) == (away.drawn, away.decided)


@every_title
def test_what_a_bot_does_next_does_not_depend_on_what_is_done_at_the_table(title: Ruleset) -> None:
    sitting, choose = begun(title, "bots")
    sitting.play(lambda position: choose(), 6).resign(Seat(0))
    compared = 0
    for _ in range(ROUNDS):
        if sitting.state.status != "running":
            break
        version, made = sitting.state.version, next_commit(sitting.game, sitting.state)
        if made is not None and made.commit.actor == 0:
            for pad in PADS:
                pad(sitting)
                again = next_commit(sitting.game, sitting.state)
                assert again is not None
                assert (again.commit.move, again.commit.events) == (made.commit.move, made.commit.events)
                assert again.commit.cause == made.commit.cause
                compared += sitting.state.version > version
                sitting.back_to(version)
        sitting.play(lambda position: choose(), 1)
    assert compared > 0


@every_title
def test_before_the_set_up_nobody_chooses_the_deal(title: Ruleset) -> None:
    sitting, _ = begun(title, "deal")
    moves = (AgreeToPause(), AgreeToPause(agreed=False), AgreeToResume(), Resign(), ReturnToSeat(), Undo())
    asked = [(seat, move) for seat in range(len(sitting.game.seats)) for move in moves]
    for actor, move in (*asked, (ADMIN, PauseGame(reason="Tea.")), (ADMIN, ResumeGame(reason="Tea."))):
        with pytest.raises(TableRefusal, match="game-not-set-up"):
            sitting.at_the_table(actor, move)
    assert sitting.entries == []


def test_a_drawing_that_is_reported_and_was_not_made_is_found() -> None:
    """And one that was made and is not reported: at every kind of line."""
    title = TITLES[0]
    sitting, choose = begun(title, "draws")
    sitting.play(lambda position: choose(), 30).pause_by_consent().pause_and_resume().play(lambda position: choose())
    record = sitting.record
    assert audit(record).verdict == "proved"
    kinds: dict[tuple[str, int], int] = {}
    for commit in commits_of(record):
        kinds.setdefault((commit["move"]["type"], min(commit["draws"], 2)), commit["version"])
    assert len(kinds) > 5
    for version in kinds.values():
        for change in (1, -1, 1000):
            wrong = forged(record, version, lambda commit, change=change: commit.update(draws=commit["draws"] + change))
            report = audit(wrong)
            assert (failing(report), report.first_bad_version) == ({"moves"}, version)
            assert " drawings, not " in detail(report, "moves")


def test_the_number_of_drawings_is_not_shown_while_a_game_runs() -> None:
    """It may depend on hidden cards."""
    sitting, choose = begun(TITLES[0], "hidden")
    sitting.play(lambda position: choose(), 10)
    commits = [made for made in sitting.commits if made.draws]
    assert commits
    for commit in commits:
        for reader in (None, *range(len(sitting.game.seats))):
            assert "draws" not in commit_view(sitting.game, commit, "", reader)
