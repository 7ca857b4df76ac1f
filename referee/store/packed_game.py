"""The form in which a finished game is packed: its portable record, and what lay beside its log, as lines in xz.

The first lines are those of the record: the header, the commits, the secret. After them come the texts, and then what
only the service needs. There is nothing about players but what they wrote: who held the seats is in the head.
"""

import lzma
from collections.abc import Iterable, Mapping
from functools import cached_property
from hashlib import sha256
from typing import Any

import msgspec
from redis.exceptions import RedisError

from referee.table.record import Entry, Text

FORMAT = 1
"""The format that this host writes, and the only one that it reads."""

PLAIN_BYTES_MAX = 32 << 20
"""A game with more bytes than this is not packed, and no more are ever decompressed."""

DICTIONARY_BYTES = 1 << 20
MEMORY_MAX = 8 << 20
"""The most memory that decompression may use beside its result."""

_FILTERS = ({"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": DICTIONARY_BYTES},)

_COMMIT, _HASH, _END = b'{"commit":', b',"hash":"', b'"}\n'
_TAIL = len(_HASH) + 64 + len(_END)
ENTRY_BYTES = 300
"""What an entry takes in memory beside its body."""


class ArchiveUnavailable(RedisError):
    """A game is packed or archived, and cannot be read now: its file is missing, or does not fit its hash."""


class PackedElsewhere(RedisError):
    """A game was packed by a newer version of the service, in a format that this host does not know."""


class Packed(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the head of a packed game says about it."""

    version: int
    """The last version of the game."""
    sha256: str
    """The hash of the packed bytes."""
    archived: bool = False
    """Whether the packed bytes are in the archive, and not beside the head."""
    format: int = FORMAT


_refs = msgspec.json.Decoder(Packed)


def write_ref(packed: Packed) -> bytes:
    """What is stored in the head."""
    return msgspec.json.encode(packed)


def read_ref(stored: bytes) -> Packed:
    """What the head says; raises PackedElsewhere."""
    try:
        packed = _refs.decode(stored)
    except msgspec.DecodeError:
        raise PackedElsewhere("the head of the game names no known format") from None
    if packed.format != FORMAT:
        raise PackedElsewhere(f"the game is packed in format {packed.format}")
    return packed


class Beside(msgspec.Struct, frozen=True):
    """What lies beside the log of a game that is over."""

    audit: bytes
    luck: bytes
    texts: Mapping[str, bytes] = {}
    """Texts by their hashes, as they were stored."""
    used: Mapping[str, bytes] = {}
    """What each idempotency key was used for, as it was stored."""
    leaves: Mapping[int, bytes] = {}
    """The entries that the game has in the transparency log, by their indexes."""

    def without(self, texts: Iterable[str], actors: Iterable[str]) -> "Beside":
        """The same without these texts, and without the idempotency keys of these actors."""
        gone, left = set(texts), tuple(f"{actor}:" for actor in actors)
        return Beside(
            audit=self.audit,
            luck=self.luck,
            texts={hash: body for hash, body in self.texts.items() if hash not in gone},
            used={key: seen for key, seen in self.used.items() if not key.startswith(left)},
            leaves=self.leaves,
        )


class _Used(msgspec.Struct, frozen=True):
    key: str
    seen: str


class _Leaf(msgspec.Struct, frozen=True):
    entry: str
    index: int


class FinishedGame:
    """A finished game as it is packed: the lines of its record up to the secret, and what lay beside its log."""

    def __init__(self, record: bytes, beside: Beside) -> None:
        self.record = record
        self.beside = beside

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The entries of the log."""
        lines = [line + b"\n" for line in self.record.split(b"\n") if line.startswith(_COMMIT)]
        start, end = len(_COMMIT), -len(_END)
        return tuple(
            Entry(version, line[start:-_TAIL], line[end - 64 : end].decode()) for version, line in enumerate(lines, 1)
        )

    @property
    def bytes_in_memory(self) -> int:
        """About what the game takes in memory."""
        beside = self.beside
        parts = (*beside.texts.values(), *beside.used.values(), *beside.leaves.values(), beside.audit, beside.luck)
        return 2 * len(self.record) + sum(map(len, parts)) + ENTRY_BYTES * (len(self.entries) + len(parts))

    def pack(self) -> tuple[bytes, str]:
        """The packed bytes and their hash; raises ValueError if there is too much to pack."""
        plain = b"".join((self.record, *self._lines()))
        if len(plain) > PLAIN_BYTES_MAX:
            raise ValueError(f"the game has {len(plain)} bytes, and at most {PLAIN_BYTES_MAX} are packed")
        blob = lzma.compress(plain, check=lzma.CHECK_CRC32, filters=_FILTERS)
        return blob, sha256(blob).hexdigest()

    def _lines(self) -> Iterable[bytes]:
        """The lines after the record, each with its line feed."""
        beside = self.beside
        for _, text in sorted(beside.texts.items()):
            yield b'{"text":' + text + b"}\n"
        for key, seen in sorted(beside.used.items()):
            yield b'{"used":' + msgspec.json.encode(_Used(key, seen.decode())) + b"}\n"
        for index, entry in sorted(beside.leaves.items()):
            yield b'{"leaf":' + msgspec.json.encode(_Leaf(entry.decode(), index)) + b"}\n"
        yield b'{"audit":' + beside.audit + b"}\n"
        yield b'{"luck":' + beside.luck + b"}\n"


def unpack(blob: bytes, packed: Packed) -> FinishedGame:
    """A game from its packed bytes, which must have the hash that its head names; raises ArchiveUnavailable."""
    if sha256(blob).hexdigest() != packed.sha256:
        raise ArchiveUnavailable("the packed game does not fit its hash")
    unpacking = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MEMORY_MAX)
    try:
        plain = unpacking.decompress(blob, PLAIN_BYTES_MAX)
        if not unpacking.eof or unpacking.unused_data:
            raise ArchiveUnavailable("the packed game has more bytes than it may have")
        return _read(plain)
    except (lzma.LZMAError, EOFError, ValueError, KeyError) as error:
        raise ArchiveUnavailable(f"the packed game cannot be read: {error}") from None


def _read(plain: bytes) -> FinishedGame:
    """A game from its lines; raises ValueError or KeyError."""
    end = plain.index(b"\n", plain.index(b'\n{"secret":') + 1) + 1
    texts: dict[str, bytes] = {}
    used: dict[str, bytes] = {}
    leaves: dict[int, bytes] = {}
    whole: dict[str, bytes] = {}
    for line in plain[end:].split(b"\n")[:-1]:
        ((kind, body),) = msgspec.json.decode(line, type=dict[str, msgspec.Raw]).items()
        match kind:
            case "text":
                texts[_decoded(body, Text).hash] = bytes(body)
            case "used":
                found = _decoded(body, _Used)
                used[found.key] = found.seen.encode()
            case "leaf":
                leaf = _decoded(body, _Leaf)
                leaves[leaf.index] = leaf.entry.encode()
            case _:
                whole[kind] = bytes(body)
    return FinishedGame(plain[:end], Beside(whole["audit"], whole["luck"], texts, used, leaves))


def _decoded(body: msgspec.Raw, type: Any) -> Any:
    return msgspec.json.decode(body, type=type)
