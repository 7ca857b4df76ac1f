"""Limits that several processes keep together."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.log.quotas import Quotas
from referee.service.limits import WINDOW_S, Limiter, Places, Policy
from tests.redis_server import RedisServer

FEW = Policy("few", 10)
MANY = Policy("many", 1000)
NONE = Policy("none", 0)


class Clock:
    """A time that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1_000_000 * WINDOW_S + 20.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path).start()
    yield server
    server.stop()


@pytest.fixture
def quotas(server: RedisServer) -> Quotas:
    return Quotas(server.client())


def taken(limiter: Limiter, policy: Policy, who: str, times: int) -> int:
    """How many of so many calls are let in."""
    return sum(not standing.is_exceeded for _ in range(times) if (standing := limiter.take(policy, who)))


def test_processes_share_a_quota(quotas: Quotas, clock: Clock) -> None:
    first, second = Limiter(quotas, clock), Limiter(quotas, clock)
    assert taken(first, FEW, "ada", 4) == 4
    assert taken(second, FEW, "ada", 100) == 6
    assert taken(first, FEW, "ada", 100) == 0
    assert taken(first, FEW, "bob", 100) == 10


def test_little_of_a_large_quota_is_lost_between_processes(quotas: Quotas, clock: Clock) -> None:
    limiters = [Limiter(quotas, clock) for _ in range(4)]
    let_in = sum(taken(limiter, MANY, "ada", 1) for limiter in limiters * 2000)
    assert let_in == MANY.quota
    late = [Limiter(quotas, clock) for _ in range(4)]
    assert [taken(limiter, MANY, "bob", 1) for limiter in late] == [1, 1, 1, 1]
    assert 0.9 * MANY.quota < 3 + taken(late[0], MANY, "bob", 2000) <= MANY.quota


def test_most_calls_are_counted_without_asking(server: RedisServer, quotas: Quotas, clock: Clock) -> None:
    limiter = Limiter(quotas, clock)
    before = server.client().info("commandstats").get("cmdstat_incrby", {"calls": 0})["calls"]
    taken(limiter, MANY, "ada", 2 * MANY.quota)
    assert server.client().info("commandstats")["cmdstat_incrby"]["calls"] - before <= 51


def test_a_new_window_has_a_new_quota(quotas: Quotas, clock: Clock) -> None:
    limiter = Limiter(quotas, clock)
    assert taken(limiter, FEW, "ada", 11) == 10
    standing = limiter.exceeded(FEW, "ada")
    assert standing is not None
    assert (standing.remaining, standing.reset_s) == (0, WINDOW_S - 20)
    clock.now += standing.reset_s
    assert limiter.exceeded(FEW, "ada") is None
    assert taken(limiter, FEW, "ada", 11) == 10


def test_it_is_told_what_is_left(quotas: Quotas, clock: Clock) -> None:
    limiter = Limiter(quotas, clock)
    told = [standing.remaining for _ in range(12) if (standing := limiter.take(FEW, "ada"))]
    assert told == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]


def test_a_costly_call_takes_more_and_leaves_the_rest_to_cheap_ones(quotas: Quotas, clock: Clock) -> None:
    limiter, other = Limiter(quotas, clock), Limiter(quotas, clock)
    told = [limiter.take(FEW, "ada", cost) for cost in (4, 4, 4, 1, 3, 1, 1)]
    assert [each.is_exceeded for each in told if each] == [False, False, True, False, True, False, True]
    assert limiter.exceeded(FEW, "ada") is not None
    assert [each.is_exceeded for _ in range(2) if (each := other.take(FEW, "ada", 1))] == [True, True]
    huge = other.take(FEW, "bob", 1000)
    assert huge is not None and (huge.is_exceeded, huge.remaining) == (False, 0), "once a window it is possible"


def test_no_quota_is_no_limit(quotas: Quotas, clock: Clock) -> None:
    assert Limiter(quotas, clock).take(NONE, "ada") is None
    places = Places(quotas, 1, clock)
    assert all(places.enter([(NONE, "ada")]) is None for _ in range(100))


def test_nobody_is_refused_while_the_counters_are_away(server: RedisServer, quotas: Quotas, clock: Clock) -> None:
    limiter, places = Limiter(quotas, clock), Places(quotas, 1, clock)
    server.stop()
    assert taken(limiter, FEW, "ada", 100) == 100
    assert places.enter([(FEW, "ada")]) is None


def test_places_are_shared_and_let_go(quotas: Quotas, clock: Clock) -> None:
    first, second = Places(quotas, 5, clock), Places(quotas, 5, clock)
    assert [first.enter([(FEW, "ada")]) for _ in range(6)] == [None] * 6
    assert [second.enter([(FEW, "ada")]) for _ in range(5)] == [None] * 4 + [FEW]
    first.leave([(FEW, "ada")])
    first.tell()
    assert [second.enter([(FEW, "ada")]) for _ in range(2)] == [None, FEW]


def test_who_is_refused_one_place_holds_none(quotas: Quotas, clock: Clock) -> None:
    places = Places(quotas, 5, clock)
    one = Policy("one", 1)
    assert places.enter([(FEW, "here"), (one, "ada")]) is None
    for _ in range(20):
        assert places.enter([(FEW, "here"), (one, "ada")]) == one
    assert [places.enter([(FEW, "here")]) for _ in range(10)] == [None] * 9 + [FEW]


def test_the_places_of_a_process_that_died_are_free_again(quotas: Quotas, clock: Clock) -> None:
    dead, alive = Places(quotas, 5, clock), Places(quotas, 5, clock)
    for _ in range(9):
        dead.enter([(FEW, "ada")])
    assert alive.enter([(FEW, "ada")]) is None
    for _ in range(3):
        assert alive.enter([(FEW, "ada")]) == FEW
        clock.now += 5
        alive.tell(everything=True)
    assert alive.enter([(FEW, "ada")]) is None


def test_what_no_process_wrote_counts_for_nothing(server: RedisServer, quotas: Quotas, clock: Clock) -> None:
    """Whoever can write to the Redis of the queues stops nobody's stream by that."""
    for note in (b"", b"x", b"1", b"1 2 3", b"\xff 9", b"1 x"):
        server.client().hset("held:few:ada", "somebody", note)
        places = Places(quotas, 1, clock)
        assert places.enter([(FEW, "ada")]) is None, note
        places.tell(everything=True)
