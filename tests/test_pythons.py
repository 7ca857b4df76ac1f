"""The supported versions of Python: the project runs on each that this machine has."""

import lzma
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.subjects import ROOT

SUPPORTED = ("3.11", "3.12", "3.13")
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"


def command(version: str) -> str | None:
    """The command for a version of Python, if this machine has it; `PYENV_VERSION` selects it in a version manager."""
    found = shutil.which(f"python{version}")
    call = [found or "", "-c", "import sys; print(sys.executable)"]
    run = subprocess.run(call, env={**os.environ, "PYENV_VERSION": version}, capture_output=True) if found else None
    return run.stdout.decode().strip() if run and run.returncode == 0 else None


OTHERS = {version: python for version in SUPPORTED if version != HERE and (python := command(version))}


def test_this_python_is_supported() -> None:
    assert HERE in SUPPORTED


@pytest.mark.parametrize("version", OTHERS)
def test_a_stored_game_is_proved_and_the_service_is_put_together_there(version: str, tmp_path: Path) -> None:
    python = tmp_path / "venv" / "bin" / "python"
    uv = [Path(sys.executable).with_name("uv"), "--quiet"]
    subprocess.run([*uv, "venv", "--python", OTHERS[version], tmp_path / "venv"], check=True)
    locked = ["--require-hashes", "--only-binary", ":all:", "-r", ROOT / "requirements.txt"]
    subprocess.run([*uv, "pip", "install", "--python", python, *locked], check=True)
    record = lzma.decompress(next((ROOT / "tests" / "corpus" / "games").rglob("*.jsonl.xz")).read_bytes())
    audit = subprocess.run([python, "-m", "referee.audit", "-"], cwd=ROOT, input=record, capture_output=True)
    assert audit.returncode == 0, audit.stdout
    subprocess.run([python, "-c", "import referee.app, workers.worker, workers.sweep"], cwd=ROOT, check=True)
