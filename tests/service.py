"""The whole service as `make run` starts it, with real processes, Redis and HTTP."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import requests

from tests.waiting import eventually

ROOT = Path(__file__).parent.parent


def free_port() -> int:
    """Return a port below those that outgoing connections get, so that none of these takes it before a server does."""
    while True:
        port = secrets.randbelow(12_000) + 20_000
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Service:
    """`python -m referee.ops.run` in its own directory."""

    def __init__(self, directory: Path, root: Path = ROOT, **settings: str) -> None:
        self.directory = directory
        self.root = root
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.settings = settings
        self.admin_key = ""
        self.log_path = directory / "service.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> Service:
        """Start everything and wait until it is ready."""
        environment = dict(os.environ)
        for name in ("REDIS_URL", "QUEUE_REDIS_URL"):
            environment.pop(name, None)
        environment |= {"PORT": str(self.port), "VAR": str(self.directory / "var"), "OPEN_REGISTRATION": "true"}
        environment |= {"PYTHONUNBUFFERED": "1", **self.settings}
        with self.log_path.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "referee.ops.run"], cwd=self.root, env=environment, stdout=log, stderr=log
            )
        eventually(self.is_ready, 60, 0.05)
        found = re.search(r"first admin key +(\S+)", self.log())
        if found:
            self.admin_key = found[1]
        return self

    def is_ready(self) -> bool:
        """Whether the service reports that it is ready."""
        assert self.process is not None
        assert self.process.poll() is None, self.log()
        try:
            return requests.get(f"{self.url}/readyz", timeout=5).status_code == 200
        except requests.RequestException:
            return False

    def log(self) -> str:
        return self.log_path.read_text(errors="replace")

    @property
    def redis_url(self) -> str:
        return self._url_of("redis")

    @property
    def queue_url(self) -> str:
        return self._url_of("queue")

    def _url_of(self, server: str) -> str:
        from referee.ops.embedded import socket_path

        return f"unix://{socket_path(self.directory / 'var' / server)}"

    def pids(self, part: str) -> list[int]:
        """The processes of this service whose command line contains this text."""
        assert self.process is not None
        children = subprocess.run(
            ["ps", "-ww", "-eo", "pid,ppid,args", "--no-headers"], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        rows = [row.split(None, 2) for row in children]
        mine = {self.process.pid, *self._orphans()}
        while True:
            more = {int(pid) for pid, parent, _ in rows if int(parent) in mine} - mine
            if not more:
                break
            mine |= more
        return [int(pid) for pid, _, args in rows if int(pid) in mine and part in args]

    def _orphans(self) -> list[int]:
        """Processes that outlived their supervisor, found by this service's port or directory."""
        marks = (f"127.0.0.1:{self.port}", str(self.directory))
        rows = subprocess.run(
            ["ps", "-ww", "-eo", "pid,args", "--no-headers"], capture_output=True, text=True, check=True
        )
        return [int(row.split(None, 1)[0]) for row in rows.stdout.splitlines() if any(mark in row for mark in marks)]

    def stop(self, how: int = signal.SIGTERM) -> int:
        """Stop everything; returns the exit status."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.wait(60)

    def kill(self) -> None:
        """Kill every process at once."""
        assert self.process is not None
        pids = self.pids("")
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        eventually(lambda: not any(is_alive(pid) for pid in pids))

    def open_streams(self) -> int:
        """The number of open event streams according to the metrics."""
        return self._metric("referee_streams")

    def long_polls(self) -> int:
        """The number of long polls that ever began to wait, according to the metrics."""
        return self._metric("referee_long_polls_total")

    def _metric(self, name: str) -> int:
        found = re.search(rf"^{name} (\S+)$", self.nobody().call("GET", "/metrics").text, re.M)
        return int(float(found[1])) if found else 0

    def player(self, name: str = "ada", **fields: Any) -> Client:
        """A new player."""
        answer = requests.post(f"{self.url}/v1/players", json={"name": name, **fields}, timeout=20)
        assert answer.status_code == 201, answer.text
        return Client(self.url, answer.json()["key"], answer.json()["player"])

    def admin(self) -> Client:
        return Client(self.url, self.admin_key, {})

    def nobody(self) -> Client:
        return Client(self.url, None, {})


def is_alive(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class Client:
    """A client of the service, with or without a key."""

    def __init__(self, url: str, key: str | None, player: dict[str, Any]) -> None:
        self.url = url
        self.key = key
        self.player = player
        self.session = requests.Session()
        if key:
            self.session.headers["Authorization"] = f"Bearer {key}"

    def call(self, method: str, path: str, **arguments: Any) -> requests.Response:
        arguments.setdefault("timeout", 30)
        full = path if path.startswith("http") else f"{self.url}{path}"
        return self.session.request(method, full, **arguments)

    def get(self, path: str, **arguments: Any) -> requests.Response:
        return self.call("GET", f"/v1{path}", **arguments)

    def post(self, path: str, body: Any = None, **arguments: Any) -> requests.Response:
        if body is not None:
            arguments["json"] = body
        return self.call("POST", f"/v1{path}", **arguments)

    def delete(self, path: str, **arguments: Any) -> requests.Response:
        return self.call("DELETE", f"/v1{path}", **arguments)

    def create(self, *seats: Any, ruleset: str = "catham-city", **fields: Any) -> dict[str, Any]:
        """Create a game; clients that are named as seats sit down."""
        asked = ["open" if isinstance(seat, Client) else seat for seat in seats]
        answer = self.post("/games", {"ruleset": ruleset, "seats": asked or ["me", "me"], **fields})
        assert answer.status_code == 201, answer.text
        guests = [(number, seat) for number, seat in enumerate(seats) if isinstance(seat, Client)]
        for number, guest in guests:
            accepted = guest.post(f"/games/{answer.json()['id']}/seats", {"seat": number})
            assert accepted.status_code == 201, accepted.text
        return self.game(answer.json()["id"]) if guests else answer.json()

    def game(self, id: str, **query: Any) -> dict[str, Any]:
        answer = self.get(f"/games/{id}", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def started(self, *seats: Any, **fields: Any) -> dict[str, Any]:
        """Create a game and wait until it is set up."""
        id = self.create(*seats, **fields)["id"]
        return eventually(lambda: (game := self.game(id))["version"] > 0 and game)

    def audit(self, id: str) -> dict[str, Any]:
        """The audit of a game, as soon as a worker has made it."""

        def finished() -> requests.Response | None:
            answer = self.get(f"/games/{id}/audit")
            assert answer.status_code in (200, 202), answer.text
            return answer if answer.status_code == 200 else None

        return eventually(finished, 60, 0.05).json()

    def legal(self, id: str, seat: int | None = None) -> dict[str, Any]:
        answer = self.get(f"/games/{id}/legal-moves", params={} if seat is None else {"seat": seat})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def move(self, id: str, move: Any, seat: int | None = None, **arguments: Any) -> requests.Response:
        query = dict(arguments.pop("params", {}))
        if seat is not None:
            query["seat"] = seat
        return self.post(f"/games/{id}/moves", move, params=query, **arguments)

    def stream(self, path: str, **headers: str) -> Stream:
        """An event stream."""
        answer = self.session.get(
            f"{self.url}/v1{path}", headers={"Accept": "text/event-stream", **headers}, stream=True, timeout=30
        )
        assert answer.status_code == 200, answer.text
        return Stream(answer)


class Stream:
    """Server-sent events, read in the background."""

    def __init__(self, answer: requests.Response) -> None:
        self.answer = answer
        self.messages: list[dict[str, Any]] = []
        self.comments = 0
        self.retries: list[int] = []
        """The times in milliseconds after which the service wants the reader back."""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            for message in self._parse():
                self.messages.append(message)
        except (requests.RequestException, AttributeError, ValueError, OSError):
            return

    def _parse(self) -> Iterator[dict[str, Any]]:
        fields: dict[str, str] = {}
        for line in self.answer.iter_lines(chunk_size=1, decode_unicode=True):
            if line.startswith(":"):
                self.comments += 1
            elif line:
                name, _, value = line.partition(": ")
                fields[name] = value
            elif "retry" in fields:
                self.retries.append(int(fields.pop("retry")))
            elif fields:
                yield {"id": fields.get("id"), "event": fields.get("event"), "data": json.loads(fields["data"])}
                fields = {}

    def await_messages(self, count: int) -> list[dict[str, Any]]:
        eventually(lambda: len(self.messages) >= count)
        return self.messages

    def is_open(self) -> bool:
        """Whether the service has not ended the stream."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Close the stream at once. Without the first step this would wait until the thread has something to read."""
        ended_already = contextlib.suppress(OSError, ValueError, AttributeError)
        with ended_already, socket.socket(fileno=os.dup(self.answer.raw.fileno())) as connection:
            connection.shutdown(socket.SHUT_RDWR)
        self.answer.close()
