"""The package `referee`: what its wheel contains, and that it works where nothing but msgspec is installed."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

from tests.subjects import ROOT
from tests.test_pythons import HERE, OTHERS

PARTS = {"kernel", "table", "rulesets", "audit", "bots", "offline", "zoo"}
OF_THE_LOG = {"__init__", "ed25519", "leaf", "merkle", "note", "policy", "receipt", "tiles"}
"""The modules of the transparency log that the audit needs."""
COMMANDS = {"referee-audit", "referee-play", "referee-arena"}
IMPORT_ALL = """
import importlib, pkgutil, referee
names = [each.name for each in pkgutil.walk_packages(referee.__path__, "referee.", onerror=print)]
names = [name for name in names if not name.startswith("referee.zoo") and not name.endswith("__main__")]
assert len(names) > 150, names
for name in names:
    importlib.import_module(name)
print(referee.__path__[0])
"""


def build(project: Path, to: Path) -> Path:
    """Build the wheel of a project as `make dist` does."""
    command = [Path(sys.executable).with_name("hatchling"), "build", "--target", "wheel", "--directory", to]
    subprocess.run(command, cwd=project, check=True, capture_output=True)
    (wheel,) = to.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("dist"))


def install(python: str, directory: Path, wheel: Path) -> Path:
    """Install the wheel and the locked msgspec into a fresh environment; returns where its commands are."""
    (locked,) = re.findall(r"^msgspec==(?:.*\\\n)+.*", (ROOT / "requirements.txt").read_text(), re.M)
    wanted = directory / "msgspec.txt"
    wanted.write_text(locked)
    environment, uv = directory / "venv", Path(sys.executable).with_name("uv")
    subprocess.run([uv, "venv", "--quiet", "--no-python-downloads", "--python", python, environment], check=True)
    into = [uv, "pip", "install", "--quiet", "--python", environment / "bin" / "python"]
    subprocess.run([*into, "--require-hashes", "-r", wanted], check=True)
    subprocess.run([*into, "--offline", "--no-index", "--no-deps", wheel], check=True)
    subprocess.run([uv, "pip", "check", "--quiet", "--python", environment / "bin" / "python"], check=True)
    return environment / "bin"


def run(command: list[str | Path], where: Path) -> subprocess.CompletedProcess[bytes]:
    """Run a command outside the checkout, in an environment that names no part of it."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return subprocess.run(command, cwd=where, env=clean, capture_output=True, check=False)


def test_the_wheel_contains_the_parts_that_need_no_service_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    package = {name for name in names if ".dist-info/" not in name}
    assert {name.split("/")[1] for name in package} == {*PARTS, "tlog", "__init__.py", "py.typed"}
    sources = {
        str(file.relative_to(ROOT))
        for part in PARTS
        for kind in ("*.py", "*.md", "*.toml", "maps.json")
        for file in (ROOT / "referee" / part).rglob(kind)
    }
    of_the_log = {f"referee/tlog/{name}.py" for name in OF_THE_LOG}
    assert package == {*sources, *of_the_log, "referee/__init__.py", "referee/py.typed"}


def test_the_wheel_needs_msgspec_alone_and_says_who_may_use_it(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (metadata,) = (name for name in archive.namelist() if name.endswith("METADATA"))
    fields = Parser().parsestr(archive.read(metadata).decode())
    needed = [each for each in fields.get_all("Requires-Dist") if "extra ==" not in each]
    assert [re.split(r"\W", each)[0] for each in needed] == ["msgspec"]
    assert (fields["Name"], fields["Version"], fields["License-Expression"]) == ("referee", "1.0.0", "MIT")
    assert any(name.endswith("licenses/LICENSE") for name in archive.namelist())


def test_the_same_sources_give_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    """Neither the times nor the permissions of the files matter, nor where they are."""
    copy = tmp_path / "elsewhere"
    copy.mkdir()
    shutil.copytree(ROOT / "referee", copy / "referee", copy_function=shutil.copyfile)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, copy / name)
    assert build(copy, tmp_path / "dist").read_bytes() == wheel.read_bytes()


