"""Games that never start expire: they are annulled and reported to their players, and later they are removed."""

from collections.abc import Iterator
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import ConnectionError

from referee.service import lobby
from referee.service.expiry import EXPIRED
from referee.service.finding import created_by
from referee.service.game import Game
from referee.service.lobby import NewGame, annul_waiting, create, sit
from referee.service.nudges import run
from referee.service.players import SCOPES, Caller, add_player
from referee.service.problems import Problem
from referee.service.repository import now_ms
from referee.settings import Settings
from referee.wiring import connect, make_repository
from tests.service import Service
from tests.waiting import eventually
from tests.workers.conftest import caller
from workers.sweep import sweep

WAITING_MS = 300
DAYS = WAITING_MS / 86_400_000


class Hall:
    """A repository whose games expire soon, with the messages to its players."""

    def __init__(self, url: str, days: float = DAYS) -> None:
        self.redis = Redis.from_url(url)
        self.nudged: list[str] = []
        self.messages: list[tuple[str, bytes]] = []
        self.repository = make_repository(Settings(redis_url=url, waiting_days=days), connect(url), self._nudge)
        self.repository.tell = lambda player, message: self.messages.append((player, message))
        self.ada = caller(self.repository)

    def _nudge(self, game: Game) -> None:
        self.nudged.append(game.id)

    def game(self, *seats: Any, **options: Any) -> str:
        return create(self.repository, self.ada, NewGame(ruleset="catham-city", seats=seats, **options)).id

    def status(self, id: str) -> str:
        run(self.repository, id)
        try:
            return self.repository.game(id).status
        except Problem as problem:
            return problem.code

    def keys_with(self, id: str) -> list[bytes]:
        """Every key that has the id in its name or among its members."""
        found = []
        for key in self.redis.scan_iter():
            kind = self.redis.type(key)
            members = self.redis.zrange(key, 0, -1) if kind == b"zset" else ()
            if id.encode() in key or id.encode() in members:
                found.append(key)
        return found


@pytest.fixture
def hall(redis_url: str) -> Hall:
    return Hall(redis_url)


def test_a_game_that_does_not_start_in_time_is_annulled_and_then_removed(hall: Hall) -> None:
    before = set(hall.redis.scan_iter())
    id = hall.game("me", "open")
    assert hall.status(id) == "waiting"
    eventually(lambda: hall.status(id) == "annulled")
    game = hall.repository.game(id)
    assert game.reason == EXPIRED
    assert (str(hall.ada.player), id.encode()) in hall.messages
    for name in (created_by(str(hall.ada.player)), "status:waiting"):
        assert hall.repository.directory.games(name, None, 10) == [], name
    for name in (f"ended:{hall.ada.player}", f"player:{hall.ada.player}", "status:annulled"):
        assert [found for _, found in hall.repository.directory.games(name, None, 10)] == [id], name
    with pytest.raises(Problem, match="game-annulled"):
        sit(hall.repository, hall.ada, id, 1, "", None)
    eventually(lambda: hall.status(id) == "unknown-game")
    assert hall.keys_with(id) == []
    assert set(hall.redis.scan_iter()) == before, "no stored key remains"
    assert hall.status(id) == "unknown-game", "another nudge does no harm"
    assert hall.repository.log.due_games(2**52, 10) == []


@pytest.mark.parametrize(
    "options",
    [{"visibility": "private", "join_code": "open sesame"}, {"position": None, "undo": "free"}, {"bots": "allowed"}],
)
def test_expired_games_of_every_kind_leave_nothing_behind(hall: Hall, options: dict[str, Any]) -> None:
    bob = add_player(hall.repository, "bob")
    id = hall.game("me", {"player": bob.id}, "open", **options)
    eventually(lambda: hall.status(id) == "unknown-game")
    assert hall.keys_with(id) == []
    assert (bob.id, id.encode()) in hall.messages, "the invited player is notified as well"


