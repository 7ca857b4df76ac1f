"""Runs the commands of a document, in order, in one shell."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.docs.documents import Block

SECONDS_MAX = 120


def run_all(commands: list[Block], directory: Path, outputs: Path, **environment: str) -> list[str]:
    """Return the output of each command; fails at the first command that fails, with its line in the document."""
    files = [outputs / f"{number}.out" for number in range(len(commands))]
    captured = [f"{{\n{block.text}}} > {file}" for block, file in zip(commands, files, strict=True)]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    shell = subprocess.Popen(
        ["bash", "-c", "\n".join(["set -euo pipefail", *captured])],
        cwd=directory,
        env={**os.environ, "LC_ALL": "C.UTF-8", "PATH": path, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        _, errors = shell.communicate(timeout=SECONDS_MAX)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(shell.pid, signal.SIGKILL)
        shell.wait()
    printed = [file.read_text() for file in files if file.exists()]
    at = commands[max(0, len(printed) - 1)].line
    assert shell.returncode == 0, f"line {at}: {errors}\n{''.join(printed[-1:])}"
    return printed
