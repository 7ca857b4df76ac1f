"""`make run`: Redis, web and workers in one terminal, each started again when it dies, stopped cleanly together."""

import contextlib
import logging
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from redis.exceptions import RedisError

from referee.embedded import end_with_parent, last_words, start_redis
from referee.logs import set_up_logs
from referee.private import UMASK, Unusable, close_to_others
from referee.service.players import SCOPES, add_key, add_player
from referee.settings import SettingError, Settings, read_settings
from referee.wiring import connect, make_desk

START_SECONDS_MAX = 60
STOP_SECONDS_MAX = 15
POLL_SECONDS = 0.1
RESTART_SECONDS = 0.5

SERVERS = ("redis", "queue")
"""The embedded Redis servers, stopped when all others have ended."""

_log = logging.getLogger("referee.run")

Process = subprocess.Popen[bytes]


@dataclass
class Child:
    """A process that is kept alive."""

    name: str
    start: Callable[[], Process]
    last_words: Callable[[], str] = lambda: ""
    process: Process = field(init=False)
    restart_at: float | None = None
    is_asked: bool = False

    def __post_init__(self) -> None:
        self.process = self.start()

    def tend(self) -> None:
        """Start the process again if it has died, after a short pause."""
        if self.process.poll() is None:
            return
        now = time.monotonic()
        if self.restart_at is None:
            words = self.last_words()
            told = f": {words}" if words else ""
            _log.warning("%s ended with %s and is started again%s", self.name, self.process.returncode, told)
            self.restart_at = now + RESTART_SECONDS
        elif now >= self.restart_at:
            self.restart_at = None
            self.process = self.start()

    def ask_to_end(self) -> None:
        """Ask the process to end, once; harmless if it has."""
        if not self.is_asked:
            self.is_asked = True
            self.process.terminate()

    def stop(self) -> None:
        """End the process: politely, then by force."""
        if self.process.poll() is None:
            self.ask_to_end()
            try:
                self.process.wait(STOP_SECONDS_MAX)
            except subprocess.TimeoutExpired:
                _log.warning("%s does not end and is killed", self.name)
                self.process.kill()
                self.process.wait()


def await_redis(url: str) -> None:
    """Wait until Redis answers; it may have a long log to load."""
    redis = connect(url)
    deadline = time.monotonic() + START_SECONDS_MAX
    while True:
        try:
            redis.ping()
            return
        except RedisError:
            if time.monotonic() > deadline:
                raise
            time.sleep(POLL_SECONDS)


def first_admin_key(settings: Settings) -> str | None:
    """The key of a first admin, made once in the life of a log."""
    desk = make_desk(settings, connect(settings.redis_url), nudge=lambda game: None)
    if not desk.directory.claim("first-admin"):
        return None
    _, text = add_key(desk, add_player(desk, "admin", scopes=SCOPES).id, SCOPES, label="first admin key")
    return text


def web_command(settings: Settings) -> list[str]:
    """The command of the web processes."""
    return [
        *(sys.executable, "-m", "gunicorn", "wsgi:app", "--worker-class", "referee.server.Worker"),
        *("--bind", f"{settings.host}:{settings.port}", "--workers", str(settings.web_processes)),
        *("--worker-connections", str(settings.web_connections), "--keep-alive", str(settings.client_seconds)),
        *("--graceful-timeout", "5", "--log-level", "warning", "--limit-request-line", "8190", "--no-control-socket"),
    ]


def start(command: list[str], environment: dict[str, str]) -> Callable[[], Process]:
    """How a process is started; it does not get the terminal's Ctrl-C, but it ends with the supervisor."""
    return lambda: subprocess.Popen(command, env=environment, start_new_session=True, preexec_fn=end_with_parent)


def children(settings: Settings, environment: dict[str, str]) -> list[Child]:
    """The web, the workers and the sweep."""
    python = [sys.executable, "-m"]
    wanted = {
        "nudges": settings.workers,
        "quick-bots": settings.quick_bot_workers,
        "bots": settings.bot_workers,
        "audits": settings.audit_workers,
    }
    workers = [
        Child(f"worker {queue} {number}", start([*python, "workers.worker", queue], environment))
        for queue, count in wanted.items()
        for number in range(count)
    ]
    return [
        Child("web", start(web_command(settings), environment)),
        *workers,
        Child("sweep", start([*python, "workers.sweep"], environment)),
    ]


def embedded(settings: Settings) -> Iterator[Child]:
    """Start the Redis servers that no setting names; their URLs go into the environment, where every process looks.

    The queues have a server of their own that keeps nothing: a lost nudge does no harm, and the log's file stays
    free of the queue's comings and goings.
    """
    var = Path(settings.var)
    if not settings.redis_url:
        yield _kept_server("REDIS_URL", var / SERVERS[0], settings.redis_fsync, settings.redis_memory_mb)
    if not settings.queue_redis_url:
        yield _kept_server("QUEUE_REDIS_URL", var / SERVERS[1], None, settings.queue_memory_mb)


def _kept_server(variable: str, directory: Path, fsync: str | None, memory_mb: int) -> Child:
    close_to_others(directory.parent)

    def start_server() -> Process:
        process, os.environ[variable] = start_redis(directory, fsync, memory_mb)
        return process

    return Child(directory.name, start_server, lambda: last_words(directory))


def raise_file_limit() -> None:
    """Let a process hold as many connections as the machine allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def main() -> None:
    """Run everything until Ctrl-C or SIGTERM. What was started last is stopped first, Redis at the very end."""
    settings = read_settings()
    set_up_logs(settings.log_level)
    stopping: list[int] = []
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda number, _: stopping.append(number))
    raise_file_limit()
    os.umask(UMASK)
    kept: list[Child] = []
    with contextlib.ExitStack() as stack:
        for server in embedded(settings):
            kept.append(server)
            stack.callback(server.stop)
        settings = read_settings()
        await_redis(settings.redis_url)
        await_redis(settings.queue_redis_url)
        metrics = stack.enter_context(tempfile.TemporaryDirectory(prefix="referee-metrics-"))
        key = first_admin_key(settings)
        for child in children(settings, {**os.environ, "PROMETHEUS_MULTIPROC_DIR": metrics}):
            kept.append(child)
            stack.callback(child.stop)
        announce(settings, key)
        while not stopping:
            for child in kept:
                child.tend()
            time.sleep(POLL_SECONDS)
        _log.info("stopping")
        for child in reversed(kept):
            if child.name not in SERVERS:
                child.ask_to_end()
    _log.info("stopped")


def announce(settings: Settings, key: str | None) -> None:
    """Tell where the referee is to be found."""
    address = f"http://{settings.host}:{settings.port}"
    lines = ["", f"  referee serves on  {address}", f"  documentation      {address}/docs"]
    if key is not None:
        lines.append(f"  first admin key    {key}   (shown only now)")
    print("\n".join([*lines, ""]), flush=True)


if __name__ == "__main__":
    try:
        main()
    except (Unusable, SettingError) as error:
        sys.exit(str(error))
