"""Sentences: the words of a ruleset, and what they make of its moves and events.

A sentence is made of the reader's own copy of a message and of nothing else in the game, so it tells no more.
"""

import tomllib
from collections.abc import Iterable, Iterator
from functools import cached_property

import msgspec

from referee.kernel.message import Event, Move, tag
from referee.kernel.saying import Names, Say, Sayer, compile_template, fallback
from referee.kernel.templates import read_template


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The template of a message, the clauses that it comes from, and whether it says little that others do not."""

    say: str
    clauses: tuple[str, ...] = ()
    quiet: bool = False


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of a ruleset in one language. Each part may be left out, wholly or in part."""

    things: dict[str, str | tuple[str, ...]] = {}
    """By id: one of them; or one of them, several of them, and one with its article."""
    parts: dict[str, str] = {}
    """The templates of structs within messages, by the snake case of their class names."""
    moves: dict[str, str | Line] = {}
    """What a player may do, as an order."""
    events: dict[str, str | Line] = {}
    """What happened."""
    conjunction: str = msgspec.field(default="and", name="and")
    """The word before the last item of a list."""

    def __post_init__(self) -> None:
        for id, forms in self.things.items():
            if not isinstance(forms, str) and len(forms) not in (2, 3):
                raise ValueError(f"{id} has one form, two (one, several) or three (one, several, with its article)")


class Sentence(msgspec.Struct, frozen=True):
    """A move or an event in words."""

    text: str
    """The sentence."""
    clauses: tuple[str, ...]
    """The clauses that it comes from."""
    quiet: bool
    """Whether a log can leave it out: it follows from the other sentences, or matters to few readers."""


def read_words(toml: str) -> Words:
    """Read the words of a language from TOML; raises ValueError."""
    return msgspec.convert(tomllib.loads(toml), Words)


Kind = type[Move] | type[Event]


class Speaker:
    """Says messages in one language. Templates are compiled once, when the first sentence is asked for."""

    def __init__(self, *books: tuple[Words, Iterable[Kind]]) -> None:
        self._books = books

    def say(self, message: Move | Event, names: Names) -> Sentence:
        """A message in words. It must be the copy of the reader who gets the sentence; the names are by seat."""
        say, line = self._lines[type(message)]
        return Sentence(say(message, names), line.clauses, line.quiet)

    @cached_property
    def _lines(self) -> dict[Kind, tuple[Say, Line]]:
        return {kind: compiled for words, kinds in self._books for kind, compiled in _compiled(words, kinds)}


def _compiled(words: Words, kinds: Iterable[Kind]) -> Iterator[tuple[Kind, tuple[Say, Line]]]:
    parts = {name: read_template(text) for name, text in words.parts.items()}
    sayer = Sayer(words.things, parts, words.conjunction)
    for kind in kinds:
        line = line_of(words, kind)
        if line is None:
            yield kind, (fallback(kind, sayer), Line(""))
        else:
            yield kind, (compile_template(kind, read_template(line.say), sayer, is_sentence=True), line)


def line_of(words: Words, kind: Kind) -> Line | None:
    """The line for a type of message; None: the words have none."""
    line = (words.events if issubclass(kind, Event) else words.moves).get(tag(kind))
    return Line(line) if isinstance(line, str) else line
