"""The Python client against the real service."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager, closing

import pytest

from referee.audit.record import read_record
from referee.audit.verify import audit
from referee_client import AsyncClient, Client, Game, Problem, Refused, Unauthorized, Unreachable
from tests.service import Service, free_port
from tests.waiting import eventually

SLUG = "hund-und-katz"
AGAINST_A_BOT = ("me", {"bot": "random"})


@pytest.fixture
def client(service: Service) -> Iterator[Client]:
    with Client(service.url) as stranger:
        key = stranger.new_player("ada")["key"]
    with Client(service.url, key) as ada:
        yield ada


@asynccontextmanager
async def new_async_player(service: Service) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(service.url) as stranger:
        key = (await stranger.new_player("ada"))["key"]
    async with AsyncClient(service.url, key) as ada:
        yield ada


def test_a_whole_game_is_played_followed_and_proved(client: Client) -> None:
    game = client.create(SLUG, AGAINST_A_BOT)
    versions = []
    for commit in game.follow():
        versions.append(commit["version"])
        legal = game.legal_moves()
        if legal["default"] is not None and legal["version"] == commit["version"]:
            answer = game.move((legal["moves"] or [legal["default"]])[0], version=legal["version"])
            assert answer["version"] == commit["version"] + 1
    assert versions == list(range(1, len(versions) + 1))
    assert game.read()["status"] == "finished"
    assert [commit["version"] for commit in game.commits()] == versions
    report = game.audit()
    assert report is not None
    assert report["verdict"] == "proved"
    assert audit(read_record(game.record().splitlines(keepends=True))).verdict == "proved"
    assert list(game.follow(after=versions[-1])) == []


def test_a_whole_game_is_played_and_followed_asynchronously(service: Service) -> None:
    async def play() -> None:
        async with new_async_player(service) as client:
            game = await client.create(SLUG, AGAINST_A_BOT)
            async for commit in game.follow():
                legal = await game.legal_moves()
                if legal["default"] is not None and legal["version"] == commit["version"]:
                    await game.move((legal["moves"] or [legal["default"]])[-1], version=legal["version"])
            assert (await game.read())["status"] == "finished"
            assert "phase" in await game.view()
            commits = [commit async for commit in game.commits()]
            assert commits[-1]["events"][-1]["type"] == "game_finished"
            report = await game.audit()
            assert report is not None
            assert report["verdict"] == "proved"

    asyncio.run(play())


def test_a_refused_move_is_an_exception_with_its_clause(client: Client) -> None:
    game = client.create("catham-city", AGAINST_A_BOT, options={"first_seat": 0})
    next(game.follow())
    move = {"type": "take_cards", "faction": "hacker", "count": 8}
    for judged in (game.move, game.dry_run):
        with pytest.raises(Refused, match="CC-21") as refusal:
            judged(move)
        assert (refusal.value.status, refusal.value.code, refusal.value.clause) == (422, "move-refused", "CC-21")
        assert refusal.value.text == client.clause("catham-city", "CC-21")["text"]
        assert refusal.value.version == 1
    assert game.view["phase"] == "turn"


def test_the_same_idempotency_key_gives_the_same_answer(client: Client) -> None:
    game = client.create(SLUG, ("me", "me"))
    next(game.follow())
    seat = game.read()["awaited"][0]["seat"]
    game.seat = seat
    move = game.legal_moves()["moves"][0]
    first, again = (game.move(move, key="5f1c") for _ in range(2))
    assert first == again
    with pytest.raises(Problem) as problem:
        game.move({**move, "type": "stop_feeding"}, key="5f1c")
    assert problem.value.code in ("idempotency-key-reused", "move-refused")


def test_games_are_found_page_by_page(client: Client) -> None:
    created = {client.create(SLUG, ("me", "open"), visibility="private").id for _ in range(5)}
    assert {game["id"] for game in client.games(mine=True, status="waiting", limit=2)} == created


def test_an_invitation_comes_to_the_inbox_and_is_accepted(client: Client, service: Service) -> None:
    with Client(service.url) as stranger:
        bob = stranger.new_player("bob")
    game = client.create(SLUG, ("me", {"player": bob["player"]["id"]}))
    with Client(service.url, bob["key"]) as guest:
        inbox = guest.inbox()
        invitation = next(inbox)
        assert (invitation["event"], invitation["game"], invitation["seat"]) == ("invited", game.id, 1)
        assert guest.game(game.id).sit(1)["status"] == "running"
        _play_until_awaited(game, 1)
        assert next(message for message in inbox if message["event"] == "awaited")["game"] == game.id
        inbox.close()


def _play_until_awaited(game: Game, seat: int) -> None:
    """Make the default moves of the game's own player until another seat has its turn, whichever seat begins."""
    with closing(game.follow()) as commits:
        for _ in commits:
            if any(decision["seat"] == seat for decision in game.read()["awaited"]):
                return
            move = game.legal_moves()["default"]
            assert move is not None
            game.move(move)


