"""A request that loses many races for a game succeeds in the end."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from referee.kernel.canon import digest
from referee.kernel.seat import Seat
from referee.service import commits
from referee.service.commits import Outcome
from referee.service.lobby import NewGame, annul_waiting, create, leave, sit
from referee.service.moves import act, submit
from referee.service.nudges import run
from referee.service.players import Caller
from referee.service.problems import Problem
from referee.service.repository import Repository
from referee.settings import Settings
from referee.store.log import Head, Leaf
from referee.table.moves import AnnulGame, PauseGame, Resign, ResumeGame
from referee.table.record import ADMIN
from referee.wiring import connect, make_repository
from tests.service import Client, Service
from tests.waiting import eventually
from tests.workers.conftest import caller

RACES = 120
"""The number of races that a request loses in a row."""


@pytest.fixture
def rival(redis_url: str) -> Repository:
    """The repository of another process."""
    return make_repository(Settings(redis_url=redis_url), connect(redis_url), nudge=lambda game: None)


@pytest.fixture
def ada(quiet_repository: Repository) -> Caller:
    return caller(quiet_repository)


def begun(repository: Repository, ada: Caller) -> str:
    new_game = NewGame(ruleset="catham-city", seats=("me", "me"), options={"first_seat": 0})
    id = create(repository, ada, new_game).id
    run(repository, id)
    return id


def beaten_to_the_log(
    repository: Repository, rival: Repository, id: str, races: int, monkeypatch: pytest.MonkeyPatch
) -> list[int]:
    """Let the rival append first whenever the repository appends, for this number of races."""
    lost: list[int] = []
    append = repository.log.append

    def late(game: str, entry: Any, *rest: Any) -> Any:
        if len(lost) < races:
            lost.append(entry.version)
            for move in (PauseGame(reason=digest(b"Wait.")), ResumeGame(reason=digest(b"Go on."))):
                act(rival, rival.game(id), ADMIN, move)
        return append(game, entry, *rest)

    monkeypatch.setattr(repository.log, "append", late)
    return lost


def move_of_a_seat(repository: Repository, id: str) -> Outcome:
    return submit(
        repository,
        repository.game(id),
        Seat(0),
        b'{"type": "take_cards", "faction": "%s", "count": 1}' % on_offer(repository, id),
    )


def on_offer(repository: Repository, id: str) -> bytes:
    position = repository.newest(repository.game(id)).position
    market = {name: getattr(position.market, name) for name in position.options.factions}
    return next(name.encode() for name, number in market.items() if number)


CALLS: dict[str, Callable[[Repository, str], Outcome]] = {
    "a move": move_of_a_seat,
    "a resignation": lambda repository, id: act(repository, repository.game(id), Seat(1), Resign()),
    "a ruling": lambda repository, id: act(
        repository, repository.game(id), ADMIN, AnnulGame(reason=digest(b"Enough."))
    ),
    "a pause with a key": lambda repository, id: act(
        repository, repository.game(id), ADMIN, PauseGame(reason=digest(b"Stop.")), None, "the same key"
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_that_loses_many_races_is_committed(
    quiet_repository: Repository, rival: Repository, ada: Caller, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = begun(quiet_repository, ada)
    lost = beaten_to_the_log(quiet_repository, rival, id, RACES, monkeypatch)
    outcome = CALLS[name](quiet_repository, id)
    assert len(lost) == RACES
    assert outcome.commit.version == rival.newest(rival.game(id)).version > 2 * RACES


def test_a_call_that_never_wins_gives_up_with_a_retry_after(
    quiet_repository: Repository, rival: Repository, ada: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commits, "TRIED_S_MAX", 0.2)
    id = begun(quiet_repository, ada)
    beaten_to_the_log(quiet_repository, rival, id, 10**6, monkeypatch)
    with pytest.raises(Problem) as problem:
        act(quiet_repository, quiet_repository.game(id), ADMIN, AnnulGame(reason=digest(b"Enough.")))
    assert (problem.value.code, problem.value.members) == ("too-busy", {"retry_after": 1})


def beaten_to_the_head(
    repository: Repository, rival: Repository, other: Caller, id: str, monkeypatch: pytest.MonkeyPatch
) -> list[int]:
    """Let another player sit down and leave first whenever the repository changes the seats."""
    lost: list[int] = []
    change = repository.log.change_head

    def late(head: Head, wake_at: int | None = None, leaf: Leaf | None = None) -> None:
        if len(lost) < RACES:
            lost.append(head.revision)
            sit(rival, other, id, 2, "", None)
            leave(rival, other, id, 2)
        change(head, wake_at, leaf)

    monkeypatch.setattr(repository.log, "change_head", late)
    return lost


@pytest.mark.parametrize("call", ["sit", "leave", "annul"])
def test_sitting_down_leaving_and_annulling_succeed_while_others_come_and_go(
    quiet_repository: Repository, rival: Repository, ada: Caller, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = create(quiet_repository, ada, NewGame(ruleset="catham-city", seats=("me", "open", "open", "open"))).id
    lost = beaten_to_the_head(quiet_repository, rival, caller(rival), id, monkeypatch)
    if call == "sit":
        assert sit(quiet_repository, ada, id, 1, "", None)[1] == 1
    elif call == "leave":
        leave(quiet_repository, ada, id, 0)
    else:
        assert annul_waiting(quiet_repository, id, "Enough.").status == "annulled"
    assert len(lost) == RACES
    assert rival.game(id) == quiet_repository.game(id)


def test_a_game_that_starts_while_it_is_being_annulled_is_not_annulled(
    quiet_repository: Repository, rival: Repository, ada: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = create(quiet_repository, ada, NewGame(ruleset="catham-city", seats=("me", "open"))).id
    other, change = caller(rival), quiet_repository.log.change_head

    def late(head: Head, wake_at: int | None = None, leaf: Leaf | None = None) -> None:
        if not rival.game(id).is_started:
            sit(rival, other, id, 1, "", None)
        change(head, wake_at, leaf)

    monkeypatch.setattr(quiet_repository.log, "change_head", late)
    assert annul_waiting(quiet_repository, id, "Enough.").is_started
    assert rival.game(id).status == "running"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Any:
    running = Service(tmp_path_factory.mktemp("busy"), WORKERS="1", BOT_WORKERS="1").start()
    yield running
    assert running.stop() == 0


def test_admins_and_players_are_answered_while_bots_play(service: Service) -> None:
    """Bots commit as fast as they can, and an admin's pauses and resumptions still get in between."""
    bob, admin, codes = service.player("bob"), service.admin(), list[int]()
    ids = [bob.create(*[{"bot": "random"}] * 4, ruleset="explorers-and-pirates")["id"] for _ in range(3)]

    def pause_and_resume(client: Client, id: str) -> None:
        for _ in range(5):
            for action in ("pause", "resume"):
                answer = client.post(f"/games/{id}/administration", {"action": action, "reason": "A test."})
                codes.append(answer.status_code)

    for id in ids:
        eventually(lambda id=id: bob.game(id)["version"] > 1)
    threads = [threading.Thread(target=pause_and_resume, args=(Client(admin.url, admin.key, {}), id)) for id in ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(codes) <= {201, 409} and 201 in codes, "409 only if the game is already over"
