"""The audit of a game that is over: a worker makes it once, whatever happens to workers and jobs."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from redis import Redis

from referee.audit.luck import Drawing
from referee.kernel.canon import digest, steady
from referee.service import audits, nudges
from referee.service.audits import ATTEMPT_MS, ATTEMPTS_MAX, audit_game, make_audit
from referee.service.game import Game
from referee.service.moves import act
from referee.service.nudges import CALLED_MS, WAITING_MS
from referee.service.repository import Repository, now_ms
from referee.table.moves import AnnulGame
from referee.table.record import ADMIN
from tests.service import Service
from tests.waiting import eventually
from tests.workers.conftest import Called, bots_only, put_job
from workers import jobs
from workers.queues import AUDITS

Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def over(quiet_repository: Repository) -> Game:
    """A game that is over and has no audit yet."""
    id = bots_only(quiet_repository)
    nudges.run(quiet_repository, id, Called(), bots_for_s=60)
    quiet_repository.games.forget(id)
    game = quiet_repository.game(id)
    assert (game.status, quiet_repository.log.audit(id)) == ("finished", None)
    return game


def verdict(repository: Repository, game: str) -> str | None:
    body = repository.log.audit(game)
    return None if body is None else msgspec.json.decode(body)["verdict"]


def test_a_game_that_ends_is_audited_on_its_own_queue(repository: Repository, queues: Redis, start: Start) -> None:
    start("workers.worker", "nudges")
    start("workers.worker", "quick-bots")
    id = bots_only(repository)
    eventually(lambda: queues.llen("rq:queue:audits") == 1, 60)
    assert repository.newest(repository.game(id)).status == "finished"
    assert repository.log.audit(id) is None
    start("workers.worker", "audits")
    body = eventually(lambda: repository.log.audit(id))
    assert body == steady(audit_game(repository, repository.game(id)))
    assert verdict(repository, id) == "proved"
    hour_later = repository.newest(repository.game(id)).at + 3_600_000
    eventually(lambda: repository.log.due_games(2**52, 10) == [(id, hour_later)])


def test_the_end_is_stored_and_the_audit_is_queued_until_it_exists(
    quiet_repository: Repository, set_time: Callable[[int], None]
) -> None:
    id, begun, called = bots_only(quiet_repository), now_ms(), Called()
    set_time(begun)
    nudges.run(quiet_repository, id, called, bots_for_s=60)
    assert called.audits == [id]
    assert quiet_repository.log.due_games(2**52, 10) == [(id, begun + CALLED_MS)]
    called.is_new = False
    nudges.run(quiet_repository, id, called)
    assert called.audits == [id, id]
    assert quiet_repository.log.due_games(2**52, 10) == [(id, begun + WAITING_MS)]
    assert make_audit(quiet_repository, quiet_repository.game(id)) == "made"
    assert quiet_repository.log.due_games(2**52, 10) == []
    nudges.run(quiet_repository, id, called)
    assert called.audits == [id, id]
    assert quiet_repository.log.due_games(2**52, 10) == []


def test_an_annulled_game_is_audited(quiet_repository: Repository) -> None:
    id, called = bots_only(quiet_repository, bot="search"), Called()
    nudges.run(quiet_repository, id, called)
    act(quiet_repository, quiet_repository.game(id), ADMIN, AnnulGame(reason=digest(b"fire")))
    nudges.run(quiet_repository, id, called)
    assert called.audits == [id]
    assert make_audit(quiet_repository, quiet_repository.game(id)) == "made"
    assert verdict(quiet_repository, id) == "proved"


def test_the_sweep_queues_a_lost_audit_again(
    quiet_repository: Repository, over: Game, queues: Redis, start: Start
) -> None:
    quiet_repository.log.wake(over.id, now_ms())
    start("workers.worker")
    start("workers.sweep")
    eventually(lambda: verdict(quiet_repository, over.id) == "proved")


def test_duplicate_jobs_make_one_audit(
    quiet_repository: Repository, over: Game, queues: Redis, redis_url: str, start: Start
) -> None:
    for _ in range(20):
        put_job(queues, AUDITS, [over.id])
    for _ in range(2):
        start("workers.worker", "audits")
    eventually(lambda: verdict(quiet_repository, over.id) == "proved")
    eventually(lambda: queues.llen("rq:queue:audits") == 0)
    (key,) = Redis.from_url(redis_url).scan_iter(f"game:*:{over.id}:audit")
    assert int(Redis.from_url(redis_url).hget(key, "attempts")) == 1


def broken(repository: Repository, game: Game, drawings: list[Drawing]) -> None:
    raise ZeroDivisionError


@pytest.fixture
def own_jobs(quiet_repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let jobs run in this process."""
    monkeypatch.setattr(jobs, "repository", lambda: quiet_repository)


