"""Finished games that are packed or archived: whatever is read of them, the bytes are those of before."""

import lzma
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from referee.api.context import EXTENSION
from referee.api.messages import commit_message, end_message, rewound_message
from referee.app import create_app
from referee.audit.verify import audit_lines
from referee.service.access import Watcher
from referee.service.broadcast import Channel, Messages, Subscriber
from referee.service.packing import RETRY_MS, pack, pack_if_due
from referee.service.repository import Repository, now_ms
from referee.service.views import Additions
from referee.settings import SettingError, Settings
from referee.store.packed_game import ArchiveUnavailable, Packed, write_ref
from referee.wiring import connect, make_repository
from tests.api.world import UNLIMITED, World
from tests.redis_server import RedisServer

KEYED = {"Idempotency-Key": "keys-of-ada-1"}
PATHS = ("", "?at=0", "?at=1", "/audit", "/luck", "/record", "/events", "/events?with=view,text&limit=2")
REASON = {"action": "pause", "reason": "Zephyrine asked for tea."}


@pytest.fixture
def server(world: World) -> RedisServer:
    return world.server


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """The directory of an archive."""
    directory = tmp_path / "archive"
    directory.mkdir()
    return directory


class Over:
    """A new game of ada and bob that is over and audited, with a text and with used keys."""

    def __init__(self, world: World, key: str | None = None) -> None:
        self._world = world
        self._key = key or world.ada
        seats = ["me", {"player": world.id_of_bob}]
        self.id = world.game(self._key, seats=seats, on_resignation="end", options={"first_seat": 0})
        self._move = world.legal_moves(self.id, self._key)[0]
        assert self.repeat()[0] == 201
        assert world.post(f"/v1/games/{self.id}/administration", world.admin, json=REASON).status_code == 201
        assert world.post(f"/v1/games/{self.id}/resignation", self._key).status_code == 201
        world.nudge(self.id)

    def repeat(self) -> tuple[int, bytes]:
        """The answer to ada's move, which always comes with the same key."""
        answer = self._world.post(f"/v1/games/{self.id}/moves", self._key, json=self._move, headers=KEYED)
        return answer.status_code, answer.data

    def answers(self) -> list[tuple[int, bytes]]:
        """What players and spectators read about the game."""
        world, base = self._world, f"/v1/games/{self.id}"
        read = []
        for path in PATHS:
            for key in (world.ada, None):
                answer = world.get(f"{base}{path}", key)
                read.append((answer.status_code, answer.data))
        lines = world.get(f"{base}/events", world.ada, headers={"Accept": "application/jsonl"})
        read.append((lines.status_code, lines.data))
        read.append((200, self._streamed()))
        listed = [each for each in world.get("/v1/games?limit=100").get_json()["games"] if each["id"] == self.id]
        return [*read, (len(listed), repr(listed).encode()), self.repeat()]

    def _streamed(self) -> bytes:
        """What an event stream sends."""
        sink = Sink()
        channel = Channel(self._world.repository, self.id, Messages(commit_message, rewound_message, end_message))
        subscriber = Subscriber(Watcher(), Additions(), 0, sink)
        channel.subscribers.add(subscriber)
        channel.catch_up(subscriber)
        assert sink.is_ended
        return sink.sent


class Sink:
    """The connection of a reader."""

    def __init__(self) -> None:
        self.sent = b""
        self.is_ended = False

    def send(self, data: bytes) -> bool:
        self.sent += data
        return True

    def end(self, data: bytes) -> None:
        self.is_ended = self.send(data)

    def close(self) -> bool:
        return False


@pytest.fixture
def over(world: World, server: RedisServer) -> Over:
    use(world, server)
    return Over(world)


def settings_with(server: RedisServer, archive: Path | None = None, minutes: float = 60.0) -> Settings:
    url = "" if archive is None else archive.as_uri()
    return Settings(
        redis_url=server.url,
        archive_url=url,
        pack_minutes=minutes,
        open_registration=True,
        log_level="CRITICAL",
        **UNLIMITED,
    )


def repository_with(server: RedisServer, archive: Path | None = None, minutes: float = 60.0) -> Repository:
    """The repository of another process."""
    settings = settings_with(server, archive, minutes)
    return make_repository(settings, connect(server.url), nudge=lambda game: None)


def use(world: World, server: RedisServer, archive: Path | None = None) -> None:
    """Call another web process from now on, which has nothing in memory."""
    world.app = create_app(settings_with(server, archive))
    world.repository = world.app.extensions[EXTENSION].repository


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def code(world: World, path: str) -> tuple[int, str]:
    answer = world.get(path, world.ada)
    return answer.status_code, (answer.get_json() or {}).get("code", "")


@pytest.mark.parametrize("is_archived", [False, True])
def test_what_is_read_of_a_packed_game_is_what_was_read_before(
    world: World, server: RedisServer, over: Over, archive: Path, is_archived: bool
) -> None:
    before = over.answers()
    assert {status for status, _ in before} <= {200, 201, 1}
    repository = repository_with(server, archive if is_archived else None)
    done = "archived" if is_archived else "packed"
    for _ in range(2):
        assert pack(repository, repository.game(over.id)) == done
    use(world, server, archive if is_archived else None)
    assert over.answers() == before
    left = {key.decode().rpartition(":")[2] for key in world.redis.scan_iter(f"game:*:{over.id}:*")}
    assert left == {"head", "log", *(() if is_archived else ("packed",))}
    assert [mode(file) for file in archive.rglob("*.xz")] == ([0o600] if is_archived else [])
    assert world.post(f"/v1/games/{over.id}/resignation", world.bob).get_json()["code"] == "game-finished"


