"""Spells a line of a record in other ways that some JSON parser reads as the same value."""

import json
import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

Members = list[tuple[str, Any]]
"""The members of an object in order; names may repeat."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?[0-9]+|true|false|null|[][{}:,]')


def spellings(line: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield other spellings of a line, each with its name."""
    assert line.endswith(b"}\n")
    text = line[:-1].decode()
    yield from ((name, spelled.encode() + b"\n") for name, spelled in (*_by_token(text), *_by_object(text)))
    yield "no line end", line[:-1]
    yield "the line end of another system", line[:-1] + b"\r\n"
    yield "a space after it", line[:-1] + b" \n"
    yield "a byte order mark", b"\xef\xbb\xbf" + line
    yield "a zero byte", line[:-1] + b"\0\n"
    yield "an empty line before it", b"\n" + line


def _by_token(text: str) -> Iterator[tuple[str, str]]:
    for token in _TOKEN.finditer(text):
        before, here, after = text[: token.start()], token[0], text[token.end() :]
        for name, space in (("a space", " "), ("a tab", "\t"), ("a carriage return", "\r")):
            yield f"{name} before {here[:20]}", before + space + here + after
        for other in _otherwise(here):
            yield f"{other[:20]} for {here[:20]}", before + other + after


def _otherwise(token: str) -> Iterator[str]:
    """Yield other spellings of a token: needless escapes, numbers with a fraction or an exponent."""
    if token[0] == '"' and len(token) > 2 and token[1] != "\\":
        yield f'"\\u{ord(token[1]):04x}{token[2:]}' if ord(token[1]) < 1 << 16 else token.replace(token[1], "\\ud83c")
        if token[1] in "jklmno":
            yield f'"\\u{ord(token[1]):04X}{token[2:]}'
    elif token.lstrip("-").isdigit():
        yield from (f"{token}.0", f"{token}e0", f"{token}E+0", f"{token}0e-1")
        if token == "0":
            yield from ("-0", "-0.0", "0e9")
        else:
            yield token[:-1] + f"{int(token[-1]) / 10}e1"


def _by_object(text: str) -> Iterator[tuple[str, str]]:
    whole = json.loads(text, object_pairs_hook=lambda members: members)
    for path in _objects(whole, ()):
        members = _at(whole, path)
        for place, (name, value) in enumerate(members):
            yield f"{name} twice", _written(whole, path, [*members, (name, value)])
            for other in (None, "x", value):
                doubled = [*members[:place], (name, other), *members[place:]]
                yield f"{name} twice, first with {other}"[:60], _written(whole, path, doubled)
        if len(members) > 1:
            yield "members backwards", _written(whole, path, members[::-1])


def _is_object(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], tuple)


def _objects(value: Any, path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the paths of all objects that have members."""
    if _is_object(value):
        yield path
        for place, (_, each) in enumerate(value):
            yield from _objects(each, (*path, place))
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from _objects(each, (*path, place))


def _at(value: Any, path: tuple[int, ...]) -> Any:
    for place in path:
        value = value[place][1] if _is_object(value) else value[place]
    return value


def _written(value: Any, path: tuple[int, ...] | None, members: Members) -> str:
    """Return a value as JSON, with these members at a path."""
    if path == ():
        value, path = members, None

    def inside(place: int, each: Any) -> str:
        return _written(each, path[1:] if path and path[0] == place else None, members)

    if _is_object(value):
        written = [f"{_text(name)}:{inside(place, each)}" for place, (name, each) in enumerate(value)]
        return "{" + ",".join(written) + "}"
    if isinstance(value, list):
        return "[" + ",".join(inside(place, each) for place, each in enumerate(value)) + "]"
    return _text(value)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def numbers(text: bytes, others: Sequence[str], luck: random.Random) -> Iterator[bytes]:
    """Yield the JSON text with each of these in place of one of its numbers."""
    places = [token for token in _TOKEN.finditer(text.decode()) if token[0].lstrip("-").isdigit()]
    for other in others if places else ():
        token = luck.choice(places)
        yield (token.string[: token.start()] + other + token.string[token.end() :]).encode()