def test_the_judge_answers_with_a_verdict(client: Client) -> None:
    position = {"ruleset": SLUG, "phase": "setup", "options": {}, "seats": [{}, {}]}
    chance = [{"point": "draw_first_seat", "outcome": 1}]
    verdict = client.judge(SLUG, position, "referee", {"type": "set_up"}, chance)
    assert (verdict["verdict"], verdict["position"]["active_seat"]) == ("accepted", 1)
    assert client.judge(SLUG, position, 0, {"type": "set_up"})["clause"] == "HK-2"


def test_a_stream_closes_its_connection_when_the_loop_ends(client: Client, service: Service) -> None:
    game = client.create(SLUG, ("me", "me"))
    eventually(lambda: service.open_streams() == 0)
    for _ in game.follow():
        eventually(lambda: service.open_streams() == 1)
        break
    eventually(lambda: service.open_streams() == 0)


def test_an_asynchronous_stream_closes_its_connection(service: Service) -> None:
    async def leave_early() -> None:
        async with new_async_player(service) as client:
            game = await client.create(SLUG, ("me", "me"))
            async with aclosing(game.follow()) as commits:
                async for _ in commits:
                    break
            eventually(lambda: service.open_streams() == 0)

    eventually(lambda: service.open_streams() == 0)
    asyncio.run(leave_early())


def test_a_game_that_is_annulled_before_it_starts_has_nothing_to_follow(client: Client) -> None:
    game = client.create(SLUG, ("me", "open"), visibility="private")
    assert client._http.delete(f"/v1/games/{game.id}").status_code < 300
    assert list(game.follow()) == []


def test_the_join_code_of_a_private_game_lets_others_sit_down(client: Client, service: Service) -> None:
    game = client.create(SLUG, ("me", "open"), visibility="private")
    assert game.join_code
    assert client.create(SLUG, ("me", "me")).join_code is None
    with Client(service.url, service.player("bob").key) as bob:
        assert bob.game(game.id).sit(nonce="mine", join_code=game.join_code)["status"] == "running"


def test_a_revoked_key_ends_a_stream(client: Client, service: Service) -> None:
    made = client._http.post("/v1/keys", json={"scopes": ["play"]}).json()
    client.create(SLUG, ("me", "me"))
    with Client(service.url, made["key"]) as other:
        inbox = other.inbox()
        assert next(inbox)["event"] == "awaited"
        assert client._http.delete(f"/v1/keys/{made['id']}").status_code < 300
        with pytest.raises(Unauthorized) as problem:
            list(inbox)
    assert (problem.value.status, problem.value.code) == (401, "key-unknown")


def test_a_wrong_key_is_reported_at_once(service: Service) -> None:
    with Client(service.url, "rk_k_wrong") as client, pytest.raises(Unauthorized):
        client.me()


def test_a_service_that_is_not_there_is_reported_when_patience_ends() -> None:
    with Client(f"http://127.0.0.1:{free_port()}", patience_s=0.5) as client:
        with pytest.raises(Unreachable, match="cannot be reached"):
            client.me()
        with pytest.raises(Unreachable, match="cannot be reached"):
            list(client.inbox(patience_s=0.1))


def test_an_address_that_is_no_referee_is_named(service: Service) -> None:
    with Client(f"{service.url}/docs") as client, pytest.raises((Unreachable, Problem)):
        client.me()


@pytest.mark.parametrize("url", ["", "localhost:8000", "ftp://here", "http://"])
def test_an_address_that_cannot_be_one_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="begins with http"):
        Client(url)


@pytest.mark.parametrize("key", ["", "two words", "with\nnewline", "schlüssel"])
def test_a_key_that_cannot_be_one_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="one word"):
        Client("http://127.0.0.1", key)


def test_an_id_from_elsewhere_cannot_leave_its_place_in_the_address(client: Client) -> None:
    with pytest.raises(Problem) as problem:
        client.game("../me").read()
    assert problem.value.status == 404
    with pytest.raises(ValueError, match="JSON"):
        client.game("g_x").move({"type": float("nan")})


def test_a_problem_can_be_pickled_and_read(client: Client) -> None:
    import pickle

    with pytest.raises(Problem) as problem:
        client.game("g_unknown").read()
    again = pickle.loads(pickle.dumps(problem.value))
    assert (again.code, str(again)) == ("unknown-game", str(problem.value))
    assert json.dumps(again.members)
