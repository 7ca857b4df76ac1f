"""What somebody noted while a game ran, compared with a record: this alone ties the record to the game they saw."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from referee.audit.record import Record

LINE_BYTES_MAX = 4096
"""No note comes near this; a longer line is not read to its end."""

FORMS = {"commitment": "HASH", "hash": "VERSION:HASH", "nonce": "SEAT:TEXT"}
"""What follows the kind of a note."""

_HASH = re.compile(r"[0-9a-f]{64}")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")


class NotNoted(Exception):
    """A text that is no note, or a file that has none; says where, and why."""


class Note(msgspec.Struct, frozen=True):
    """One public fact about a running game."""

    kind: Literal["commitment", "hash", "nonce"]
    number: int
    """The version of a hash, or the seat of a nonce."""
    text: str
    source: str
    """Which option, or which line of which file."""


def read_note(kind: str, given: str, source: str) -> Note:
    """A note from its kind and what follows it; raises NotNoted."""
    match kind:
        case "commitment":
            number, text = "0", given
        case "hash" | "nonce":
            number, colon, text = given.partition(":")
            if not colon or not _NUMBER.fullmatch(number) or (kind, number) == ("hash", "0"):
                raise NotNoted(f"{source}: expected {FORMS[kind]}, got {given!r}.")
        case _:
            raise NotNoted(f"{source}: a note begins with {', '.join(FORMS)}; got {kind!r}.")
    if kind != "nonce" and not _HASH.fullmatch(text):
        raise NotNoted(f"{source}: a hash has 64 digits, 0-9 and a-f in lower case; got {text!r}.")
    return Note(kind, int(number), text, source)


def read_notes(name: str) -> tuple[Note, ...]:
    """The notes in a file, one per line; empty lines and lines that begin with # are skipped; raises NotNoted."""
    try:
        with open(name, "rb") as file:
            lines = enumerate(iter(lambda: file.readline(LINE_BYTES_MAX + 1), b""), 1)
            notes = tuple(note for number, line in lines for note in _read_line(line, f"{name} line {number}"))
    except (OSError, ValueError) as error:
        raise NotNoted(f"{name}: {error.strerror if isinstance(error, OSError) else error}.") from None
    if not notes:
        raise NotNoted(f"{name}: there is no note in it.")
    return notes


def _read_line(line: bytes, source: str) -> Iterator[Note]:
    if len(line) > LINE_BYTES_MAX:
        raise NotNoted(f"{source}: longer than {LINE_BYTES_MAX} bytes.")
    try:
        text = line.decode().removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise NotNoted(f"{source}: {error}.") from None
    if text and not text.startswith("#"):
        kind, _, given = text.partition(" ")
        yield read_note(kind, given, source)


def disagreements(record: Record, notes: Sequence[Note]) -> list[str]:
    """What each note that does not agree with the record says, and what the record has instead."""
    return [_disagreement(record, note) for note in notes if _recorded(record, note) != note.text]


def _recorded(record: Record, note: Note) -> str | None:
    """What the record has where the note was taken; None if it has no such commit or seat."""
    match note.kind:
        case "commitment":
            return record.header.commitment
        case "hash":
            return record.entries[note.number - 1].hash if note.number <= len(record.entries) else None
        case "nonce":
            return record.header.nonces[note.number] if note.number < len(record.header.nonces) else None


def _disagreement(record: Record, note: Note) -> str:
    what = {
        "commitment": "commitment",
        "hash": f"hash of commit {note.number}",
        "nonce": f"nonce of seat {note.number}",
    }
    recorded = _recorded(record, note)
    found = "none" if recorded is None else repr(recorded)
    return f"{note.source}: the {what[note.kind]} was noted as {note.text!r}, but the record has {found}."
