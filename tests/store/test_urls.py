"""What may be written for REDIS_URL, and what is refused when the service starts."""

from pathlib import Path

import pytest
from redis import Redis

from referee.ops.nodes import LocalCluster, Server, await_that, free_port
from referee.ops.run import await_redis
from referee.ops.sentinels import LocalSentinels
from referee.settings import SettingError
from referee.store.checks import Refused, check
from referee.store.log import Head, Unavailable
from referee.store.redis_log import RedisLog
from referee.store.urls import InvalidUrl, open_redis, read_url, without_password
from tests.redis_server import RedisServer
from tests.store.entries import GAME
from tests.waiting import eventually


def test_a_url_names_servers_users_and_options() -> None:
    found = read_url("rediss+sentinel://ada:p%40ss@one,two:1,[::1]:2/logs?ssl_ca_certs=/ca.pem&sentinel_password=other")
    assert found is not None
    assert found.servers == (("one", 26379), ("two", 1), ("::1", 2))
    assert (found.kind, found.name, found.sentinel_options) == ("sentinel", "logs", {"password": "other"})
    assert {key: found.options[key] for key in ("username", "password", "ssl_ca_certs")} == {
        "username": "ada",
        "password": "p@ss",
        "ssl_ca_certs": "/ca.pem",
    }
    assert read_url("redis://one:1/2") is None
    assert without_password("redis+cluster://ada:secret@one:1") == "redis+cluster://ada:***@one:1"


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://one", "it begins with 'http'"),
        ("redis+ring://one", "it begins with 'redis\\+ring'"),
        ("redis+sentinel://one:1", "it does not name the master"),
        ("redis+cluster://one:1/0", "a cluster has only database 0"),
        ("redis+cluster://one:port", "'one:port' is no address"),
        ("redis+cluster://", "'' is no address"),
        ("redis+cluster://one:1,,two:2", "'' is no address"),
        ("redis+cluster://one:99999", "no address"),
        ("redis+cluster://one:1?socket_timeout=soon", "[Ii]nvalid"),
        ("redis://one:port", "Port could not be cast"),
    ],
)
def test_a_url_that_names_no_servers_is_refused(url: str, why: str) -> None:
    with pytest.raises(InvalidUrl, match=why):
        open_redis(url)


def test_servers_of_another_kind_are_refused(
    redis_server: RedisServer, cluster: LocalCluster, sentinels: LocalSentinels
) -> None:
    one = sentinels.servers[0].port
    for url, why in (
        (f"redis+cluster://127.0.0.1:{one}", "is not part of a cluster. For one server begin the URL with redis://"),
        (f"redis://{cluster.hosts.partition(',')[0]}", "Begin|begin the URL with redis\\+cluster://"),
        (sentinels.url.replace("+sentinel", "").partition(",")[0], r"is a Sentinel. Write redis\+sentinel://"),
        (sentinels.url.replace("/logs", "/others"), "know no master 'others', but logs"),
    ):
        with pytest.raises(SettingError, match=why):
            await_redis(url)
    check(redis_server.client())


def test_a_seed_that_is_away_does_no_harm_and_all_of_them_do(cluster: LocalCluster) -> None:
    check(open_redis(f"redis+cluster://127.0.0.1:{free_port()},{cluster.hosts}"))
    with pytest.raises(Unavailable):
        check(open_redis(f"redis+cluster://127.0.0.1:{free_port()}"))


def test_a_cluster_with_passwords_and_slots_that_nobody_has(tmp_path: Path) -> None:
    options = ("--cluster-enabled", "yes", "--requirepass", "secret")
    server = Server(tmp_path, options, password="secret").start()
    try:
        await_that(server.client().ping, "a server")
        with pytest.raises(Refused, match="refuses the user or the password"):
            check(open_redis(f"redis+cluster://:wrong@127.0.0.1:{server.port}"))
        url = f"redis+cluster://:secret@127.0.0.1:{server.port}"
        server.client().execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 9999)
        with pytest.raises(Refused, match="serves only 10000 of 16384 slots"):
            check(open_redis(url))
        server.client().execute_command("CLUSTER", "ADDSLOTSRANGE", 10000, 16383)
        check(open_redis(url))
        eventually(lambda: b"cluster_state:ok" in server.client().execute_command("CLUSTER", "INFO"), 30)
        log = RedisLog(open_redis(url))
        log.create(Head(GAME, 1, b"head"))
        assert log.head(GAME) == Head(GAME, 1, b"head")
    finally:
        server.kill()


def test_sentinels_name_the_new_master(tmp_path: Path) -> None:
    bed = LocalSentinels(tmp_path, "queue").start()
    try:
        client: Redis = open_redis(bed.url)
        log = RedisLog(client)
        log.create(Head(GAME, 1, b"head"))
        client.wait(1, 5000)
        bed.servers[bed.master()].kill()
        assert log.head(GAME) == Head(GAME, 1, b"head")
        log.change_head(Head(GAME, 2, b"changed"))
        assert client.set("queue", "goes on")
    finally:
        bed.stop()
