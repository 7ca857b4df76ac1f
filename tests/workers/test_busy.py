"""Whoever loses race after race for a game is served in the end."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from referee.kernel.record import ADMIN
from referee.kernel.seat import Seat
from referee.kernel.table import AnnulGame, PauseGame, Resign, ResumeGame
from referee.log.log import Head
from referee.service import tries
from referee.service.desk import Desk
from referee.service.games import Wish, annul_waiting, create, leave, sit
from referee.service.moves import Outcome, submit
from referee.service.nudges import run
from referee.service.players import Caller
from referee.service.problems import Problem
from referee.service.table import act
from referee.settings import Settings
from referee.wiring import connect, make_desk
from tests.service import Client, Service
from tests.waiting import eventually
from tests.workers.conftest import caller

RACES = 120
"""Lost in a row; once fifty were too many."""


@pytest.fixture
def rival(redis_url: str) -> Desk:
    """The desk of somebody else."""
    return make_desk(Settings(redis_url=redis_url), connect(redis_url), nudge=lambda game: None)


@pytest.fixture
def ada(quiet_desk: Desk) -> Caller:
    return caller(quiet_desk)


def begun(desk: Desk, ada: Caller) -> str:
    wish = Wish(ruleset="catham-city", seats=("me", "me"), options={"first_seat": 0})
    id = create(desk, ada, wish).id
    run(desk, id)
    return id


def beaten_to_the_log(desk: Desk, rival: Desk, id: str, races: int, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Whenever the desk appends, somebody else appends first, as often as this."""
    lost: list[int] = []
    append = desk.log.append

    def late(game: str, entry: Any, once: Any, wake_at: Any) -> Any:
        if len(lost) < races:
            lost.append(entry.version)
            for move in (PauseGame(reason="Wait."), ResumeGame(reason="Go on.")):
                act(rival, rival.game(id), ADMIN, move)
        return append(game, entry, once, wake_at)

    monkeypatch.setattr(desk.log, "append", late)
    return lost


def move_of_a_seat(desk: Desk, id: str) -> Outcome:
    return submit(
        desk, desk.game(id), Seat(0), b'{"type": "take_cards", "faction": "%s", "count": 1}' % on_offer(desk, id)
    )


def on_offer(desk: Desk, id: str) -> bytes:
    position = desk.newest(desk.game(id)).position
    market = {name: getattr(position.market, name) for name in position.options.factions}
    return next(name.encode() for name, number in market.items() if number)


CALLS: dict[str, Callable[[Desk, str], Outcome]] = {
    "a move": move_of_a_seat,
    "a resignation": lambda desk, id: act(desk, desk.game(id), Seat(1), Resign()),
    "a ruling": lambda desk, id: act(desk, desk.game(id), ADMIN, AnnulGame(reason="Enough.")),
    "a pause with a key": lambda desk, id: act(
        desk, desk.game(id), ADMIN, PauseGame(reason="Stop."), None, "the same key"
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_that_loses_many_races_is_committed(
    quiet_desk: Desk, rival: Desk, ada: Caller, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = begun(quiet_desk, ada)
    lost = beaten_to_the_log(quiet_desk, rival, id, RACES, monkeypatch)
    outcome = CALLS[name](quiet_desk, id)
    assert len(lost) == RACES
    assert outcome.commit.version == rival.newest(rival.game(id)).version > 2 * RACES


def test_a_call_that_never_wins_gives_up_with_a_time_to_come_back(
    quiet_desk: Desk, rival: Desk, ada: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tries, "TRIED_S_MAX", 0.2)
    id = begun(quiet_desk, ada)
    beaten_to_the_log(quiet_desk, rival, id, 10**6, monkeypatch)
    with pytest.raises(Problem) as problem:
        act(quiet_desk, quiet_desk.game(id), ADMIN, AnnulGame(reason="Enough."))
    assert (problem.value.status, problem.value.code, problem.value.members) == (503, "too-busy", {"retry_after": 1})


def beaten_to_the_head(desk: Desk, rival: Desk, other: Caller, id: str, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Whenever the desk changes who sits where, somebody else sits down and gets up first."""
    lost: list[int] = []
    change = desk.log.change_head

    def late(head: Head, wake_at: int | None = None) -> None:
        if len(lost) < RACES:
            lost.append(head.revision)
            sit(rival, other, id, 2, "", None)
            leave(rival, other, id, 2)
        change(head, wake_at)

    monkeypatch.setattr(desk.log, "change_head", late)
    return lost


@pytest.mark.parametrize("call", ["sit", "leave", "annul"])
def test_a_seat_is_taken_left_or_annulled_though_many_others_come_and_go(
    quiet_desk: Desk, rival: Desk, ada: Caller, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = create(quiet_desk, ada, Wish(ruleset="catham-city", seats=("me", "open", "open", "open"))).id
    lost = beaten_to_the_head(quiet_desk, rival, caller(rival), id, monkeypatch)
    if call == "sit":
        assert sit(quiet_desk, ada, id, 1, "", None)[1] == 1
    elif call == "leave":
        leave(quiet_desk, ada, id, 0)
    else:
        assert annul_waiting(quiet_desk, id, "Enough.").status == "annulled"
    assert len(lost) == RACES
    assert rival.game(id) == quiet_desk.game(id)


def test_a_game_that_starts_before_it_is_annulled_is_not_annulled_without_a_log(
    quiet_desk: Desk, rival: Desk, ada: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = create(quiet_desk, ada, Wish(ruleset="catham-city", seats=("me", "open"))).id
    other, change = caller(rival), quiet_desk.log.change_head

    def late(head: Head, wake_at: int | None = None) -> None:
        if not rival.game(id).is_started:
            sit(rival, other, id, 1, "", None)
        change(head, wake_at)

    monkeypatch.setattr(quiet_desk.log, "change_head", late)
    assert annul_waiting(quiet_desk, id, "Enough.").is_started
    assert rival.game(id).status == "running"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Any:
    running = Service(tmp_path_factory.mktemp("busy"), WORKERS="1", BOT_WORKERS="1").start()
    yield running
    assert running.stop() == 0


def test_admins_and_players_are_answered_beside_busy_bots(service: Service) -> None:
    """Real bots commit as fast as they can; pauses, resumptions and resignations get between their moves."""
    bob, admin, codes = service.player("bob"), service.admin(), list[int]()
    ids = [bob.create(*[{"bot": "random"}] * 4, ruleset="explorers-and-pirates")["id"] for _ in range(3)]

    def rule(client: Client, id: str) -> None:
        for _ in range(5):
            for action in ("pause", "resume"):
                answer = client.post(f"/games/{id}/rulings", {"action": action, "reason": "A test."})
                codes.append(answer.status_code)

    for id in ids:
        eventually(lambda id=id: bob.game(id)["version"] > 1)
    threads = [threading.Thread(target=rule, args=(Client(admin.url, admin.key, {}), id)) for id in ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(codes) <= {201, 409} and 201 in codes, "409 if the game is over by then"
