"""Lists reveal nothing about the private games of others, neither by their content nor by their time."""

from collections.abc import Sequence

import pytest

from referee.service import finding
from tests.api.world import World


def test_nobody_can_count_the_private_games_of_another_player(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack: each skipped private game costs time, and many of them make an empty page with a next one."""
    monkeypatch.setattr(finding, "LOOKED_AT_MAX", 5)
    victim, spy, auditor = world.player("victim"), world.player("spy"), world.player("auditor", "watch", "audit")
    id = world.get("/v1/me", victim).get_json()["player"]["id"]
    public = world.game(victim, seats=["me", "open"])
    private = [world.game(victim, seats=["me", "open"], visibility="private") for _ in range(9)]
    looked_at: list[str] = []
    heads = world.repository.log.heads

    def noting(ids: Sequence[str]) -> object:
        looked_at.extend(ids)
        return heads(ids)

    monkeypatch.setattr(world.repository.log, "heads", noting)
    for key in (None, spy):
        page = world.get(f"/v1/games?player={id}&limit=2", key).get_json()
        assert ([game["id"] for game in page["games"]], page["next"]) == ([public], None)
    assert set(looked_at) == {public}
    for key in (victim, auditor):
        shown = world.get(f"/v1/games?player={id}&limit=4", key).get_json()["games"]
        assert [game["id"] for game in shown] == private[:4:-1]


def test_a_game_is_found_by_its_current_players(world: World) -> None:
    guest = world.player("guest")
    id = world.get("/v1/me", guest).get_json()["player"]["id"]
    game = world.game(world.ada, seats=["me", "open", "open"])

    def found() -> list[str]:
        return [each["id"] for each in world.get(f"/v1/games?player={id}", world.bob).get_json()["games"]]

    assert found() == []
    assert world.post(f"/v1/games/{game}/seats", guest, json={"seat": 1}).status_code == 201
    assert found() == [game]
    assert world.call("DELETE", f"/v1/games/{game}/seats/1", guest).status_code == 204
    assert found() == []


def test_a_page_of_games_reads_no_log(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a page of fifty games that this process does not know reads fifty whole logs."""
    world.game(world.ada, seats=["me", "me"])
    everything = world.get("/v1/games", world.ada).get_json()["games"]
    monkeypatch.setattr(world.repository.log, "read", unwanted)
    world.repository.states._items.clear()
    assert world.get("/v1/games", world.ada).get_json()["games"] == everything


def unwanted(*_: object) -> None:
    raise AssertionError("the log was read")


def test_a_game_whose_rules_this_host_lacks_is_left_to_others(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a rolling deploy some hosts have newer rules than others."""
    game = world.game(world.ada, seats=["me", "me"])
    monkeypatch.setattr("referee.service.game.RULESETS", {})
    for path in (f"/v1/games/{game}", f"/v1/games/{game}/legal-moves", f"/v1/games/{game}/events"):
        answer = world.get(path, world.ada)
        assert (answer.status_code, answer.get_json()["code"]) == (503, "rules-elsewhere"), path
        assert answer.headers["Retry-After"] == "1"
    assert world.get("/v1/games", world.ada).status_code == 200
