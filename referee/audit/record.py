"""The portable record of a game in JSON Lines: the header, one line per commit, and the secret after the end."""

import json
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any, TypeVar

import msgspec

from referee.kernel.canon import canonical
from referee.table.record import FORMAT, Commit, Entry, Header, HeldBy, Hex32, Secret, Text

LINE_BYTES_MAX = 1 << 20
"""A longer line is refused without being read to its end; no commit comes near this."""

NESTING_MAX = 64
"""Deeper nesting is refused, so that a record cannot exhaust the stack; no position comes near this."""

EXCERPT_BYTES = 24
"""The number of bytes that a message quotes from a line."""

T = TypeVar("T")


class Unreadable(Exception):
    """The input is not a record: the first line that cannot be read, the reason, and the record before that line."""

    def __init__(self, line: int, fault: str, before: "Record | None" = None) -> None:
        super().__init__(f"line {line}: {fault}")
        self.line = line
        self.fault = fault
        self.before = before


class Beside(msgspec.Struct, frozen=True):
    """What lies beside the log and can be erased: who held the seats, and texts that somebody wrote."""

    holders: tuple[tuple[int, HeldBy], ...] = ()
    """Seats with their holders, in order."""
    texts: tuple[Text, ...] = ()
    """In the order of the commits."""


