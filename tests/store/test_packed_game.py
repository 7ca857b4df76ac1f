"""The packed form of finished games: what is packed is read, and what is damaged or too big is refused."""

import lzma
from hashlib import sha256

import pytest

from referee.audit.record import write_record
from referee.store import packed_game
from referee.store.packed_game import (
    ArchiveUnavailable,
    Beside,
    FinishedGame,
    Packed,
    PackedElsewhere,
    read_ref,
    unpack,
    write_ref,
)
from tests.corpus.stored_games import files, read_game

RECORD = b'{"header":{}}\n{"commit":{"version":1},"hash":"' + b"a" * 64 + b'"}\n{"secret":{}}\n'
BESIDE = Beside(
    audit=b'{"verdict":"proved"}',
    luck=b"[]",
    used={'0:a "key"': b'1 abc {"awaited":[]}', "1:\u2028": b"2 abc "},
    leaves={3: b'{"game":"x"}', 12: b"{}"},
)


def packed(blob: bytes) -> Packed:
    return Packed(1, sha256(blob).hexdigest())


def test_stored_games_are_read_as_they_were_packed() -> None:
    for file in files()[::12]:
        record = read_game(file)
        written = FinishedGame(b"".join(write_record(record.header, record.entries, record.secret)), BESIDE)
        blob, hash = written.pack()
        read = unpack(blob, Packed(len(record.entries), hash))
        assert read.entries == record.entries
        assert (read.record, read.beside) == (written.record, BESIDE)


def test_what_is_erased_is_not_packed() -> None:
    left = BESIDE.without((), ("0",))
    assert left.used == {"1:\u2028": b"2 abc "}
    blob, _ = FinishedGame(RECORD, left).pack()
    assert b"abc" in lzma.decompress(blob)
    assert b"awaited" not in lzma.decompress(blob)


@pytest.mark.parametrize(
    "plain",
    [
        RECORD,
        RECORD + b'{"audit":{}}\n',
        RECORD + b'{"audit":{}}\n{"luck":[]}\n{"leaf":{"index":"x"}}\n',
        b"no record\n",
        RECORD + b'{"audit":{}}\n{"luck":[]}\nno line\n',
    ],
)
def test_bytes_that_are_no_packed_game_are_refused(plain: bytes) -> None:
    blob = lzma.compress(plain)
    with pytest.raises(ArchiveUnavailable):
        unpack(blob, packed(blob))


def test_damaged_bytes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    blob, hash = FinishedGame(RECORD, BESIDE).pack()
    with pytest.raises(ArchiveUnavailable, match="hash"):
        unpack(blob[:-1] + b"?", Packed(1, hash))
    for damaged in (blob[:-9], blob + b"more", b"no xz", b""):
        with pytest.raises(ArchiveUnavailable):
            unpack(damaged, packed(damaged))
    hungry = lzma.compress(b"x", preset=9)
    with pytest.raises(ArchiveUnavailable):
        unpack(hungry, packed(hungry))
    monkeypatch.setattr(packed_game, "PLAIN_BYTES_MAX", len(RECORD))
    with pytest.raises(ArchiveUnavailable, match="more bytes"):
        unpack(blob, Packed(1, hash))
    with pytest.raises(ValueError, match="at most"):
        FinishedGame(RECORD, BESIDE).pack()


def test_a_head_of_another_format_is_left_to_another_host() -> None:
    assert read_ref(write_ref(Packed(7, "hash", archived=True))) == Packed(7, "hash", archived=True)
    for stored in (write_ref(Packed(7, "hash", format=2)), b"", b"[]", b'{"version":"7"}'):
        with pytest.raises(PackedElsewhere):
            read_ref(stored)
