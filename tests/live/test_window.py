"""While the bell's window is open, nothing that anybody can fetch shows that a seat has rung (FF-R39)."""

import os
import re
import signal
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
import requests
from redis import Redis

from tests.clauses import clause
from tests.live.tables import auction, options
from tests.live.test_bell import at, commits
from tests.service import Client, Service
from tests.waiting import eventually

WINDOW_MS = 2000
RING = {"type": "ring", "seen": 1}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(tmp_path_factory.mktemp("window"), WORKERS="2", WEB="2", OPEN_GAMES="0").start()
    yield running
    running.kill()


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as made:
        yield made


class Table:
    """A game of four players in which a card lies open, and a spectator."""

    def __init__(self, service: Service, window_ms: int = WINDOW_MS, reveal_seconds: int = 60) -> None:
        self.players = [service.player(f"player {seat}") for seat in range(4)]
        self.spectator = service.player("spectator")
        self.redis = Redis.from_url(service.redis_url)
        position = auction(4, reveal_seconds, window_ms)
        self.id = self.players[0].create(*self.players, ruleset="fangfrisch", position=position, visibility="public")[
            "id"
        ]

    def ring(self, pool: ThreadPoolExecutor, seat: int, **arguments: Any) -> "Future[requests.Response]":
        """Ring, and wait until the service has received it."""
        before = len(self.entered())
        future = pool.submit(self.players[seat].move, self.id, RING, **arguments)
        eventually(lambda: len(self.entered()) > before or future.done())
        return future

    def entered(self) -> dict[bytes, bytes]:
        """What the store holds of the race, which no call shows."""
        (key,) = list(self.redis.scan_iter(f"*{self.id}:race")) or [b""]
        return (
            {name: value for name, value in self.redis.hgetall(key).items() if name.startswith(b"seat:")} if key else {}
        )


def everything(table: Table, client: Client) -> list[Any]:
    """All that a reader can fetch about the game, with what refusals tell, but for the time of day."""
    paths = (
        f"/games/{table.id}",
        f"/games/{table.id}/events",
        f"/games/{table.id}/legal-moves",
        "/games?ruleset=fangfrisch",
    )
    answers = [client.get(path) for path in paths]
    answers.append(client.get(f"/games/{table.id}/events?after=0&wait=0"))
    answers.append(client.get(f"/games/{table.id}/audit"))
    answers += [
        client.post(f"/games/{table.id}/moves?dry_run=true", move)
        for move in (RING, {"type": "reveal_card", "seen": 1})
    ]
    answers += [client.post(f"/games/{table.id}/moves", {"type": "ring", "seen": seen}) for seen in (0, 2)]
    answers.append(client.post(f"/games/{table.id}/moves", {"type": "reveal_card", "seen": 7}))
    hidden = {"RateLimit", "Date", "X-Request-Id", "X-Server-Time", "RateLimit-Policy", "Content-Length"}
    return [
        (
            answer.status_code,
            {name: value for name, value in answer.headers.items() if name not in hidden},
            re.sub(r'\d+ ms are left|"(request_id|instance)":"[^"]*"', "", answer.text),
        )
        for answer in answers
    ]


READERS = {"the seller": 0, "the seat that rings": 1, "another seat": 2, "a spectator": 4}


@clause("FF-R39")
@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_nobody_can_tell_that_a_seat_has_rung_until_the_window_closes(
    service: Service, pool: ThreadPoolExecutor, reader: int
) -> None:
    def is_read_in_time() -> bool:
        """Read everything before and after a ring; false if the window closed before everything was read."""
        table = Table(service)
        client = [*table.players, table.spectator][reader]
        before = everything(table, client)
        ringing = table.ring(pool, 1)
        during = everything(table, client)
        if ringing.done():
            return False
        assert during == before
        assert ringing.result().status_code == 201
        assert everything(table, client) != before
        return True

    eventually(is_read_in_time)