def test_a_game_annulled_before_its_start_is_shown_with_its_reason_and_then_removed(hall: Hall) -> None:
    id = hall.game("me", "open")
    annul_waiting(hall.repository, id, "A mistake.")
    assert hall.status(id) == "annulled"
    assert hall.repository.game(id).reason == "A mistake."
    eventually(lambda: hall.status(id) == "unknown-game")
    assert hall.keys_with(id) == []


def test_a_game_that_starts_never_expires(hall: Hall) -> None:
    bob = add_player(hall.repository, "bob")
    id = hall.game("me", "open")
    sit(hall.repository, Caller(bob.id, bob.name, None, SCOPES), id, 1, "", None)
    began = now_ms()
    eventually(lambda: now_ms() > began + 3 * WAITING_MS)
    assert hall.status(id) == "running"
    assert hall.repository.newest(hall.repository.game(id)).version >= 1


def test_a_player_who_sits_down_while_the_game_expires_is_seated_or_refused(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob = add_player(hall.repository, "bob")
    id = hall.game("me", "open")
    change = hall.repository.log.change_head

    def late(head: Any, wake_at: int | None = None, leaf: Any = None) -> None:
        monkeypatch.setattr(hall.repository.log, "change_head", change)
        sit(hall.repository, Caller(bob.id, bob.name, None, SCOPES), id, 1, "", None)
        change(head, wake_at, leaf)

    created = now_ms()
    eventually(lambda: now_ms() > created + WAITING_MS)
    monkeypatch.setattr(hall.repository.log, "change_head", late)
    assert hall.status(id) == "running"


def test_the_sweep_wakes_a_game_when_it_expires_and_not_before(hall: Hall) -> None:
    id = hall.game("me", "open")
    sweep(hall.repository, 1)
    assert id not in hall.nudged
    eventually(lambda: (sweep(hall.repository, 1), id in hall.nudged)[1])
    assert hall.status(id) == "annulled"


def test_games_wait_for_ever_without_a_limit(redis_url: str) -> None:
    hall = Hall(redis_url, 0)
    id = hall.game("me", "open")
    assert hall.status(id) == "waiting"
    assert hall.repository.log.due_games(2**52, 10) == []


def test_a_game_whose_creator_died_before_listing_it_is_listed_by_the_sweep(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = Hall(redis_url, days=1)
    with monkeypatch.context() as broken:
        broken.setattr(lobby, "relist", lost)
        with pytest.raises(ConnectionError):
            hall.game("me", "open")
    assert hall.repository.directory.games("status:waiting", None, 10) == []
    eventually(lambda: (sweep(hall.repository, 1), hall.nudged)[1])
    (id,) = set(hall.nudged)
    assert hall.status(id) == "waiting"
    assert [found for _, found in hall.repository.directory.games("status:waiting", None, 10)] == [id]


def lost(*_: object) -> None:
    raise ConnectionError("Redis is gone")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(tmp_path_factory.mktemp("expiry"), WAITING_DAYS=str(2_000 / 86_400_000)).start()
    yield running
    assert running.stop() == 0


def test_an_expired_game_is_reported_over_http_and_finally_unknown(service: Service) -> None:
    ada = service.player("ada")
    stream = ada.stream("/me/events")
    waiting, running = ada.create("me", "open")["id"], ada.started("me", "me")["id"]
    game = eventually(lambda: (found := ada.game(waiting))["status"] == "annulled" and found)
    assert game["reason"] == EXPIRED
    assert waiting not in [each["id"] for each in ada.get("/games?status=waiting").json()["games"]]
    eventually(lambda: any(each["data"].get("game") == waiting for each in stream.messages))
    eventually(lambda: ada.get(f"/games/{waiting}").status_code == 404)
    assert ada.get(f"/games/{waiting}").json()["code"] == "unknown-game"
    assert waiting not in str(ada.get("/games?mine=true").json())
    assert ada.game(running)["status"] == "running" and ada.game(running)["reason"] is None
    stream.close()
