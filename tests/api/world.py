"""The real application over a real Redis, with players and games; the work of the workers is done at once."""

from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.api.context import EXTENSION
from referee.app import create_app
from referee.rulesets import LATEST
from referee.service import nudges
from referee.service.players import SCOPES, add_key, add_player
from referee.service.repository import Repository
from referee.settings import Settings
from referee.table.record import seal_of
from tests.redis_server import RedisServer

UNLIMITED = {
    **{"rate_player": 0, "rate_address": 0, "rate_registrations": 0, "streams_player": 0, "streams_address": 0},
    **{"open_games": 0, "bot_games": 0, "player_keys": 0},
}
"""Limits are off, because their counters would be in the same Redis, and tests compare all its keys."""


LINK = "7" * 64
"""What ada has sealed in the game that is revealing."""


class World:
    """Three players, and a game in each status."""

    ruleset = "catham-city"

    def __init__(self, server: RedisServer, **settings: Any) -> None:
        self.server = server
        self.redis = server.client()
        given: dict[str, Any] = {**UNLIMITED, **settings}
        self.app = create_app(Settings(redis_url=server.url, open_registration=True, log_level="CRITICAL", **given))
        self.repository: Repository = self.app.extensions[EXTENSION].repository
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
        """A running game of every other ruleset."""
        self.renew()

    def renew(self) -> None:
        """Create new games."""
        self.waiting = self.game(self.ada, seats=["me", "open"])
        self.running = self.game(self.ada, seats=["me", {"player": self.id_of_bob}])
        self.finished = self.game(self.ada, seats=["me", {"bot": "random"}], on_resignation="end")
        assert self.post(f"/v1/games/{self.finished}/resignation", self.ada).status_code == 201
        self.nudge(self.finished)
        self.paused = self.game(self.ada, seats=["me", {"player": self.id_of_bob}])
        for key in (self.ada, self.bob):
            assert self.post(f"/v1/games/{self.paused}/pause", key, json={"agreed": True}).status_code == 201
        self.private = self.game(self.ada, seats=["me", "open"], visibility="private", join_code="open sesame")
        self.revealing = self.game(self.ada, seats=["open", "open"])
        for key, part in ((self.ada, {"seal": seal_of(self.revealing, LINK)}), (self.bob, {})):
            assert self.post(f"/v1/games/{self.revealing}/seats", key, json=part).status_code == 201
        self.id_of_spare = add_player(self.repository, "spare").id
        self.spare_key = self.post("/v1/keys", self.ada, json={}).get_json()["id"]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all players."""
        return self.ada, self.bob, self.admin

    @property
    def active(self) -> str:
        """The key of the player whose turn it is in the running game."""
        game = self.repository.game(self.running)
        seat = game.rules.awaited(self.repository.newest(game).position)[0].seat
        return (self.ada, self.bob)[seat]

    @property
    def games(self) -> tuple[str, ...]:
        """The ids of the games whose state is compared."""
        return self.waiting, self.running, self.finished, self.private

    def game_for(self, call: str) -> str:
        """Return a game for which a call can succeed."""
        games = {"sit_down": self.waiting, "agree_to_resume": self.paused, "reveal": self.revealing}
        return self.fresh() if call == "reseal" else games.get(call, self.running)

    def fresh(self) -> str:
        """A new game with fresh luck in which ada holds seat 0 and waits for bob."""
        while True:
            id = self.game(self.ada, seats=["open", "open"], luck="fresh")
            chains = ((self.ada, LINK), (self.bob, "8" * 64))
            for key, link in chains:
                assert self.post(f"/v1/games/{id}/seats", key, json={"seal": seal_of(id, link)}).status_code == 201
            for seat, (key, link) in enumerate(chains):
                assert self.post(f"/v1/games/{id}/seats/{seat}/reveal", key, json={"link": link}).status_code == 200
            self.nudge(id)
            game = self.repository.game(id)
            if game.rules.awaited(self.repository.newest(game).position)[0].seat == 1:
                return id

    def key_for(self, call: str) -> str:
        """Return a key with which a call can succeed."""
        return {"sit_down": self.bob, "submit_move": self.active, "administer": self.admin}.get(call, self.ada)

    def player(self, name: str, *scopes: str) -> str:
        """Create a player and return the key."""
        return add_key(self.repository, add_player(self.repository, name).id, scopes or ("play", "watch"))[1]

    def game(self, key: str, **options: Any) -> str:
        """Create a game, set it up if all seats are held, and return its id."""
        answer = self.post("/v1/games", key, json={"ruleset": self.ruleset, **options})
        assert answer.status_code == 201, answer.text
        id: str = answer.get_json()["id"]
        for number, seat in enumerate(options.get("seats", ())):
            if seat == {"player": self.id_of_bob}:
                assert self.post(f"/v1/games/{id}/seats", self.bob, json={"seat": number}).status_code == 201
        self.nudge(id)
        return id

    def nudge(self, game: str) -> None:
        """Do the work of a worker."""
        nudges.run(self.repository, game)

    def get(self, path: str, key: str | None = None, **kwargs: Any) -> TestResponse:
        """Send a GET request."""
        return self.call("GET", path, key, **kwargs)

    def post(self, path: str, key: str | None = None, **kwargs: Any) -> TestResponse:
        """Send a POST request."""
        return self.call("POST", path, key, **kwargs)

    def call(self, method: str, path: str, key: str | None = None, **kwargs: Any) -> TestResponse:
        """Send a request from a new client without cookies."""
        client: FlaskClient = self.app.test_client(use_cookies=False)
        headers = {**({} if key is None else {"Authorization": f"Bearer {key}"}), **kwargs.pop("headers", {})}
        return client.open(path, method=method, headers=headers, **kwargs)

    def legal_moves(self, game: str, key: str) -> list[dict[str, Any]]:
        """Return the legal moves of a player."""
        moves: list[dict[str, Any]] = self.get(f"/v1/games/{game}/legal-moves", key).get_json()["moves"]
        return moves

    def state(self) -> tuple[Any, ...]:
        """Return what a refused request must not change: the number of keys, and the head and log of each game."""
        return self.redis.dbsize(), *(
            (self.repository.log.head(id), self.repository.log.read(id, 0)) for id in self.games
        )
