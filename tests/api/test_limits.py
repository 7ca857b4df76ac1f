"""Rate limits over HTTP by player and by address, over all web processes; a legal move is always accepted."""

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import requests
from redis import Redis

from referee.api.gate import RateGate
from referee.api.operation import REFUSAL_DELAY_S
from referee.api.routing import ENDPOINTS
from referee.app import policies_of
from referee.ops.embedded import socket_path
from referee.service.limits import PARCELS, WINDOW_S
from referee.settings import SettingError, Settings, read_settings
from tests.service import Client, Service
from tests.waiting import eventually

PLAYER, ADDRESS, REGISTRATIONS, STREAMS, ADDRESS_STREAMS = 100, 20, 5, 3, 5


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with low limits behind a proxy, so that every test can use an address of its own."""
    running = Service(
        tmp_path_factory.mktemp("strict"),
        RATE_PLAYER=str(PLAYER),
        RATE_ADDRESS=str(ADDRESS),
        RATE_REGISTRATIONS=str(REGISTRATIONS),
        STREAMS_PLAYER=str(STREAMS),
        STREAMS_ADDRESS=str(ADDRESS_STREAMS),
        TRUSTED_PROXIES="127.0.0.0/8",
        HEARTBEAT_SECONDS="0.2",
    ).start()
    yield running
    assert running.stop() == 0


class Addresses:
    """Addresses without calls so far."""

    given = 0

    @classmethod
    def new(cls) -> str:
        cls.given += 1
        return f"192.0.2.{cls.given}"


def player(service: Service, address: str | None = None) -> Client:
    """Return a new player with an address of its own."""
    forwarded = {"X-Forwarded-For": address or Addresses.new()}
    created = requests.post(f"{service.url}/v1/players", json={"name": "ada"}, headers=forwarded, timeout=20)
    assert created.status_code == 201, created.text
    client = Client(service.url, created.json()["key"], created.json()["player"])
    client.session.headers.update(forwarded)
    return client


def nobody(service: Service) -> Client:
    client = service.nobody()
    client.session.headers["X-Forwarded-For"] = Addresses.new()
    return client


def in_one_window(play: Callable[[], None]) -> None:
    """Run a test within one window; repeat it if a new window has begun meanwhile."""
    before = int(time.time()) // WINDOW_S
    try:
        play()
    except AssertionError:
        if int(time.time()) // WINDOW_S == before:
            raise
        play()


def exhaust(client: Client, most: int) -> requests.Response:
    """Call over new connections, and so in all processes, until a call is refused."""
    for _ in range(2 * most + 2):
        headers = dict(client.session.headers)
        answer = requests.get(f"{client.url}/v1/rulesets", headers=headers, timeout=20)
        if answer.status_code != 200:
            return answer
    raise AssertionError("never too often")


def test_all_processes_share_the_quota_of_a_player(strict: Service) -> None:
    def play() -> None:
        ada, bob = player(strict), player(strict)
        answers = [
            requests.get(f"{strict.url}/v1/me", headers=dict(ada.session.headers), timeout=20)
            for _ in range(PLAYER + 10)
        ]
        refused = [answer for answer in answers if answer.status_code == 429]
        assert len(refused) + sum(answer.status_code == 200 for answer in answers) == len(answers)
        parcel = PLAYER // PARCELS  # a process may still hold part of one
        assert 10 <= len(refused) <= 10 + parcel
        first, last = answers[0], refused[-1]
        assert first.headers["RateLimit-Policy"] == f'"player";q={PLAYER};w={WINDOW_S}'
        assert re.fullmatch(r'"player";r=\d+;t=\d+', first.headers["RateLimit"])
        problem = last.json()
        assert last.headers["Content-Type"] == "application/problem+json"
        assert (problem["code"], problem["violated-policies"]) == ("rate-limited", ["player"])
        assert 1 <= int(last.headers["Retry-After"]) == problem["retry_after"] <= WINDOW_S
        assert last.headers["RateLimit"] == f'"player";r=0;t={problem["retry_after"]}'
        assert bob.get("/me").status_code == 200
        assert last.elapsed.total_seconds() >= REFUSAL_DELAY_S

    in_one_window(play)


def exhaust_connection(client: Client) -> None:
    """Call until the process behind this connection refuses: it may still hold part of a parcel."""
    refused = 0
    while refused < 12:
        refused = refused + 1 if client.get("/me").status_code == 429 else 0


def test_a_legal_move_on_your_turn_is_always_accepted(strict: Service) -> None:
    def play() -> None:
        ada, bob = player(strict), player(strict)
        id = ada.started("me", bob, options={"first_seat": 0})["id"]
        move = ada.legal(id)["moves"][0]
        assert exhaust(ada, PLAYER).status_code == 429
        exhaust_connection(ada)
        for client, body in ((ada, {"type": "nonsense"}), (ada, {"type": "take_cards"})):
            assert client.move(id, body).status_code == 429
        accepted = ada.move(id, move, headers={"Idempotency-Key": "first"})
        assert accepted.status_code == 201
        assert "RateLimit" not in accepted.headers
        not_your_turn = ada.move(id, move)
        assert (not_your_turn.status_code, not_your_turn.json()["code"]) == (429, "rate-limited")
        assert ada.move(id, move, params={"dry_run": "true"}).status_code == 429
        again = ada.move(id, move, headers={"Idempotency-Key": "first"})
        assert (again.status_code, again.json()["code"]) == (429, "rate-limited")
        bobs = bob.legal(id)["moves"][0]
        assert exhaust(bob, PLAYER).status_code == 429
        assert bob.move(id, bobs).status_code == 201

    in_one_window(play)


def with_another_key(client: Client) -> Client:
    """Return the same player with another key and another address."""
    created = client.post("/keys", {})
    assert created.status_code == 201, created.text
    other = Client(client.url, created.json()["key"], client.player)
    other.session.headers["X-Forwarded-For"] = Addresses.new()
    return other


def test_all_keys_of_a_player_share_one_quota(strict: Service) -> None:
    def play() -> None:
        ada = player(strict)
        others = [with_another_key(ada) for _ in range(3)]
        id = ada.started("me", "me")["id"]
        assert exhaust(others[0], PLAYER).status_code == 429
        for client in (ada, *others):
            assert exhaust(client, PLAYER // 25).status_code == 429, "each process grants at most what it holds"
            assert client.get(f"/games/{id}/legal-moves").status_code == 429

    in_one_window(play)


def test_all_keys_of_a_player_share_the_slots_for_streams(strict: Service) -> None:
    ada = player(strict)
    others = [with_another_key(ada) for _ in range(STREAMS)]
    streams = [client.stream("/me/events") for client in others]
    refused = ada.get("/me/events")
    assert (refused.status_code, refused.json()["violated-policies"]) == (429, ["player-streams"])
    for stream in streams:
        stream.close()


def left(answer: requests.Response) -> int:
    return int(re.search(r'"(?:player|address)";r=(\d+)', answer.headers["RateLimit"])[1])


def test_an_expensive_call_counts_as_several(service: Service) -> None:
    """The test uses one connection, so that one process counts."""

    def play() -> None:
        ada = service.player("ada")
        id = ada.started("me", "me", undo="free")["id"]
        version = ada.game(id)["version"]
        game = f"/v1/games/{id}"
        calls = {
            "get_game": [("GET", game, 1), ("GET", f"{game}?at={version}", 10)],
            "get_legal_moves": [("GET", f"{game}/legal-moves?seat=0", 5)],
            "get_events": [("GET", f"{game}/events", 5)],
            "get_audit": [("GET", f"{game}/audit", 20)],
            "get_record": [("GET", f"{game}/record", 20)],
            "get_luck": [("GET", f"{game}/luck", 20)],
            "list_legal_moves": [("POST", "/v1/rulesets/catham-city/legal-moves", 10)],
            "list_games": [("GET", "/v1/games", 20)],
            "get_game_log": [("GET", f"{game}/log", 20)],
            "get_log_keys": [("GET", "/log/keys", 20)],
            "get_receipt": [("GET", f"{game}/receipts/1", 2)],
            "get_proof": [("GET", "/log/proof?old=0&size=0", 5)],
            "erase_player": [("DELETE", "/v1/players/p_0", 100)],
            "undo": [("POST", f"{game}/undo", 100)],
            "judge": [("POST", "/v1/rulesets/catham-city/judge", 5)],
            "fresh_position": [("POST", "/v1/rulesets/catham-city/positions", 5)],
            "create_game": [("POST", "/v1/games", 5)],
            "submit_move": [("POST", f"{game}/moves?dry_run=true", 2), ("POST", f"{game}/moves", 1)],
            "get_me": [("GET", "/v1/me", 1)],
        }
        declared = {call.name for call in ENDPOINTS if call.cost > 1 or call.cost_with}
        assert declared <= calls.keys()
        before = left(ada.call("GET", "/v1/me"))
        for method, path, cost in (each for row in calls.values() for each in row):
            after = left(ada.call(method, path, **({"json": {"type": "nonsense"}} if method == "POST" else {})))
            assert before - after == cost, path
            before = after

    in_one_window(play)


def test_a_repeated_move_counts(strict: Service) -> None:
    def play() -> None:
        ada = player(strict)
        id = ada.started("me", "me", options={"first_seat": 0})["id"]
        move = ada.legal(id)["moves"][0]
        first = ada.move(id, move, 0, headers={"Idempotency-Key": "first"})
        assert (first.status_code, "RateLimit" in first.headers) == (201, False)
        for _ in range(PLAYER):
            again = ada.move(id, move, 0, headers={"Idempotency-Key": "first"})
            if again.status_code == 429:
                break
            assert (again.status_code, again.content) == (201, first.content)
            assert "RateLimit" in again.headers
        assert again.json()["code"] == "rate-limited"

    in_one_window(play)


def test_refused_moves_count_and_accepted_ones_do_not(strict: Service) -> None:
    def play() -> None:
        ada = player(strict)
        id = ada.started("me", "me", options={"first_seat": 0})["id"]
        refused = [ada.move(id, {"type": "nonsense"}) for _ in range(PLAYER + 5)]
        statuses = [answer.status_code for answer in refused]
        assert statuses == sorted(statuses)
        assert {422, 429} == set(statuses)
        assert refused[0].headers["RateLimit-Policy"] == f'"player";q={PLAYER};w={WINDOW_S}'

    in_one_window(play)


def test_calls_without_a_valid_key_count_for_their_address(strict: Service) -> None:
    def play() -> None:
        guest, other = nobody(strict), nobody(strict)
        wrong = {"Authorization": "Bearer rk_k_" + "0" * 40 + "_" + "0" * 48}
        statuses = [guest.get("/me", headers=wrong).status_code for _ in range(ADDRESS - 5)]
        assert statuses == [401] * (ADDRESS - 5)
        assert [guest.post("/games/g_none/moves", {}).status_code for _ in range(5)] == [401] * 5
        refused = exhaust(guest, ADDRESS)
        assert refused.json()["violated-policies"] == ["address"]
        assert guest.post("/games/g_none/moves", {}).status_code == 429
        assert guest.get("/me", headers=wrong).status_code == 429
        assert other.get("/rulesets").status_code == 200

    in_one_window(play)


def test_health_and_preflights_are_not_counted(strict: Service) -> None:
    def play() -> None:
        guest = nobody(strict)
        assert exhaust(guest, ADDRESS).status_code == 429
        assert guest.call("GET", "/metrics").status_code == 429
        for path in ("/healthz", "/readyz"):
            answer = guest.call("GET", path)
            assert answer.status_code == 200
            assert "RateLimit" not in answer.headers
        preflight = {"Origin": "https://games.example", "Access-Control-Request-Method": "GET"}
        assert guest.call("OPTIONS", "/v1/games", headers=preflight).status_code == 204

    in_one_window(play)


def test_the_registrations_of_an_address_are_limited(strict: Service) -> None:
    def play() -> None:
        guest = nobody(strict)
        answers = [guest.post("/players", {"name": "eve"}) for _ in range(REGISTRATIONS + 1)]
        assert [answer.status_code for answer in answers] == [201] * REGISTRATIONS + [429]
        assert answers[-1].json()["violated-policies"] == ["registration"]
        assert '"address";r=' in answers[0].headers["RateLimit"]
        assert '"registration";r=' in answers[0].headers["RateLimit"]
        admin = strict.admin()
        admin.session.headers.update(guest.session.headers)
        assert admin.post("/players", {"name": "eve"}).status_code == 201

    in_one_window(play)


def test_the_streams_of_a_player_are_limited(strict: Service) -> None:
    ada = player(strict)
    id = ada.started("me", "me")["id"]
    streams = [Client(strict.url, ada.key, {}).stream(f"/games/{id}/events") for _ in range(STREAMS - 1)]
    streams.append(ada.stream("/me/events"))
    refused = ada.get("/me/events")
    assert (refused.status_code, refused.json()["code"]) == (429, "too-many-streams")
    assert refused.json()["violated-policies"] == ["player-streams"]
    assert int(refused.headers["Retry-After"]) >= 1
    assert ada.get(f"/games/{id}/events?after=1&wait=20").status_code == 429
    assert ada.get(f"/games/{id}/events?wait=20").status_code == 200
    for stream in streams:
        stream.close()
    # Not too often, so that the quota of calls lasts.
    eventually(lambda: ada.get(f"/games/{id}/events?after=1&wait=1").status_code == 200, every=0.5)


def test_the_streams_of_an_address_are_limited(strict: Service) -> None:
    address = Addresses.new()
    ada, bob = player(strict, address), player(strict, address)
    id = ada.started("me", "me")["id"]
    streams = [client.stream(f"/games/{id}/events") for client in (ada, ada, ada, bob, bob)]
    refused = bob.get("/me/events")
    assert (refused.status_code, refused.json()["violated-policies"]) == (429, ["address-streams"])
    assert player(strict).get(f"/games/{id}/events?after=1&wait=1").status_code == 200
    for stream in streams:
        stream.close()


@pytest.mark.parametrize(
    ("trusted", "remote", "forwarded", "address"),
    [
        ("", "192.0.2.1", "198.51.100.7", "192.0.2.1"),
        ("192.0.2.1", "192.0.2.1", "198.51.100.7", "198.51.100.7"),
        ("192.0.2.1", "192.0.2.9", "198.51.100.7", "192.0.2.9"),
        ("192.0.2.0/24, 10.0.0.0/8", "192.0.2.1", "203.0.113.5, 198.51.100.7, 10.1.2.3", "198.51.100.7"),
        ("192.0.2.1", "192.0.2.1", "198.51.100.7, nonsense", "192.0.2.1"),
        ("192.0.2.1", "192.0.2.1", "", "192.0.2.1"),
        ("::1", "::1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("", "2001:db8:1:2:ffff::1", "", "2001:db8:1:2::/64"),
        ("127.0.0.1", "::ffff:127.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("", "", "198.51.100.7", "None"),
    ],
)
def test_only_trusted_proxies_can_forward_an_address(trusted: str, remote: str, forwarded: str, address: str) -> None:
    settings = Settings(trusted_proxies=trusted)
    unused: Any = None
    gate = RateGate(policies_of(settings), unused, unused, settings.proxies)
    assert gate.address({"REMOTE_ADDR": remote, "HTTP_X_FORWARDED_FOR": forwarded}) == address


def test_a_malformed_list_of_proxies_stops_the_start() -> None:
    with pytest.raises(SettingError, match="TRUSTED_PROXIES"):
        read_settings({"TRUSTED_PROXIES": "my-proxy"})


def test_a_forwarded_address_from_an_unknown_proxy_is_ignored(service: Service) -> None:
    requests.get(f"{service.url}/v1/rulesets", headers={"X-Forwarded-For": "192.0.2.77"}, timeout=20)
    counters = Redis.from_url(f"unix://{socket_path(service.directory / 'var' / 'queue')}")
    assert list(counters.scan_iter("quota:address:127.0.0.1:*"))
    assert not list(counters.scan_iter("quota:*192.0.2.77*"))
