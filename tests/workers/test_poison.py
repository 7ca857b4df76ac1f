"""A worker runs nothing but its own jobs, whatever other programs write to the queues' Redis."""

import json
import os
import pickle
import re
import secrets
import socket
import subprocess
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import NoPermissionError
from rq import Queue
from rq.job import Callback, Retry

from referee.service.repository import Repository
from tests.service import ROOT, is_alive
from tests.waiting import eventually
from tests.workers.conftest import bots_only, put_job
from workers.queues import DATA_BYTES_MAX, GAMES_MAX, NUDGES

Start = Callable[..., "subprocess.Popen[bytes]"]

GAME = "g_" + "0" * 24
CODE = "Path(__file__).with_name('poisoned').touch()"


class Pickled:
    """An object that creates a file when it is unpickled."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> Any:
        return Path.touch, (self.file,)


@pytest.fixture
def poison(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that foreign code would create; a module that a job could name creates it when it is imported."""
    (tmp_path / "poison.py").write_text(f"from pathlib import Path\n{CODE}\ndef run(*_): pass\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path / "poisoned"


@pytest.fixture
def hook() -> Iterator[socket.socket]:
    """A server that a webhook would call."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        yield listening


def stored(queues: Redis, kind: str, data: bytes | None, id: str | bytes | None = None, **fields: Any) -> None:
    """Store a job by hand."""
    id = id or secrets.token_hex(16)
    key = b"rq:job:" + (id.encode() if isinstance(id, str) else id)
    if data is not None:
        queues.hset(key, mapping={"data": data, "origin": kind, "status": "queued", "timeout": 60, **fields})
    queues.rpush(f"rq:queue:{kind}", id)


def call(function: Any, *arguments: Any, instance: Any = None, **named: Any) -> bytes:
    return zlib.compress(json.dumps([function, instance, arguments, named]).encode())


def pickles(queues: Redis, poison: Path) -> None:
    """Jobs as RQ stores them by default, and pickles wherever RQ would read one."""
    bomb = pickle.dumps(Pickled(poison))
    for kind in GAMES_MAX:
        Queue(kind, connection=queues).enqueue(os.mkdir, str(poison))
        stored(queues, kind, bomb)
        stored(queues, kind, zlib.compress(bomb))
        stored(queues, kind, zlib.compress(pickle.dumps(("poison.run", None, (), {}))))
        stored(queues, kind, call(kind, [GAME]), meta=bomb, result=bomb, exc_info=bomb)


def names(queues: Redis) -> None:
    """Jobs whose data name functions, callbacks, serializers and classes."""
    for kind in GAMES_MAX:
        for function in (
            "poison.run",
            "os.mkdir",
            "workers.jobs.nudge",
            "nudge",
            "__import__",
            None,
            7,
            ["poison.run"],
        ):
            stored(queues, kind, call(function, [GAME]))
        stored(queues, kind, call("run", [GAME], instance="poison"))
        callbacks = {f"{when}_callback_name": "poison.run" for when in ("success", "failure", "stopped")}
        classes = dict.fromkeys(("serializer", "job_class", "worker_class", "queue_class"), "poison.run")
        stored(queues, kind, call(kind, [GAME]), **callbacks, **classes)
        job = Queue(kind, connection=queues).enqueue(
            "poison.run", on_success=Callback("poison.run"), on_failure=Callback("poison.run"), retry=Retry(3)
        )
        Queue(kind, connection=queues).enqueue("poison.run", depends_on=job, job_id=secrets.token_hex(16))
        queues.zadd(f"rq:wip:{kind}", {job.id: 1})
        queues.rpush(f"rq:queue:{kind}:intermediate", job.id)


def shapes(queues: Redis) -> None:
    """Jobs that almost have the right form."""
    other = {**dict.fromkeys(GAMES_MAX, NUDGES), NUDGES: "bots"}
    for kind in GAMES_MAX:
        for data in (
            call(kind),
            call(kind, []),
            call(kind, GAME),
            call(kind, [GAME], [GAME]),
            call(kind, [GAME], instance="self"),
            call(kind, [GAME], path="/"),
            call(kind, [GAME] * 51),
            call(kind, ["g_none"]),
            call(kind, [GAME + "\n"]),
            call(kind, [GAME.upper()]),
            call(kind, [[GAME]]),
            call(kind, [None]),
            call(kind, [1e400]),
            call(other[kind], [GAME]),
            zlib.compress(b"[" * 4000),
            zlib.compress(b'["%s", null, [["%s"]], {}]' % (kind.encode(), b"\xff" * 26)),
            zlib.compress(call(kind, [GAME])),
            zlib.compress(b" " * 64 * DATA_BYTES_MAX),
            zlib.compress(b"null"),
            call(kind, [GAME])[:-8],
            b"",
            b"[",
        ):
            stored(queues, kind, data)
        for id in (b"\xff\xfe", b"", b"x" * 100_000, b"a:b:c", b"../../x", b"0" * 31, b"A" * 32):
            stored(queues, kind, call(kind, [GAME]), id)
        stored(queues, kind, None)
        wrong = secrets.token_hex(16)
        queues.set(f"rq:job:{wrong}", "a string")
        queues.rpush(f"rq:queue:{kind}", wrong)


def test_no_foreign_job_is_run_imported_or_unpickled_and_the_worker_continues(
    quiet_repository: Repository, queues: Redis, poison: Path, hook: socket.socket, start: Start, tmp_path: Path
) -> None:
    address = f"http://127.0.0.1:{hook.getsockname()[1]}/"
    for kind in GAMES_MAX:
        hooks = [{"url": address, "job_status": status} for status in ("finished", "failed")]
        stored(queues, kind, call(kind, [GAME]), webhooks=json.dumps(hooks))
    pickles(queues, poison)
    names(queues)
    shapes(queues)
    last = bots_only(quiet_repository)
    put_job(queues, NUDGES, [last])
    with (tmp_path / "log").open("wb") as log:
        worker = start("workers.worker", options={"stderr": log})
        start("workers.sweep")
        eventually(lambda: quiet_repository.newest(quiet_repository.game(last)).status == "finished", 60)
        eventually(lambda: not any(queues.llen(f"rq:queue:{kind}") for kind in GAMES_MAX), 60)
    assert worker.poll() is None
    assert not poison.exists()
    with pytest.raises(BlockingIOError):
        hook.accept()
    said = (tmp_path / "log").read_text()
    assert said.count("job refused: queue=") > 4 * 30
    assert "Traceback" not in said
    eventually(lambda: stored_jobs(queues) == dependents(queues), 60)  # refused jobs are dropped


def stored_jobs(queues: Redis) -> set[bytes]:
    return {key for key in queues.scan_iter("rq:job:*") if re.fullmatch(b"rq:job:[0-9a-f]{32}", key)}


def dependents(queues: Redis) -> set[bytes]:
    """Jobs that wait for others; workers never take them, because they queue nothing after a job."""
    return {b"rq:job:" + id for key in queues.scan_iter("rq:job:*:dependents") for id in queues.smembers(key)}


@pytest.mark.parametrize("command", [{"command": "shutdown"}, {"command": "kill-horse"}, {"command": "stop-job"}, []])
def test_a_worker_takes_no_commands_from_redis(
    quiet_repository: Repository, queues: Redis, start: Start, command: object
) -> None:
    worker = start("workers.worker", options={"start_new_session": True})
    (name,) = queues.smembers("rq:workers")
    channel = name.decode().replace("rq:worker:", "rq:pubsub:")
    assert queues.publish(channel, json.dumps(command)) == 0, "no worker listens"
    assert queues.pubsub_channels() == []
    id = bots_only(quiet_repository)
    put_job(queues, NUDGES, [id])
    eventually(lambda: quiet_repository.newest(quiet_repository.game(id)).status == "finished", 60)
    assert is_alive(worker.pid)


def test_a_queued_job_is_json_with_a_kind_and_games_and_nothing_else(repository: Repository, queues: Redis) -> None:
    id = bots_only(repository)
    (job,) = queues.lrange("rq:queue:nudges", 0, -1)
    data = zlib.decompress(queues.hget(b"rq:job:" + job, "data"))
    assert json.loads(data) == ["nudges", None, [[id]], {}]


def test_the_service_needs_no_more_of_the_queues_redis_than_the_docs_allow(
    quiet_repository: Repository, queues: Redis, queue_url: str, start: Start
) -> None:
    """Everything works with the Redis user that docs/operators.md shows, which has no administrative rights."""
    rule = re.search(r"> (ACL SETUSER referee .*)", (ROOT / "docs" / "operators.md").read_text())
    assert rule is not None
    queues.execute_command(*rule[1].split())
    own = queue_url.replace("unix://", "unix://referee:PASSWORD@")
    for command in (["FLUSHALL"], ["CONFIG", "GET", "*"], ["KEYS", "*"], ["ACL", "LIST"], ["SHUTDOWN"]):
        with pytest.raises(NoPermissionError):
            Redis.from_url(own).execute_command(*command)
    id = bots_only(quiet_repository)
    start("workers.worker", QUEUE_REDIS_URL=own)
    start("workers.sweep", QUEUE_REDIS_URL=own)
    eventually(lambda: quiet_repository.log.audit(id), 60)