def test_a_game_whose_archive_is_away_answers_503_and_all_others_go_on(
    world: World, server: RedisServer, over: Over, archive: Path
) -> None:
    before = over.answers()
    repository = repository_with(server, archive)
    pack(repository, repository.game(over.id))
    use(world, server, archive)
    away = archive.rename(archive.with_name("away"))
    for path in ("", "/events", "/record", "/audit", "/luck"):
        assert code(world, f"/v1/games/{over.id}{path}") == (503, "archive-unavailable"), path
    assert code(world, f"/v1/games/{world.running}") == (200, "")
    assert over.id in world.get("/v1/games?limit=100").text
    assert world.call("DELETE", f"/v1/players/{world.id_of_bob}", world.bob).get_json()["code"] == "archive-unavailable"
    away.rename(archive)
    assert over.answers() == before
    (file,) = archive.rglob("*.xz")
    file.write_bytes(file.read_bytes()[:-1] + b"!")
    use(world, server, archive)
    assert code(world, f"/v1/games/{over.id}") == (503, "archive-unavailable")


@pytest.mark.parametrize("is_archived", [False, True])
def test_an_erased_player_leaves_packed_and_archived_games(
    world: World, server: RedisServer, archive: Path, is_archived: bool
) -> None:
    zoe = world.player("zoe")
    id = world.get("/v1/me", zoe).get_json()["player"]["id"]
    use(world, server, archive if is_archived else None)
    over = Over(world, zoe)
    repository = repository_with(server, archive if is_archived else None)
    pack(repository, repository.game(over.id))
    marks = [id.removeprefix("p_"), KEYED["Idempotency-Key"], "Zephyrine"]
    bob = [world.get(f"/v1/games/{over.id}{path}", world.bob).data for path in ("/audit", "/luck", "/events")]
    assert [mark in "".join(stored(world, over.id, archive)) for mark in marks] == [True] * 3
    assert world.call("DELETE", f"/v1/players/{id}", zoe).status_code == 202
    assert [mark in "".join(stored(world, over.id, archive)) for mark in marks] == [False] * 3
    assert len(list(archive.rglob("*.xz"))) == 0
    if is_archived:
        assert dict(repository.log.due_games(1, 1000)) == {over.id: 0}, "a worker archives it again"
        assert pack(repository, repository.game(over.id)) == "archived"
        assert [mark in "".join(stored(world, over.id, archive)) for mark in marks] == [False] * 3
        repository.log.wake(over.id, None)
    use(world, server, archive if is_archived else None)
    assert [world.get(f"/v1/games/{over.id}{path}", world.bob).data for path in ("/audit", "/luck")] == bob[:2]
    record = world.get(f"/v1/games/{over.id}/record", world.bob).data
    assert audit_lines(record.splitlines(keepends=True)).verdict == "proved"


def stored(world: World, id: str, archive: Path) -> list[str]:
    """Everything that is stored of a game, decompressed."""
    redis, found = world.redis, []
    for key in redis.scan_iter(f"game:*:{id}:*"):
        if redis.type(key) == b"string":
            found.append(redis.get(key))
        else:
            found += [part for pair in redis.hgetall(key).items() for part in pair]
    found += [file.read_bytes() for file in archive.rglob("*") if file.is_file()]
    return [(lzma.decompress(part) if part.startswith(b"\xfd7zXZ") else part).decode() for part in found]


def test_a_host_that_does_not_know_the_format_answers_503_and_lists_the_game(
    world: World, server: RedisServer, over: Over
) -> None:
    repository = repository_with(server)
    version = repository.newest(repository.game(over.id)).version
    pack(repository, repository.game(over.id))
    (head,) = world.redis.scan_iter(f"game:*:{over.id}:head")
    world.redis.hset(head, "packed", write_ref(Packed(version, "0" * 64, format=2)))
    use(world, server)
    assert code(world, f"/v1/games/{over.id}") == (503, "packed-elsewhere")
    (listed,) = [each for each in world.get("/v1/games?limit=100").get_json()["games"] if each["id"] == over.id]
    assert listed["version"] == version


def test_a_game_is_packed_when_its_time_has_come(world: World, server: RedisServer, over: Over, archive: Path) -> None:
    repository = repository_with(server, archive)
    game, now = repository.game(over.id), now_ms()
    log = repository.log
    pack_if_due(repository, game)
    assert repository.finished is not None
    assert repository.finished.packed_games.packed(over.id) is None
    repository = repository_with(server, archive, minutes=1e-4)
    assert repository.finished is not None
    away = archive.rename(archive.with_name("away"))
    with pytest.raises(ArchiveUnavailable):
        pack_if_due(repository, game)
    assert repository.finished.packed_games.packed(over.id) is not None, "it is packed meanwhile"
    (at,) = [at for id, at in log.due_games(2**52, 1000) if id == over.id]
    assert at >= now + RETRY_MS
    away.rename(archive)
    pack_if_due(repository, game)
    assert over.id not in dict(log.due_games(2**52, 1000))
    found = repository.finished.packed_games.packed(over.id)
    assert found is not None
    assert found.archived


def test_a_setting_that_names_no_directory_is_refused(server: RedisServer) -> None:
    for url in ("s3://bucket/games", "file://host/games", "/srv/games", "file:games"):
        with pytest.raises(SettingError, match="expected the URL of a directory"):
            make_repository(
                replace(Settings(redis_url=server.url), archive_url=url), connect(server.url), lambda game: None
            )
