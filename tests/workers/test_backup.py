"""`python -m referee.ops.backup`: a copy of a running service, from which another one can continue."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from referee.audit.__main__ import main as audit
from tests.service import ROOT, Client, Service
from tests.waiting import eventually


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    directory = tmp_path_factory.mktemp("backup")
    (directory / "archive").mkdir()
    running = Service(directory, ARCHIVE_URL=(directory / "archive").as_uri()).start()
    yield running
    running.kill()


def back_up(service: Service, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return operate(service, "backup", *arguments, **{"REDIS_URL": "", **settings})


def operate(service: Service, command: str, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **service.settings, "VAR": str(service.directory / "var"), **settings}
    started = [sys.executable, "-m", f"referee.ops.{command}", *arguments]
    return subprocess.run(started, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)


def test_another_service_can_continue_from_a_backup_of_a_busy_one(service: Service, tmp_path: Path) -> None:
    ada = service.player("ada")
    over = ada.create({"bot": "random"}, {"bot": "random"})["id"]
    eventually(lambda: ada.game(over)["status"] == "finished", 60)
    assert ada.audit(over)["verdict"] == "proved"
    before = ada.get(f"/games/{over}/events").content
    assert operate(service, "pack", REDIS_URL=service.redis_url).stdout == "1 archived\n"
    game = ada.started("me", "me", options={"first_seat": 0}, visibility="private")["id"]
    keyed = {"Idempotency-Key": "before-the-backup"}
    move = ada.legal(game, 0)["moves"][0]
    answer = ada.move(game, move, 0, headers=keyed)
    assert answer.status_code == 201, answer.text
    busy = ada.create(*[{"bot": "random"}] * 4, ruleset="cat-and-fish")["id"]
    Redis.from_url(service.redis_url).bgrewriteaof()
    done = back_up(service, str(tmp_path / "var"), "--records")
    assert done.returncode == 0, done.stderr
    assert f"{tmp_path / 'var'}: 3 games: " in done.stdout
    assert "failed" not in done.stdout
    assert "unreadable" not in done.stdout
    assert sorted(path.name for path in (tmp_path / "var" / "redis").iterdir()) == ["appendonlydir"]
    records = {path.name for path in (tmp_path / "var" / "records").iterdir()}
    assert f"{over}.jsonl" in records
    assert audit([str(tmp_path / "var" / "records" / f"{over}.jsonl")]) == 0
    seen = ada.game(game)
    restored = Service(tmp_path, ARCHIVE_URL=(tmp_path / "var" / "archive").as_uri()).start()
    try:
        there = Client(restored.url, ada.key, ada.player)
        assert there.game(game) == seen
        assert there.get(f"/games/{over}/events").content == before
        assert there.move(game, move, 0, headers=keyed).content == answer.content
        assert there.move(game, there.legal(game, 1)["moves"][0], 1).status_code == 201
        eventually(lambda: there.game(busy)["status"] == "finished", 60)
        assert there.audit(busy)["verdict"] == "proved"
    finally:
        assert restored.stop() == 0
    assert ada.game(game) == seen, "the copied service is not affected"


def test_a_backup_overwrites_nothing_and_reports_what_it_cannot_do(service: Service, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "yesterday").touch()
    refused = back_up(service, str(tmp_path / "kept"))
    assert (refused.returncode, refused.stderr) == (1, f"{tmp_path / 'kept'} is not empty.\n")
    refused = back_up(service, str(tmp_path / "new"), REDIS_URL=service.redis_url)
    assert (refused.returncode, refused.stderr[:17]) == (1, "REDIS_URL is set:")
    refused = back_up(service, str(tmp_path / "new"), VAR=str(tmp_path / "kept"))
    assert (refused.returncode, "does not exist" in refused.stderr) == (1, True)
    assert not (tmp_path / "new").exists()
