"""The audit of a game that is over: made once, by a worker, whatever happens to the worker and to its job."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from redis import Redis

from referee.kernel.canon import steady
from referee.kernel.record import ADMIN
from referee.kernel.table import AnnulGame
from referee.service import audits, nudges
from referee.service.audits import ATTEMPT_MS, ATTEMPTS_MAX, audit_game, make_audit
from referee.service.desk import Desk, now_ms
from referee.service.game import Game
from referee.service.nudges import CALLED_MS, WAITING_MS
from referee.service.table import act
from tests.service import Service
from tests.waiting import eventually
from tests.workers.conftest import Called, bots_only, put_job
from workers import jobs
from workers.queues import AUDITS

Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def over(quiet_desk: Desk) -> Game:
    """A game that is over and has no audit yet."""
    id = bots_only(quiet_desk)
    nudges.run(quiet_desk, id, Called(), bots_for_s=60)
    quiet_desk.games.forget(id)
    game = quiet_desk.game(id)
    assert (game.status, quiet_desk.log.audit(id)) == ("finished", None)
    return game


def verdict(desk: Desk, game: str) -> str | None:
    body = desk.log.audit(game)
    return None if body is None else msgspec.json.decode(body)["verdict"]


def test_a_game_that_ends_is_audited_on_a_queue_of_its_own(desk: Desk, queues: Redis, start: Start) -> None:
    start("workers.worker", "nudges")
    start("workers.worker", "quick-bots")
    id = bots_only(desk)
    eventually(lambda: queues.llen("rq:queue:audits") == 1, 60)
    assert desk.newest(desk.game(id)).status == "finished"
    assert desk.log.audit(id) is None
    start("workers.worker", "audits")
    body = eventually(lambda: desk.log.audit(id))
    assert body == steady(audit_game(desk, desk.game(id)))
    assert verdict(desk, id) == "proved"
    assert desk.log.wakeful(2**52, 10) == []


def test_the_end_is_noted_and_the_audit_asked_for_until_it_is_there(
    quiet_desk: Desk, set_time: Callable[[int], None]
) -> None:
    id, begun, called = bots_only(quiet_desk), now_ms(), Called()
    set_time(begun)
    nudges.run(quiet_desk, id, called, bots_for_s=60)
    assert called.audits == [id]
    assert quiet_desk.log.wakeful(2**52, 10) == [(id, begun + CALLED_MS)]
    called.anew = False
    nudges.run(quiet_desk, id, called)
    assert called.audits == [id, id]
    assert quiet_desk.log.wakeful(2**52, 10) == [(id, begun + WAITING_MS)]
    assert make_audit(quiet_desk, quiet_desk.game(id)) == "made"
    assert quiet_desk.log.wakeful(2**52, 10) == []
    nudges.run(quiet_desk, id, called)
    assert called.audits == [id, id]
    assert quiet_desk.log.wakeful(2**52, 10) == []


def test_an_annulled_game_is_audited_too(quiet_desk: Desk) -> None:
    id, called = bots_only(quiet_desk, bot="search"), Called()
    nudges.run(quiet_desk, id, called)
    act(quiet_desk, quiet_desk.game(id), ADMIN, AnnulGame(reason="fire"))
    nudges.run(quiet_desk, id, called)
    assert called.audits == [id]
    assert make_audit(quiet_desk, quiet_desk.game(id)) == "made"
    assert verdict(quiet_desk, id) == "proved"


def test_a_lost_job_is_made_up_for_by_the_sweep(quiet_desk: Desk, over: Game, queues: Redis, start: Start) -> None:
    quiet_desk.log.wake(over.id, now_ms())
    start("workers.worker")
    start("workers.sweep")
    eventually(lambda: verdict(quiet_desk, over.id) == "proved")


def test_doubled_jobs_make_one_audit(quiet_desk: Desk, over: Game, queues: Redis, redis_url: str, start: Start) -> None:
    for _ in range(20):
        put_job(queues, AUDITS, [over.id])
    for _ in range(2):
        start("workers.worker", "audits")
    eventually(lambda: verdict(quiet_desk, over.id) == "proved")
    eventually(lambda: queues.llen("rq:queue:audits") == 0)
    (key,) = Redis.from_url(redis_url).scan_iter(f"game:*:{over.id}:audit")
    assert int(Redis.from_url(redis_url).hget(key, "attempts")) == 1


def broken(desk: Desk, game: Game) -> None:
    raise ZeroDivisionError


@pytest.fixture
def own_jobs(quiet_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs are carried out in this process."""
    monkeypatch.setattr(jobs, "desk", lambda: quiet_desk)