@pytest.mark.usefixtures("own_jobs")
def test_after_three_failures_the_audit_is_unavailable_for_good(
    quiet_repository: Repository, over: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audits, "audit_game", broken)
    before = jobs.UNAVAILABLE._value.get()
    for _ in range(ATTEMPTS_MAX - 1):
        jobs.audit(over.id)
        assert quiet_repository.log.audit(over.id) is None
        assert quiet_repository.log.due_games(2**52, 10) != [], "the sweep will queue it again"
    jobs.audit(over.id)
    body = quiet_repository.log.audit(over.id)
    assert body is not None
    assert msgspec.json.decode(body) == {
        "verdict": "unavailable",
        "checks": [],
        "first_bad_version": None,
        "reason": "3 attempts failed, the last with ZeroDivisionError.",
    }
    assert jobs.UNAVAILABLE._value.get() == before + 1
    assert quiet_repository.log.due_games(2**52, 10) == []
    monkeypatch.undo()
    assert make_audit(quiet_repository, over) == "nothing to do"
    assert quiet_repository.log.audit(over.id) == body


def test_a_failed_attempt_is_followed_by_another(
    quiet_repository: Repository, over: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(audits, "audit_game", broken)
        assert make_audit(quiet_repository, over) == "failed"
    assert make_audit(quiet_repository, over) == "made"
    assert verdict(quiet_repository, over.id) == "proved"


def test_attempts_whose_process_dies_count(
    quiet_repository: Repository, over: Game, set_time: Callable[[int], None]
) -> None:
    now = now_ms()
    for attempt in range(1, ATTEMPTS_MAX + 1):
        set_time(now)
        assert quiet_repository.log.begin_audit(over.id, now, now + ATTEMPT_MS) == attempt
        assert make_audit(quiet_repository, over) == "nothing to do", "another attempt is running"
        now += ATTEMPT_MS
    set_time(now)
    assert make_audit(quiet_repository, over) == "given up"
    body = quiet_repository.log.audit(over.id)
    assert body is not None
    assert msgspec.json.decode(body)["reason"] == "3 processes died while they made the audit."


def test_a_long_attempt_is_not_interrupted(
    quiet_repository: Repository, over: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audits, "ATTEMPT_MS", 900)

    def long(repository: Repository, game: Game, drawings: list[Drawing]) -> audits.Report:
        until = now_ms() + 1500
        while now_ms() < until:
            assert make_audit(repository, game) == "nothing to do"
        return audit_game(repository, game, drawings)

    monkeypatch.setattr(audits, "audit_game", long)
    assert make_audit(quiet_repository, over) == "made"


def test_another_worker_audits_the_game_of_a_killed_one(repository: Repository, start: Start) -> None:
    ids = [bots_only(repository, 6) for _ in range(8)]
    start("workers.worker", "nudges")
    start("workers.worker", "quick-bots")
    start("workers.sweep")
    killed = start("workers.worker", "audits")
    eventually(lambda: any(repository.log.audit(id) for id in ids), 60)
    killed.kill()
    killed.wait()
    start("workers.worker", "audits")
    eventually(lambda: {verdict(repository, id) for id in ids} == {"proved"}, 60)


def test_the_answer_is_202_until_a_worker_has_made_the_audit(tmp_path: Path) -> None:
    service = Service(tmp_path, AUDIT_WORKERS="0").start()
    try:
        ada = service.player("ada")
        id = ada.create({"bot": "random"}, {"bot": "random"})["id"]
        eventually(lambda: ada.game(id)["status"] == "finished", 60)
        for _ in range(3):
            answer = ada.get(f"/games/{id}/audit")
            assert (answer.status_code, answer.json()) == (202, {"verdict": "pending"})
            assert answer.headers["Retry-After"] == "1"
        assert "referee_audits_unavailable_total 0.0" in service.nobody().call("GET", "/metrics").text
    finally:
        assert service.stop() == 0
    again = Service(tmp_path).start()
    try:
        ada.url = again.url
        assert ada.audit(id)["verdict"] == "proved"
        assert ada.get(f"/games/{id}/audit").content == again.nobody().get(f"/games/{id}/audit").content
    finally:
        assert again.stop() == 0


@pytest.mark.usefixtures("own_jobs")
def test_the_worker_that_audits_a_game_packs_it_when_its_time_has_come(
    quiet_repository: Repository, over: Game, set_time: Callable[[int], None]
) -> None:
    quiet_repository.pack_after_ms, called = 60_000, Called()
    jobs.audit(over.id)
    ended = quiet_repository.newest(over).at
    for _ in range(2):
        assert quiet_repository.log.due_games(2**52, 10) == [(over.id, ended + 60_000)]
        nudges.run(quiet_repository, over.id, called)
    assert called.audits == []
    set_time(ended + 60_000)
    nudges.run(quiet_repository, over.id, called)
    assert called.audits == [over.id]
    jobs.audit(over.id)
    assert quiet_repository.log.due_games(2**52, 10) == []
    assert quiet_repository.finished is not None
    assert quiet_repository.finished.packed_games.packed(over.id) is not None
    nudges.run(quiet_repository, over.id, called)
    assert (called.audits, quiet_repository.log.due_games(2**52, 10)) == ([over.id], [])
    assert verdict(quiet_repository, over.id) == "proved"
