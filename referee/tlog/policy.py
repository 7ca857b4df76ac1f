"""Whose signatures make a checkpoint valid: a file in the format of C2SP's tlog-policy."""

import re
from collections.abc import Collection
from typing import NoReturn

import msgspec

from referee.tlog.note import (
    Checkpoint,
    Cosigner,
    InvalidNote,
    Verifier,
    read_checkpoint,
    read_cosigner,
    read_vkey,
    signer_of,
    split_note,
)

NONE = "none"
LINES_MAX = 256
"""Groups contain groups, so this also limits their depth."""
POLICY_BYTES_MAX = 262_144
_COUNT = re.compile(r"[1-9][0-9]{0,3}")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class InvalidPolicy(Exception):
    """A text is not a policy; the message names the line and the reason."""


class Group(msgspec.Struct, frozen=True):
    """Names of witnesses and groups, of which some must have witnessed a checkpoint."""

    threshold: int
    members: tuple[str, ...]


class Policy(msgspec.Struct, frozen=True):
    """The logs that are known, and the witnesses that must have cosigned."""

    logs: tuple[Verifier, ...] = ()
    witnesses: dict[str, Cosigner] = {}
    groups: dict[str, Group] = {}
    quorum: str = NONE
    urls: dict[str, str] = {}
    """Where witnesses are asked to cosign, by their names."""

    def open(self, note: str) -> tuple[Checkpoint, tuple[str, ...]]:
        """The checkpoint of a note, and the witnesses that cosigned it; raises InvalidNote for too few signatures."""
        text, signatures = split_note(note)
        log = signer_of(note, self.logs)
        checkpoint = read_checkpoint(text)
        if checkpoint.origin != log.name:
            raise InvalidNote(f"The checkpoint is of {checkpoint.origin}, but the key of {log.name} signed it.")
        cosigned = [
            name
            for name, witness in self.witnesses.items()
            if any(
                (signer, signature[:4]) == (witness.name, witness.id)
                and witness.cosigned_at(text, signature[4:]) is not None
                for signer, signature in signatures
            )
        ]
        if not self.is_reached(cosigned):
            found = ", ".join(cosigned) or "no witness of the policy"
            raise InvalidNote(f"The quorum {self.quorum} is not reached: {found} cosigned the checkpoint.")
        return checkpoint, tuple(cosigned)

    def is_reached(self, cosigned: Collection[str]) -> bool:
        """Whether these witnesses are a quorum."""
        return self.quorum == NONE or self._has_witnessed(self.quorum, cosigned)

    def _has_witnessed(self, name: str, cosigned: Collection[str]) -> bool:
        group = self.groups.get(name)
        if group is None:
            return name in cosigned
        return sum(self._has_witnessed(member, cosigned) for member in group.members) >= group.threshold


def read_policy(data: bytes) -> Policy:
    """The policy of a file; raises InvalidPolicy."""
    if len(data) > POLICY_BYTES_MAX:
        raise InvalidPolicy(f"A policy has at most {POLICY_BYTES_MAX} bytes.")
    reading = _Reading()
    for number, line in enumerate(data.decode("utf-8", "surrogateescape").split("\n")[: LINES_MAX + 1], 1):
        try:
            if number > LINES_MAX:
                raise InvalidPolicy(f"A policy has at most {LINES_MAX} lines.")
            reading.add(line)
        except (InvalidPolicy, InvalidNote) as error:
            raise InvalidPolicy(f"line {number}: {error}") from None
    if reading.quorum is None:
        raise InvalidPolicy("A policy has a line `quorum`.")
    return Policy(tuple(reading.logs), reading.witnesses, reading.groups, reading.quorum, reading.urls)


class _Reading:
    """A policy as far as it has been read."""

    def __init__(self) -> None:
        self.logs: list[Verifier] = []
        self.witnesses: dict[str, Cosigner] = {}
        self.groups: dict[str, Group] = {}
        self.quorum: str | None = None
        self.urls: dict[str, str] = {}
        self._members: set[str] = set()

    def add(self, line: str) -> None:
        """Add a line; raises InvalidPolicy or InvalidNote."""
        if _CONTROL.search(line):
            raise InvalidPolicy("It has a control character.")
        words = [word for word in re.split("[ \t]+", line) if word]
        match words:
            case []:
                return
            case [first, *_] if first.startswith("#"):
                return
            case ["log", vkey] | ["log", vkey, _]:
                self._add_log(read_vkey(vkey))
            case ["witness", name, vkey]:
                self._add_witness(name, read_cosigner(vkey))
            case ["witness", name, vkey, url]:
                self._add_witness(name, read_cosigner(vkey))
                self.urls[name] = url
            case ["group", name, threshold, *members] if members:
                self._add_group(name, threshold, members)
            case ["quorum", name]:
                self._set_quorum(name)
            case _:
                self._fail("Expected `log VKEY`, `witness NAME VKEY`, `group NAME K MEMBER…` or `quorum NAME`.")

    def _add_log(self, log: Verifier) -> None:
        if any(log.public == other.public for other in self.logs):
            self._fail("This log is named twice.")
        self.logs.append(log)

    def _add_witness(self, name: str, witness: Cosigner) -> None:
        self._require_new(name)
        if any(witness.public == other.public for other in self.witnesses.values()):
            self._fail("This witness is named twice.")
        self.witnesses[name] = witness

    def _add_group(self, name: str, threshold: str, members: list[str]) -> None:
        self._require_new(name)
        for member in members:
            if member not in self.witnesses and member not in self.groups:
                self._fail(f"{member!r} is not defined above.")
            if member in self._members:
                self._fail(f"{member!r} is already a member of a group.")
            self._members.add(member)
        counts = {"any": 1, "all": len(members)}
        if threshold not in counts and not _COUNT.fullmatch(threshold):
            self._fail("The threshold of a group is `any`, `all` or a number.")
        least = counts[threshold] if threshold in counts else int(threshold)
        if least > len(members):
            self._fail(f"The group has {len(members)} members, fewer than {least}.")
        self.groups[name] = Group(least, tuple(members))

    def _set_quorum(self, name: str) -> None:
        if self.quorum is not None:
            self._fail("There is a second quorum.")
        if name != NONE and name not in self.witnesses and name not in self.groups:
            self._fail(f"{name!r} is not defined above.")
        self.quorum = name

    def _require_new(self, name: str) -> None:
        if name == NONE or name in self.witnesses or name in self.groups:
            self._fail(f"The name {name!r} is taken.")

    def _fail(self, detail: str) -> NoReturn:
        raise InvalidPolicy(detail)
