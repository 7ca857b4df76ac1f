"""The runner of bots plays on the real service, whatever the bot does."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from referee_client.bot.seat_player import thinking_time
from tests.client.runs import Run, write_config
from tests.docs.documents import blocks_of, read
from tests.service import Client, Service, is_alive
from tests.subjects import ROOT
from tests.waiting import eventually

SLUG = "hund-und-katz"
RANDOM = "import random\n\n\ndef choose(view, moves):\n    return random.choice(moves)\n"
ENOUGH = ("--seek", SLUG, "--against", "random", "--games", "1")


@pytest.fixture
def owner(service: Service) -> Client:
    return service.player("deep paw", bot=True)


def commits_of(owner: Client, id: str) -> list[dict[str, Any]]:
    return owner.get(f"/games/{id}/events?limit=1000").json()["commits"]


def the_game(owner: Client) -> dict[str, Any]:
    """The only game of a player."""
    (game,) = owner.get("/games?mine=true").json()["games"]
    return game


def test_the_bot_of_the_documentation_plays_ten_games_to_their_end(owner: Client, tmp_path: Path) -> None:
    (listing,) = (block.text for block in blocks_of(read(ROOT / "docs" / "bots.md")) if block.file_name == "my_bot.py")
    assert len(listing.strip().splitlines()) <= 10
    (tmp_path / "my_bot.py").write_text(listing)
    arguments = ("--seek", SLUG, "--against", "random", "--at-once", "5", "--games", "10", "my_bot:choose")
    with Run(owner, tmp_path, *arguments) as run:
        assert run.ends() == 0, run.log
    games = owner.get("/games?mine=true&limit=100").json()["games"]
    assert [game["status"] for game in games] == ["finished"] * 10
    for game in games:
        own = [commit for commit in commits_of(owner, game["id"]) if commit["actor"] == 0]
        assert own
        assert all(commit["cause"] is None for commit in own)
    assert ", 0 defaults" in run.log
    assert "WARNING" not in run.log


MISBEHAVES = """
import os
import subprocess
import time


class Bot:
    def __init__(self, game):
        self.asked = 0
        self.seats = game["seats"]

    def choose(self, view, moves):
        self.asked += 1
        print("This line is no answer.")
        match self.asked % 6:
            case 1:
                raise RuntimeError("no idea")
            case 2:
                return "nonsense"
            case 3:
                return {"type": "fly"}
            case 4:
                return 4096
            case 5:
                subprocess.Popen(["sleep", "86398"])
                if not os.path.exists("hung"):
                    open("hung", "w").close()
                    time.sleep(86400)
                os._exit(3)
        return moves[-1]
"""


def test_a_bot_that_raises_or_talks_nonsense_or_hangs_loses_no_game(owner: Client, tmp_path: Path) -> None:
    (tmp_path / "my_bot.py").write_text(MISBEHAVES)
    with Run(owner, tmp_path, *ENOUGH, "--think", "2", "my_bot:Bot") as run:
        assert run.ends() == 0, run.log
    game = the_game(owner)
    assert game["status"] == "finished"
    assert all(commit["cause"] is None for commit in commits_of(owner, game["id"]) if commit["actor"] == 0)
    for sentence in (
        "the bot failed with RuntimeError: no idea.",
        "the bot chose 'nonsense', which is not a move.",
        "the rules refuse {'type': 'fly'}: move-refused",
        "the bot chose move 4096, but there are",
        "the bot chose no move within 2.0 s; its process was killed.",
        "the bot gave no answer: its process has ended.",
    ):
        assert sentence in run.log, sentence
    errors = (tmp_path / "logs" / f"{game['id']}-0.log").read_text()
    assert "RuntimeError: no idea" in errors
    assert "This line is no answer." in errors
    assert not leftovers("86398")


def leftovers(word: str) -> list[str]:
    """The command lines of living processes that contain a word."""
    lines = [
        file.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        for file in Path("/proc").glob("[0-9]*/cmdline")
        if is_alive(int(file.parent.name))
    ]
    return [line for line in lines if word in line]


SLOW_IN_ONE = """
import time


class Bot:
    def __init__(self, game):
        self.is_slow = game["terms"]["clock"] is not None

    def choose(self, view, moves):
        if self.is_slow:
            time.sleep(3600)
        return moves[0]
