"""Sentences: the words of a ruleset, and what they make of its moves and events.

A sentence is made of the reader's own copy of a message and of nothing else in the game, so it tells no more.
"""

import tomllib
from collections.abc import Iterable, Iterator
from functools import cached_property

import msgspec

from referee.kernel.changes import replace
from referee.kernel.grammar import GRAMMARS, Grammar
from referee.kernel.message import Event, Move, tag
from referee.kernel.saying import ONE, Names, Say, Sayer, compile_template, fallback, forms_of
from referee.kernel.templates import read_template


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The template of a message, the clauses that it comes from, and whether it says little that others do not."""

    say: str
    clauses: tuple[str, ...] = ()
    quiet: bool = False


Lines = dict[str, str | Line]
"""The lines for moves or events, by their types."""


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of a ruleset in one language. Each part may be left out, wholly or in part."""

    things: dict[str, str | tuple[str, ...] | dict[str, str]] = {}
    """By id: one of them; or one, several, and one with its article; or any forms by their names, `one` among them."""
    names: dict[str, str] = {}
    """What stands alone on boards, buttons and forms, by id; without an entry it is the thing, or the id as words."""
    parts: dict[str, str] = {}
    """The templates of structs within messages, by the snake case of their class names."""
    moves: Lines = {}
    """What a player may do, as an order."""
    events: Lines = {}
    """What happened."""
    language: str = "en"

    def __post_init__(self) -> None:
        for id, forms in self.things.items():
            if isinstance(forms, tuple) and len(forms) not in (2, 3):
                raise ValueError(f"{id} has one form, two (one, several) or three (one, several, with its article)")
            if isinstance(forms, dict) and ONE not in forms:
                raise ValueError(f"{id} has no form `{ONE}`")

    def labels(self) -> dict[str, str]:
        """What stands alone, by id: names, and things in their first form."""
        return {**{id: forms_of(forms)[ONE] for id, forms in self.things.items()}, **self.names}


class Sentence(msgspec.Struct, frozen=True):
    """A move or an event in words."""

    text: str
    """The sentence."""
    clauses: tuple[str, ...]
    """The clauses that it comes from."""
    quiet: bool
    """Whether a log can leave it out: it follows from the other sentences, or matters to few readers."""


def with_clauses_of(words: Words, other: Words) -> Words:
    """Words whose lines have the clauses of the same lines in another language, and are quiet where those are."""
    return replace(words, moves=_lines_like(words.moves, other.moves), events=_lines_like(words.events, other.events))


def _lines_like(lines: Lines, others: Lines) -> Lines:
    return {
        name: replace(each, say=line) if isinstance(line, str) and isinstance(each := others.get(name), Line) else line
        for name, line in lines.items()
    }


def read_words(toml: str, language: str = "en") -> Words:
    """Read the words of a language from TOML; raises ValueError."""
    return msgspec.convert({**tomllib.loads(toml), "language": language}, Words)


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
    sayer = Sayer(words.things, parts, GRAMMARS.get(words.language, Grammar()))
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
