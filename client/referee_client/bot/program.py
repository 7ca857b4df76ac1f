"""A process of the bot. It gets questions as JSON lines and answers them; it never gets the key."""

import asyncio
import contextlib
import json
import os
import re
import resource
import sys
from pathlib import Path
from typing import Any

from referee_client.bot.config import Config
from referee_client.bot.faults import NoMove, UnusableBot
from referee_client.bot.processes import die_with_parent, keep_descendants, kill_all, start

PROTOCOL = 1
LINE_BYTES_MAX = 1 << 20
"""The longest answer."""
LATE_LINES_MAX = 1000
"""This number of lines with other ids may come before an answer, so that a flood does not keep the runner busy."""
ERROR_BYTES_MAX = 1 << 20
"""The error output of one game is kept up to this length."""
FAREWELL_S = 2.0
"""A process has this time to end by itself after its last message."""
PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "USER", "VIRTUAL_ENV")


def command_of(config: Config) -> list[str]:
    """Return the arguments that start the bot."""
    if config.program:
        return config.program
    worker = Path(__file__).with_name("worker.py")
    return [sys.executable, "-P", str(worker), str(config.directory), config.bot]


def environment_of(config: Config, key: str) -> dict[str, str]:
    """Return the few environment variables that the bot gets; none contains the key."""
    names = (*PASSED_ON, *config.environment)
    given = {name: value for name, value in os.environ.items() if name in names and key not in value}
    return {**given, "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"}


async def check_bot(config: Config, key: str) -> None:
    """Load a Python bot once before any game depends on it; raises UnusableBot."""
    if config.program:
        return
    checking = await start(
        *command_of(config),
        "--check",
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env=environment_of(config, key),
        cwd=config.directory,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(config.think_s):
            _, errors = await checking.communicate()
    except TimeoutError:
        kill_all(checking.pid)
        raise UnusableBot(
            f"{config.bot} could not be loaded within {config.think_s:g} s. `think_s` or --think gives it more time."
        ) from None
    if checking.returncode:
        last = (errors.decode(errors="replace").strip().splitlines() or ["it ended without a word"])[-1]
        raise UnusableBot(f"{config.bot} cannot be loaded from {config.directory}: {last}")


class Program:
    """One process of the bot, for one seat of one game. It is started when it is first asked."""

    def __init__(self, config: Config, key: str, game: dict[str, Any]) -> None:
        self._config = config
        self._environment = environment_of(config, key)
        self._game = game
        self._process: asyncio.subprocess.Process | None = None
        self._errors: asyncio.Task[None] | None = None
        self._killing: set[asyncio.Task[None]] = set()
        self._number = 0
        allowed = resource.getrlimit(resource.RLIMIT_DATA)[1]
        self._memory_max = min(config.memory_mb << 20, sys.maxsize if allowed == resource.RLIM_INFINITY else allowed)

    async def ask(self, question: dict[str, Any], seconds: float) -> Any:
        """Return the move that the bot chooses, or None if it waits; raises NoMove."""
        self._number += 1
        number = self._number
        try:
            async with asyncio.timeout(max(0.0, seconds)):
                answer = await self._answer({"kind": "choose", "id": number, **question}, number)
        except TimeoutError:
            self._kill_soon()
            raise NoMove(f"chose no move within {seconds:.1f} s; its process was killed") from None
        except Exception as error:  # Whatever a program does, its game goes on.
            self._kill_soon()
            raise NoMove(f"gave no answer: {error or type(error).__name__}") from None
        if "error" in answer:
            raise NoMove(f"failed with {str(answer['error'])[:200]}")
        return _chosen(answer.get("move"), question["moves"])

    async def _answer(self, message: dict[str, Any], number: int) -> dict[str, Any]:
        process = self._process or await self._start()
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(_line(message))
        await process.stdin.drain()
        for _ in range(LATE_LINES_MAX):
            line = await process.stdout.readline()
            if not line:
                raise ValueError("its process has ended")
            answer = json.loads(line)
            if not isinstance(answer, dict):
                raise ValueError("a line of its output is not a JSON object")
            if answer.get("id") == number:
                return answer
        raise ValueError(f"{LATE_LINES_MAX} lines of its output answer other questions")

    async def _start(self) -> asyncio.subprocess.Process:
        process = self._process = await start(
            *command_of(self._config),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=self._environment,
            cwd=self._config.directory,
            limit=LINE_BYTES_MAX,
            start_new_session=True,
            preexec_fn=self._limit,
        )
        assert process.stdin is not None and process.stderr is not None
        self._errors = asyncio.create_task(self._keep_errors(process.stderr))
        process.stdin.write(_line({"kind": "game", "protocol": PROTOCOL, **self._game}))
        return process

    def _limit(self) -> None:
        """Bound the memory of the process, let it end with the runner, and keep what it starts below it."""
        resource.setrlimit(resource.RLIMIT_DATA, (self._memory_max, self._memory_max))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        keep_descendants()
        die_with_parent()

    async def _keep_errors(self, stream: asyncio.StreamReader) -> None:
        """Write the error output to a file, up to a limit."""
        with contextlib.ExitStack() as stack:
            file = None
            with contextlib.suppress(OSError):
                file = stack.enter_context(self._error_file().open("ab"))
            while data := await stream.read(65536):
                with contextlib.suppress(OSError):  # A full disk ends the file, not the bot.
                    if file is not None and file.tell() < ERROR_BYTES_MAX:
                        file.write(data[: ERROR_BYTES_MAX - file.tell()])
                        file.flush()

    def _error_file(self) -> Path:
        name = re.sub(r"[^\w-]", "_", f"{self._game['game']}-{self._game['seat']}")
        return self._config.path(self._config.logs) / f"{name}.log"

    async def end(self, result: dict[str, Any]) -> None:
        """Report the end of the game, and give the process a moment to end by itself."""
        process = self._process
        if process is not None and process.stdin is not None:
            with contextlib.suppress(OSError, TimeoutError):
                process.stdin.write(_line({"kind": "end", **result}))
                process.stdin.close()
                async with asyncio.timeout(FAREWELL_S):
                    await process.wait()
        await self.kill()

    async def kill(self) -> None:
        """Kill the process and everything that it started."""
        self._kill_soon()
        await asyncio.gather(*self._killing)

    def _kill_soon(self) -> None:
        """Begin to kill the process; the default move must not wait for its end."""
        process, errors = self._process, self._errors
        self._process = self._errors = None
        if process is not None:
            task = asyncio.create_task(_kill(process, errors))
            self._killing.add(task)
            task.add_done_callback(self._killing.discard)


async def _kill(process: asyncio.subprocess.Process, errors: asyncio.Task[None] | None) -> None:
    kill_all(process.pid)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(FAREWELL_S):
            await process.wait()
    if errors is not None:
        # What the process wrote last may explain its end.
        await asyncio.wait([errors], timeout=FAREWELL_S)
        errors.cancel()


def _chosen(move: Any, moves: list[Any]) -> dict[str, Any] | None:
    """Return a move as it is posted: the bot may also answer with its place in the list of legal moves."""
    if isinstance(move, int) and not isinstance(move, bool):
        if not 0 <= move < len(moves):
            raise NoMove(f"chose move {move}, but there are {len(moves)}")
        return dict(moves[move])
    if move is not None and not isinstance(move, dict):
        raise NoMove(f"chose {str(move)[:80]!r}, which is not a move")
    return move


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"