@clause("FF-R39")
def test_neither_streams_nor_long_polls_nor_the_inbox_show_a_ring_before_the_window_closes(
    service: Service, pool: ThreadPoolExecutor
) -> None:
    def is_heard_in_time() -> bool:
        table = Table(service)
        client = table.players[2]
        streams = [client.stream(f"/games/{table.id}/events"), client.stream("/me/events")]
        poll = pool.submit(table.players[3].get, f"/games/{table.id}/events?after=0&wait=30")
        eventually(lambda: [each for each in streams[1].messages if each["data"].get("game") == table.id])
        heard = [len(stream.messages) for stream in streams]
        ringing = table.ring(pool, 1)
        everything(table, table.spectator)
        then, is_polled = [len(stream.messages) for stream in streams], poll.done()
        is_open = not ringing.done()
        assert not is_open or (then == heard and not is_polled)
        assert ringing.result().status_code == 201
        streams[0].await_messages(2)
        assert [commit["actor"] for commit in poll.result().json()["commits"]][:1] == [1]
        for stream in streams:
            stream.close()
        return is_open

    eventually(is_heard_in_time)


@clause("FF-39", "FF-41")
def test_all_rings_within_the_window_compete_and_each_is_recorded_with_its_time(
    service: Service, pool: ThreadPoolExecutor
) -> None:
    table = Table(service)

    def ring(seat: int) -> requests.Response:
        return table.players[seat].move(table.id, RING, headers={"Idempotency-Key": f"ring-{seat}"})

    answers = list(pool.map(ring, (3, 1)))
    assert [answer.status_code for answer in answers] == [201, 201]
    made = commits(table.players[0], table.id)
    assert {commit["actor"] for commit in made[:2]} == {1, 3}
    assert [commit["events"][0]["type"] for commit in made] == ["answer_given", "answer_given", "answers_shown"]
    received = [at({"at": commit["cause"]["received"]}) for commit in made[:2]]
    assert received[0] <= received[1] < received[0] + WINDOW_MS / 1000 <= at(made[0])
    assert made[2]["events"][1]["buyer"] in (1, 3)
    again = table.players[3].move(table.id, RING, headers={"Idempotency-Key": "ring-3"})
    assert (again.status_code, again.json()) == (201, answers[0].json())


def test_a_ring_outlives_the_processes_that_received_it(service: Service, pool: ThreadPoolExecutor) -> None:
    table = Table(service)
    ringing = table.ring(pool, 2)
    for pid in service.pids("wsgi:app"):
        os.kill(pid, signal.SIGKILL)
    with pytest.raises(requests.RequestException):
        ringing.result()
    eventually(service.is_ready, 60, 0.05)
    eventually(lambda: table.players[0].game(table.id)["view"]["last_lot"], 60)
    assert table.players[0].game(table.id)["view"]["last_lot"] == {"offer_number": 1, "buyer": 2, "cards": 1}


@clause("FF-41")
def test_a_bot_rings_no_sooner_than_its_reaction_time_allows(service: Service, pool: ThreadPoolExecutor) -> None:
    host = service.player("host")
    id = host.create("me", *[{"bot": "greedy"}] * 3, ruleset="fangfrisch", options=options(1))["id"]

    def rung() -> list[dict[str, Any]]:
        for decision in host.game(id)["awaited"]:
            if decision["seat"] == 0 and decision["obliged"]:
                host.move(id, host.legal(id)["moves"][0])
        return [commit for commit in commits(host, id) if "reaction_ms" in (commit["cause"] or {})]

    for commit in eventually(rung, 60):
        before = [each for each in commits(host, id) if each["version"] < commit["version"] and not each["cause"]]
        waited = at({"at": commit["cause"]["received"]}) - at(before[-1])
        assert 400 <= commit["cause"]["reaction_ms"] <= 1000
        assert waited * 1000 >= commit["cause"]["reaction_ms"]
