"""The runner keeps the key to itself, bounds the bot, and refuses what is wrong with a sentence and an exit status."""

import json
import os
from pathlib import Path

import pytest

from referee_client.bot.config import Config
from referee_client.bot.faults import Usage
from referee_client.bot.files import open_links, prepare_logs
from tests.client.runs import Run, refused, try_command, write_config, write_key
from tests.client.test_runner import ENOUGH, RANDOM
from tests.service import Client, Service, free_port, is_alive
from tests.waiting import eventually

CURIOUS = """
import json
import os

found = {
    "environment": dict(os.environ),
    "arguments": open("/proc/self/cmdline").read(),
    "files": [os.readlink(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd") if number > "2"
              and os.path.exists(f"/proc/self/fd/{number}")],
    "group": os.getpgid(0) == os.getpid(),
}
json.dump(found, open("found.json", "w"))


def choose(view, moves):
    try:
        bytearray(600_000_000)
    except MemoryError:
        open("bounded", "w").close()
    return moves[0]
"""


@pytest.fixture
def owner(service: Service) -> Client:
    return service.player("deep paw", bot=True)


def test_the_bot_gets_neither_the_key_nor_much_memory(owner: Client, tmp_path: Path) -> None:
    (tmp_path / "my_bot.py").write_text(CURIOUS)
    write_config(tmp_path, owner, "memory_mb = 300", 'environment = ["GIVEN", "LEAK"]')
    environment = {"GIVEN": "yes", "LEAK": f"x{owner.key}", "REFEREE_KEY": owner.key or ""}
    with Run(owner, tmp_path, *ENOUGH, "bot.toml", **environment) as run:
        eventually((tmp_path / "bounded").exists, 60)
    text = (tmp_path / "found.json").read_text()
    found = json.loads(text)
    assert (owner.key or "?") not in text
    assert found["environment"]["GIVEN"] == "yes"
    assert "REFEREE_KEY" not in found["environment"]
    assert not [file for file in found["files"] if file.endswith("/key")]
    assert found["group"]
    assert run.process.returncode == 0


HOSTILE = """
import json
import sys

LINES = [
    "[" * 500_000,
    '{"id": %d, "move": {"type": NaN}}',
    '{"id": %d, "move": {"type": "\\\\ud800"}}',
    '{"id": %d, "move": {"type": "' + 300_000 * "x" + '"}}',
    '{"id": %d, "move": ' + 70 * '{"type":' + "1" + 70 * "}" + "}",
    '{"id": %d, "error": "\\\\u001b[2J\\\\nforged line"}',
    2_000_000 * "y",
    5000 * '{"id": 0}\\n',
    "[]",
    '{"id": %d}',
]
for line in sys.stdin:
    message = json.loads(line)
    if message["kind"] == "choose":
        with open("asked", "a+") as asked:
            answer = LINES[asked.tell() % len(LINES)]
            asked.write("x")
        print(answer % message["id"] if "%d" in answer else answer, flush=True)
"""


def test_hostile_answers_end_neither_the_game_nor_the_runner(owner: Client, tmp_path: Path) -> None:
    (tmp_path / "hostile.py").write_text(HOSTILE)
    with Run(owner, tmp_path, *ENOUGH, "--", "python3", "hostile.py") as run:
        assert run.ends() == 0, run.log[-3000:]
    (game,) = owner.get("/games?mine=true").json()["games"]
    assert game["status"] == "finished"
    assert "a fault of the runner" not in run.log
    for sentence in (
        "gave no answer: maximum recursion depth exceeded",
        "the bot chose what cannot be sent: Out of range float values",
        "the bot chose what cannot be sent: 'utf-8' codec can't encode",
        "the service refuses the move: body-too-large",
        "the bot failed with ?[2J?forged line",
        "gave no answer: Separator is ",
        "gave no answer: 1000 lines of its output answer other questions",
        "gave no answer: a line of its output is not a JSON object",
        "the bot waits, but must move",
    ):
        assert sentence in run.log, sentence
    assert "\x1b" not in run.log
    assert not [line for line in run.log.splitlines() if line.startswith("forged")]


