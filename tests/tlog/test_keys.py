"""Keys begin, end and are revoked, and the log says so; a log that changes its key goes on."""

import json
from pathlib import Path

import pytest
from redis import Redis

from referee.ops.keys import main
from referee.settings import Settings
from referee.tlog.keys import LOG_FILE, RECEIPTS_FILE, KeyFile, Notices, receipts_name
from referee.tlog.leaf import KeyNotice, key_tag
from referee.tlog.note import InvalidNote, read_vkey
from referee.tlog.published import CHECKPOINT
from referee.tlog.sequencer import Sequencer, read_signed
from referee.tlog.tree import Tree
from tests.redis_server import RedisServer

ORIGIN = "referee.example/log"


class Keys:
    """The keys of a service, and its sequencer as it starts each time."""

    def __init__(self, redis: Redis, server: RedisServer, directory: Path) -> None:
        self.redis, self.directory = redis, directory
        self.settings = Settings(redis_url=server.url, log_origin=ORIGIN, log_dir=str(directory))
        self.tree = Tree(redis, directory)

    def start(self) -> Sequencer:
        *others, newest = KeyFile(self.directory / LOG_FILE, ORIGIN).signers()
        return Sequencer(self.redis, self.tree, newest, self.directory, others)

    def run(self, *arguments: str) -> int:
        return main(list(arguments), self.settings)

    def vkeys(self, file: str = LOG_FILE, name: str = ORIGIN) -> list[str]:
        return [signer.verifier.vkey for signer in KeyFile(self.directory / file, name).signers()]

    def leaves(self) -> list[tuple[str, int]]:
        entries = [json.loads(entry) for entry in self.tree.entries(0, self.tree.edge().size)]
        return [(entry["game"], entry["version"]) for entry in entries if entry["kind"] == "key"]

    def note(self) -> str:
        found = self.redis.get(CHECKPOINT)
        assert isinstance(found, bytes)
        return found.decode()


@pytest.fixture
def keys(redis: Redis, server: RedisServer, tmp_path: Path) -> Keys:
    keys = Keys(redis, server, tmp_path / "log")
    (vkey,) = keys.vkeys()
    Notices(redis).announce(KeyNotice("begin", vkey, "log"))
    return keys


def test_a_log_changes_its_key_and_goes_on_with_the_same_tree(keys: Keys) -> None:
    (old,) = keys.vkeys()
    keys.start().round()
    assert keys.run("rotate", "log") == 0
    new = keys.vkeys()[-1]
    assert keys.run("end", old) == 2
    keys.start().round()
    assert {read_signed(keys.note(), read_vkey(vkey)) for vkey in (old, new)} == {
        read_signed(keys.note(), read_vkey(old))
    }
    assert keys.run("end", old) == 0
    assert keys.vkeys() == [new]
    keys.start().round()
    with pytest.raises(InvalidNote):
        read_signed(keys.note(), read_vkey(old))
    assert read_signed(keys.note(), read_vkey(new)).size == 3
    assert keys.leaves() == [(key_tag(old), 0), (key_tag(new), 0), (key_tag(old), 1)]
    keys.start().round()
    assert len(keys.leaves()) == 3


def test_the_newest_key_and_an_unknown_one_cannot_end(keys: Keys, capsys: pytest.CaptureFixture[str]) -> None:
    (vkey,) = keys.vkeys()
    for change in ("end", "revoke"):
        assert keys.run(change, vkey) == 2
        assert "rotate log" in capsys.readouterr().err
        assert keys.run(change, "nonsense") == 2
    assert keys.vkeys() == [vkey]
    assert keys.leaves() == []


def test_an_old_key_for_receipts_is_revoked_also_after_its_end(keys: Keys, capsys: pytest.CaptureFixture[str]) -> None:
    name = receipts_name(ORIGIN)
    assert name == "referee.example/receipts"
    (old,) = keys.vkeys(RECEIPTS_FILE, name)
    Notices(keys.redis).announce(KeyNotice("begin", old, "receipts"))
    keys.start().round()
    assert keys.run("rotate", "receipts") == 0
    assert keys.run("end", old) == 0
    assert keys.run("revoke", old) == 0
    keys.start().round()
    (new,) = keys.vkeys(RECEIPTS_FILE, name)
    assert sorted(version for tag, version in keys.leaves() if tag == key_tag(old)) == [0, 1, 2]
    assert key_tag(new) in {tag for tag, _ in keys.leaves()}
    capsys.readouterr()
    assert keys.run("show") == 0
    shown = capsys.readouterr().out
    assert "PRIVATE" not in shown and shown.count(old) == 3


def test_key_files_are_private_and_several_processes_make_one_key(keys: Keys) -> None:
    file = KeyFile(keys.directory / "shared", ORIGIN)
    first = file.signers()[0].verifier
    file._make()
    assert [signer.verifier for signer in file.signers()] == [first]
    file.add()
    assert file.path.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in keys.directory.iterdir()) == ["key", "shared"]
    file.path.write_text("")
    with pytest.raises(InvalidNote):
        file.signers()


def test_without_a_log_there_are_no_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show"], Settings()) == 2
    assert "LOG_ORIGIN" in capsys.readouterr().err