"""


def test_a_default_is_played_in_time_and_a_slow_game_keeps_no_other_waiting(owner: Client, tmp_path: Path) -> None:
    (tmp_path / "my_bot.py").write_text(SLOW_IN_ONE)
    with Run(owner, tmp_path, "my_bot:Bot") as run:
        clock = {"decision_s": 5, "missed_deadlines_max": 1}
        slow = owner.create("me", {"bot": "random"}, ruleset=SLUG, clock=clock, options={"first_seat": 0})["id"]
        run.says(f"{slow} seat 0 ({SLUG}): version 1: thinks")
        quick = owner.create("me", {"bot": "random"}, ruleset=SLUG)["id"]
        eventually(lambda: owner.game(quick)["status"] == "finished", 60, 0.1)
        eventually(lambda: len(commits_of(owner, slow)) >= 3, 60, 0.1)
        assert commits_of(owner, slow)[1]["cause"] is None  # not the deadline
        run.says("the bot chose no move within")
        owner.post(f"/games/{slow}/resignation", {})


def test_the_time_for_a_move_ends_two_seconds_or_a_tenth_before_the_deadline() -> None:
    assert [thinking_time(left) for left in (100, 20, 10, 4, 1, 0, -5)] == [90, 18, 8, 2, 0.5, 0, 0]


def test_invitations_are_answered_by_rule(owner: Client, service: Service, tmp_path: Path) -> None:
    friend, stranger = service.player("friend"), service.player("stranger")
    (tmp_path / "my_bot.py").write_text(RANDOM)
    rule = (f'players = ["{friend.player["id"]}"]', f'rulesets = ["{SLUG}"]')
    write_config(tmp_path, owner, "[invitations]", *rule)
    with Run(owner, tmp_path, "bot.toml"):
        seats = ("me", {"player": owner.player["id"]})
        wanted, unwanted = (by.create(*seats, ruleset=SLUG) for by in (friend, stranger))
        other = friend.create(*seats, ruleset="catham-city")
        eventually(lambda: friend.game(wanted["id"])["status"] == "running")
        for by, game in ((stranger, unwanted), (friend, other)):
            eventually(lambda by=by, game=game: by.game(game["id"])["seats"][1]["player"] is None)
            assert by.game(game["id"])["status"] == "waiting"
            assert by.delete(f"/games/{game['id']}").status_code < 300


def test_two_runners_meet_at_a_table_that_one_of_them_opens(service: Service, tmp_path: Path) -> None:
    owners = [service.player(name, bot=True) for name in ("first", "second")]
    with ExitStack() as stack:
        runs: list[Run] = []
        for number, each in enumerate(owners):
            directory = tmp_path / str(number)
            directory.mkdir()
            (directory / "my_bot.py").write_text(RANDOM)
            arguments = ("--seek", SLUG, "--games", "1", "my_bot:choose")
            runs.append(stack.enter_context(Run(each, directory, *arguments)))
            runs[0].says("created g_")
        assert [run.ends() for run in runs] == [0, 0], [run.log for run in runs]
    assert the_game(owners[0])["id"] == the_game(owners[1])["id"]
    assert "sat down in" in runs[1].log


def test_a_revoked_key_ends_the_runner(owner: Client, tmp_path: Path) -> None:
    (tmp_path / "my_bot.py").write_text(RANDOM)
    made = owner.post("/keys", {"scopes": ["play"]}).json()
    with Run(Client(owner.url, made["key"], owner.player), tmp_path, "my_bot:choose") as run:
        run.says("plays as deep paw")
        owner.delete(f"/keys/{made['id']}")
        assert run.ends(30) == 3
    assert "The service refuses the key (key-unknown)" in run.log


def test_programs_in_other_languages_play(service: Service, tmp_path: Path) -> None:
    """The examples of docs/protocol.md, in shell and in JavaScript."""
    blocks = blocks_of(read(ROOT / "docs" / "protocol.md"))
    (script,) = (block.text for block in blocks if block.text.startswith("#!/bin/sh"))
    (javascript,) = (block.text for block in blocks if block.language == "js")
    for name, text, command in (("bot.sh", script, ["./bot.sh"]), ("bot.mjs", javascript, ["node", "bot.mjs"])):
        directory = tmp_path / name
        directory.mkdir()
        (directory / name).write_text(text)
        (directory / name).chmod(0o700)
        owner = service.player(name, bot=True)
        with Run(owner, directory, *ENOUGH, "--", *command) as run:
            assert run.ends() == 0, run.log
        assert the_game(owner)["status"] == "finished"
        assert ", 0 defaults" in run.log, run.log
        log = directory / "logs" / f"{the_game(owner)['id']}-0.log"
        assert log.read_text() == ""
