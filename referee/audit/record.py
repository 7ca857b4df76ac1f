"""The portable record of a game, in JSON Lines: the header, a line per commit and, after the end, the secret."""

import json
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from referee.kernel.canon import canonical
from referee.kernel.record import FORMAT, Commit, Entry, Header, Secret

LINE_BYTES_MAX = 1 << 20
"""No commit comes near this; a longer line is no record, and is not read to its end."""

NESTING_MAX = 64
"""No position comes near this; whoever goes on with a record need not fear for the stack."""

EXCERPT_BYTES = 24
"""Shown of what a line has, and of what it should have."""

T = TypeVar("T")

Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
"""The length is asked for as well, because `$` lets a line feed follow."""


class Unreadable(Exception):
    """What was given is no record: the first line that cannot be read, why, and what the lines before it say."""

    def __init__(self, line: int, fault: str, before: "Record | None" = None) -> None:
        super().__init__(f"line {line}: {fault}")
        self.line = line
        self.fault = fault
        self.before = before


class Record(msgspec.Struct, frozen=True):
    """All there is to know about a game. The secret is missing as long as the game runs."""

    header: Header
    entries: tuple[Entry, ...]
    secret: Secret | None = None


class Written(Commit[dict[str, Any], dict[str, Any]], frozen=True, forbid_unknown_fields=True):
    """A commit as it is written down, whatever ruleset its move and events belong to."""


class _WrittenSecret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    salt: Hex32
    seed: Hex32


class _HeaderLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    header: Header


class _CommitLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    commit: Written
    hash: Hex32


class _SecretLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    secret: _WrittenSecret


_Line = _HeaderLine | _CommitLine | _SecretLine


def _no_fraction(text: str) -> Any:
    raise ValueError(f"{text} is a fraction, and records hold none")


_commit_decoder = msgspec.json.Decoder(Written, float_hook=_no_fraction)
_line_decoders: dict[bytes, msgspec.json.Decoder[Any]] = {
    b'{"header":': msgspec.json.Decoder(_HeaderLine, float_hook=_no_fraction),
    b'{"commit":': msgspec.json.Decoder(_CommitLine, float_hook=_no_fraction),
    b'{"secret":': msgspec.json.Decoder(_SecretLine, float_hook=_no_fraction),
}
"""By how a line begins."""


def _read(decoder: "msgspec.json.Decoder[T]", written: bytes, end: bytes = b"") -> T:
    """What is written, if these are the very bytes that the writer writes for it; else raises ValueError."""
    try:
        value = decoder.decode(written)
        if not _is_shallow(msgspec.to_builtins(value), NESTING_MAX):
            raise RecursionError
        expected = canonical(value) + end
        if written != expected:
            raise ValueError(_misspelling(written, expected))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return value


def _is_shallow(value: Any, levels: int) -> bool:
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        return True
    return levels > 0 and all(_is_shallow(each, levels - 1) for each in value)


def _misspelling(written: bytes, expected: bytes) -> str:
    """How bytes that can be read differ from those that the writer writes."""
    repeated: list[str] = []

    def note_repeated(members: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        for name, _ in members:
            if name in seen:
                repeated.append(name)
            seen.add(name)

    json.loads(written, object_pairs_hook=note_repeated)
    if repeated:
        return f"the member {repeated[0]!r} is given more than once in the same object"
    same = next(place for place, (one, other) in enumerate(zip_longest(written, expected)) if one != other)
    found, wanted = (_excerpt(each[same:]) for each in (written, expected))
    return f"not as the writer writes it, in canonical JSON (RFC 8785): byte {same + 1} begins {found}, not {wanted}"


def _excerpt(part: bytes) -> str:
    return repr(part[:EXCERPT_BYTES])[1:] if part else "nothing"


def read_commit(body: bytes) -> Written:
    """A commit from its canonical JSON; raises ValueError."""
    return _read(_commit_decoder, body)


def write_record(header: Header, entries: Iterable[Entry], secret: Secret | None) -> Iterator[bytes]:
    """The lines of a record, each with its line end."""
    yield b'{"header":' + canonical(header) + b"}\n"
    for entry in entries:
        yield b'{"commit":' + entry.body + b',"hash":"' + entry.hash.encode() + b'"}\n'
    if secret is not None:
        yield b'{"secret":' + canonical(secret) + b"}\n"


def read_record(lines: Iterable[bytes]) -> Record:
    """A record from lines that are, byte for byte, those of `write_record`; raises Unreadable for whatever is not."""
    header: Header | None = None
    entries: list[Entry] = []
    secret: Secret | None = None
    for number, line in enumerate(lines, 1):
        try:
            part = _read_line(line)
            if secret is not None:
                raise ValueError("nothing follows the secret")
            if (header is None) != isinstance(part, _HeaderLine):
                raise ValueError("a record begins with its header" if header is None else "a record has one header")
            match part:
                case _HeaderLine():
                    header = part.header
                case _CommitLine():
                    entries.append(Entry(part.commit.version, canonical(part.commit), part.hash))
                case _SecretLine():
                    secret = Secret(salt=part.secret.salt, seed=part.secret.seed)
        except ValueError as error:
            before = None if header is None else Record(header, tuple(entries))
            raise Unreadable(number, str(error), before) from None
    if header is None:
        raise Unreadable(1, "the record is empty")
    return Record(header, tuple(entries), secret)


def _read_line(line: bytes) -> _Line:
    """What a line says; raises ValueError."""
    if len(line) > LINE_BYTES_MAX:
        raise ValueError(f"longer than {LINE_BYTES_MAX} bytes")
    if not line.endswith(b"\n"):
        raise ValueError("the line does not end: the record is cut off here")
    if not line.strip():
        raise ValueError("the line is empty")
    decoder = _line_decoders.get(line[:10])
    if decoder is None:
        raise ValueError(f'a line begins {{"header":, {{"commit": or {{"secret":, and not {_excerpt(line)}')
    part: _Line = _read(decoder, line, b"\n")
    if isinstance(part, _HeaderLine) and part.header.format != FORMAT:
        raise ValueError(f"the format is {part.header.format!r}, not {FORMAT!r}")
    return part
