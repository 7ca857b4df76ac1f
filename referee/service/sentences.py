"""Sentences for readers: commits and legal moves in words, with the names of the players."""

import unicodedata
from collections.abc import Mapping
from functools import cache

from referee.kernel.message import Event, Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.words import Speaker, Words
from referee.rulesets.words import words_of
from referee.service.game import Game, Holder
from referee.table.words import ENGLISH, WORDS, speaker
from schemas.commits import CommitText, LegalText

Names = Mapping[str, str]
"""The names of players by their ids; erased players are missing."""
ERASED_NAME = "erased"
"""What answers show in place of the name of a player who was erased."""

ISOLATE, END_OF_ISOLATE = "\u2068", "\u2069"
LEFT_TO_RIGHT = frozenset(("L", "EN", "ES", "ET", "AN", "CS", "NSM", "BN", "WS", "ON"))
"""The directions of characters that do not change the order of the text around them."""


def languages(rules: Ruleset) -> tuple[str, ...]:
    """The languages in which a ruleset has sentences, English first."""
    return (ENGLISH, *(language for language in words_of(rules) if language != ENGLISH))


def labels(rules: Ruleset, language: str) -> dict[str, str]:
    """The words that stand alone on a page, by id."""
    return words_of(rules).get(language, Words()).labels()


@cache
def _speaker(rules: Ruleset, language: str) -> Speaker:
    """What puts the messages of a ruleset and of every table into words, made once."""
    return speaker(rules, words_of(rules), language)


class Teller:
    """Puts a game into words of one language. It gets the reader's copies, and so knows nothing hidden."""

    def __init__(self, rules: Ruleset, names: tuple[str, ...], language: str) -> None:
        self._speaker = _speaker(rules, language)
        self._names = names

    def commit(self, move: Move | None, events: tuple[Event, ...]) -> CommitText:
        """A commit in words, from the reader's copies of its move and events."""
        said = None if move is None else self._speaker.say(move, self._names)
        return CommitText(said, tuple([self._speaker.say(event, self._names) for event in events]))

    def legal(self, moves: tuple[Move, ...], default: Move | None) -> LegalText:
        """Legal moves in words."""
        texts = tuple([self._speaker.say(move, self._names).text for move in moves])
        return LegalText(texts, None if default is None else self._speaker.say(default, self._names).text)


def teller_of(game: Game, names: Names, language: str) -> Teller:
    """The teller of a game in a language."""
    return Teller(game.rules, seat_names(game, names, language), language)


def teller_of_positions(rules: Ruleset, seats: int, language: str) -> Teller:
    """The teller of moves at a position, whose seats have no names."""
    return Teller(rules, tuple([f"{_label('seat', language)} {seat}" for seat in range(seats)]), language)


def seat_names(game: Game, names: Names, language: str) -> tuple[str, ...]:
    """The names of the seats in sentences: those of their players; equal names get numbers."""
    called = [_called(holder, names, language) for holder in game.seats]
    return tuple(
        [_isolated(name if called.count(name) == 1 else f"{name} {seat + 1}") for seat, name in enumerate(called)]
    )


def _called(holder: Holder, names: Names, language: str) -> str:
    if holder.player is not None:
        return names.get(holder.player) or _label("erased", language)
    return f"Bot {holder.bot}" if holder.bot else _label("open_seat", language)


def _label(thing: str, language: str) -> str:
    """A word for what is at every table."""
    return WORDS[language if language in WORDS else ENGLISH].labels()[thing]


def _isolated(name: str) -> str:
    """A name that cannot turn the words around it: isolated if it has right-to-left characters."""
    if name.isascii() or all(unicodedata.bidirectional(sign) in LEFT_TO_RIGHT for sign in name):
        return name
    return f"{ISOLATE}{name}{END_OF_ISOLATE}"
