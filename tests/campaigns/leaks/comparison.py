"""Compares two answers, after everything that must differ between any two games has got the same names."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from referee.service.repository import Repository
from referee.table.match import read_commit
from referee.table.times import milliseconds
from referee.tlog.leaf import game_tag, sealed_hash
from tests.campaigns.leaks.carriers import Answer, Ask

_TOLD = re.compile(
    r"g_[0-9a-f]{24}|[0-9a-f]{64}|[0-9a-f]{32}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|Wait another \d+ ms"
)
_DUE = re.compile(r'"due":{"at":"([^"]+)"')
_OF_ONE_GAME = re.compile(
    r'("reveal_until":|\\"at\\":\\|(?:\u2014|\\u2014) \S+ |"index":|"proof":)(?:"[^"]+"|[A-Za-z0-9+/=]+)'
)
"""When reveals are over, when a receipt was signed, its signature, and where a leaf is in the tree."""
_VERSION = re.compile(r"\?at=(\d+)")
_UNTOLD = frozenset({"date", "x-server-time"})


class Names:
    """Names for what is unique to one game: its id, its commitment, its hashes, its times."""

    def __init__(self, repository: Repository, id: str) -> None:
        game = repository.game(id)
        self._names = {id: "{game}", game.secret.commitment: "{commitment}", game.created_at: "{at 0}"}
        self._names |= {holder.seal: "{seal}" for holder in game.seats if holder.seal is not None}
        self._names |= {game_tag(id): "{tag}", sealed_hash(game.header): "{sealed}"}
        self._times = [milliseconds(game.created_at)]
        for entry in repository.log.read(id, 0):
            at = read_commit(game, entry).at
            self._times.append(milliseconds(at))
            self._names |= {at: f"{{at {entry.version}}}", entry.hash: f"{{hash {entry.version}}}"}

    def put_into(self, text: str, ask: Ask) -> str:
        """The text with names. The time of the next trigger is replaced by its distance from the requested version."""
        asked = _VERSION.search(ask.path)
        version = min(int(asked[1]), len(self._times) - 1) if asked else len(self._times) - 1
        text = _OF_ONE_GAME.sub(lambda found: found[1], text)
        text = _DUE.sub(lambda found: f'"due":{{"at":"{self._later(found[1], version)}"', text)
        return _TOLD.sub(lambda found: self._named(found[0]), text)

    def _named(self, word: str) -> str:
        if word in self._names:
            return self._names[word]
        if word.startswith("Wait"):
            return "Wait another {while}"
        return self._later(word, len(self._times) - 1) if word.endswith("Z") else word

    def _later(self, time: str, version: int) -> str:
        return f"{{{milliseconds(time) - self._times[version]} ms after {version}}}"


class Difference(NamedTuple):
    """A difference between the answers in two worlds, which should not be there."""

    ask: Ask
    what: str
    here: str
    there: str

    def __str__(self) -> str:
        return f"{self.ask}\n    {self.what}: {self.here}\n    {' ' * len(self.what)}  {self.there}"


def differences(ask: Ask, here: tuple[Answer, Names], there: tuple[Answer, Names]) -> Iterator[Difference]:
    """Every difference between the answers to one request: status, headers, bytes, and number of bytes."""
    (one, one_names), (other, other_names) = here, there
    parts = [
        ("status", str(one.status), str(other.status)),
        ("headers", _headers(one, one_names, ask), _headers(other, other_names, ask)),
        ("body", one_names.put_into(one.text, ask), other_names.put_into(other.text, ask)),
        ("size", str(_size(one)), str(_size(other))),
    ]
    yield from (Difference(ask, what, *_around(first, second)) for what, first, second in parts if first != second)


def _headers(answer: Answer, names: Names, ask: Ask) -> str:
    is_even = not _is_compressed(answer) and _size(answer) > 0
    passing = _UNTOLD if is_even else _UNTOLD | {"content-length"}
    return "; ".join(
        name if name.lower() in passing else f"{name}: {names.put_into(value, ask)}" for name, value in answer.headers
    )


def _size(answer: Answer) -> int:
    """The length of an answer. Compressed, ids and hashes differ in length; what they are made from must not."""
    if b"Wait another" in answer.body or b'"leaves"' in answer.body:
        return 0
    return len(answer.text if _is_compressed(answer) else answer.body)


def _is_compressed(answer: Answer) -> bool:
    return ("Content-Encoding", "gzip") in answer.headers


def _around(one: str, other: str) -> tuple[str, str]:
    """The texts where they begin to differ."""
    at = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    return one[max(0, at - 60) : at + 60], other[max(0, at - 60) : at + 60]
