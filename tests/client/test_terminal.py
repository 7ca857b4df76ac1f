"""The command `referee` against the whole service."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.client.lossy_proxy import LossyProxy
from tests.client.runs import write_key
from tests.client.terminal import COMMAND, TITLE, Commands, Done, Terminal, environment
from tests.service import Client, Service, free_port
from tests.waiting import eventually

STREAM = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
"""How a recorded stream begins."""


@pytest.fixture
def referee(
    tmp_path: Path, service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Commands:
    """The commands of a user who is logged in as a new player."""
    commands = Commands(tmp_path, monkeypatch, capsys)
    assert commands("login", "--url", service.url, "--name", "ada").status == 0
    return commands


def test_a_new_player_logs_in_and_plays_in_a_terminal(service: Service, tmp_path: Path) -> None:
    with Terminal(tmp_path, "login", "--url", service.url) as terminal:
        terminal.awaits("Key: ")
        terminal.type("")
        terminal.awaits("A name for a new player")
        terminal.type("ada")
        assert terminal.ends() == 0
        assert "You are logged in" in terminal.shown
    accounts = tmp_path / "referee" / "accounts.json"
    assert accounts.stat().st_mode & 0o777 == 0o600
    assert accounts.parent.stat().st_mode & 0o777 == 0o700
    assert json.loads(accounts.read_text())[service.url]["key"] not in terminal.shown
    new = ("new", TITLE, "--option", "first_seat=0", "--against", "random", "--play")
    with Terminal(tmp_path, *new) as terminal:
        terminal.awaits("Your move")
        assert "   1 Put a pawn on " in terminal.shown
        assert "0 ada (you)" in terminal.shown
        assert "Bot random" in terminal.shown
        terminal.type("no such words")
        terminal.awaits("No legal move contains")
        terminal.type("?")
        terminal.awaits("leave; the game is kept")
        terminal.type("99")
        terminal.awaits("There are moves 1 to")
        terminal.type("1")
        terminal.awaits("ada puts a pawn on .*  HK-")
        terminal.type("quit")
        assert terminal.ends() == 0
        assert "The game is kept" in terminal.shown


def test_what_others_do_appears_above_the_line_that_is_typed(service: Service, referee: Commands) -> None:
    other = service.player("bob")
    game = referee.new_game("--seats", "open,me")
    with Terminal(referee.home, "play", game) as terminal:
        terminal.awaits("waiting for 1 more player")
        terminal.keys("bo")
        assert other.post(f"/games/{game}/seats", {}).status_code == 201
        terminal.awaits("On the table are")  # The prompt is only drawn where it changes, so its words are not awaited.
        assert other.move(game, other.legal(game)["moves"][0]).status_code == 201
        terminal.awaits("bob puts a pawn on")
        terminal.type("ard")
        terminal.awaits("(?s)version 2.*phase +card")
        terminal.press_control_c()
        assert terminal.ends() == 130


def test_a_game_is_played_to_its_end_by_lines_then_proved_and_replayed(service: Service, referee: Commands) -> None:
    game = referee.new_game("--against", "random", "--fresh")
    links = referee.accounts.parent / "links"
    assert [(file.name, file.stat().st_mode & 0o777) for file in links.iterdir()] == [(game, 0o600)]
    played = referee("play", game, typed="1\n" * 500)
    assert played.status == 0, played.errors
    assert "decided by" in played.out
    assert list(links.iterdir()) == []
    proved = referee("audit", game, "--save", "game.jsonl")
    assert (proved.status, proved.out.splitlines()[-1]) == (0, "PROVED")
    assert "drawings had a fresh link" in " ".join(proved.out.split())
    from_file = json.loads(referee("audit", "game.jsonl", "--json").out)
    assert (from_file["verdict"], from_file["game"]) == ("proved", game)
    lines = Path("game.jsonl").read_bytes().splitlines(keepends=True)
    Path("forged.jsonl").write_bytes(b"".join([*lines[:3], *lines[4:]]))
    forged = referee("audit", "forged.jsonl")
    assert (forged.status, "FAILED: commit" in forged.out) == (1, True)
    versions = [json.loads(line)["version"] for line in referee("watch", game, "--json").out.splitlines()]
    assert versions == list(range(1, len(versions) + 1))
    proxy = LossyProxy(service.port)
    commits = service.nobody().get(f"/games/{game}/events?with=text").json()["commits"]
    messages = [f"event: commit\ndata: {json.dumps(commit)}\n\n" for commit in commits[:5]]
    proxy.recorded = ["".join((STREAM, *messages, 'event: rewound\ndata: {"version": 3}\n\n')).encode()]
    watched = referee("watch", game, "--url", proxy.url)
    assert "has lost the newest moves. The game goes on from version 3." in watched.out
    proxy.close()
    for what in (game, "game.jsonl"):
        replayed = [json.loads(line) for line in referee("replay", what, "--json").out.splitlines()]
        assert [commit["version"] for commit in replayed] == versions
        assert replayed[-1]["view"]["phase"] == "finished"
        assert "a pawn on" in referee("replay", what, "--at", "2").out
        assert "--at takes 1 to" in referee("replay", what, "--at", "5000").errors
    with Terminal(referee.home, "replay", "game.jsonl") as terminal:
        terminal.awaits("(?s)version 1 of.*q quit")
        terminal.keys("n")
        terminal.awaits("(?s)version 2 of.*q quit")
        terminal.keys("G")
        terminal.awaits(f"(?s)version {versions[-1]} of.*q quit")
        terminal.keys("q")
        assert terminal.ends() == 0


def test_one_player_plays_all_seats_of_a_table(referee: Commands) -> None:
    game = referee.new_game("--seats", "me,me")
    played = referee("play", game, typed="1\n" * 500)
    assert played.status == 0, played.errors
    assert "0 ada 1 (you)" in played.out
    assert "1 ada 2 (you)" in played.out
    assert "decided by" in played.out


def test_json_is_there_for_programs_in_every_command(service: Service, referee: Commands) -> None:
    game = referee.new_game("--against", "random")

    def answer(*arguments: str, typed: str = "") -> Done:
        done = referee(*arguments, "--json", typed=typed)
        for line in done.out.splitlines():
            json.loads(line)
        return done

    assert json.loads(answer("games").out)["games"][0]["id"] == game
    assert json.loads(answer("rules", "CC-21").out)["clauses"][0]["ruleset"] == "catham-city"
    assert len(json.loads(answer("rules").out)["titles"]) == 5
    first, *_ = (json.loads(line) for line in answer("play", game, typed="1\n").out.splitlines())
    assert first["game"]["id"] == game
    assert len(first["legal"]["text"]["moves"]) == len(first["legal"]["moves"])
    refused = answer("judge", game, '{"type": "swim"}')
    assert (refused.status, json.loads(refused.out)["clause"]) == (1, "HK-1")
    Path("position.json").write_text('{"ruleset": "hund-und-katz", "phase": "setup", "options": {}, "seats": [{}, {}]}')
    accepted = answer("judge", "position.json", "set_up", "--actor", "referee")
    assert (accepted.status, json.loads(accepted.out)["verdict"]) == (0, "accepted")
    running = answer("audit", game)
    assert (running.status, json.loads(running.out)["verdict"]) == (6, "running")
    assert json.loads(answer("replay", game, "--at", "1").out)["version"] == 1
    wrong = answer("watch", "g_000000000000000000000000")
    assert (wrong.status, json.loads(wrong.errors)["status"], wrong.out) == (5, 5, "")
    assert json.loads(answer("logout").out) == {"url": service.url}


def test_mistakes_get_a_sentence_that_says_what_to_do(referee: Commands) -> None:
    nowhere = f"http://127.0.0.1:{free_port()}"
    write_key(referee.home, "rk_k_wrong")
    for line, status, words in (
        ("gmaes", 2, "Did you mean games?"),
        ("rules CC-999", 2, "Did you mean CC-"),
        ("rules catham", 2, "catham-city"),
        ("new", 2, "Which title?"),
        (f"new {TITLE} --option first_seat", 2, "NAME=VALUE"),
        ("new chess --seats me,me", 5, "`referee rules` lists the titles."),
        (f"new {TITLE} --seats me", 5, "HK-S"),
        (f"new {TITLE} --against nobody", 5, "nobody"),
        ("play g_none", 5, "`referee games` lists"),
        ("play", 2, "No game of yours goes on"),
        ("audit no-such-file.jsonl", 5, "There is no such game"),
        ("audit key", 2, "is not a record"),
        ("judge key end_turn", 2, "This is not JSON"),
        ("replay key", 2, "cannot be replayed"),
        (f"games --mine --url {nowhere}", 3, "You are not logged in at"),
        ("games --key-file key", 3, "refuses your key"),
        (f"games --url {nowhere}", 4, "Check the address"),
        ("games --url gopher://x", 2, "begins with http://"),
        ("login --key-file missing", 2, "No such file"),
        ("login", 2, "The first line of the input must be your key"),
        (f"logout --url {nowhere}", 2, "You are not logged in at"),
    ):
        done = referee(*line.split())
        said = " ".join(done.errors.split())
        assert (done.status, words in said) == (status, True), f"{line}: {done.status} {said}"
    shown = referee("rules", "CC-21", "--traceback")
    assert shown.status == 0


def test_a_key_that_others_can_read_or_that_is_damaged_is_refused(referee: Commands) -> None:
    referee.accounts.chmod(0o640)
    assert "chmod 600" in referee("games").errors
    referee.accounts.chmod(0o600)
    for damage in ("[]", "{", '{"http://127.0.0.1": 5}'):
        referee.accounts.write_text(damage)
        assert "is damaged" in referee("games").errors
    write_key(referee.home, "rk_k_1").chmod(0o644)
    assert "chmod 600" in referee("games", "--key-file", "key").errors


def test_a_service_that_goes_away_while_a_game_is_played_loses_nothing(service: Service, referee: Commands) -> None:
    proxy = LossyProxy(service.port)
    assert referee("login", "--url", proxy.url, "--name", "ada").status == 0
    game = referee.new_game("--against", "random")
    proxy.recorded = [f'{STREAM}event: rewound\ndata: {{"version": 0}}\n\n'.encode()]
    with Terminal(referee.home, "play", game, "--patience", "0.5") as terminal:
        terminal.awaits("(?s)has lost the newest moves. The game goes on from version 1.*Your move")
        proxy.cut()
        assert terminal.ends() == 4
        assert f"The game is kept: `referee play {game}`" in " ".join(terminal.shown.split())


def test_a_broken_pipe_is_no_fault(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([COMMAND, "rules"], env=environment(tmp_path), stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_shell_completes_commands_titles_clauses_and_your_games(
    referee: Commands, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = referee.new_game("--against", "random")
    script = referee("completion", "bash").out
    subprocess.run(["bash", "-n"], input=script, text=True, check=True)
    monkeypatch.setenv("_REFEREE_COMPLETE", "bash_complete")
    for line, found in (
        ("referee ga", "games"),
        ("referee new fang", "fangfrisch"),
        ("referee rules cc-2", "CC-21"),
        ("referee play g_", game),
    ):
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(line.count(" ")))
        with pytest.raises(SystemExit):
            referee()
        assert found in capsys.readouterr().out


def test_a_bot_that_took_over_gives_the_seat_back(service: Service, referee: Commands) -> None:
    key = json.loads(referee.accounts.read_text())[service.url]["key"]
    owner, other = Client(service.url, key, {}), service.player("bob")
    clock = {"decision_s": 1, "bank_s": 1, "increment_s": 300, "missed_deadlines_max": 1}
    game = owner.started("me", other, ruleset=TITLE, options={"first_seat": 1}, clock=clock)["id"]
    while other.game(game)["awaited"][0]["seat"] == 1:
        assert other.move(game, other.legal(game)["default"]).status_code == 201
    eventually(lambda: owner.game(game)["seats"][0]["bot"])
    with Terminal(referee.home, "play", game) as terminal:
        terminal.awaits("(?s)you return to it.*waiting for bob")
        terminal.type("quit")
        assert terminal.ends() == 0
    assert owner.game(game)["seats"][0]["bot"] is None


def test_without_the_extra_the_command_says_how_to_install_it(tmp_path: Path) -> None:
    program = "import sys; sys.modules['rich'] = None; from referee_client.terminal.command import command; "
    done = subprocess.run([sys.executable, "-c", f"{program} sys.exit(command())"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "client[terminal]" in done.stderr
    assert "Traceback" not in done.stderr


def test_sentences_are_told_in_the_language_that_is_asked_for_or_in_that_of_the_locale(
    referee: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = referee.new_game("--against", "random")
    assert "Auf dem Tisch liegen" in referee("replay", id, "--lang", "de-AT").out
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert "Sur la table" in referee("replay", id).out
    wrong = referee("replay", id, "--lang", "d_e")
    assert wrong.status != 0 and "A language is a tag such as fr or de-CH, but this is 'd_e'." in wrong.errors
