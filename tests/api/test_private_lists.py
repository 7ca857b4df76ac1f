"""What lists tell of private games to others: nothing, neither by what they show nor by how long they look for it."""

import pytest

from referee.service import listing
from tests.api.world import World


def test_nobody_can_count_the_private_games_of_another_player(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack: every private game on the way costs time, and enough of them an empty page that has a next one."""
    monkeypatch.setattr(listing, "LOOKED_AT_MAX", 5)
    victim, spy, auditor = world.player("victim"), world.player("spy"), world.player("auditor", "watch", "audit")
    id = world.get("/v1/me", victim).get_json()["player"]["id"]
    public = world.game(victim, seats=["me", "open"])
    private = [world.game(victim, seats=["me", "open"], visibility="private") for _ in range(9)]
    looked_at: list[str] = []
    fitting = listing._fitting

    def noted(*arguments: object) -> object:
        looked_at.append(str(arguments[-1]))
        return fitting(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(listing, "_fitting", noted)
    for key in (None, spy):
        page = world.get(f"/v1/games?player={id}&limit=2", key).get_json()
        assert ([game["id"] for game in page["games"]], page["next"]) == ([public], None)
    assert set(looked_at) == {public}
    for key in (victim, auditor):
        shown = world.get(f"/v1/games?player={id}&limit=4", key).get_json()["games"]
        assert [game["id"] for game in shown] == private[:4:-1]


def test_a_game_is_found_by_who_sits_there_now(world: World) -> None:
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
