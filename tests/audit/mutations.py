"""Changes one field of a record and seals the record again, as a forger who knows the seed can."""

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

import msgspec

from referee.audit.record import Record, write_record
from referee.kernel.canon import canonical, digest
from referee.table.record import Secret

Book = dict[str, Any]
"""A record as plain JSON: `header`, `lines` (each a `commit` and its `hash`), `secret`."""

Path = tuple[str | int, ...]
Kind = tuple[str, ...]
"""A field of a kind of line: named by the type of its move or event, not by its place in a list."""

ABSENT = ...
"""Used as a value, removes the member or the item."""


def book_of(record: Record) -> Book:
    """The record as plain JSON."""
    lines = [msgspec.json.decode(line) for line in write_record(record.header, record.entries, record.secret)]
    return {"header": lines[0]["header"], "lines": lines[1:-1], "secret": lines[-1]["secret"]}


def fields_of(book: Book) -> Mapping[Kind, list[Path]]:
    """Return every field of every kind of line, with the paths at which it occurs."""
    found: dict[Kind, list[Path]] = defaultdict(list)
    for path in _paths(book, ()):
        if (len(path) > 1 and path[0] != "lines") or len(path) > 2:
            found[_kind(book, path)].append(path)
    return found


def _paths(value: Any, path: Path) -> Iterator[Path]:
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inside:
        yield from _paths(each, (*path, name))


def _kind(book: Book, path: Path) -> Kind:
    names: list[str] = []
    for depth, name in enumerate(path):
        around = at(book, path[:depth])
        if not isinstance(name, int):
            names.append(name)
        elif isinstance(around[name], dict):
            message = around[name].get("commit", {}).get("move", around[name])
            names.append(str(message.get("type", "[]")))
        else:
            names.append("[]")
    is_event = names[:1] == ["lines"] and names[3:4] == ["events"] and len(names) > 4
    return tuple(names[3:]) if is_event else tuple(names)


def at(value: Any, path: Path) -> Any:
    """Return the value at a path."""
    for name in path:
        value = value[name]
    return value


def changed(value: Any, path: Path, other: Any) -> Any:
    """Return the value with another one at a path; unchanged parts are shared."""
    if not path:
        return other
    inside = list(value) if isinstance(value, list) else dict(value)
    if other is ABSENT and len(path) == 1:
        del inside[path[0]]
    else:
        inside[path[0]] = changed(value[path[0]], path[1:], other)
    return inside


def other_values(value: Any, seen_there: Sequence[Any], luck: random.Random) -> Iterator[Any]:
    """Yield endless replacements for a value: of its type, of other types, and from the same field elsewhere."""
    fixed = [
        ABSENT,
        None,
        True,
        False,
        0,
        1,
        -1,
        2**31,
        2**53,
        2**64,
        0.5,
        1.0,
        "",
        "0",
        "x",
        "referee",
        [],
        {},
        [None],
    ]
    typed = [*_like(value, luck)]
    while True:
        luck.shuffle(fixed)
        luck.shuffle(typed)
        for number in range(len(fixed) + len(typed)):
            source = (typed, seen_there, fixed)[number % 3] or fixed
            yield deepcopy(luck.choice(source))


def _like(value: Any, luck: random.Random) -> Iterator[Any]:
    match value:
        case bool():
            yield from (not value, int(value), str(value).lower())
        case int():
            yield from (value + 1, value - 1, value + 2, -value, value * 2, value * 1000, str(value), [value])
            yield from (value + luck.randrange(3, 100), max(0, value - luck.randrange(3, 100)))
        case str():
            yield from _texts_like(value, luck)
        case list():
            yield from (
                [*value, None],
                [*value, {}],
                [*value, *value],
                value[::-1],
                value[1:],
                value[:-1],
                {"0": value},
            )
            yield from (luck.sample(value, len(value)), [*value, *value[-1:]], [*value[:1], *value])
        case dict():
            yield from ({**value, "": None}, {**value, "comment": "x"}, {**value, "type": "x"}, [value], [])
            for name in value:
                yield {each: value[each] for each in value if each != name}
                yield {**value, name: None}
        case None:
            yield from ({"bot": "random"}, {"deadline": "2026-01-01T00:00:00.000Z"}, {"phase": "setup"}, 5)


def _texts_like(text: str, luck: random.Random) -> Iterator[Any]:
    yield from (text + "x", text + " ", " " + text, text[:-1], text.upper(), text[::-1], text + "\0", text + "\u0308")
    place = luck.randrange(len(text) + 1)
    yield text[:place] + luck.choice("0123456789abcdefz") + text[place + 1 :]
    yield digest(text.encode())
    for place in [place for place, letter in enumerate(text) if letter.isdigit()][-4:]:
        yield text[:place] + str((int(text[place]) + luck.choice((1, 9))) % 10) + text[place + 1 :]


def sealed(record: Record, book: Book, path: Path) -> bytes:
    """Return the bytes of a record that was changed at a path, sealed again.

    Commitment, salts and hashes are recomputed, except at the path itself.
    """
    secret, header = _secret(book), book["header"]
    if secret is not None and path != ("header", "commitment"):
        header = {**header, "commitment": secret.commitment}
    lines, prev = [canonical({"header": header})], digest(canonical(header))
    for place, (entry, line) in enumerate(zip(record.entries, book["lines"], strict=False)):
        own = path[2:] if path[:2] == ("lines", place) else None
        fitting = {} if own == ("commit", "prev") else {"prev": prev}
        if secret not in (None, record.secret) and own != ("commit", "salt"):
            fitting["salt"] = secret.blind(entry.version)
        commit = line.get("commit")
        whole = {**commit, **fitting} if isinstance(commit, dict) else commit
        body = _with_texts(entry.body, fitting) if own is None else canonical(whole)
        prev = digest(body) if own != ("hash",) else line.get("hash")
        lines.append(b'{"commit":%b,"hash":%b}' % (body, canonical(prev)))
    return b"".join(line + b"\n" for line in (*lines, canonical({"secret": book["secret"]})))


_TEXTS = re.compile(rb'"prev":"([0-9a-f]{64})","salt":"([0-9a-f]{64})","version":[0-9]+}$')


def _with_texts(body: bytes, texts: Mapping[str, Any]) -> bytes:
    """Replace `prev` or `salt` in the bytes of a commit, without encoding it again."""
    found = _TEXTS.search(body)
    assert found is not None
    ends = {"prev": found.span(1), "salt": found.span(2)}
    for name, text in texts.items():
        start, end = ends[name]
        body = body[:start] + str(text).encode() + body[end:]
    return body


def _secret(book: Book) -> Secret | None:
    """Return the secret; None if the change made it invalid."""
    try:
        secret = msgspec.convert(book["secret"], Secret)
        bytes.fromhex(secret.seed)
    except ValueError:
        return None
    return secret
