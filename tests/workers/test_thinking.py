"""At a table with players the time of a bot's move reveals nothing of what the bot saw."""

import random
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from referee.bots import BOTS
from referee.bots.bot import make_turn
from referee.kernel.chance import Seeded
from referee.kernel.seat import Seat
from referee.service.lobby import NewGame, create
from referee.service.moves import act
from referee.service.nudges import recall, run
from referee.service.repository import Repository, now_ms
from referee.settings import Settings
from referee.table.match import read_commit
from referee.table.moves import AgreeToPause
from referee.table.times import milliseconds
from referee.wiring import connect, make_repository
from tests.conformance.play import moments_of
from tests.parts import with_functions
from tests.service import Service
from tests.subjects import Subject, every_ruleset
from tests.waiting import eventually
from tests.workers.conftest import Called, caller
from tests.worst import in_phase

BUDGET_MS = 300


@pytest.fixture
def slow_repository(redis_url: str) -> Repository:
    """A repository whose nudges are lost, with a longer budget than a quick search needs."""
    settings = Settings(redis_url=redis_url, bot_budget_ms=BUDGET_MS)
    return make_repository(settings, connect(redis_url), nudge=lambda game: None)


def rolling(repository: Repository, other: Any, bot: str = "search") -> str:
    """A casual game in which a bot can only roll the dice, so that it need not think."""
    position = in_phase("explorers-and-pirates", "roll")
    seats: list[Any] = [other, other]
    seats[position["active_seat"]] = {"bot": bot}
    new_game = NewGame(ruleset="explorers-and-pirates", seats=tuple(seats), position=position)
    return create(repository, caller(repository), new_game).id


def version_of(repository: Repository, id: str) -> int:
    return repository.newest(repository.game(id)).version


def bots_job(repository: Repository, id: str, calls: Called) -> None:
    run(repository, id, calls, bots_for_s=0.001 + BUDGET_MS / 1000)


def nudge_job(repository: Repository, id: str, calls: Called) -> None:
    run(repository, id, calls)


def test_a_move_that_is_found_at_once_is_made_when_the_budget_has_passed(slow_repository: Repository) -> None:
    id, calls, began = rolling(slow_repository, "me"), Called(), now_ms()
    bots_job(slow_repository, id, calls)
    game = slow_repository.game(id)
    thought = recall(slow_repository, game, slow_repository.newest(game))
    assert thought is not None and thought.due >= began + BUDGET_MS
    assert version_of(slow_repository, id) == 0
    assert dict(slow_repository.log.due_games(2**52, 10))[id] <= thought.due, "the sweep wakes the game"
    while now_ms() < thought.due - 50:
        nudge_job(slow_repository, id, calls)
        assert version_of(slow_repository, id) == 0 or now_ms() >= thought.due, "no job moves early"
        bots_job(slow_repository, id, calls)
    assert calls.bots == [], "a bot whose choice is stored is not called again"
    eventually(lambda: (nudge_job(slow_repository, id, calls), version_of(slow_repository, id) > 0)[1])
    (entry,) = slow_repository.log.read(id, 0, 1)
    assert milliseconds(read_commit(game, entry).at) >= thought.due


def test_no_worker_waits_for_the_budget_to_pass(slow_repository: Repository) -> None:
    ids = [rolling(slow_repository, "me") for _ in range(8)]
    began = time.monotonic()
    for id in ids:
        bots_job(slow_repository, id, Called())
    assert all(version_of(slow_repository, id) == 0 for id in ids[-2:])
    assert time.monotonic() - began < 4 * BUDGET_MS / 1000, "waiting for each would take eight budgets"


def test_bots_alone_do_not_wait_for_the_budget(slow_repository: Repository) -> None:
    slow_repository.bot_budget_ms = 60_000
    id = rolling(slow_repository, {"bot": "random"})
    bots_job(slow_repository, id, Called())
    assert version_of(slow_repository, id) >= 1
    assert slow_repository.log.thought(id) is None


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_bots_that_do_not_think_answer_at_once(slow_repository: Repository, bot: str) -> None:
    slow_repository.bot_budget_ms = 60_000
    id = rolling(slow_repository, "me", bot)
    bots_job(slow_repository, id, Called())
    assert version_of(slow_repository, id) >= 1


