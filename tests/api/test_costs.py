"""No call of one client blocks a web process for others, and every long list is bounded."""

import threading
import time
from typing import Any

import pytest

from referee.store.log import ENTRIES_MAX
from tests.api.world import World
from tests.service import Client, Service
from tests.waiting import eventually
from tests.worst import WORST

HEALTH_S_MAX = 1.0
"""A generous limit; without the fix, three such calls at once delayed `/healthz` by 39 seconds."""


def worst_game(client: Client, name: str, **fields: Any) -> tuple[str, int]:
    """Create a casual game in one of the worst positions, with one player in all seats; return it and a seat."""
    slug, make = WORST[name]
    position, seat = make()
    game = client.create(*["me"] * len(position["seats"]), ruleset=slug, position=position, **fields)
    return game["id"], seat


@pytest.mark.parametrize("name", WORST)
def test_moves_that_are_too_many_to_list_are_a_family_and_a_dry_run_judges_them(service: Service, name: str) -> None:
    ada = service.player("ada")
    id, seat = worst_game(ada, name)
    legal = ada.legal(id, seat)
    assert len(legal["moves"]) <= 1000
    listed = {move["type"] for move in legal["moves"]}
    families = {family["type"]: family for family in legal["families"]}
    assert legal["default"]["type"] in listed | set(families)
    assert listed or families
    tried = ada.move(id, legal["default"], seat, params={"dry_run": "true"})
    assert tried.json()["verdict"] == "accepted"
    for family in families.values():
        assert (family["schema"] and "dry_run" in family["description"]) or family["type"] in listed


def undo_often(client: Client, id: str, seat: int, codes: list[int]) -> None:
    codes.append(client.post(f"/games/{id}/undo", params={"seat": seat}).status_code)


@pytest.mark.parametrize("name", ["full hand", "magic", "excess"])
def test_undos_in_the_worst_position_do_not_block_others(service: Service, name: str) -> None:
    codes: list[int] = []
    calls = []
    for number in range(3):
        player = service.player(f"undoer {number}")
        id, seat = worst_game(player, name, undo="free")
        assert player.move(id, player.legal(id, seat)["default"], seat).status_code == 201
        calls.append(threading.Thread(target=undo_often, args=(player, id, seat, codes)))
    for call in calls:
        call.start()
    slowest = 0.0
    while any(call.is_alive() for call in calls):
        began = time.monotonic()
        assert service.nobody().call("GET", "/healthz", timeout=5).status_code == 200
        slowest = max(slowest, time.monotonic() - began)
    assert slowest < HEALTH_S_MAX
    assert set(codes) <= {201, 409} and len(codes) == 3


def test_bots_can_play_from_the_worst_positions(service: Service) -> None:
    ada = service.player("ada")
    for name, (slug, make) in WORST.items():
        position, seat = make()
        for bot in ("random", "greedy", "search"):
            seats: list[Any] = ["me"] * len(position["seats"])
            seats[seat] = {"bot": bot}
            id = ada.create(*seats, ruleset=slug, position=position)["id"]
            moved = eventually(lambda id=id: (game := ada.game(id))["version"] > 0 and game)
            assert moved, (name, bot)


@pytest.fixture
def long_game(world: World) -> tuple[str, int]:
    """Return a finished game with more commits than one read returns, and its last version."""
    for number in range(20):
        id = world.game(
            world.ada, ruleset="explorers-and-pirates", seats=[{"bot": "random"}] * 2, nonce=f"long {number}"
        )
        version = world.get(f"/v1/games/{id}").get_json()["version"]
        if version > 2 * ENTRIES_MAX:
            return id, version
    raise AssertionError("no game is long enough")


@pytest.fixture
def reads(world: World, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the number of entries of every read from a log."""
    found: list[int] = []
    read = world.repository.log.read

    def counting_read(game: str, after: int, limit: int = ENTRIES_MAX) -> Any:
        entries = read(game, after, limit)
        found.append(len(entries))
        return entries

    monkeypatch.setattr(world.repository.log, "read", counting_read)
    return found


def test_every_call_reads_long_logs_in_pieces(world: World, long_game: tuple[str, int], reads: list[int]) -> None:
    """A process serves others while it waits for its log, so the work between two reads is bounded."""
    id, version = long_game
    calls = [f"?at={version - 1}", "/events?limit=1000", "/record"]
    for path in calls:
        reads.clear()
        world.repository.states.forget(id)
        assert world.get(f"/v1/games/{id}{path}").status_code == 200
        assert sum(reads) >= version - 1 and max(reads) <= ENTRIES_MAX, path
    reads.clear()
    lines = world.get(f"/v1/games/{id}/events", headers={"Accept": "application/jsonl"})
    assert lines.data.count(b"\n") == version and max(reads) <= ENTRIES_MAX
    for limit in (1, ENTRIES_MAX - 1, ENTRIES_MAX, ENTRIES_MAX + 1):
        page = world.get(f"/v1/games/{id}/events?limit={limit}").get_json()
        assert ([commit["version"] for commit in page["commits"]], page["next"]) == (
            list(range(1, limit + 1)),
            limit,
        )


def test_reading_all_versions_of_a_game_reads_each_commit_once(
    world: World, long_game: tuple[str, int], reads: list[int]
) -> None:
    id, version = long_game
    assert world.get(f"/v1/games/{id}?at={version}").status_code == 200
    reads.clear()
    views = {}
    for at in range(1, version):
        views[at] = world.get(f"/v1/games/{id}?at={at}").get_json()
    assert sum(reads) < 2 * version
    for at in (version - 1, 5, 300, 1, 200):
        assert world.get(f"/v1/games/{id}?at={at}").get_json() == views[at]