class Logged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A leaf of the transparency log, with the proof that leads from it to a checkpoint."""

    checkpoint: str
    """The signed note."""
    entry: str
    index: int
    proof: tuple[str, ...]
    """Hashes in base64, from the leaf upwards."""


class Record(msgspec.Struct, frozen=True):
    """Everything about a game. The secret is missing while the game runs."""

    header: Header
    entries: tuple[Entry, ...]
    secret: Secret | None = None
    beside: Beside = Beside()
    logged: tuple[Logged, ...] = ()
    """In the order of the log."""


class WrittenCommit(Commit[dict[str, Any], dict[str, Any]], frozen=True, forbid_unknown_fields=True):
    """A commit as JSON, of any ruleset."""


class _WrittenSecret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    salt: Hex32
    seed: Hex32


class _HeaderLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    header: Header


class _CommitLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    commit: WrittenCommit
    hash: Hex32


class _SecretLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    secret: _WrittenSecret


class _WrittenHolder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    player: str
    salt: Hex32
    seat: int


class _HolderLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    holder: _WrittenHolder


class _WrittenText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    salt: Hex32
    text: str


class _TextLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: _WrittenText


class _LoggedLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    logged: Logged


_Line = _HeaderLine | _CommitLine | _SecretLine | _HolderLine | _TextLine | _LoggedLine


def _no_fraction(text: str) -> Any:
    raise ValueError(f"{text} is not an integer: records have no fractions or exponents")


_commit_decoder = msgspec.json.Decoder(WrittenCommit, float_hook=_no_fraction)
_line_decoders: dict[bytes, msgspec.json.Decoder[Any]] = {
    b'{"header":': msgspec.json.Decoder(_HeaderLine, float_hook=_no_fraction),
    b'{"commit":': msgspec.json.Decoder(_CommitLine, float_hook=_no_fraction),
    b'{"secret":': msgspec.json.Decoder(_SecretLine, float_hook=_no_fraction),
    b'{"holder":': msgspec.json.Decoder(_HolderLine, float_hook=_no_fraction),
    b'{"text":{"': msgspec.json.Decoder(_TextLine, float_hook=_no_fraction),
    b'{"logged":': msgspec.json.Decoder(_LoggedLine, float_hook=_no_fraction),
}
"""The decoder of a line, by its first ten bytes."""


def _read(decoder: "msgspec.json.Decoder[T]", written: bytes, end: bytes = b"") -> T:
    """Decode exactly the bytes that the service writes for a value; raises ValueError for any other spelling."""
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
    """Describe how readable bytes differ from those that the service writes."""
    repeated: list[str] = []

    def note_repeated(members: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        for name, _ in members:
            if name in seen:
                repeated.append(name)
            seen.add(name)

    json.loads(written, object_pairs_hook=note_repeated)
    if repeated:
        return f"an object has the member {repeated[0]!r} more than once"
    same = next(place for place, (one, other) in enumerate(zip_longest(written, expected)) if one != other)
    found, wanted = (_excerpt(each[same:]) for each in (written, expected))
    return f"the line is not canonical JSON (RFC 8785): from byte {same + 1} it has {found} instead of {wanted}"


def _excerpt(part: bytes) -> str:
    return repr(part[:EXCERPT_BYTES])[1:] if part else "nothing"


def read_commit(body: bytes) -> WrittenCommit:
    """Read a commit from its canonical JSON; raises ValueError."""
    return _read(_commit_decoder, body)


def write_record(
    header: Header,
    entries: Iterable[Entry],
    secret: Secret | None,
    beside: Beside | None = None,
    logged: Iterable[Logged] = (),
) -> Iterator[bytes]:
    """Yield the lines of a record, each with its line feed.

    After the secret comes what lies beside the log, and then what the transparency log says.
    """
    yield b'{"header":' + canonical(header) + b"}\n"
    for entry in entries:
        yield b'{"commit":' + entry.body + b',"hash":"' + entry.hash.encode() + b'"}\n'
    if secret is None:
        return
    yield b'{"secret":' + canonical(secret) + b"}\n"
    for seat, held in beside.holders if beside else ():
        yield canonical(_HolderLine(_WrittenHolder(held.player, held.salt, seat))) + b"\n"
    for text in beside.texts if beside else ():
        yield canonical(_TextLine(_WrittenText(text.salt, text.text))) + b"\n"
    for leaf in logged:
        yield canonical(_LoggedLine(leaf)) + b"\n"


class _Reading:
    """A record as far as it has been read."""

    def __init__(self) -> None:
        self.header: Header | None = None
        self.entries: list[Entry] = []
        self.secret: Secret | None = None
        self.holders: list[tuple[int, HeldBy]] = []
        self.texts: list[Text] = []
        self.logged: list[Logged] = []

    def add(self, part: _Line) -> None:
        """Add a line; raises ValueError if it does not belong here."""
        if (self.header is None) != isinstance(part, _HeaderLine):
            raise ValueError("the header must be the first line" if self.header is None else "this is a second header")
        if (self.secret is None) == isinstance(part, _HolderLine | _TextLine | _LoggedLine):
            raise ValueError("after the secret come holders, texts and leaves of the log only, and nowhere else")
        match part:
            case _HeaderLine():
                self.header = part.header
            case _CommitLine():
                self.entries.append(Entry(part.commit.version, canonical(part.commit), part.hash))
            case _SecretLine():
                self.secret = Secret(salt=part.secret.salt, seed=part.secret.seed)
            case _HolderLine():
                self._add_holder(part.holder)
            case _TextLine() if self.logged:
                raise ValueError("texts come before all leaves of the log")
            case _TextLine():
                self.texts.append(Text(salt=part.text.salt, text=part.text.text))
            case _LoggedLine():
                self._add_logged(part.logged)

    def _add_logged(self, leaf: Logged) -> None:
        if leaf.index < 0 or (self.logged and self.logged[-1].index >= leaf.index):
            raise ValueError("leaves of the log come in the order of their indexes")
        self.logged.append(leaf)

    def _add_holder(self, holder: _WrittenHolder) -> None:
        if self.texts or self.logged or (self.holders and self.holders[-1][0] >= holder.seat):
            raise ValueError("holders come in the order of their seats, and before all texts")
        self.holders.append((holder.seat, HeldBy(player=holder.player, salt=holder.salt)))


def read_record(lines: Iterable[bytes]) -> Record:
    """Read a record from exactly the lines that `write_record` yields; raises Unreadable for any other."""
    read = _Reading()
    for number, line in enumerate(lines, 1):
        try:
            read.add(_read_line(line))
        except ValueError as error:
            before = None if read.header is None else Record(read.header, tuple(read.entries))
            raise Unreadable(number, str(error), before) from None
    if read.header is None:
        raise Unreadable(1, "the record is empty")
    beside = Beside(tuple(read.holders), tuple(read.texts))
    return Record(read.header, tuple(read.entries), read.secret, beside, tuple(read.logged))


def _read_line(line: bytes) -> _Line:
    """Read a line of a record; raises ValueError."""
    if len(line) > LINE_BYTES_MAX:
        raise ValueError(f"the line is longer than {LINE_BYTES_MAX} bytes")
    if not line.endswith(b"\n"):
        raise ValueError("the line has no line feed: the record is cut off here")
    if not line.strip():
        raise ValueError("the line is empty")
    decoder = _line_decoders.get(line[:10])
    if decoder is None:
        beginnings = '{"header":, {"commit":, {"secret":, {"holder":, {"text": or {"logged":'
        raise ValueError(f"a line begins with {beginnings}, not with {_excerpt(line)}")
    part: _Line = _read(decoder, line, b"\n")
    if isinstance(part, _HeaderLine) and part.header.format != FORMAT:
        raise ValueError(f"the format is {part.header.format!r}, not {FORMAT!r}")
    return part