def test_the_client_is_a_wheel_of_its_own_with_the_same_bytes_each_time(tmp_path: Path) -> None:
    first = build(ROOT / "client", tmp_path / "first")
    copy = tmp_path / "elsewhere"
    shutil.copytree(ROOT / "client", copy, copy_function=shutil.copyfile)
    assert build(copy, tmp_path / "second").read_bytes() == first.read_bytes()
    archive = zipfile.ZipFile(first)
    package = {name for name in archive.namelist() if ".dist-info/" not in name}
    sources = {str(file.relative_to(ROOT / "client")) for file in (ROOT / "client" / "referee_client").rglob("*.py")}
    assert package == {*sources, "referee_client/py.typed"}
    (entries,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
    assert "referee-bot = referee_client.bot.command:command" in archive.read(entries).decode()
    assert "referee = referee_client.terminal.command:command" in archive.read(entries).decode()
    assert (ROOT / "client" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


@pytest.mark.parametrize("version", [HERE, *OTHERS])
def test_an_installed_package_plays_games_and_proves_them(version: str, wheel: Path, tmp_path: Path) -> None:
    commands = install(OTHERS.get(version, sys.executable), tmp_path, wheel)
    assert {file.name for file in commands.iterdir()} >= COMMANDS
    imported = run([commands / "python", "-c", IMPORT_ALL], tmp_path)
    assert imported.returncode == 0, imported.stderr.decode()
    assert str(tmp_path) in imported.stdout.decode()
    play = [commands / "referee-play", "hund-und-katz", "--seats", "greedy,random", "--games", "2", "--out", "records"]
    played = run([*play, "--jobs", "2"], tmp_path)
    assert played.returncode == 0, played.stderr.decode()
    packed = next((ROOT / "tests" / "corpus" / "games").rglob("*.jsonl.xz"))
    (tmp_path / "stored.jsonl").write_bytes(
        subprocess.run(["xz", "-dc", packed], check=True, capture_output=True).stdout
    )
    records = [*(tmp_path / "records").glob("*.jsonl"), tmp_path / "stored.jsonl"]
    proved = run([commands / "referee-audit", *records], tmp_path)
    assert (proved.returncode, proved.stdout.count(b"PROVED")) == (0, 3), proved.stdout.decode()


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_the_help_of_a_command_names_it_as_it_was_started(name: str, wheel: Path, tmp_path: Path) -> None:
    commands = install(sys.executable, tmp_path, wheel)
    shown = run([commands / name, "--help"], tmp_path)
    assert shown.returncode == 0
    assert shown.stdout.startswith(f"usage: {name} ".encode())


def test_the_terminal_client_takes_the_rules_from_the_package_beside_it(wheel: Path, tmp_path: Path) -> None:
    """The extra names `referee` in exactly this version, so the two wheels are installed together."""
    client = build(ROOT / "client", tmp_path / "client")
    environment, uv = tmp_path / "venv", Path(sys.executable).with_name("uv")
    subprocess.run(
        [uv, "venv", "--quiet", "--no-python-downloads", "--python", sys.executable, environment], check=True
    )
    into = [uv, "pip", "install", "--quiet", "--python", environment / "bin" / "python"]
    locked = ["--constraint", ROOT / "requirements-test.txt", "--only-binary", ":all:"]
    subprocess.run([*into, *locked, wheel, f"{client}[terminal]"], check=True)
    for arguments, text in ((["rules", "CC-21"], b"Taking cards"), (["games", "--help"], b"List games")):
        shown = run([environment / "bin" / "referee", *arguments], tmp_path)
        assert (shown.returncode, text in shown.stdout) == (0, True), shown.stderr.decode()
