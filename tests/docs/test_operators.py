"""What docs/operators.md promises, and what it shows in blocks that do not run."""

import shutil
from pathlib import Path

from redis import Redis

from referee.ops.aof import DIRECTORY
from referee.ops.embedded import socket_path
from tests.service import Client, Service
from tests.waiting import eventually


def begun_game(service: Service) -> tuple[Client, str]:
    """A player whose turn it is, and the id of the game."""
    ada = service.player("ada")
    return ada, ada.started("me", {"bot": "random"}, options={"first_seat": 0})["id"]


def test_a_copy_of_the_files_is_a_backup_and_a_lost_admin_key_can_be_replaced(service: Service, tmp_path: Path) -> None:
    ada, game = begun_game(service)
    view = ada.game(game)
    note = Redis.from_url(service.redis_url)
    note.delete("claim:first-admin")
    files = Path("var", "redis", DIRECTORY)
    shutil.copytree(service.directory / files, tmp_path / files)
    note.set("claim:first-admin", "1")
    restored = Service(tmp_path).start()
    try:
        there = Client(restored.url, ada.key, ada.player)
        assert there.game(game) == view
        assert there.move(game, there.legal(game)["moves"][0]).status_code == 201
        assert restored.admin_key not in ("", service.admin_key)
        assert restored.admin().get("/me").json()["key"]["scopes"][-1] == "admin"
    finally:
        assert restored.stop() == 0


def test_machines_share_nothing_but_redis(service: Service, tmp_path: Path) -> None:
    ada, game = begun_game(service)
    queue = f"unix://{socket_path(service.directory / 'var' / 'queue')}"
    other = Service(tmp_path, REDIS_URL=service.redis_url, QUEUE_REDIS_URL=queue, WORKERS="0").start()
    try:
        assert other.admin_key == ""
        there = Client(other.url, ada.key, ada.player)
        stream = ada.stream(f"/games/{game}/events?after=1")
        assert there.move(game, there.legal(game)["moves"][0]).status_code == 201
        assert [message["id"] for message in stream.await_messages(2)[:2]] == ["2", "3"]
        eventually(lambda: there.game(game)["version"] >= 3)
        stream.close()
    finally:
        assert other.stop() == 0
