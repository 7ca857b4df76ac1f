"""The bot in docs/bots.md plays every title to the end."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.rulesets import LATEST
from tests.docs.documents import blocks_of, read
from tests.service import Client, Service
from tests.subjects import ROOT
from tests.waiting import eventually

(LISTING,) = (block.text for block in blocks_of(read(ROOT / "docs" / "bots.md")) if block.file_name == "bot.py")
LINES_MAX = 40
GAME_SECONDS_MAX = 180


@contextmanager
def running_bot(owner: Client, directory: Path) -> Iterator[Path]:
    """Run the listing as a process with a player's key; yields the file with its error output."""
    program, errors = directory / "bot.py", directory / "errors.txt"
    program.write_text(LISTING)
    with errors.open("wb") as out:
        bot = subprocess.Popen([sys.executable, "-I", str(program), owner.url, owner.key or ""], stderr=out)
    try:
        yield errors
        assert bot.poll() is None, errors.read_text()
    finally:
        bot.kill()
        bot.wait()


@pytest.mark.parametrize("slug", LATEST)
def test_the_bot_plays_to_the_end(service: Service, tmp_path: Path, slug: str) -> None:
    owner = service.player("bot", bot=True)
    others = [{"bot": "random"}] * (LATEST[slug].seats.start - 1)
    with running_bot(owner, tmp_path) as errors:
        id = owner.create("me", *others, ruleset=slug)["id"]
        eventually(lambda: owner.game(id)["status"] == "finished", GAME_SECONDS_MAX, 0.2)
        assert errors.read_text() == ""
    commits = owner.get(f"/games/{id}/events?limit=1000").json()["commits"]
    own = [commit for commit in commits if commit["actor"] == 0]
    assert own
    assert all(commit["cause"] is None for commit in own)


def test_the_bot_ends_when_its_key_is_revoked(service: Service, tmp_path: Path) -> None:
    owner = service.player("bot", bot=True)
    made = owner.post("/keys", {"scopes": ["play"]}).json()
    program = tmp_path / "bot.py"
    program.write_text(LISTING)
    bot = subprocess.Popen([sys.executable, "-I", str(program), owner.url, made["key"]], stderr=subprocess.PIPE)
    try:
        eventually(lambda: service.open_streams() > 0)
        assert owner.delete(f"/keys/{made['id']}").status_code < 300
        _, errors = bot.communicate(timeout=60)
    finally:
        bot.kill()
    assert bot.returncode == 1
    assert errors.decode().splitlines()[-1] == "The service refuses the key."


def test_the_bot_is_short_and_needs_no_library() -> None:
    assert len(LISTING.splitlines()) < LINES_MAX
    imports = [node for node in ast.walk(ast.parse(LISTING)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    names = {alias.name.partition(".")[0] for node in imports for alias in node.names}
    assert names <= sys.stdlib_module_names
