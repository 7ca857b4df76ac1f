"""The keys of the service: files with private keys, and what the log has to say about them."""

import logging
import math
import os
import secrets
import time
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from referee.tlog.leaf import KeyNotice, read_notice
from referee.tlog.note import InvalidNote, Signer, new_signer, read_signer

NOTICES = "{tlog}:notices"
"""Every notice with its place in the log; empty while it waits for the sequencer."""
LOG_FILE, RECEIPTS_FILE = "key", "receipts-key"
REREAD_S = 0.5
"""The longest time for which a process signs with a key that was taken out of its file."""

_log = logging.getLogger(__name__)


def receipts_name(origin: str) -> str:
    """The name of the key for receipts: that of the log, with another last part."""
    return f"{origin.rpartition('/')[0] or origin}/receipts"


class KeyFile:
    """A file with the private keys of one name, one per line; the last one is the newest."""

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        self._name = name

    def signers(self) -> tuple[Signer, ...]:
        """The keys; the first one is made when there is no file. Raises InvalidNote for a key of another name."""
        if not self.path.exists():
            self._make()
        return self.read(self.path.read_text())

    def read(self, text: str) -> tuple[Signer, ...]:
        """The keys in a text of the file; raises InvalidNote."""
        signers = tuple(read_signer(line) for line in text.splitlines())
        if not signers:
            raise InvalidNote(f"There is no key in {self.path}.")
        for signer in signers:
            if signer.verifier.name != self._name:
                raise InvalidNote(f"The key in {self.path} is of {signer.verifier.name}, not of {self._name}.")
        return signers

    def add(self) -> Signer:
        """Add a new key."""
        signer = new_signer(self._name)
        self._write((*self.signers(), signer))
        return signer

    def remove(self, vkey: str) -> None:
        """Remove a key."""
        self._write(tuple(signer for signer in self.signers() if signer.verifier.vkey != vkey))

    def _make(self) -> None:
        """Make the first key; of several processes that do so at once, one wins."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        temporary = self._written((new_signer(self._name),))
        try:
            os.link(temporary, self.path)
        except FileExistsError:
            return
        finally:
            temporary.unlink()

    def _write(self, signers: tuple[Signer, ...]) -> None:
        self._written(signers).replace(self.path)

    def _written(self, signers: tuple[Signer, ...]) -> Path:
        """A new file with these keys that nobody else can read, complete and on disk."""
        temporary = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write("".join(f"{signer.secret}\n" for signer in signers))
            file.flush()
            os.fsync(file.fileno())
        return temporary


class CurrentKey:
    """The newest key of a file that was neither ended nor revoked, read anew at least twice a second."""

    def __init__(self, file: KeyFile, notices: "Notices") -> None:
        """Makes the first key; raises InvalidNote or OSError."""
        file.signers()
        self._file = file
        self._notices = notices
        self._text = ""
        self._signers: tuple[Signer, ...] = ()
        self._closed: frozenset[str] = frozenset()
        self._read_at = -math.inf

    def signer(self) -> Signer | None:
        """The key to sign with now; None: there is none, or it cannot be read."""
        if time.monotonic() - self._read_at > REREAD_S:
            self._read()
        return next((each for each in reversed(self._signers) if each.verifier.vkey not in self._closed), None)

    def _read(self) -> None:
        began = time.monotonic()
        try:
            text = self._file.path.read_text()
            if text != self._text:
                self._text, self._signers = text, self._file.read(text)
            self._closed = self._notices.closed()
        except (InvalidNote, OSError, RedisError) as error:
            self._text, self._signers = "", ()
            _log.error("nothing can be signed: %s", error)
        self._read_at = began


class Notices:
    """What has happened to the keys of the service."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def announce(self, notice: KeyNotice) -> None:
        """Have a notice logged, unless that was done before."""
        self._redis.hsetnx(NOTICES, notice.text, "")

    def all(self) -> list[tuple[KeyNotice, int | None]]:
        """Every notice with its place in the log, in the order of the log; None: it is not there yet."""
        found: object = self._redis.hgetall(NOTICES)
        assert isinstance(found, dict)
        read = [(read_notice(text.decode()), int(index) if index else None) for text, index in found.items()]
        known = [(notice, index) for notice, index in read if notice is not None]
        return sorted(known, key=lambda each: (each[1] is None, each[1] or 0, each[0].text))

    def closed(self) -> frozenset[str]:
        """The public keys that were ended or revoked."""
        return frozenset(notice.key for notice, _ in self.all() if notice.change != "begin")

    def waiting(self) -> list[KeyNotice]:
        """The notices that are not in the log yet."""
        return [notice for notice, index in self.all() if index is None]

    def logged(self, notices: list[KeyNotice], first: int) -> None:
        """Note where notices are in the log."""
        self._redis.hset(NOTICES, mapping={notice.text: index for index, notice in enumerate(notices, first)})
