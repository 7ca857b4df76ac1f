"""Only the owner can read what the service writes, and it uses no directory that another user could have prepared."""

import contextlib
import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from redis import Redis

from referee.ops.embedded import SOCKET_PATH_MAX, clean_up, socket_path
from referee.ops.private import close_to_others, is_private, make_private, short_directory
from tests.redis_server import RedisServer
from tests.service import ROOT, Service
from tests.waiting import eventually
from tests.workers.test_run import failed_start

NOBODY = 65534

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="Only root can act as another user.")


@pytest.fixture
def directory() -> Iterator[Path]:
    """A directory that every user can enter, unlike those of pytest, with a umask that keeps no file private."""
    path = Path(tempfile.mkdtemp(prefix="open-"))
    path.chmod(0o755)
    former = os.umask(0)
    yield path
    os.umask(former)
    shutil.rmtree(path)


@pytest.fixture
def service(directory: Path) -> Iterator[Service]:
    running = Service(directory)
    yield running
    if running.process is not None:
        running.kill()


def everything(directory: Path) -> list[Path]:
    return [directory, *directory.rglob("*")]


def open_to_others(directory: Path) -> list[str]:
    """The paths in a directory that other users may read, write or enter."""
    found = []
    for path in everything(directory):
        with contextlib.suppress(FileNotFoundError):
            if not path.is_symlink() and (mode := stat.S_IMODE(path.stat().st_mode)) & 0o077:
                found.append(f"{mode:o} {path}")
    return found


def as_nobody(act: Callable[[], object]) -> bool:
    """Whether another user can carry out an action."""
    child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        try:
            act()
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def processes_of(directory: Path) -> list[str]:
    """The processes that have a directory in their command line."""
    rows = subprocess.run(["ps", "-ww", "-eo", "args", "--no-headers"], capture_output=True, text=True, check=True)
    return [row for row in rows.stdout.splitlines() if str(directory) in row]


def connect_to(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path))


def back_up(service: Service, target: Path) -> None:
    command = [sys.executable, "-m", "referee.ops.backup", str(target), "--records"]
    environment = {**os.environ, "REDIS_URL": "", "VAR": str(service.directory / "var")}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=60, capture_output=True)


def rewrite(redis: Redis) -> None:
    """Let Redis rewrite its append-only files."""
    redis.bgrewriteaof()
    eventually(lambda: (found := redis.info("persistence"))["aof_rewrite_in_progress"] == 0 and found)


def test_no_written_file_is_open_to_others(service: Service) -> None:
    """This holds from the first start on: while files are rewritten, after a crash, in a backup, and after the end."""
    var, backup = service.directory / "var", service.directory / "backups" / "monday"
    home = service.directory / "home"
    home.mkdir()
    service.settings["HOME"] = str(home)
    ada = service.start().player("ada")
    over = ada.create({"bot": "random"}, {"bot": "random"})["id"]
    eventually(lambda: ada.game(over)["status"] == "finished", 60)
    assert open_to_others(var) == []
    umasks = {_umask(pid) for pid in service.pids("")}
    assert umasks == {"0077"}
    rewrite(Redis.from_url(service.redis_url))
    assert open_to_others(var) == []
    service.kill()
    assert open_to_others(var) == []
    service.start()
    back_up(service, backup)
    assert any((backup / "records").iterdir())
    assert open_to_others(backup) == []
    assert service.stop() == 0
    assert open_to_others(var) == []
    assert list(home.iterdir()) == []


def _umask(pid: int) -> str:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(line.split()[1] for line in lines if line.startswith("Umask:"))


def test_files_open_to_others_are_closed_at_the_next_start(service: Service) -> None:
    var = service.directory / "var"
    service.start()
    service.kill()
    tool = var / "tools" / "bench"
    tool.parent.mkdir()
    tool.touch()
    for path in everything(var):
        path.chmod(0o777)
    back_up(service, service.directory / "backup")
    service.start()
    assert [path for path in open_to_others(var) if "tools" not in path] == []
    assert open_to_others(service.directory / "backup") == []
    assert stat.S_IMODE(tool.stat().st_mode) == 0o777, "files of others stay as they are, in a directory that is closed"


@as_root
def test_another_user_reads_no_file_and_reaches_no_server(service: Service) -> None:
    service.start()
    back_up(service, service.directory / "backup")
    rewrite(Redis.from_url(service.redis_url))
    paths = [*everything(service.directory / "var"), *everything(service.directory / "backup")]
    assert len(paths) > 12
    for path in paths:
        act = os.listdir if path.is_dir() else connect_to if path.is_socket() else Path.read_bytes
        assert not as_nobody(lambda act=act, path=path: act(path)), path
    assert as_nobody(lambda: service.log_path.read_bytes()), "the owner can, so the test detects access"


@as_root
@pytest.mark.parametrize("part", ["", "redis", "queue"])
def test_a_directory_of_another_user_is_refused(directory: Path, part: str) -> None:
    (directory / "var" / part).mkdir(parents=True)
    os.chown(directory / "var" / part, NOBODY, NOBODY)
    assert str(directory / "var" / part) in failed_start(VAR=str(directory / "var"), REDIS_URL="")
    assert [path for path in everything(directory / "var" / part) if path.is_file()] == []
    assert processes_of(directory) == []


