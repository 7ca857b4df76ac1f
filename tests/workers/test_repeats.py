"""A key that is used again is answered from one entry, however long the game is and whoever is asked."""

from typing import Any

import msgspec
import pytest

from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.kernel.table import AgreeToPause, Undo
from referee.service.desk import Desk
from referee.service.game import Game
from referee.service.games import Wish, create
from referee.service.moves import submit
from referee.service.nudges import run
from referee.service.problems import Problem
from referee.service.table import act
from referee.service.views import answer
from referee.settings import Settings
from referee.wiring import connect, make_desk
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


def next_move(desk: Desk, game: Game) -> tuple[Seat, Move]:
    position = desk.newest(game).position
    seat = game.rules.awaited(position)[0].seat
    return seat, game.rules.default(position, seat)


@pytest.mark.parametrize("is_new", [False, True])
def test_an_answer_is_given_again_from_one_entry(quiet_desk: Desk, redis_url: str, is_new: bool) -> None:
    """Also by a process that made none of the commits."""
    desk = quiet_desk
    game = create(desk, caller(desk), Wish(ruleset="catham-city", seats=("me", "me")))
    run(desk, game.id)
    first: list[tuple[str, Seat, Move, bytes]] = []
    for number in range(MOVES):
        seat, move = next_move(desk, game)
        outcome = submit(desk, game, seat, msgspec.json.encode(move), key=f"m{number}")
        first.append((f"m{number}", seat, move, answer(game, outcome, seat)))
        run(desk, game.id)
    for key, move in (("v", AgreeToPause()), ("w", AgreeToPause(agreed=False))):
        first.append((key, Seat(0), move, answer(game, act(desk, game, 0, move, key=key), Seat(0))))
    if is_new:
        desk = make_desk(Settings(redis_url=redis_url), connect(redis_url), nudge=lambda game: None)
        desk.newest(game)
    desk.log = counted = Counted(desk.log)
    for key, seat, move, told in first:
        is_vote = isinstance(move, AgreeToPause)
        again = (
            act(desk, game, seat, move, key=key)
            if is_vote
            else submit(desk, game, seat, msgspec.json.encode(move), key=key)
        )
        assert again.is_repeated
        assert answer(game, again, seat) == told
    assert counted.entries == len(first)


def test_an_undo_that_is_sent_again_is_the_same_undo(quiet_desk: Desk) -> None:
    game = create(quiet_desk, caller(quiet_desk), Wish(ruleset="hund-und-katz", seats=("me", "me"), undo="free"))
    run(quiet_desk, game.id)
    seat, move = next_move(quiet_desk, game)
    submit(quiet_desk, game, seat, msgspec.json.encode(move))
    first = act(quiet_desk, game, seat, Undo(), key="u")
    again = act(quiet_desk, game, seat, Undo(), key="u")
    assert (first.is_repeated, again.is_repeated) == (False, True)
    assert (again.commit, again.hash) == (first.commit, first.hash)
    assert answer(game, again, seat) == answer(game, first, seat)


def test_an_undo_that_was_refused_is_thought_about_once(quiet_desk: Desk) -> None:
    """The attack: one refused undo after the other, each as dear as the first."""
    desk, thought = quiet_desk, []
    desk.aside = lambda work: (thought.append(1), work())[1]
    game = create(desk, caller(desk), Wish(ruleset="catham-city", seats=("me", "me"), undo="free"))
    run(desk, game.id)
    for commits in (1, 2):
        for _ in range(5):
            with pytest.raises(Problem, match="no move of yours"):
                act(desk, game, 0, Undo())
        assert len(thought) == commits
        act(desk, game, 1, AgreeToPause(agreed=commits == 1))
