"""Notes that a player or spectator took while a game ran. Only they show that a record is of that game."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from referee.audit.record import Record
from referee.table.record import nonce_of

LINE_BYTES_MAX = 4096
"""A longer line is refused without being read to its end; no note comes near this."""

FORMS = {"commitment": "HASH", "hash": "VERSION:HASH", "nonce": "SEAT:TEXT", "seal": "SEAT:HASH"}
"""The form of the text after the kind of a note."""

_HASH = re.compile(r"[0-9a-f]{64}")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")


class InvalidNote(Exception):
    """A text is not a note, or a file has no note; the message names the place and the reason."""


class Note(msgspec.Struct, frozen=True):
    """One public fact about a running game."""

    kind: Literal["commitment", "hash", "nonce", "seal"]
    number: int
    """The version of a hash, or the seat of a nonce or a seal."""
    text: str
    source: str
    """The option, or the file and line, that the note comes from."""


def read_note(kind: str, given: str, source: str) -> Note:
    """Read a note from its kind and the text after it; raises InvalidNote."""
    match kind:
        case "commitment":
            number, text = "0", given
        case "hash" | "nonce" | "seal":
            number, colon, text = given.partition(":")
            if not colon or not _NUMBER.fullmatch(number) or (kind, number) == ("hash", "0"):
                raise InvalidNote(f"{source}: expected {FORMS[kind]}, got {given!r}.")
        case _:
            raise InvalidNote(f"{source}: a note begins with {', '.join(FORMS)}; got {kind!r}.")
    if kind != "nonce" and not _HASH.fullmatch(text):
        raise InvalidNote(f"{source}: a hash has 64 digits, 0-9 and lower-case a-f; got {text!r}.")
    return Note(kind, int(number), text, source)


def read_notes(name: str) -> tuple[Note, ...]:
    """Read a file of notes, one per line; skip empty lines and lines that begin with #; raises InvalidNote."""
    try:
        with open(name, "rb") as file:
            lines = enumerate(iter(lambda: file.readline(LINE_BYTES_MAX + 1), b""), 1)
            notes = tuple(note for number, line in lines for note in _read_line(line, f"{name} line {number}"))
    except (OSError, ValueError) as error:
        raise InvalidNote(f"{name}: {error.strerror if isinstance(error, OSError) else error}.") from None
    if not notes:
        raise InvalidNote(f"{name}: the file has no notes.")
    return notes


def _read_line(line: bytes, source: str) -> Iterator[Note]:
    if len(line) > LINE_BYTES_MAX:
        raise InvalidNote(f"{source}: longer than {LINE_BYTES_MAX} bytes.")
    try:
        text = line.decode().removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise InvalidNote(f"{source}: {error}.") from None
    if text and not text.startswith("#"):
        kind, _, given = text.partition(" ")
        yield read_note(kind, given, source)


def disagreements(record: Record, notes: Sequence[Note]) -> list[str]:
    """Return a sentence for each note that differs from the record."""
    return [_disagreement(record, note) for note in notes if _recorded(record, note) != _noted(note)]


def _noted(note: Note) -> str:
    """Return what the record must have: of a nonce that is a text its hash."""
    try:
        return nonce_of(note.text) if note.kind == "nonce" else note.text
    except UnicodeEncodeError:
        return note.text  # half a character on the command line: no player can have sent it


def _recorded(record: Record, note: Note) -> str | None:
    """Return what the record has in place of the note; None if it has no such commit or seat."""
    match note.kind:
        case "commitment":
            return record.header.commitment
        case "hash":
            return record.entries[note.number - 1].hash if note.number <= len(record.entries) else None
        case "nonce":
            return record.header.nonces[note.number] if note.number < len(record.header.nonces) else None
        case "seal":
            return record.header.seals[note.number] if note.number < len(record.header.seals) else None


def _disagreement(record: Record, note: Note) -> str:
    names = {
        "commitment": "commitment",
        "hash": f"hash of commit {note.number}",
        "nonce": f"nonce of seat {note.number}",
        "seal": f"seal of seat {note.number}",
    }
    recorded = _recorded(record, note)
    found = "none" if recorded is None else repr(recorded)
    return f"{note.source}: the {names[note.kind]} was noted as {note.text!r}, but the record has {found}."
