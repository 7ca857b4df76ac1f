"""A cluster: games on every master, masters that die or are cut off, slots that move, and a shard that stays away."""

import time
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from referee.ops.nodes import LocalCluster
from referee.store.channels import game_channel
from referee.store.cluster import ClusterClient, ClusterStore, slot_of
from referee.store.connections import Unconfirmed
from referee.store.directory import Directory, Player
from referee.store.feed import Feed
from referee.store.log import Behind, Head, IdempotencyKey, Log, Repeated, Unavailable, Written
from referee.store.redis_log import RedisLog, tag_of
from referee.store.urls import open_redis
from tests.store.entries import GAME, entries, entry
from tests.waiting import eventually

GAMES = [f"g_{number}" for number in range(60)]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    """A cluster whose servers a test may kill or cut off; each test leaves it whole."""
    running = LocalCluster(tmp_path_factory.mktemp("own"), node_timeout_ms=1000, can_be_cut=True).start()
    yield running
    running.stop()


@pytest.fixture
def client(own: LocalCluster) -> ClusterClient:
    client = open_redis(own.url)
    assert isinstance(client, ClusterClient)
    return client


def master_of(cluster: LocalCluster, client: ClusterClient, game: str) -> int:
    """The number of the server that has a game."""
    return cluster.addresses.index(client.topology.owner(slot_of(tag_of(game))).address[1])


def written(append: Callable[[], object]) -> object:
    """What an append answers as soon as replicas confirm it; it is sent again until then, as clients do."""
    found: list[object] = []

    def is_confirmed() -> bool:
        try:
            found.append(append())
        except Unconfirmed:
            return False
        return True

    eventually(is_confirmed, 60)
    return found[0]


def test_every_master_has_games_and_lists(cluster: LocalCluster) -> None:
    client = open_redis(cluster.url)
    assert isinstance(client, ClusterClient)
    log, directory = RedisLog(client), Directory(client)
    for created, game in enumerate(GAMES):
        log.create(Head(game, 1, b"head"))
        directory.list_game(game, created, ["all", "player:p_1"])
    shares = Counter(client.topology.owner(slot_of(tag_of(game))).name for game in GAMES)
    assert len(shares) == 3
    for name in ("all", "player:p_1"):
        newest = directory.games(name, None, 25)
        assert [game for _, game in newest] == GAMES[:34:-1]
        assert [game for _, game in directory.games(name, newest[-1], 100)] == GAMES[34::-1]
    directory.unlist_game(GAMES[-1], ["all", "player:p_1"])
    assert directory.page("all", None, 1) == ([(58, "g_58")], True)
    assert {head.game for head, _ in log.heads(GAMES)} == set(GAMES)


def test_players_and_their_keys_are_found_by_many_ids(cluster: LocalCluster) -> None:
    directory = Directory(open_redis(cluster.url), 1, 2000)
    players = [Player(f"p_{number:024d}", f"name {number}", "2026-11-16T08:00:00.000Z") for number in range(20)]
    for player in players:
        directory.add_player(player)
    assert directory.players([each.id for each in players]) == {each.id: each for each in players}
    assert directory.claim("once") and not directory.claim("once")


@pytest.mark.parametrize("harm", ["kill", "isolate"])
def test_nothing_that_was_confirmed_is_lost_with_a_master(own: LocalCluster, client: ClusterClient, harm: str) -> None:
    game = f"g_{harm}"
    log, other = RedisLog(client, 1, 300), RedisLog(open_redis(own.url), 1, 300)
    for each in entries(5):
        assert written(lambda each=each: log.append(game, each, IdempotencyKey(str(each.version), "a"), None))
    victim, epoch = master_of(own, client, game), log.epoch(game)
    if harm == "kill":
        own.servers[victim].kill()
    else:
        own.isolate(victim)
        with pytest.raises(Unconfirmed):
            log.append(game, entry(6, "on the old master alone"), None, None)
    eventually(lambda: victim not in own.masters() and len(own.masters()) == 3, 60)
    if harm == "kill":
        own.servers[victim].start()
    else:
        own.isolate()
    key = IdempotencyKey("6", "a")
    assert written(lambda: log.append(game, entry(6), key, None)) in (Written(), Repeated(6, "a"))
    assert tuple(other.read(game, 0)) == entries(6)
    assert log.epoch(game) != epoch
    assert other.append(game, entry(7), None, None, follows="a hash that was lost") == Behind(())
    eventually(lambda: own.is_whole(), 60)


def test_a_dead_shard_harms_its_own_games_only(own: LocalCluster, client: ClusterClient) -> None:
    log, directory = RedisLog(client), Directory(client)
    for created, game in enumerate(GAMES):
        log.create(Head(game, 1, b"head"), wake_at=1)
        directory.list_game(game, created, ["all"])
    shards = {game: master_of(own, client, game) for game in GAMES}
    dead = shards[GAMES[0]]
    replica = own.replica_of(dead)
    for number in (dead, replica):
        own.servers[number].kill()
    alive = [game for game in GAMES if shards[game] != dead]
    try:
        began = time.monotonic()
        assert {game for game, _ in log.due_games(5, 1000)} == set(alive)
        rows, is_whole = directory.page("all", None, 100)
        assert ([game for _, game in rows], is_whole) == (alive[::-1], False)
        assert {head.game for head, _ in log.heads(GAMES)} == set(alive)
        assert not directory.is_whole()
        assert sorted(directory.probe().values()) == ["down", "up", "up"]
        for game in alive:
            assert log.append(game, entry(1), None, None) == Written()
        assert time.monotonic() - began < 60
        with pytest.raises(Unavailable):
            log.head(GAMES[0])
    finally:
        for number in (dead, replica):
            own.servers[number].start()
    eventually(lambda: own.is_whole(), 60)
    assert directory.page("all", None, 100)[1]
    assert set(directory.probe().values()) == {"up"}
    assert log.head(GAMES[0]) == Head(GAMES[0], 1, b"head")


def test_a_game_and_its_feed_follow_their_slot(own: LocalCluster, client: ClusterClient) -> None:
    log, feed, heard = RedisLog(client), Feed(client), list[bytes]()
    joined: list[int] = []
    try:
        feed.listen(game_channel(GAME), heard.append, lambda: joined.append(1))
        eventually(lambda: joined, 30)
        log.append(GAME, entry(1), None, None)
        eventually(lambda: len(heard) == 1, 30)
        before = master_of(own, client, GAME)
        to = next(number for number in own.masters() if number != before)
        own.move_slots(slot_of(tag_of(GAME)), slot_of(tag_of(GAME)), before, to)
        eventually(lambda: len(joined) > 1, 30)
        assert log.append(GAME, entry(2), None, None) == Written()
        eventually(lambda: len(heard) == 2, 30)
        assert master_of(own, client, GAME) == to
        assert tuple(log.read(GAME, 0)) == entries(2)
    finally:
        feed.stop()


def test_a_reply_that_was_lost_is_repeated_on_any_store(log: Log) -> None:
    key = IdempotencyKey("the key", "a")
    assert log.append(GAME, entry(1), key, None) == Written()
    assert log.append(GAME, entry(2), key, None) == Repeated(1, "a")


def test_slots_are_those_of_the_protocol(cluster: LocalCluster) -> None:
    server = cluster.servers[0].client()
    for key in ("", "foo", "{tag}rest", "a{b}c{d}", "{}x", "a{}b", "{", "player:p_1"):
        assert slot_of(key) == server.execute_command("CLUSTER", "KEYSLOT", key)
    assert isinstance(ClusterStore(open_redis(cluster.url).topology).call("SET", "x", 1), (bytes, bool))
