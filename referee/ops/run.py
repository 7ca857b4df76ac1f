"""`make run`: runs Redis, web and workers in one terminal, restarts what dies, and stops everything cleanly."""

import contextlib
import gc
import logging
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from redis.exceptions import RedisError

from referee.offline.parent import end_with_parent
from referee.ops.embedded import last_warnings, start_redis
from referee.ops.forked import Forked
from referee.ops.logs import set_up_logs
from referee.ops.private import UMASK, Unusable, close_to_others
from referee.settings import SettingError, Settings, read_settings

START_SECONDS_MAX = 60
STOP_SECONDS_MAX = 15
GRACEFUL_SECONDS = 5
"""The time that a web process has to answer the requests that it has, when it stops."""
POLL_SECONDS = 0.1
RESTART_SECONDS = 0.5

SERVERS = ("redis", "queue")
"""The embedded Redis servers, which stop after all other processes."""

_log = logging.getLogger("referee.ops.run")

Process = subprocess.Popen[bytes] | Forked


@dataclass
class Child:
    """A process that the supervisor keeps running."""

    name: str
    start: Callable[[], Process]
    last_warnings: Callable[[], str] = lambda: ""
    process: Process = field(init=False)
    restart_at: float | None = None
    is_terminated: bool = False
    stop_seconds_max: float = STOP_SECONDS_MAX

    def __post_init__(self) -> None:
        self.process = self.start()

    def keep_running(self) -> None:
        """Restart the process after a short pause if it has died."""
        if self.process.poll() is None:
            return
        now = time.monotonic()
        if self.restart_at is None:
            warnings = self.last_warnings()
            reason = f": {warnings}" if warnings else ""
            _log.warning("%s ended with status %s and restarts%s", self.name, self.process.returncode, reason)
            self.restart_at = now + RESTART_SECONDS
        elif now >= self.restart_at:
            self.restart_at = None
            self.process = self.start()

    def terminate(self) -> None:
        """Send SIGTERM to the process, once."""
        if not self.is_terminated:
            self.is_terminated = True
            self.process.terminate()

    def stop(self) -> None:
        """End the process with SIGTERM, or with SIGKILL if it does not end in time."""
        if self.process.poll() is None:
            self.terminate()
            try:
                self.process.wait(self.stop_seconds_max)
            except subprocess.TimeoutExpired:
                _log.warning("%s did not end within %s seconds and is killed", self.name, self.stop_seconds_max)
                self.process.kill()
                self.process.wait()


def await_redis(url: str) -> None:
    """Wait until Redis answers, which may take long if it has much data to load; raises SettingError."""
    from referee.store.checks import Refused, check
    from referee.store.urls import without_password
    from referee.wiring import connect

    redis = connect(url)
    deadline = time.monotonic() + START_SECONDS_MAX
    while True:
        try:
            return check(redis)
        except Refused as refused:
            raise SettingError(f"{without_password(url)}: {refused}") from None
        except RedisError as error:
            if time.monotonic() > deadline:
                raise SettingError(
                    f"{without_password(url)}: no server has answered for {START_SECONDS_MAX} seconds: {error}. "
                    "Correct the addresses in the URL, or start the servers."
                ) from None
            time.sleep(POLL_SECONDS)


def first_admin_key(settings: Settings) -> str | None:
    """Create the first admin of a new store and return the key; None if there already is one."""
    from referee.service.players import SCOPES, add_key, add_player
    from referee.wiring import connect, make_repository

    repository = make_repository(settings, connect(settings.redis_url), nudge=lambda game: None)
    if not repository.directory.claim("first-admin"):
        return None
    _, text = add_key(repository, add_player(repository, "admin", scopes=SCOPES).id, SCOPES, label="first admin key")
    return text


def web_command(settings: Settings) -> list[str]:
    """Return the command that starts the web processes."""
    return [
        *(sys.executable, "-m", "gunicorn", "wsgi:app", "--worker-class", "referee.ops.server.Worker"),
        *("--logger-class", "referee.ops.web_log.WebLog", "--name", f"wsgi:app {settings.host}:{settings.port}"),
        *("--bind", f"{settings.host}:{settings.port}", "--workers", str(settings.web_processes)),
        *("--worker-connections", str(settings.web_connections), "--keep-alive", str(settings.client_seconds)),
        *("--graceful-timeout", str(math.ceil(settings.drain_seconds) + GRACEFUL_SECONDS)),
        *("--log-level", "warning", "--limit-request-line", "8190", "--no-control-socket"),
    ]