def test_another_runner_with_the_same_key_file_is_noticed(owner: Client, tmp_path: Path) -> None:
    (tmp_path / "my_bot.py").write_text(RANDOM)
    with Run(owner, tmp_path, "my_bot:choose") as run:
        run.says("plays as deep paw")
        status, said = try_command(tmp_path, "--url", owner.url, "--key-file", "key", "my_bot:choose")
    assert status == 5
    assert "Another referee-bot already plays with the key file" in said


def test_another_program_that_moves_for_the_same_seat_is_noticed(owner: Client, tmp_path: Path) -> None:
    wait = "import os, time\n\n\ndef choose(view, moves):\n    open('asked', 'w').close()\n"
    wait += "    while not os.path.exists('go'):\n        time.sleep(0.02)\n    return moves[0]\n"
    (tmp_path / "my_bot.py").write_text(wait)
    with Run(owner, tmp_path, "my_bot:choose") as run:
        id = owner.create("me", {"bot": "random"}, ruleset="hund-und-katz", options={"first_seat": 0})["id"]
        eventually((tmp_path / "asked").exists, 60)
        assert owner.move(id, owner.legal(id)["moves"][0]).status_code == 201
        run.says(f"{id} seat 0: another program moved for this seat (version 2).")
        (tmp_path / "go").touch()
        eventually(lambda: owner.game(id)["status"] == "finished", 60, 0.1)


NOWHERE = ("--url", "http://127.0.0.1:1")
KEY = ("--key-file", "key")