@pytest.mark.usefixtures("own_jobs")
def test_after_three_failures_the_audit_is_unavailable_for_good(
    quiet_desk: Desk, over: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audits, "audit_game", broken)
    before = jobs.UNAVAILABLE._value.get()
    for _ in range(ATTEMPTS_MAX - 1):
        jobs.audit(over.id)
        assert quiet_desk.log.audit(over.id) is None
        assert quiet_desk.log.wakeful(2**52, 10) != [], "the sweep will ask again"
    jobs.audit(over.id)
    body = quiet_desk.log.audit(over.id)
    assert body is not None
    assert msgspec.json.decode(body) == {
        "verdict": "unavailable",
        "checks": [],
        "first_bad_version": None,
        "reason": "3 attempts failed, the last with ZeroDivisionError.",
    }
    assert jobs.UNAVAILABLE._value.get() == before + 1
    assert quiet_desk.log.wakeful(2**52, 10) == []
    monkeypatch.undo()
    assert make_audit(quiet_desk, over) == "nothing to do"
    assert quiet_desk.log.audit(over.id) == body


def test_an_attempt_that_failed_once_is_made_up_for(
    quiet_desk: Desk, over: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(audits, "audit_game", broken)
        assert make_audit(quiet_desk, over) == "failed"
    assert make_audit(quiet_desk, over) == "made"
    assert verdict(quiet_desk, over.id) == "proved"


def test_attempts_that_end_with_their_process_count(
    quiet_desk: Desk, over: Game, set_time: Callable[[int], None]
) -> None:
    now = now_ms()
    for attempt in range(1, ATTEMPTS_MAX + 1):
        set_time(now)
        assert quiet_desk.log.begin_audit(over.id, now, now + ATTEMPT_MS) == attempt
        assert make_audit(quiet_desk, over) == "nothing to do", "somebody is at it"
        now += ATTEMPT_MS
    set_time(now)
    assert make_audit(quiet_desk, over) == "given up"
    body = quiet_desk.log.audit(over.id)
    assert body is not None
    assert msgspec.json.decode(body)["reason"] == "Each of 3 attempts ended before it was done."


def test_an_attempt_that_takes_long_is_left_alone(
    quiet_desk: Desk, over: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audits, "ATTEMPT_MS", 60)

    def long(desk: Desk, game: Game) -> audits.Report:
        until = now_ms() + 500
        while now_ms() < until:
            assert make_audit(desk, game) == "nothing to do"
        return audit_game(desk, game)

    monkeypatch.setattr(audits, "audit_game", long)
    assert make_audit(quiet_desk, over) == "made"


def test_a_worker_that_is_killed_in_the_middle_is_made_up_for(desk: Desk, start: Start) -> None:
    ids = [bots_only(desk, 6) for _ in range(8)]
    start("workers.worker", "nudges")
    start("workers.worker", "quick-bots")
    start("workers.sweep")
    killed = start("workers.worker", "audits")
    eventually(lambda: any(desk.log.audit(id) for id in ids), 60)
    killed.kill()
    killed.wait()
    start("workers.worker", "audits")
    eventually(lambda: {verdict(desk, id) for id in ids} == {"proved"}, 60)


def test_until_there_is_an_audit_the_answer_is_202_and_no_web_process_makes_one(tmp_path: Path) -> None:
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
