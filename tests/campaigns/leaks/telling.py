"""Telling two answers apart, after what must differ between any two games has been given the same names."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from referee.service.desk import Desk
from referee.service.state import milliseconds, read_commit
from tests.campaigns.leaks.carriers import Answer, Ask

_TOLD = re.compile(r"g_[0-9a-f]{24}|[0-9a-f]{64}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|Wait another \d+ ms")
_UNTOLD = frozenset({"date"})


class Names:
    """The names of what belongs to one game alone: its id, its commitment, its hashes, its times."""

    def __init__(self, desk: Desk, id: str) -> None:
        game = desk.game(id)
        self._names = {id: "{game}", game.secret.commitment: "{commitment}", game.created_at: "{at 0}"}
        self._newest = game.created_at
        for entry in desk.log.read(id, 0):
            self._newest = read_commit(game, entry).at
            self._names |= {self._newest: f"{{at {entry.version}}}", entry.hash: f"{{hash {entry.version}}}"}

    def put_into(self, text: str) -> str:
        """The text with names; a time that is none of the game's is told by how far it is from the newest."""
        return _TOLD.sub(lambda found: self._named(found[0]), text)

    def _named(self, word: str) -> str:
        if word in self._names:
            return self._names[word]
        if word.startswith("Wait"):
            return "Wait another {while}"
        if word.endswith("Z"):
            return f"{{{milliseconds(word) - milliseconds(self._newest)} ms later}}"
        return word


class Difference(NamedTuple):
    """What tells two worlds apart, though it should not."""

    ask: Ask
    what: str
    here: str
    there: str

    def __str__(self) -> str:
        return f"{self.ask}\n    {self.what}: {self.here}\n    {' ' * len(self.what)}  {self.there}"


def differences(ask: Ask, here: tuple[Answer, Names], there: tuple[Answer, Names]) -> Iterator[Difference]:
    """All by which the answers to one request can be told apart: status, headers, bytes, and how many there are."""
    (one, one_names), (other, other_names) = here, there
    told = [
        ("status", str(one.status), str(other.status)),
        ("headers", _headers(one, one_names), _headers(other, other_names)),
        ("body", _body(one, one_names), _body(other, other_names)),
        ("size", str(_size(one)), str(_size(other))),
    ]
    yield from (Difference(ask, what, *_around(first, second)) for what, first, second in told if first != second)


def _headers(answer: Answer, names: Names) -> str:
    passing = _UNTOLD | (frozenset({"content-length"}) if b"Wait another" in answer.body else frozenset())
    return "; ".join(
        name if name.lower() in passing else f"{name}: {names.put_into(value)}" for name, value in answer.headers
    )


def _body(answer: Answer, names: Names) -> str:
    return names.put_into(answer.body.decode())


def _size(answer: Answer) -> int:
    return 0 if b"Wait another" in answer.body else len(answer.body)


def _around(one: str, other: str) -> tuple[str, str]:
    """The texts where they begin to differ."""
    at = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    return one[max(0, at - 60) : at + 60], other[max(0, at - 60) : at + 60]