def start(command: list[str]) -> Callable[[], Process]:
    """Return a function that starts a command, which ignores Ctrl-C in the terminal but ends with the supervisor."""
    return lambda: subprocess.Popen(command, start_new_session=True, preexec_fn=end_with_parent)


def fork(title: str, run: Callable[[], object]) -> Callable[[], Process]:
    """Return a function that forks a process, which gets a title for `ps`."""
    return lambda: Forked(f"referee {title}", run)


def children(settings: Settings) -> list[Child]:
    """Start the web server, the workers and the sweep."""
    from workers import sequencer, sweep, worker

    gc.freeze()  # what is loaded stays, so that the collector does not touch, and so copy, the shared memory
    counts = {
        "nudges": settings.workers,
        "quick-bots": settings.quick_bot_workers,
        "bots": settings.bot_workers,
        "audits": settings.audit_workers,
    }
    workers = [
        Child(f"worker {queue} {number}", fork(f"workers.worker {queue}", partial(worker.main, [queue])))
        for queue, count in counts.items()
        for number in range(count)
    ]
    drained = STOP_SECONDS_MAX + settings.drain_seconds
    return [
        Child("web", start(web_command(settings)), stop_seconds_max=drained),
        *workers,
        Child("sweep", fork("workers.sweep", sweep.main)),
        *([Child("sequencer", fork("workers.sequencer", partial(sequencer.main, [])))] if settings.log_origin else []),
    ]


def embedded(settings: Settings) -> Iterator[Child]:
    """Start a Redis server for each URL that is not set, and set the URL in the environment of all processes.

    The queues have a server of their own that does not write to disk: a lost nudge does no harm, and the log's file
    does not grow with the traffic of the queues.
    """
    var = Path(settings.var)
    if not settings.redis_url:
        yield _embedded_server(settings, "REDIS_URL", var / SERVERS[0], settings.redis_fsync, settings.redis_memory_mb)
    if not settings.queue_redis_url:
        yield _embedded_server(settings, "QUEUE_REDIS_URL", var / SERVERS[1], None, settings.queue_memory_mb)


def _embedded_server(settings: Settings, variable: str, directory: Path, fsync: str | None, memory_mb: int) -> Child:
    close_to_others(directory.parent)

    def start_server() -> Process:
        process, os.environ[variable] = start_redis(directory, fsync, memory_mb, settings.redis_server)
        return process

    return Child(directory.name, start_server, lambda: last_warnings(directory))


def raise_file_limit() -> None:
    """Raise the limit of open files, and so of connections, to the most that the machine allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def main() -> None:
    """Run everything until Ctrl-C or SIGTERM, then stop it in reverse order, Redis last."""
    settings = read_settings()
    set_up_logs(settings.log_level, settings.log_format)
    stopping: list[int] = []
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda number, _: stopping.append(number))
    raise_file_limit()
    os.umask(UMASK)
    running: list[Child] = []
    with contextlib.ExitStack() as stack:
        for server in embedded(settings):
            running.append(server)
            stack.callback(server.stop)
        settings = read_settings()
        # Before anything is loaded that counts: what counts reads where to do so when it is loaded.
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = stack.enter_context(
            tempfile.TemporaryDirectory(prefix="referee-metrics-")
        )
        await_redis(settings.redis_url)
        await_redis(settings.queue_redis_url)
        key = first_admin_key(settings)
        for child in children(settings):
            running.append(child)
            stack.callback(child.stop)
        announce(settings, key)
        while not stopping:
            for child in running:
                child.keep_running()
            time.sleep(POLL_SECONDS)
        _log.info("stopping")
        for child in reversed(running):
            if child.name not in SERVERS:
                child.terminate()
    _log.info("stopped")


def announce(settings: Settings, key: str | None) -> None:
    """Print the addresses of the service, and the first admin key if it is new."""
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
