"""The real application in this process, with a key for receipts, over a real Redis, and three players."""

import json
from pathlib import Path
from typing import Any

from werkzeug.test import TestResponse

from referee.api.context import EXTENSION
from referee.app import create_app
from referee.service import nudges
from referee.settings import Settings
from referee.tlog.note import open_note, read_vkey
from referee.tlog.receipt import Receipt, read_receipt
from tests.api.world import UNLIMITED
from tests.redis_server import RedisServer

ASK = {"Prefer": "receipt"}


class House:
    """The real application with a key for receipts, over a real Redis, and three players."""

    def __init__(self, server: RedisServer, directory: Path, **settings: Any) -> None:
        given: dict[str, Any] = {
            "log_origin": "referee.example/log",
            "log_dir": str(directory),
            **UNLIMITED,
            **settings,
        }
        self.app = create_app(Settings(redis_url=server.url, log_level="CRITICAL", open_registration=True, **given))
        self.context = self.app.extensions[EXTENSION]
        self.repository = self.context.repository
        self.ada, self.bob, self.eve = (self.player(name) for name in ("ada", "bob", "eve"))

    def player(self, name: str) -> str:
        return str(self.app.test_client().post("/v1/players", json={"name": name}).get_json()["key"])

    def call(self, method: str, path: str, key: str | None, headers: Any = None, **arguments: Any) -> TestResponse:
        sent = {**(headers or {}), **({"Authorization": f"Bearer {key}"} if key else {})}
        return self.app.test_client().open(path, method=method, headers=sent, **arguments)

    def game(self, **fields: Any) -> str:
        """A running game of ada, who holds both seats unless the fields say otherwise."""
        wanted = {"ruleset": "catham-city", "seats": ["me", "me"], **fields}
        answer = self.call("POST", "/v1/games", self.ada, json=wanted)
        assert answer.status_code == 201, answer.text
        id = str(answer.get_json()["id"])
        nudges.run(self.repository, id)
        return id

    def turn(self, id: str) -> tuple[int, list[Any]]:
        """The seat whose turn it is, and its legal moves."""
        seat = self.call("GET", f"/v1/games/{id}", self.ada).get_json()["awaited"][0]["seat"]
        return seat, self.call("GET", f"/v1/games/{id}/legal-moves?seat={seat}", self.ada).get_json()["moves"]

    def move(
        self, id: str, seat: int, body: Any, key: str | None = None, more: str = "", **headers: str
    ) -> TestResponse:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        asked = {
            **ASK,
            "Content-Type": "application/json",
            **{name.replace("_", "-"): v for name, v in headers.items()},
        }
        return self.call("POST", f"/v1/games/{id}/moves?seat={seat}{more}", key or self.ada, asked, data=data)

    def opened(self, answer: TestResponse) -> Receipt:
        """The receipt of an answer, whose signature is checked."""
        assert answer.headers["Preference-Applied"] == "receipt"
        note = answer.get_json()["receipt"]
        open_note(note, read_vkey(self.context.receipts.vkey))
        return read_receipt(note)

    def hash_of(self, id: str, version: int) -> str:
        commits = self.call("GET", f"/v1/games/{id}/events?after={version - 1}", self.ada).get_json()["commits"]
        return str(commits[0]["hash"])