def test_a_stored_choice_is_void_when_the_game_changes(slow_repository: Repository) -> None:
    """The next decision takes a whole budget again, so an interruption reveals nothing either."""
    id = rolling(slow_repository, "me")
    bots_job(slow_repository, id, Called())
    game = slow_repository.game(id)
    person = game.terms.players[0]
    act(slow_repository, game, person, AgreeToPause(agreed=True))
    assert recall(slow_repository, game, slow_repository.newest(game)) is None


def test_a_lost_choice_is_made_again(slow_repository: Repository, redis_url: str) -> None:
    id = rolling(slow_repository, "me")
    bots_job(slow_repository, id, Called())
    for key in connect(redis_url).scan_iter("*thought*"):
        connect(redis_url).delete(key)
    calls = Called()
    nudge_job(slow_repository, id, calls)
    assert calls.bots == [(id, True)]
    bots_job(slow_repository, id, calls)
    eventually(lambda: (nudge_job(slow_repository, id, calls), version_of(slow_repository, id) > 0)[1])


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(tmp_path_factory.mktemp("thinking"), BOT_BUDGET_MS=str(BUDGET_MS)).start()
    yield running
    assert running.stop() == 0


@pytest.mark.parametrize("slug", ["catham-city", "hund-und-katz", "cat-and-fish"])
def test_over_http_every_move_of_search_comes_one_budget_after_the_commit_it_answers(
    service: Service, slug: str
) -> None:
    ada = service.player("ada")
    id = ada.started("me", {"bot": "search"}, ruleset=slug)["id"]
    answers: list[int] = []
    while len(answers) < 3:
        legal = eventually(lambda: (found := ada.legal(id))["default"] and found)
        assert ada.move(id, legal["default"]).status_code == 201
        eventually(lambda: ada.legal(id)["default"])
        commits = ada.get(f"/games/{id}/events").json()["commits"]
        assert "iterations" not in str(commits)
        answers = [
            milliseconds(commit["at"]) - milliseconds(before["at"])
            for before, commit in pairwise(commits)
            if commit["actor"] == 1
        ]
    assert min(answers) >= BUDGET_MS


class Counted:
    """A ruleset that counts the moves that it judges and the candidates that it names."""

    def __init__(self, ruleset: Any) -> None:
        self.work = 0
        self._rules = ruleset
        self.ruleset = with_functions(ruleset, before=self._before, candidates=self._candidates)

    def _before(self, case: Any, attempt: Any) -> None:
        self.work += 1
        self._rules.contract.before(case, attempt)

    def _candidates(self, position: Any, seat: Seat, edition: Any) -> Any:
        for each in self._rules.candidates(position, seat):
            self.work += 1
            yield each


@pytest.mark.parametrize("bot", ["random", "greedy"])
@every_ruleset
def test_the_work_of_quick_bots_does_not_depend_on_what_is_hidden_from_their_seat(subject: Subject, bot: str) -> None:
    """Counted, not timed: the numbers of moves named and judged are the same in all worlds that the seat considers."""
    if not BOTS[bot].plays(subject.ruleset):
        pytest.skip("the bot does not play this title")
    counted = Counted(subject.ruleset)
    for moment in moments_of(subject, random.Random(1), 16):
        for decision in subject.ruleset.awaited(moment.position)[:1]:
            works = set()
            for number in range(4):
                world = subject.ruleset.alike(moment.position, decision.seat, Seeded(number)) if number else None
                counted.work = 0
                position = moment.position if world is None else world
                turn = make_turn(BOTS[bot], counted.ruleset, position, decision.seat, Seeded("bot"))
                BOTS[bot].choose(turn)
                works.add(counted.work)
            assert len(works) == 1, moment