WRONG: dict[str, tuple[list[str], int, str]] = {
    "no key file": ([*NOWHERE, "--key-file", "none", "my_bot:choose"], 2, "cannot be read: No such file"),
    "no address": ([*KEY, "my_bot:choose"], 2, "Which service? Give its address with --url"),
    "no key": ([*NOWHERE, "my_bot:choose"], 2, "Which key? Give the file that holds it"),
    "address": (["--url", "localhost", *KEY, "my_bot:choose"], 2, "begins with http:// or https://"),
    "module": ([*NOWHERE, *KEY, "no_bot:choose"], 6, "No module named 'no_bot'"),
    "function": ([*NOWHERE, *KEY, "my_bot:chose"], 6, "has no attribute 'chose'"),
    "arguments": ([*NOWHERE, *KEY, "my_bot:lonely"], 6, "my_bot:lonely must take two arguments, view and moves"),
    "method": ([*NOWHERE, *KEY, "my_bot:Empty"], 6, "The class my_bot:Empty has no method choose"),
    "name": ([*NOWHERE, *KEY, "my_bot:"], 2, "written as module:function"),
    "program": ([*NOWHERE, *KEY, "--", "./none"], 6, "There is no program ./none"),
    "no number": ([*NOWHERE, *KEY, "--think", "nan", "my_bot:choose"], 2, "must be at least 0.1, not nan"),
    "negative": ([*NOWHERE, *KEY, "--games", "-1", "my_bot:choose"], 2, "must be at least 0, not -1"),
    "no config": (["none.toml"], 2, "none.toml cannot be read: No such file"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_refused_with_a_sentence(case: str, tmp_path: Path) -> None:
    arguments, status, sentence = WRONG[case]
    write_key(tmp_path, "rk_k_none")
    (tmp_path / "my_bot.py").write_text(f"{RANDOM}\n\ndef lonely(view):\n    pass\n\n\nclass Empty:\n    pass\n")
    found, said = try_command(tmp_path, *arguments)
    assert sentence in said
    assert found == status


CONFIGS = {
    "misspelt": ('key_fil = "key"', "has the unknown name `key_fil`. Did you mean `key_file`?"),
    "in a section": ("[seek]\nrulset = []", "[seek] has the unknown name `rulset`. Did you mean `rulesets`?"),
    "type": ('think_s = "long"', "`think_s` must be a number, not 'long'"),
    "truth": ("agree_to_pauses = 1", "`agree_to_pauses` must be true or false, not 1"),
    "list": ('program = "./bot.sh"', "`program` must be a list, each a text, not './bot.sh'"),
    "syntax": ("url = ", "is not valid TOML"),
    "two bots": (
        'url = "http://x"\nkey_file = "key"\nbot = "a:b"\nprogram = ["c"]',
        "Give either a Python bot (my_bot:choose) or a program",
    ),
}


@pytest.mark.parametrize("case", CONFIGS)
def test_a_wrong_configuration_is_refused_with_a_sentence(case: str, tmp_path: Path) -> None:
    text, sentence = CONFIGS[case]
    (tmp_path / "bot.toml").write_text(text)
    found, said = refused(tmp_path / "bot.toml")
    assert sentence in said
    assert found == 2


def test_a_key_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    arguments = ("--url", "http://127.0.0.1:1", "my_bot:choose", "--key-file")
    for mode in (0o644, 0o640, 0o660, 0o606):
        write_key(tmp_path, "rk_k_none").chmod(mode)
        status, said = refused(*arguments, tmp_path / "key")
        assert (status, "chmod 600" in said) == (2, True)
    os.mkfifo(tmp_path / "pipe", 0o600)
    status, said = refused(*arguments, tmp_path / "pipe")
    assert (status, "is not a file" in said) == (2, True)


def test_a_wrong_key_and_a_wrong_address_end_the_runner(service: Service, tmp_path: Path) -> None:
    write_key(tmp_path, "rk_k_none")
    (tmp_path / "my_bot.py").write_text(RANDOM)
    status, said = try_command(tmp_path, "--url", service.url, "--key-file", "key", "my_bot:choose")
    assert (status, "The service refuses the key" in said) == (3, True)
    for address in (f"http://127.0.0.1:{free_port()}", f"{service.url}/docs"):
        status, said = try_command(tmp_path, "--url", address, "--key-file", "key", "my_bot:choose")
        assert (status, "Check the address, and whether the service runs." in said) == (4, True)


def test_what_the_service_will_always_refuse_ends_the_runner(owner: Client, tmp_path: Path) -> None:
    (tmp_path / "my_bot.py").write_text(RANDOM)
    write_key(tmp_path, owner.key or "")
    for lines, sentence in (
        (
            ('[seek]\nrulesets = ["hund-katz"]',),
            "no title 'hund-katz', which [seek] names. Did you mean hund-und-katz?",
        ),
        (('[invitations]\nrulesets = ["chess"]',), "no title 'chess', which [invitations] names. It has "),
        (('[seek]\nrulesets = ["hund-und-katz"]\nopponents = ["randon"]',), "The service refuses the game"),
    ):
        write_config(tmp_path, owner, *lines)
        status, said = try_command(tmp_path, "bot.toml")
        assert (status, sentence in said) == (2, True), said
    write_config(tmp_path, owner)
    write_key(tmp_path, owner.post("/keys", {"scopes": ["watch"]}).json()["key"])
    status, said = try_command(tmp_path, "bot.toml")
    assert (status, "refuses the key (scope-missing)" in said) == (3, True), said


def test_files_that_cannot_be_written_are_noticed_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("")
    with pytest.raises(Usage, match="cannot be created: File exists"):
        prepare_logs(Config(directory=tmp_path))
    with pytest.raises(Usage, match="cannot be written: No such file"):
        open_links(Config(directory=tmp_path, key_file="none/key"))
    (tmp_path / "key.links").write_text("{")
    with pytest.raises(Usage, match="is damaged"):
        open_links(Config(directory=tmp_path, key_file="key"))


LEAVING = """
import os
import subprocess
import sys

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]
APART = {"start_new_session": True, "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
PARENT = f"import subprocess; print(subprocess.Popen({SLEEP!r}, **{APART!r}).pid)"


def choose(view, moves):
    if not os.path.exists("left"):
        orphan = subprocess.run([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, start_new_session=True).stdout
        with open("left", "w") as file:
            file.write(f"{int(orphan)} {subprocess.Popen(SLEEP, **APART).pid}")
        if os.path.exists("abruptly"):
            os._exit(1)
    return moves[0]
"""


@pytest.mark.parametrize("is_abrupt", [False, True], ids=["a game that ends", "a bot that ends"])
def test_processes_that_leave_the_group_and_session_of_the_bot_end_with_it(
    is_abrupt: bool, owner: Client, tmp_path: Path
) -> None:
    (tmp_path / "my_bot.py").write_text(LEAVING)
    if is_abrupt:
        (tmp_path / "abruptly").touch()
    with Run(owner, tmp_path, *ENOUGH, "my_bot:choose") as run:
        assert run.ends() == 0, run.log
    left = [int(pid) for pid in (tmp_path / "left").read_text().split()]
    assert len(left) == 2
    assert not [pid for pid in left if is_alive(pid)]
