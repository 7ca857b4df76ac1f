"""The words for what happens at every table, from the files in `languages/`, and what says the messages of a game."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from referee.kernel.ruleset import Ruleset
from referee.kernel.words import Kind, Speaker, Words, read_words
from referee.table.moves import TABLE_EVENTS, TABLE_MOVES

ENGLISH: Final = "en"

WORDS: Final[dict[str, Words]] = {
    file.stem: read_words(file.read_text(encoding="utf-8"), file.stem)
    for file in sorted((Path(__file__).parent / "languages").glob("*.toml"))
}
"""By language; English is always there."""


def speaker(rules: Ruleset, words: Mapping[str, Words], language: str) -> Speaker:
    """What says the messages of a ruleset, by its words, and of every table; English where a language has no words."""
    own = words.get(language) or words.get(ENGLISH) or Words()
    kinds: tuple[Kind, ...] = (*rules.moves.values(), *rules.events.values())
    return Speaker((own, kinds), (WORDS.get(language) or WORDS[ENGLISH], (*TABLE_MOVES, *TABLE_EVENTS)))
