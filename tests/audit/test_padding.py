"""Nobody can choose luck after the start: it depends on the number of draws only, and the audit counts them."""

import random
from collections.abc import Callable, Iterator

import pytest

from referee.audit.verify import audit
from referee.kernel.canon import digest, steady
from referee.kernel.message import Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Seat
from referee.offline.play import next_commit
from referee.rulesets import TITLES
from referee.service.views import commit_view
from referee.table.moves import AgreeToPause, AgreeToResume, PauseGame, Resign, ResumeGame, ReturnToSeat, Undo
from referee.table.record import ADMIN
from referee.table.rules import TableRefusal
from referee.table.terms import Clock
from tests.audit.forgeries import commits_of, detail, failing, forged
from tests.audit.possible import game_of
from tests.corpus.__main__ import at_random
from tests.corpus.scripted_game import Sitting

every_title = pytest.mark.parametrize("title", [pytest.param(title, id=title.slug) for title in TITLES])

SEEDS = 2
ROUNDS = 25

Pad = Callable[[Sitting], None]


def votes(sitting: Sitting) -> None:
    """All players but the last vote for a pause and withdraw as often as they may."""
    for seat in range(len(sitting.game.nonces) - 1):
        for agreed in (True, False, True, False):
            sitting.try_at_the_table(seat, AgreeToPause(agreed=agreed))


def pauses(sitting: Sitting) -> None:
    """The players pause and resume several times."""
    for _ in range(5):
        for move in (AgreeToPause(), AgreeToResume()):
            for seat in range(len(sitting.game.nonces)):
                sitting.try_at_the_table(seat, move)


def administration(sitting: Sitting) -> None:
    """An admin pauses and resumes the game several times."""
    for _ in range(5):
        sitting.try_at_the_table(ADMIN, PauseGame(reason=digest(b"Tea.")))
        sitting.try_at_the_table(ADMIN, ResumeGame(reason=digest(b"Tea.")))


def undos(sitting: Sitting) -> None:
    """The last player undoes a move and makes it again, twice."""
    for _ in range(2):
        past = sitting.state.table.past
        if past and past[-1].actor != REFEREE and sitting.try_at_the_table(past[-1].actor, Undo()):
            sitting.make(past[-1].actor, past[-1].move)


PADS: tuple[Pad, ...] = (votes, pauses, administration, undos)


def begun(title: Ruleset, seed: str) -> tuple[Sitting, Callable[[], tuple[int | str, Move]]]:
    """A game with terms that allow everything, and a function that chooses its next move at random."""
    clock = Clock(decision_s=86_400, missed_deadlines_max=1)
    sitting = Sitting(title, title.variants[0], title.seats[0], seed, undo="free", clock=clock)
    choose = at_random(title, random.Random(seed))
    return sitting, lambda: choose(sitting.state.position)


def played(title: Ruleset) -> Iterator[tuple[Sitting, int | str, Move]]:
    """Play games, and yield each before a move, with the move."""
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
def test_moves_at_the_table_do_not_change_luck(title: Ruleset, pad: Pad) -> None:
    padded, drawn = 0, 0
    for sitting, actor, move in played(title):
        version = sitting.state.version
        plain = sitting.make(actor, move).newest
        sitting.back_to(version)
        pad(sitting)
        padded += sitting.state.version > version
        assert sitting.state.table.drawn == sitting.states[version].table.drawn
        assert sitting.state.table.decided == sitting.states[version].table.decided
        after = sitting.make(actor, move).newest
        assert (after.events, after.draws) == (plain.events, plain.draws), f"{actor} {move}"
        drawn += after.draws
        sitting.back_to(version)
    assert drawn > 0
    assert padded > 0 or pad is undos, "no title may lack this padding; undo alone is not always possible so early"


@every_title
def test_absence_and_return_do_not_change_luck(title: Ruleset) -> None:
    sitting, choose = begun(title, "away")
    sitting.play(lambda position: choose(), 6).fall_asleep()
    away = sitting.states[-2].table
    back = sitting.wake_up().state.table
    assert (back.drawn, back.decided) == (away.drawn, away.decided)


@every_title
def test_moves_at_the_table_do_not_change_what_a_bot_does(title: Ruleset) -> None:
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
def test_moves_at_the_table_are_refused_before_the_set_up(title: Ruleset) -> None:
    sitting, _ = begun(title, "deal")
    moves = (AgreeToPause(), AgreeToPause(agreed=False), AgreeToResume(), Resign(), ReturnToSeat(), Undo())
    attempts = [(seat, move) for seat in range(len(sitting.game.nonces)) for move in moves]
    for actor, move in (
        *attempts,
        (ADMIN, PauseGame(reason=digest(b"Tea."))),
        (ADMIN, ResumeGame(reason=digest(b"Tea."))),
    ):
        with pytest.raises(TableRefusal, match="game-not-set-up"):
            sitting.at_the_table(actor, move)
    assert sitting.entries == []


def test_a_wrong_number_of_draws_is_found() -> None:
    """Too many and too few, in every kind of commit."""
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
            assert " draws, but made " in detail(report, "moves")


def test_the_number_of_draws_is_not_shown_while_a_game_runs() -> None:
    """It may depend on hidden cards."""
    sitting, choose = begun(TITLES[0], "hidden")
    sitting.play(lambda position: choose(), 10)
    game, commits = game_of(sitting.record), [made for made in sitting.commits if made.draws]
    assert commits
    for commit in commits:
        for reader in (None, *range(len(sitting.game.nonces))):
            assert b"draws" not in steady(commit_view(game, commit, "", reader, lambda *_: "Tea."))
