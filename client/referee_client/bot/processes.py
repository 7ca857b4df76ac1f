"""Ends a process with everything that it started, even what has left its group and session.

On Linux a process can be made the reaper of its descendants: whatever loses its parent becomes its child. The bot's
process is one, so all its descendants stay below it while it lives. The runner is one, so what is left of a bot that
has ended becomes a child of the runner that the runner did not start.
"""

import asyncio
import contextlib
import ctypes
import os
import signal
import sys
from pathlib import Path
from typing import Any

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
ROUNDS_MAX = 100
"""What starts processes faster than they are killed is given up after this number of rounds."""

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None

_started: set[int] = set()
"""The processes that the runner itself started and that have not been killed."""


def keep_descendants() -> None:
    """Make this process the reaper of everything that it starts, however it detaches itself."""
    if _libc is not None:
        _libc.prctl(PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent() -> None:
    """Let this process be killed when the one that started it dies."""
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


_starting: set[object] = set()
"""The processes that are being started, whose ids nobody knows yet."""


async def start(*command: str, **options: Any) -> asyncio.subprocess.Process:
    """Start a process of the runner, which is never taken for one that a bot left behind."""
    _starting.add(mark := object())
    try:
        process = await asyncio.create_subprocess_exec(*command, **options)
        _started.add(process.pid)
    finally:
        _starting.discard(mark)
    return process


def kill_all(pid: int) -> None:
    """Kill a process of the runner, its group, its descendants, and what bots that have ended left behind."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    if _libc is not None:
        for _ in range(ROUNDS_MAX):
            if not _kill_round(pid):
                break
    _started.discard(pid)


def _kill_round(pid: int) -> bool:
    """Kill the descendants of a process and all strays with theirs; returns whether there were any."""
    children = _children()
    # While a process is being started, it could be taken for a stray: strays then wait for the next end of a bot.
    strays = [] if _starting else [child for child in children.get(os.getpid(), []) if child not in _started]
    doomed, ahead = [], [*children.get(pid, []), *strays]
    while ahead:
        each = ahead.pop()
        doomed.append(each)
        ahead += children.get(each, [])
    for each in doomed:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(each, signal.SIGKILL)
    for each in strays:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(each, 0)
    return bool(doomed)


def _children() -> dict[int, list[int]]:
    """Return the living processes of this machine by their parents; those of this process even if they are dead."""
    found: dict[int, list[int]] = {}
    for directory in Path("/proc").iterdir():
        if directory.name.isdecimal():
            with contextlib.suppress(OSError):
                state, parent = (directory / "stat").read_text(errors="replace").rpartition(")")[2].split()[:2]
                if state != "Z" or int(parent) == os.getpid():
                    found.setdefault(int(parent), []).append(int(directory.name))
    return found