@as_root
def test_a_link_of_another_user_is_not_followed(directory: Path) -> None:
    (directory / "mine").mkdir(mode=0o755)
    (directory / "var").mkdir()
    (directory / "var").chmod(0o1777)
    os.symlink(directory / "mine", directory / "var" / "redis")
    os.lchown(directory / "var" / "redis", NOBODY, NOBODY)
    assert "belongs to another user" in failed_start(VAR=str(directory / "var"), REDIS_URL="")
    assert list((directory / "mine").iterdir()) == []
    assert stat.S_IMODE((directory / "mine").stat().st_mode) == 0o755


@as_root
def test_a_backup_is_not_put_where_another_user_could_replace_it(service: Service) -> None:
    target = service.directory / "backup"
    target.mkdir()
    os.chown(target, NOBODY, NOBODY)
    service.start()
    with pytest.raises(subprocess.CalledProcessError) as refused:
        back_up(service, target)
    assert f"Other users can change {target}" in refused.value.stderr.decode()
    assert list(target.iterdir()) == []


def test_the_error_names_a_directory_that_cannot_be_created(directory: Path) -> None:
    (directory / "var").touch()
    assert failed_start(VAR=str(directory / "var"), REDIS_URL="").startswith(f"{directory / 'var'} cannot be created")


def test_links_in_a_directory_are_not_followed_when_it_is_closed(directory: Path) -> None:
    outside = directory / "outside"
    outside.touch(mode=0o666)
    (directory / "data").mkdir()
    (directory / "data" / "link").symlink_to(outside)
    make_private(directory / "data")
    assert stat.S_IMODE(outside.stat().st_mode) == 0o666


def test_a_directory_that_all_users_share_stays_as_it_is(directory: Path) -> None:
    directory.chmod(0o1777)
    close_to_others(directory)
    assert stat.S_IMODE(directory.stat().st_mode) == 0o1777


def long_path(directory: Path) -> Path:
    """A directory in which the path of a socket would be too long."""
    return directory / ("long" * (SOCKET_PATH_MAX // 4))


def test_a_socket_with_too_long_a_path_is_in_a_private_directory(directory: Path) -> None:
    server = RedisServer(long_path(directory)).start()
    path = socket_path(server.directory)
    try:
        assert len(str(path)) <= SOCKET_PATH_MAX
        assert is_private(path.parent)
        assert open_to_others(path.parent) == []
        assert server.client().ping()
    finally:
        server.stop()
    assert socket_path(server.directory) == path, "the next start uses the same directory"
    clean_up(server.directory)
    assert not path.parent.exists()
    assert not any(each.is_symlink() for each in server.directory.iterdir())


def prepared() -> dict[str, Callable[[Path], None]]:
    """What another user could have put at the place of a server's socket directory."""

    def link_elsewhere(path: Path) -> None:
        path.rmdir()
        path.symlink_to(path.parent)

    found: dict[str, Callable[[Path], None]] = {
        "nothing": Path.rmdir,
        "open to others": lambda path: path.chmod(0o755),
        "writable for a group": lambda path: path.chmod(0o720),
        "a file": lambda path: (path.rmdir(), path.touch(mode=0o600))[1],
        "a link": link_elsewhere,
    }
    if os.geteuid() == 0:
        found["of another user"] = lambda path: os.chown(path, NOBODY, NOBODY)
    return found


@pytest.mark.parametrize("how", prepared())
def test_a_socket_directory_that_another_user_prepared_is_not_used(directory: Path, how: str) -> None:
    first = short_directory(directory, "socket")
    prepared()[how](first)
    second = short_directory(directory, "socket")
    assert first != second
    assert is_private(second)
    assert short_directory(directory, "socket") == second
    second.rmdir()
    if first.is_symlink() or first.is_file():
        first.unlink()
    elif first.exists():
        first.rmdir()


def test_a_copied_directory_has_its_own_socket(directory: Path) -> None:
    original = short_directory(directory, "socket")
    copy = directory / "copy"
    copy.mkdir()
    (copy / "socket").symlink_to(original)
    other = short_directory(copy, "socket")
    assert other != original
    for each in (original, other):
        each.rmdir()


def test_the_whole_service_runs_in_a_directory_with_a_long_path(directory: Path) -> None:
    long = Service(long_path(directory))
    long.directory.mkdir()
    try:
        assert long.start().player("ada").get("/me").status_code == 200
        back_up(long, directory / "backup")
        assert sorted(path.name for path in (directory / "backup" / "redis").iterdir()) == ["appendonlydir"]
        sockets = [socket_path(long.directory / "var" / part) for part in ("redis", "queue")]
        assert len(set(sockets)) == 2
        assert all(is_private(path.parent) for path in sockets)
    finally:
        long.kill()
    for part in ("redis", "queue"):
        clean_up(long.directory / "var" / part)
