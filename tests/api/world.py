"""A referee with people and games: the real application over a real Redis, with what the workers do done at once."""

from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.api.context import EXTENSION
from referee.app import create_app
from referee.rulesets import LATEST
from referee.service import nudges
from referee.service.desk import Desk
from referee.service.players import SCOPES, add_key, add_player
from referee.settings import Settings
from tests.redis_server import RedisServer

UNLIMITED = {
    **{"rate_player": 0, "rate_address": 0, "rate_registrations": 0, "streams_player": 0, "streams_address": 0},
    **{"open_games": 0, "bot_games": 0, "player_keys": 0},
}
"""Counters would be kept in the same Redis, of which tests look at every key."""


class World:
    """Three people, and a game in each state that a request can meet."""

    ruleset = "catham-city"

    def __init__(self, server: RedisServer) -> None:
        self.redis = server.client()
        self.app = create_app(Settings(redis_url=server.url, open_registration=True, log_level="CRITICAL", **UNLIMITED))
        self.desk: Desk = self.app.extensions[EXTENSION].desk
        self.ada, self.bob = self.player("ada"), self.player("bob")
        self.admin = self.player("root", *SCOPES)
        self.id_of_bob: str = self.get("/v1/me", self.bob).get_json()["player"]["id"]
        self.elsewhere = tuple(
            self.game(
                self.ada,
                ruleset=ruleset.slug,
                seats=["me", {"player": self.id_of_bob}, *[{"bot": "random"}] * (ruleset.seats.start - 2)],
            )
            for ruleset in LATEST.values()
            if ruleset.slug != self.ruleset
        )
        """A running game of each other ruleset."""
        self.renew()

    def renew(self) -> None:
        """New games, as if nothing had happened to them yet."""
        self.waiting = self.game(self.ada, seats=["me", "open"])
        self.running = self.game(self.ada, seats=["me", {"player": self.id_of_bob}])
        self.finished = self.game(self.ada, seats=["me", {"bot": "random"}], on_resignation="end")
        assert self.post(f"/v1/games/{self.finished}/resignation", self.ada).status_code == 201
        self.nudge(self.finished)
        self.paused = self.game(self.ada, seats=["me", {"player": self.id_of_bob}])
        for key in (self.ada, self.bob):
            assert self.post(f"/v1/games/{self.paused}/pause", key, json={"agreed": True}).status_code == 201
        self.private = self.game(self.ada, seats=["me", "open"], visibility="private", join_code="open sesame")
        self.id_of_spare = add_player(self.desk, "spare").id
        self.spare_key = self.post("/v1/keys", self.ada, json={}).get_json()["id"]

    @property
    def keys(self) -> tuple[str, ...]:
        """A key of each kind."""
        return self.ada, self.bob, self.admin

    @property
    def active(self) -> str:
        """The key of the player that the running game waits for."""
        game = self.desk.game(self.running)
        seat = game.rules.awaited(self.desk.newest(game).position)[0].seat
        return (self.ada, self.bob)[seat]

    @property
    def games(self) -> tuple[str, ...]:
        """The ids of the games."""
        return self.waiting, self.running, self.finished, self.private

    def game_for(self, call: str) -> str:
        """A game on which a call can succeed."""
        return {"sit_down": self.waiting, "agree_to_resume": self.paused}.get(call, self.running)

    def key_for(self, call: str) -> str:
        """A key with which a call can succeed."""
        return {"sit_down": self.bob, "submit_move": self.active, "rule_on_game": self.admin}.get(call, self.ada)

    def player(self, name: str, *scopes: str) -> str:
        """The key of a new player."""
        return add_key(self.desk, add_player(self.desk, name).id, scopes or ("play", "watch"))[1]

    def game(self, key: str, **wish: Any) -> str:
        """The id of a new game, set up if it is full."""
        answer = self.post("/v1/games", key, json={"ruleset": self.ruleset, **wish})
        assert answer.status_code == 201, answer.text
        id: str = answer.get_json()["id"]
        for number, seat in enumerate(wish.get("seats", ())):
            if seat == {"player": self.id_of_bob}:
                assert self.post(f"/v1/games/{id}/seats", self.bob, json={"seat": number}).status_code == 201
        self.nudge(id)
        return id

    def nudge(self, game: str) -> None:
        """Do what a worker would do."""
        nudges.run(self.desk, game)

    def get(self, path: str, key: str | None = None, **kwargs: Any) -> TestResponse:
        """A GET."""
        return self.call("GET", path, key, **kwargs)

    def post(self, path: str, key: str | None = None, **kwargs: Any) -> TestResponse:
        """A POST."""
        return self.call("POST", path, key, **kwargs)

    def call(self, method: str, path: str, key: str | None = None, **kwargs: Any) -> TestResponse:
        """Any call, from a client without cookies or memory."""
        client: FlaskClient = self.app.test_client(use_cookies=False)
        headers = {**({} if key is None else {"Authorization": f"Bearer {key}"}), **kwargs.pop("headers", {})}
        return client.open(path, method=method, headers=headers, **kwargs)

    def legal_moves(self, game: str, key: str) -> list[dict[str, Any]]:
        """The moves that a player may make."""
        moves: list[dict[str, Any]] = self.get(f"/v1/games/{game}/legal-moves", key).get_json()["moves"]
        return moves

    def state(self) -> tuple[Any, ...]:
        """What no refused request may change: of each game its head and its log, and how much is kept at all."""
        return self.redis.dbsize(), *((self.desk.log.head(id), self.desk.log.read(id, 0)) for id in self.games)
