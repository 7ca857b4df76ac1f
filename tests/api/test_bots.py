"""Bot accounts, games that allow, forbid or require them, and the built-in bots."""

import pytest

from referee.bots import BOTS
from referee.rulesets import LATEST
from tests.service import Client, Service

RANDOM = {"bot": "random"}


@pytest.fixture
def paw(service: Service) -> Client:
    """A bot account."""
    return service.player("deep paw", bot=True)


def refusal(client: Client, *seats: object, **fields: object) -> tuple[int, str]:
    answer = client.post("/games", {"ruleset": "catham-city", "seats": list(seats), **fields})
    return answer.status_code, answer.json().get("code")


def test_a_bot_account_is_marked_wherever_it_is_shown(ada: Client, paw: Client, nobody: Client) -> None:
    assert paw.player["bot"] is True
    assert paw.get("/me").json()["player"] == paw.player
    game = ada.create("me", paw, "open")
    paw.post(f"/games/{game['id']}/seats", {})
    seats = ada.game(game["id"])["seats"]
    assert [seat["player"] for seat in seats] == [ada.player, paw.player, paw.player]
    (listed,) = nobody.get("/games", params={"player": paw.player["id"]}).json()["games"]
    assert [seat["player"]["bot"] for seat in listed["seats"]] == [False, True, True]


def test_a_game_that_forbids_bots_refuses_bot_accounts_and_built_in_bots(ada: Client, paw: Client) -> None:
    guest = {"player": paw.player["id"]}
    assert refusal(ada, "me", RANDOM, bots="forbidden") == (422, "invalid-request")
    assert refusal(ada, "me", guest, bots="forbidden") == (422, "invalid-request")
    assert refusal(paw, "me", "open", bots="forbidden") == (422, "invalid-request")
    game = ada.create("me", "open", bots="forbidden")
    refused = paw.post(f"/games/{game['id']}/seats", {})
    assert (refused.status_code, refused.json()["code"]) == (403, "bots-forbidden")
    assert ada.post(f"/games/{game['id']}/seats", {}).status_code == 201


def test_a_game_that_requires_bots_refuses_people(ada: Client, paw: Client) -> None:
    assert refusal(ada, "me", RANDOM, bots="required") == (422, "invalid-request")
    assert refusal(ada, RANDOM, {"player": ada.player["id"]}, bots="required") == (422, "invalid-request")
    game = ada.create("open", "open", RANDOM, bots="required")
    refused = ada.post(f"/games/{game['id']}/seats", {})
    assert (refused.status_code, refused.json()["code"]) == (403, "bots-required")
    for _ in range(2):
        joined = paw.post(f"/games/{game['id']}/seats", {})
    assert (joined.status_code, joined.json()["status"]) == (201, "running")


def test_no_bot_takes_over_where_bots_are_forbidden(ada: Client) -> None:
    assert refusal(ada, "me", "me", bots="forbidden", on_resignation="bot") == (422, "invalid-request")
    game = ada.started("me", "me", bots="forbidden")
    resigned = ada.post(f"/games/{game['id']}/resignation", params={"seat": 0}).json()
    assert [event["type"] for event in resigned["events"]] == ["seat_resigned", "game_resigned"]
    assert all(seat["bot"] is None for seat in ada.game(game["id"])["seats"])


def test_a_bot_takes_over_where_bots_are_required(paw: Client) -> None:
    game = paw.started("me", "me", bots="required")
    resigned = paw.post(f"/games/{game['id']}/resignation", params={"seat": 0}).json()
    assert [event["type"] for event in resigned["events"]] == ["seat_resigned", "seat_taken_over"]


def test_games_are_found_by_their_bot_policy(ada: Client, nobody: Client) -> None:
    created = {bots: ada.create("open", "open", bots=bots)["id"] for bots in ("allowed", "forbidden", "required")}
    for bots, id in created.items():
        page = ada.get("/games", params={"mine": "true", "bots": bots}).json()["games"]
        assert [(game["id"], game["bots"]) for game in page] == [(id, bots)]
    assert nobody.get("/games", params={"bots": "tolerated"}).status_code == 422


def test_the_built_in_bots_are_described(nobody: Client) -> None:
    described = {bot["name"]: bot for bot in nobody.get("/bots").json()["bots"]}
    assert set(described) == set(BOTS)
    for name, bot in BOTS.items():
        assert described[name]["version"] == bot.version
        assert described[name]["description"].endswith(".")
        assert described[name]["rulesets"] == [slug for slug, rules in LATEST.items() if bot.plays(rules)]


def test_no_seat_of_the_service_names_the_plan_of_its_bot(ada: Client) -> None:
    """Everybody at the table would know it, and `greedy` draws its plan."""
    for title in (rules for rules in LATEST.values() if rules.advice.plans):
        for plan in title.advice.plans:
            named = {"bot": f"greedy:{plan}"}
            assert refusal(ada, "me", named, ruleset=title.slug) == (422, "invalid-request")
            assert refusal(ada, "me", "me", ruleset=title.slug, takeover_bot=f"greedy:{plan}")[0] == 422
