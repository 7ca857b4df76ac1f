"""Living processes: what they say about their rules, and how sweeps share the games."""

from dataclasses import replace

import pytest
from redis import Redis

from referee.rulesets import LATEST, RULESETS
from referee.service.hosts import Hosts
from referee.service.shares import Share, share
from referee.store.members import Members
from referee.store.redis_log import ALL_TAGS
from tests.redis_server import RedisServer
from tests.waiting import eventually

CATHAM = LATEST["catham-city"]
NEW = {**RULESETS, ("catham-city", "next"): replace(CATHAM, version="next")}


@pytest.fixture
def redis(redis_server: RedisServer) -> Redis:
    client = redis_server.client()
    client.flushall()
    return client


def test_a_process_that_says_nothing_more_is_taken_to_be_gone(redis: Redis) -> None:
    short, long = Members(redis, "kind", 50), Members(redis, "kind", 60_000)
    assert short.join("a b") == {short.id: "a b"}
    eventually(lambda: long.join("c") == {long.id: "c"})
    other = Members(redis, "other kind", 60_000)
    assert other.join() == {other.id: ""}
    short.join()
    short.leave()
    assert long.join("d") == {long.id: "d"}


def test_new_games_are_played_by_the_newest_rules_that_every_process_has(redis: Redis) -> None:
    old, new = (Hosts(Members(redis, "rules", 60_000), rules) for rules in (RULESETS, NEW))
    latest = NEW["catham-city", "next"]
    assert new.for_new_games(latest) is latest, "nobody has said anything"
    new.announce()
    assert new.for_new_games(latest) is latest
    old.announce()
    new.announce()
    assert new.for_new_games(latest) is CATHAM
    assert old.for_new_games(CATHAM) is CATHAM
    old.leave()
    new.announce()
    assert new.for_new_games(latest) is latest


def test_every_game_has_one_sweep_and_only_the_tags_of_a_lost_one_move() -> None:
    names = [f"host-{number}" for number in range(4)]
    before = {name: set(share(name, frozenset(names))) for name in names}
    assert sorted(tag for tags in before.values() for tag in tags) == sorted(ALL_TAGS)
    assert all(len(tags) > len(ALL_TAGS) / 8 for tags in before.values())
    left = frozenset(names[1:])
    for name in left:
        assert before[name] < set(share(name, left))
    assert share("alone", frozenset()) == ALL_TAGS


def test_sweeps_share_the_tags(redis: Redis) -> None:
    one, two = (Share(Members(redis, "sweeps", 60_000)) for _ in range(2))
    assert one.tags() == ALL_TAGS
    mine = two.tags()
    assert 0 < len(mine) < len(ALL_TAGS)
    eventually(lambda: {*one.tags(), *mine} == set(ALL_TAGS) and not set(one.tags()) & set(mine))
    two.leave()
    eventually(lambda: one.tags() == ALL_TAGS)
