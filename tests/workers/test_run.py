"""`make run`: started, stopped and started again, with all games intact; dead processes are restarted."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service import ROOT, Client, Service, free_port, is_alive
from tests.waiting import eventually


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    running = Service(tmp_path).start()
    yield running
    running.kill()


def test_everything_stops_cleanly_and_starts_again_with_all_games(service: Service) -> None:
    ada = service.player("ada")
    game = ada.started("me", "me", options={"first_seat": 0})
    assert ada.move(game["id"], ada.legal(game["id"], 0)["moves"][0], 0).status_code == 201
    before = ada.game(game["id"])
    assert service.stop(signal.SIGINT) == 0
    assert "stopped" in service.log()
    assert "Traceback" not in service.log()
    assert "Warning" not in service.log()
    service.settings["DRAIN_SECONDS"] = "600"
    service.start()
    assert ada.game(game["id"]) == before
    assert service.log().count("first admin key") == 1
    streams = [client.stream(f"/games/{game['id']}/events") for client in (ada, service.nobody())]
    mine = ada.stream("/me/events")
    move = ada.legal(game["id"], 1)["moves"][0]
    assert service.process is not None
    service.process.send_signal(signal.SIGTERM)
    eventually(lambda: service.nobody().call("GET", "/readyz").status_code == 503)
    assert ada.move(game["id"], move, 1).status_code == 201, "what comes while it is not ready is answered"
    for pid in service.pids("gunicorn")[1:]:
        os.kill(pid, signal.SIGTERM)
    assert service.process.wait(60) == 0
    eventually(lambda: not any(stream.is_open() for stream in (*streams, mine)))
    for stream in streams:
        assert stream.messages[-1]["data"]["actor"] == 1
        assert 0 <= stream.retries[0] < 5000
    assert len(mine.retries) == 1
    assert service.pids("") == []


def test_an_answered_move_survives_the_death_of_every_process(service: Service) -> None:
    ada = service.player("ada")
    game = ada.started("me", "me", options={"first_seat": 0})
    answered = ada.move(game["id"], ada.legal(game["id"], 0)["moves"][0], 0).json()["version"]
    service.kill()
    service.start()
    assert ada.game(game["id"])["version"] == answered


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux tells a child that its parent has died.")
def test_nothing_outlives_the_supervisor(service: Service) -> None:
    ada = service.player("ada")
    game = ada.started("me", "me", options={"first_seat": 0})
    others = service.pids("")
    assert service.stop(signal.SIGKILL) == -signal.SIGKILL
    eventually(lambda: not any(is_alive(pid) for pid in others))
    service.start()
    assert ada.game(game["id"]) == game


def failed_start(**settings: str) -> str:
    """The error output of a start that fails."""
    command = [sys.executable, "-m", "referee.ops.run"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **settings}, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1, done.stderr
    return done.stderr


def test_two_services_cannot_share_a_directory(service: Service) -> None:
    said = failed_start(VAR=str(service.directory / "var"), PORT=str(free_port()), REDIS_URL="")
    assert said.startswith("Another Redis writes to")
    assert service.player("ada").get("/me").status_code == 200


def test_the_error_names_an_unreadable_setting() -> None:
    assert failed_start(PORT="eighty") == "PORT='eighty': expected int, such as 8000.\n"
    for name in ("REDIS_MEMORY_MB", "QUEUE_MEMORY_MB"):
        assert failed_start(**{name: "-1"}) == f"{name}=-1: expected 0 or more.\n"


def test_streams_of_a_dead_web_process_are_not_counted(service: Service) -> None:
    ada = service.player("ada")
    id = ada.started("me", "me", options={"first_seat": 0})["id"]
    streams = [Client(service.url, ada.key, {}).stream(f"/games/{id}/events") for _ in range(6)]
    eventually(lambda: service.open_streams() == 6)
    _, *web = service.pids("gunicorn")
    for pid in web:
        os.kill(pid, signal.SIGKILL)
    eventually(lambda: not any(stream.is_open() for stream in streams))
    eventually(lambda: len(service.pids("gunicorn")) == 1 + len(web) and service.is_ready())
    eventually(lambda: service.open_streams() == 0)


def test_dead_processes_are_restarted(service: Service) -> None:
    ada = service.player("ada")
    for part in ("workers.worker", "workers.sweep", "gunicorn", "var/redis", "var/queue"):
        old = service.pids(part)
        assert old, (part, service.log())
        first = old[0]
        os.kill(first, signal.SIGKILL)
        eventually(lambda part=part, old=old: set(service.pids(part)) - set(old))
    eventually(service.is_ready, 30, 0.05)
    game = ada.create({"bot": "random"}, {"bot": "random"})
    eventually(lambda: ada.game(game["id"])["status"] == "finished", 60)
    assert service.stop() == 0


def test_a_sweep_ends_cleanly_however_many_signals_it_gets(service: Service) -> None:
    for _ in range(5):
        (sweep,) = eventually(lambda: service.pids("workers.sweep"))
        with contextlib.suppress(ProcessLookupError):
            for _ in range(1000):
                os.kill(sweep, signal.SIGTERM)
        eventually(lambda sweep=sweep: sweep not in service.pids("workers.sweep"), 5)
