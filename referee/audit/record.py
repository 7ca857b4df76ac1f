"""The portable record of a game, in JSON Lines: the header, a line per commit and, after the end, the secret."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, Meta, Raw, UnsetType

from referee.kernel.canon import canonical
from referee.kernel.record import FORMAT, Commit, Entry, Header, Secret

LINE_BYTES_MAX = 1 << 20
"""No commit comes near this; a longer line is no record, and is not read to its end."""

NESTING_MAX = 64
"""No position comes near this; whoever goes on with a record need not fear for the stack."""

T = TypeVar("T")

Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Unreadable(Exception):
    """What was given is no record; the first line that cannot be read is named."""

    def __init__(self, line: int, fault: str) -> None:
        super().__init__(f"line {line}: {fault}")
        self.line = line
        self.fault = fault


class Record(msgspec.Struct, frozen=True):
    """All there is to know about a game. The secret is missing as long as the game runs."""

    header: Header
    entries: tuple[Entry, ...]
    secret: Secret | None = None


class Written(Commit[dict[str, Any], dict[str, Any]], frozen=True, forbid_unknown_fields=True):
    """A commit as it is written down, whatever ruleset its move and events belong to."""


class _WrittenHeader(Header, frozen=True, forbid_unknown_fields=True):
    """A header with no more fields than a header has."""


class _WrittenSecret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    salt: Hex32
    seed: Hex32


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    header: Raw | UnsetType = UNSET
    commit: Raw | UnsetType = UNSET
    hash: Hex32 | UnsetType = UNSET
    secret: Raw | UnsetType = UNSET

    def kind(self) -> tuple[str, ...]:
        """The names that this line has."""
        return tuple(name for name in self.__struct_fields__ if getattr(self, name) is not UNSET)


def _given(part: Raw | UnsetType) -> bytes:
    assert not isinstance(part, UnsetType), "asked only about parts that the line has"
    return bytes(part)


def _no_fraction(text: str) -> Any:
    raise ValueError(f"{text} is a fraction, and records hold none")


_line_decoder = msgspec.json.Decoder(_Line)
_commit_decoder = msgspec.json.Decoder(Written, float_hook=_no_fraction)
_header_decoder = msgspec.json.Decoder(_WrittenHeader, float_hook=_no_fraction)
_secret_decoder = msgspec.json.Decoder(_WrittenSecret)


def _read(decoder: "msgspec.json.Decoder[T]", written: bytes) -> T:
    """What is written, if it is written in canonical JSON; else raises ValueError."""
    try:
        value = decoder.decode(written)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not _is_shallow(msgspec.to_builtins(value), NESTING_MAX):
        raise ValueError("nested too deeply")
    if canonical(value) != written:
        raise ValueError("not written as canonical JSON (RFC 8785)")
    return value


def _is_shallow(value: Any, levels: int) -> bool:
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        return True
    return levels > 0 and all(_is_shallow(each, levels - 1) for each in value)


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
    """A record from its lines; raises Unreadable, and nothing else, for whatever is no record."""
    header: Header | None = None
    entries: list[Entry] = []
    secret: Secret | None = None
    for number, line in enumerate(lines, 1):
        try:
            part = _read_line(line)
            match part.kind():
                case _ if secret is not None:
                    raise ValueError("nothing follows the secret")
                case ("header",) if header is None:
                    header = _read_header(_given(part.header))
                case _ if header is None:
                    raise ValueError("a record begins with its header")
                case ("commit", "hash"):
                    body = _given(part.commit)
                    entries.append(Entry(read_commit(body).version, body, str(part.hash)))
                case ("secret",):
                    found = _read(_secret_decoder, _given(part.secret))
                    secret = Secret(salt=found.salt, seed=found.seed)
                case kind:
                    raise ValueError(f"expected a commit and its hash, or the secret, but found {_names(kind)}")
        except ValueError as error:
            raise Unreadable(number, str(error)) from None
    if header is None:
        raise Unreadable(1, "the record is empty")
    return Record(header, tuple(entries), secret)


def _read_line(line: bytes) -> _Line:
    if len(line) > LINE_BYTES_MAX:
        raise ValueError(f"longer than {LINE_BYTES_MAX} bytes")
    if not line.strip():
        raise ValueError("the line is empty")
    try:
        return _line_decoder.decode(line)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except msgspec.ValidationError as error:
        raise ValueError(f"no line of a record: {error}") from None
    except ValueError as error:
        if not line.endswith(b"\n"):
            raise ValueError(f"the record is cut off here: {error}") from None
        raise ValueError(f"not JSON: {error}") from None


def _read_header(written: bytes) -> Header:
    found = _read(_header_decoder, written)
    if found.format != FORMAT:
        raise ValueError(f"the format is {found.format!r}, not {FORMAT!r}")
    return Header(**{name: getattr(found, name) for name in Header.__struct_fields__})


def _names(kind: tuple[str, ...]) -> str:
    return " and ".join(kind) or "an empty object"
