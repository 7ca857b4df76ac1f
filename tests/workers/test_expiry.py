"""Games that never start expire: they are annulled, their players are told, and later nothing of them is kept."""

from collections.abc import Iterator
from typing import Any

import pytest
from redis import Redis

from referee.service.desk import now_ms
from referee.service.expiry import EXPIRED
from referee.service.game import Game
from referee.service.games import Wish, annul_waiting, create, sit
from referee.service.lists import created_by
from referee.service.nudges import run
from referee.service.players import SCOPES, Caller, add_player
from referee.service.problems import Problem
from referee.settings import Settings
from referee.wiring import connect, make_desk
from tests.service import Service
from tests.waiting import eventually
from tests.workers.conftest import caller
from workers.sweep import sweep

WAITING_MS = 300
DAYS = WAITING_MS / 86_400_000


class Hall:
    """A desk whose games expire soon, with what its players are told."""

    def __init__(self, url: str, days: float = DAYS) -> None:
        self.redis = Redis.from_url(url)
        self.nudged: list[str] = []
        self.told: list[tuple[str, bytes]] = []
        self.desk = make_desk(Settings(redis_url=url, waiting_days=days), connect(url), self._nudge)
        self.desk.tell = lambda player, message: self.told.append((player, message))
        self.ada = caller(self.desk)

    def _nudge(self, game: Game) -> None:
        self.nudged.append(game.id)

    def game(self, *seats: Any, **wish: Any) -> str:
        return create(self.desk, self.ada, Wish(ruleset="catham-city", seats=seats, **wish)).id

    def status(self, id: str) -> str:
        run(self.desk, id)
        try:
            return self.desk.game(id).status
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
    game = hall.desk.game(id)
    assert game.reason == EXPIRED
    assert (str(hall.ada.player), id.encode()) in hall.told
    for name in (created_by(str(hall.ada.player)), "status:waiting"):
        assert hall.desk.directory.games(name, None, 10) == [], name
    for name in (f"ended:{hall.ada.player}", f"player:{hall.ada.player}", "status:annulled"):
        assert [found for _, found in hall.desk.directory.games(name, None, 10)] == [id], name
    with pytest.raises(Problem, match="game-annulled"):
        sit(hall.desk, hall.ada, id, 1, "", None)
    eventually(lambda: hall.status(id) == "unknown-game")
    assert hall.keys_with(id) == []
    assert set(hall.redis.scan_iter()) == before, "nothing that is stored remains"
    assert hall.status(id) == "unknown-game", "another job does no harm"
    assert hall.desk.log.wakeful(2**52, 10) == []


@pytest.mark.parametrize(
    "wish",
    [{"visibility": "private", "join_code": "open sesame"}, {"position": None, "undo": "free"}, {"bots": "allowed"}],
)
def test_games_of_every_kind_leave_nothing_behind(hall: Hall, wish: dict[str, Any]) -> None:
    bob = add_player(hall.desk, "bob")
    id = hall.game("me", {"player": bob.id}, "open", **wish)
    eventually(lambda: hall.status(id) == "unknown-game")
    assert hall.keys_with(id) == []
    assert (bob.id, id.encode()) in hall.told, "an invitation is gone with its game"


def test_what_an_admin_annuls_before_the_start_is_shown_with_its_reason_and_removed(hall: Hall) -> None:
    id = hall.game("me", "open")
    annul_waiting(hall.desk, id, "A mistake.")
    assert hall.status(id) == "annulled"
    assert hall.desk.game(id).reason == "A mistake."
    eventually(lambda: hall.status(id) == "unknown-game")
    assert hall.keys_with(id) == []


def test_a_game_that_starts_never_expires(hall: Hall) -> None:
    bob = add_player(hall.desk, "bob")
    id = hall.game("me", "open")
    sit(hall.desk, Caller(bob.id, bob.name, None, SCOPES), id, 1, "", None)
    began = now_ms()
    eventually(lambda: now_ms() > began + 3 * WAITING_MS)
    assert hall.status(id) == "running"
    assert hall.desk.newest(hall.desk.game(id)).version >= 1


def test_who_sits_down_while_the_game_expires_is_seated_or_told(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    bob = add_player(hall.desk, "bob")
    id = hall.game("me", "open")
    change = hall.desk.log.change_head

    def late(head: Any, wake_at: int | None = None) -> None:
        monkeypatch.setattr(hall.desk.log, "change_head", change)
        sit(hall.desk, Caller(bob.id, bob.name, None, SCOPES), id, 1, "", None)
        change(head, wake_at)

    created = now_ms()
    eventually(lambda: now_ms() > created + WAITING_MS)
    monkeypatch.setattr(hall.desk.log, "change_head", late)
    assert hall.status(id) == "running"


def test_the_sweep_wakes_a_game_when_it_expires_and_not_before(hall: Hall) -> None:
    id = hall.game("me", "open")
    sweep(hall.desk, 1)
    assert id not in hall.nudged
    eventually(lambda: (sweep(hall.desk, 1), id in hall.nudged)[1])
    assert hall.status(id) == "annulled"


def test_without_a_limit_games_wait_for_ever(redis_url: str) -> None:
    hall = Hall(redis_url, 0)
    id = hall.game("me", "open")
    assert hall.desk.log.wakeful(2**52, 10) == []
    assert hall.status(id) == "waiting"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(tmp_path_factory.mktemp("expiry"), WAITING_DAYS=str(2_000 / 86_400_000)).start()
    yield running
    assert running.stop() == 0


def test_over_http_a_game_expires_is_told_of_and_is_unknown_in_the_end(service: Service) -> None:
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
