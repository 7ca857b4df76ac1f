"""A repeated Idempotency-Key is answered from one entry, however long the game is and whichever process answers."""

from typing import Any

import msgspec
import pytest

from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.service.game import Game
from referee.service.lobby import NewGame, create
from referee.service.moves import act, submit
from referee.service.nudges import run
from referee.service.repository import Repository
from referee.service.views import answer
from referee.settings import Settings
from referee.table.moves import AgreeToPause, Undo
from referee.table.rules import TableRefusal
from referee.wiring import connect, make_repository
from tests.workers.conftest import caller

MOVES = 40


class Counted:
    """A log that counts the entries that are read from it."""

    def __init__(self, log: Any) -> None:
        self._log, self.entries = log, 0

    def read(self, *arguments: Any) -> Any:
        found = self._log.read(*arguments)
        self.entries += len(found)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)


def next_move(repository: Repository, game: Game) -> tuple[Seat, Move]:
    position = repository.newest(game).position
    seat = game.rules.awaited(position)[0].seat
    return seat, game.rules.default(position, seat)


@pytest.mark.parametrize("is_new", [False, True])
def test_an_answer_is_repeated_from_one_entry(quiet_repository: Repository, redis_url: str, is_new: bool) -> None:
    """This includes a process that made none of the commits."""
    repository = quiet_repository
    game = create(repository, caller(repository), NewGame(ruleset="catham-city", seats=("me", "me")))
    run(repository, game.id)
    first: list[tuple[str, Seat, Move, bytes]] = []
    for number in range(MOVES):
        seat, move = next_move(repository, game)
        outcome = submit(repository, game, seat, msgspec.json.encode(move), key=f"m{number}")
        first.append((f"m{number}", seat, move, answer(game, outcome, seat)))
        run(repository, game.id)
    for key, move in (("v", AgreeToPause()), ("w", AgreeToPause(agreed=False))):
        first.append((key, Seat(0), move, answer(game, act(repository, game, 0, move, key=key), Seat(0))))
    if is_new:
        repository = make_repository(Settings(redis_url=redis_url), connect(redis_url), nudge=lambda game: None)
        repository.newest(game)
    repository.log = counted = Counted(repository.log)
    for key, seat, move, told in first:
        is_vote = isinstance(move, AgreeToPause)
        again = (
            act(repository, game, seat, move, key=key)
            if is_vote
            else submit(repository, game, seat, msgspec.json.encode(move), key=key)
        )
        assert again.is_repeated
        assert answer(game, again, seat) == told
    assert counted.entries == len(first)


def test_a_repeated_undo_request_returns_the_same_undo(quiet_repository: Repository) -> None:
    game = create(
        quiet_repository, caller(quiet_repository), NewGame(ruleset="hund-und-katz", seats=("me", "me"), undo="free")
    )
    run(quiet_repository, game.id)
    seat, move = next_move(quiet_repository, game)
    submit(quiet_repository, game, seat, msgspec.json.encode(move))
    first = act(quiet_repository, game, seat, Undo(), key="u")
    again = act(quiet_repository, game, seat, Undo(), key="u")
    assert (first.is_repeated, again.is_repeated) == (False, True)
    assert (again.commit, again.hash) == (first.commit, first.hash)
    assert answer(game, again, seat) == answer(game, first, seat)


def test_a_refused_undo_is_judged_once(quiet_repository: Repository) -> None:
    """Otherwise a player could keep the service busy with one refused undo after the other."""
    repository, thought = quiet_repository, []
    repository.aside = lambda work: (thought.append(1), work())[1]
    game = create(repository, caller(repository), NewGame(ruleset="catham-city", seats=("me", "me"), undo="free"))
    run(repository, game.id)
    for commits in (1, 2):
        for _ in range(5):
            with pytest.raises(TableRefusal, match="no move to undo"):
                act(repository, game, 0, Undo())
        assert len(thought) == commits
        act(repository, game, 1, AgreeToPause(agreed=commits == 1))
