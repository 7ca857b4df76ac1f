"""The words of each ruleset, from the files in its `words/`: one for each language."""

from functools import cache
from pathlib import Path

from referee.kernel.ruleset import Ruleset
from referee.kernel.words import Words, read_words, with_clauses_of


def words_of(ruleset: Ruleset) -> dict[str, Words]:
    """The words that a ruleset brings, by language."""
    return _in_directory(ruleset.directory / "words")


@cache
def _in_directory(directory: Path) -> dict[str, Words]:
    files = sorted(directory.glob("*.toml"))
    words = {file.stem: read_words(file.read_text(encoding="utf-8"), file.stem) for file in files}
    english = words.get("en", Words())
    return {language: with_clauses_of(each, english) for language, each in words.items()}
