"""At a table with players nobody learns from the time of a bot's move what it saw."""

import random
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from referee.bots import BOTS
from referee.bots.bot import make_turn
from referee.kernel.chance import Seeded
from referee.kernel.moment import milliseconds
from referee.kernel.seat import Seat
from referee.kernel.table import AgreeToPause
from referee.service.desk import Desk, now_ms
from referee.service.games import Wish, create
from referee.service.nudges import run
from referee.service.state import read_commit
from referee.service.table import act
from referee.service.thoughts import recall
from referee.settings import Settings
from referee.wiring import connect, make_desk
from tests.conformance.play import moments_of
from tests.service import Service
from tests.subjects import Subject, every_ruleset
from tests.waiting import eventually
from tests.workers.conftest import Called, caller
from tests.worst import in_phase

BUDGET_MS = 300


@pytest.fixture
def slow_desk(redis_url: str) -> Desk:
    """A desk whose nudges are lost, with a budget that no quick search needs."""
    settings = Settings(redis_url=redis_url, bot_budget_ms=BUDGET_MS)
    return make_desk(settings, connect(redis_url), nudge=lambda game: None)


def rolling(desk: Desk, other: Any, bot: str = "search") -> str:
    """A casual game in which a bot has nothing to do but to roll the dice: it need not think at all."""
    position = in_phase("explorers-and-pirates", "roll")
    seats: list[Any] = [other, other]
    seats[position["active_seat"]] = {"bot": bot}
    wish = Wish(ruleset="explorers-and-pirates", seats=tuple(seats), position=position)
    return create(desk, caller(desk), wish).id


def version_of(desk: Desk, id: str) -> int:
    return desk.newest(desk.game(id)).version


def bots_job(desk: Desk, id: str, calls: Called) -> None:
    run(desk, id, calls, bots_for_s=0.001 + BUDGET_MS / 1000)


def nudge_job(desk: Desk, id: str, calls: Called) -> None:
    run(desk, id, calls)


def test_a_move_that_is_found_at_once_is_made_when_the_budget_has_passed(slow_desk: Desk) -> None:
    id, calls, asked = rolling(slow_desk, "me"), Called(), now_ms()
    bots_job(slow_desk, id, calls)
    game = slow_desk.game(id)
    thought = recall(slow_desk, game, slow_desk.newest(game))
    assert thought is not None and thought.due >= asked + BUDGET_MS
    assert version_of(slow_desk, id) == 0
    assert dict(slow_desk.log.wakeful(2**52, 10))[id] <= thought.due, "the sweep wakes the game"
    while now_ms() < thought.due - 50:
        nudge_job(slow_desk, id, calls)
        assert version_of(slow_desk, id) == 0 or now_ms() >= thought.due, "neither a nudge nor a bots' job is early"
        bots_job(slow_desk, id, calls)
    assert calls.bots == [], "a bot that has decided is not called again"
    eventually(lambda: (nudge_job(slow_desk, id, calls), version_of(slow_desk, id) > 0)[1])
    (entry,) = slow_desk.log.read(id, 0, 1)
    assert milliseconds(read_commit(game, entry).at) >= thought.due


def test_no_worker_waits_for_the_budget_to_pass(slow_desk: Desk) -> None:
    ids = [rolling(slow_desk, "me") for _ in range(8)]
    began = time.monotonic()
    for id in ids:
        bots_job(slow_desk, id, Called())
    assert all(version_of(slow_desk, id) == 0 for id in ids[-2:])
    assert time.monotonic() - began < 4 * BUDGET_MS / 1000, "eight budgets if each were waited for"


def test_among_bots_alone_nothing_is_waited_for(slow_desk: Desk) -> None:
    slow_desk.bot_budget_ms = 60_000
    id = rolling(slow_desk, {"bot": "random"})
    bots_job(slow_desk, id, Called())
    assert version_of(slow_desk, id) >= 1
    assert slow_desk.log.thought(id) is None


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_bots_that_do_not_think_answer_at_once(slow_desk: Desk, bot: str) -> None:
    slow_desk.bot_budget_ms = 60_000
    id = rolling(slow_desk, "me", bot)
    bots_job(slow_desk, id, Called())
    assert version_of(slow_desk, id) >= 1


def test_what_a_bot_decided_is_void_when_something_else_happens(slow_desk: Desk) -> None:
    """The next decision takes a whole budget again: an interruption reveals nothing either."""
    id = rolling(slow_desk, "me")
    bots_job(slow_desk, id, Called())
    game = slow_desk.game(id)
    person = game.terms.players[0]
    act(slow_desk, game, person, AgreeToPause(agreed=True))
    assert recall(slow_desk, game, slow_desk.newest(game)) is None


def test_a_lost_thought_is_thought_again(slow_desk: Desk, redis_url: str) -> None:
    id = rolling(slow_desk, "me")
    bots_job(slow_desk, id, Called())
    for key in connect(redis_url).scan_iter("*thought*"):
        connect(redis_url).delete(key)
    calls = Called()
    nudge_job(slow_desk, id, calls)
    assert calls.bots == [(id, True)]
    bots_job(slow_desk, id, calls)
    eventually(lambda: (nudge_job(slow_desk, id, calls), version_of(slow_desk, id) > 0)[1])


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(tmp_path_factory.mktemp("thinking"), BOT_BUDGET_MS=str(BUDGET_MS)).start()
    yield running
    assert running.stop() == 0


@pytest.mark.parametrize("slug", ["catham-city", "hund-und-katz", "cat-and-fish"])
def test_in_a_game_over_http_every_move_of_search_comes_a_budget_after_the_commit_it_answers(
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
    """A ruleset that counts how often it is asked about a move, and how often for candidates."""

    def __init__(self, ruleset: Any) -> None:
        self.work = 0
        self._rules = ruleset
        self.ruleset = replace(ruleset, before=self._before, candidates=self._candidates)

    def _before(self, case: Any, attempt: Any) -> None:
        self.work += 1
        self._rules.before(case, attempt)

    def _candidates(self, position: Any, seat: Seat) -> Any:
        for each in self._rules.candidates(position, seat):
            self.work += 1
            yield each


@pytest.mark.parametrize("bot", ["random", "greedy"])
@every_ruleset
def test_the_work_of_quick_bots_does_not_depend_on_what_their_seat_cannot_see(subject: Subject, bot: str) -> None:
    """Counted, not timed: the moves named and judged are as many in every world that the seat cannot tell apart."""
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
