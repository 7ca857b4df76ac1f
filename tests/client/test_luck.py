"""The client seals its part of the luck and reveals it by itself, and sends no link too early."""

import asyncio
from pathlib import Path

import pytest

from referee.audit.record import read_record
from referee.audit.verify import audit
from referee_client import AsyncClient, Client, Links, LinkWithheld
from referee_client.luck import LINKS, step
from tests.client.runs import Run
from tests.service import Service
from tests.waiting import eventually

GAME = "g_0123456789abcdef01234567"


def new_client(service: Service) -> Client:
    with Client(service.url) as stranger:
        return Client(service.url, stranger.new_player("ada")["key"])


def report_of(record: bytes) -> str:
    """What the audit says of a proved record."""
    report = audit(read_record(record.splitlines(keepends=True)))
    assert report.verdict == "proved"
    return " ".join(check.detail for check in report.checks)


def test_both_clients_seal_reveal_and_play_with_fresh_luck(service: Service) -> None:
    async def play() -> bytes:
        with new_client(service) as ada:
            async with AsyncClient(service.url, new_client(service)._http.headers["Authorization"][7:]) as bob:
                seats = ["open", "open"]
                fields = {"luck": "fresh", "on_resignation": "end", "options": {"first_seat": 0}}
                one = ada.create("explorers-and-pirates", seats, **fields)
                other = bob.game(one.id)
                assert one.sit()["status"] == "waiting"
                assert (await other.sit())["status"] == "revealing"
                assert one.read()["status"] == "running"
                eventually(lambda: one.read()["version"] > 0)
                rolled = 0
                while rolled < 2:
                    legal = one.legal_moves()
                    if legal["moves"]:
                        rolls = [move for move in legal["moves"] if move["type"] in ("roll_dice", "end_turn")]
                        made = (rolls or legal["moves"])[0]
                        rolled += made["type"] == "roll_dice"
                        one.move(made, version=legal["version"])
                    else:
                        await other.move((await other.legal_moves())["moves"][0])
                one.resign()
                eventually(lambda: one.read()["status"] == "finished")
                return one.record()

    said = report_of(asyncio.run(play()))
    assert "2 of 2 sealed nonces were revealed" in said
    assert "drawings had a fresh link" in said and " 0 of " not in said


def test_an_inbox_reveals_by_itself(service: Service) -> None:
    with new_client(service) as ada, new_client(service) as bob:
        game = ada.create("catham-city", ["open", "open"], options={"first_seat": 0})
        game.sit()
        bob.game(game.id).sit(nonce="plain")
        for message in ada.inbox():
            if message["event"] == "awaited":
                break
        assert bob.game(game.id).read()["seats"][0]["nonce"] != ""


def test_the_runner_seals_reveals_and_plays_at_a_table_that_it_had_opened(service: Service, tmp_path: Path) -> None:
    owner = service.player("deep paw", bot=True)
    (tmp_path / "my_bot.py").write_text("def choose(view, moves):\n    return moves[0]\n")
    opened = owner.create("open", {"bot": "random"}, ruleset="hund-und-katz")["id"]  # and then the runner was killed
    arguments = ("--seek", "hund-und-katz", "--against", "random", "--games", "1", "my_bot:choose")
    with Run(owner, tmp_path, *arguments) as run:
        assert run.ends() == 0, run.log
    (game,) = owner.get("/games?mine=true").json()["games"]
    assert game["id"] == opened
    assert "1 of 1 sealed nonces were revealed" in report_of(owner.get(f"/games/{game['id']}/record").content)
    assert (tmp_path / "key.links").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "key.links").read_text() == ""


def test_a_program_that_is_started_again_still_reveals(tmp_path: Path) -> None:
    seal = Links(tmp_path / "links").new_seal(GAME)
    assert (tmp_path / "links").stat().st_mode & 0o777 == 0o600
    state = {"id": GAME, "status": "revealing", "unrevealed": [1], "seats": [{"seal": "f" * 64}, {"seal": seal}]}
    again = Links(tmp_path / "links")
    assert again.to_reveal({**state, "status": "waiting"}) == []
    ((seat, link),) = again.to_reveal(state)
    assert (seat, step(GAME, link)) == (1, seal)
    assert Links(tmp_path / "links").to_reveal(state) == [(seat, link)]
    assert again.to_reveal({**state, "id": "g_other"}) == []


def test_no_link_is_sent_before_the_one_before_it_was(tmp_path: Path) -> None:
    links = Links(tmp_path / "links")
    seal = links.new_seal(GAME)
    chain = links._chains[0].links
    assert len(chain) == LINKS
    with pytest.raises(LinkWithheld, match="asks for link 1, but was sent only 0"):
        links.next_link(GAME, 1, chain[0])
    assert links.next_link(GAME, 0, seal) == chain[0]
    assert links.next_link(GAME, 1, chain[0]) == chain[1]
    assert links.next_link(GAME, 1, chain[0]) == chain[1]
    for asked in (links, Links(tmp_path / "links")):
        with pytest.raises(LinkWithheld, match="asks for link 3"):
            asked.next_link(GAME, 3, chain[2])
    for index, before in ((1, chain[1]), (2, chain[0]), (-1, seal), (LINKS, chain[-1]), (0, "0" * 64)):
        with pytest.raises(LinkWithheld):
            links.next_link(GAME, index, before)
    with pytest.raises(LinkWithheld):
        links.next_link("g_other", 0, seal)


def test_every_seal_is_of_a_new_chain() -> None:
    """Otherwise a service that begins a game again would know the nonce."""
    links = Links()
    assert links.new_seal(GAME) != links.new_seal(GAME)


@pytest.mark.parametrize("line", ["{", "[]", "5", '{"game": "g_1", "last": "00"}'])
def test_a_damaged_file_is_refused(line: str, tmp_path: Path) -> None:
    (tmp_path / "links").write_text(line + "\n")
    with pytest.raises(ValueError):
        Links(tmp_path / "links")


def test_a_new_chain_is_sealed_while_others_move(service: Service) -> None:
    with new_client(service) as ada, new_client(service) as bob:
        game = ada.create("catham-city", ["open", "open"], luck="fresh", options={"first_seat": 1})
        game.sit()
        other = bob.game(game.id)
        other.sit()
        eventually(lambda: game.read()["version"] > 0)
        assert [event["type"] for event in game.reseal(0)["events"]] == ["seat_resealed"]
        other.move(other.legal_moves()["moves"][0])
