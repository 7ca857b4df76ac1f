"""The keys of the service: files with private keys, and what the log has to say about them."""

import os
import secrets
from pathlib import Path

from redis import Redis

from referee.tlog.leaf import KeyNotice, read_notice
from referee.tlog.note import InvalidNote, Signer, new_signer, read_signer

NOTICES = "{tlog}:notices"
"""Every notice with its place in the log; empty while it waits for the sequencer."""
LOG_FILE, RECEIPTS_FILE = "key", "receipts-key"


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
        signers = tuple(read_signer(line) for line in self.path.read_text().splitlines())
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

    def waiting(self) -> list[KeyNotice]:
        """The notices that are not in the log yet."""
        return [notice for notice, index in self.all() if index is None]

    def logged(self, notices: list[KeyNotice], first: int) -> None:
        """Note where notices are in the log."""
        self._redis.hset(NOTICES, mapping={notice.text: index for index, notice in enumerate(notices, first)})
