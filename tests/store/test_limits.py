"""Limits that several processes share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.service.limits import WINDOW_S, Limiter, RateLimit, Slots
from referee.store.quotas import Quotas
from tests.redis_server import RedisServer

FEW = RateLimit("few", 10)
MANY = RateLimit("many", 1000)
NONE = RateLimit("none", 0)


class Clock:
    """A clock that stands still until a test moves it."""

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


def taken(limiter: Limiter, policy: RateLimit, who: str, times: int) -> int:
    """Make this number of calls; returns the number of those that were allowed."""
    return sum(not quota.is_exceeded for _ in range(times) if (quota := limiter.take(policy, who)))


def test_processes_share_a_quota(quotas: Quotas, clock: Clock) -> None:
    first, second = Limiter(quotas, clock), Limiter(quotas, clock)
    assert taken(first, FEW, "ada", 4) == 4
    assert taken(second, FEW, "ada", 100) == 6
    assert taken(first, FEW, "ada", 100) == 0
    assert taken(first, FEW, "bob", 100) == 10


def test_processes_waste_little_of_a_large_quota(quotas: Quotas, clock: Clock) -> None:
    limiters = [Limiter(quotas, clock) for _ in range(4)]
    allowed = sum(taken(limiter, MANY, "ada", 1) for limiter in limiters * 2000)
    assert allowed == MANY.quota
    late = [Limiter(quotas, clock) for _ in range(4)]
    assert [taken(limiter, MANY, "bob", 1) for limiter in late] == [1, 1, 1, 1]
    assert 0.9 * MANY.quota < 3 + taken(late[0], MANY, "bob", 2000) <= MANY.quota


def test_most_calls_are_counted_without_a_round_trip(server: RedisServer, quotas: Quotas, clock: Clock) -> None:
    limiter = Limiter(quotas, clock)
    before = server.client().info("commandstats").get("cmdstat_incrby", {"calls": 0})["calls"]
    taken(limiter, MANY, "ada", 2 * MANY.quota)
    assert server.client().info("commandstats")["cmdstat_incrby"]["calls"] - before <= 51


def test_a_new_window_has_a_new_quota(quotas: Quotas, clock: Clock) -> None:
    limiter = Limiter(quotas, clock)
    assert taken(limiter, FEW, "ada", 11) == 10
    quota = limiter.exceeded(FEW, "ada")
    assert quota is not None
    assert (quota.remaining, quota.reset_s) == (0, WINDOW_S - 20)
    clock.now += quota.reset_s
    assert limiter.exceeded(FEW, "ada") is None
    assert taken(limiter, FEW, "ada", 11) == 10


def test_a_call_returns_what_is_left(quotas: Quotas, clock: Clock) -> None:
    limiter = Limiter(quotas, clock)
    remaining = [quota.remaining for _ in range(12) if (quota := limiter.take(FEW, "ada"))]
    assert remaining == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]


def test_a_costly_call_that_is_refused_leaves_the_rest_for_cheap_ones(quotas: Quotas, clock: Clock) -> None:
    limiter, other = Limiter(quotas, clock), Limiter(quotas, clock)
    taken = [limiter.take(FEW, "ada", cost) for cost in (4, 4, 4, 1, 3, 1, 1)]
    assert [each.is_exceeded for each in taken if each] == [False, False, True, False, True, False, True]
    assert limiter.exceeded(FEW, "ada") is not None
    assert [each.is_exceeded for _ in range(2) if (each := other.take(FEW, "ada", 1))] == [True, True]
    huge = other.take(FEW, "bob", 1000)
    assert huge is not None and (huge.is_exceeded, huge.remaining) == (False, 0), "possible once in a window"


def test_a_quota_of_zero_means_no_limit(quotas: Quotas, clock: Clock) -> None:
    assert Limiter(quotas, clock).take(NONE, "ada") is None
    slots = Slots(quotas, 1, clock)
    assert all(slots.enter([(NONE, "ada")]) is None for _ in range(100))


def test_no_call_is_refused_while_the_counters_are_unreachable(
    server: RedisServer, quotas: Quotas, clock: Clock
) -> None:
    limiter, slots = Limiter(quotas, clock), Slots(quotas, 1, clock)
    server.stop()
    assert taken(limiter, FEW, "ada", 100) == 100
    assert slots.enter([(FEW, "ada")]) is None


def test_processes_share_slots_and_release_them(quotas: Quotas, clock: Clock) -> None:
    first, second = Slots(quotas, 5, clock), Slots(quotas, 5, clock)
    assert [first.enter([(FEW, "ada")]) for _ in range(6)] == [None] * 6
    assert [second.enter([(FEW, "ada")]) for _ in range(5)] == [None] * 4 + [FEW]
    first.leave([(FEW, "ada")])
    first.tell()
    assert [second.enter([(FEW, "ada")]) for _ in range(2)] == [None, FEW]


def test_a_subject_that_is_refused_one_slot_holds_none(quotas: Quotas, clock: Clock) -> None:
    slots = Slots(quotas, 5, clock)
    one = RateLimit("one", 1)
    assert slots.enter([(FEW, "here"), (one, "ada")]) is None
    for _ in range(20):
        assert slots.enter([(FEW, "here"), (one, "ada")]) == one
    assert [slots.enter([(FEW, "here")]) for _ in range(10)] == [None] * 9 + [FEW]


def test_the_slots_of_a_dead_process_become_free(quotas: Quotas, clock: Clock) -> None:
    dead, alive = Slots(quotas, 5, clock), Slots(quotas, 5, clock)
    for _ in range(9):
        dead.enter([(FEW, "ada")])
    assert alive.enter([(FEW, "ada")]) is None
    for _ in range(3):
        assert alive.enter([(FEW, "ada")]) == FEW
        clock.now += 5
        alive.tell(everything=True)
    assert alive.enter([(FEW, "ada")]) is None


def test_records_that_no_process_wrote_are_ignored(server: RedisServer, quotas: Quotas, clock: Clock) -> None:
    """Another program that writes to the Redis of the queues can stop no player's stream."""
    for value in (b"", b"x", b"1", b"1 2 3", b"\xff 9", b"1 x"):
        server.client().hset("held:few:ada", "somebody", value)
        slots = Slots(quotas, 1, clock)
        assert slots.enter([(FEW, "ada")]) is None, value
        slots.tell(everything=True)
