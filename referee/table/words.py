"""The words for what happens at every table, from the files in `languages/`."""

from pathlib import Path
from typing import Final

from referee.kernel.words import Words, read_words

ENGLISH: Final = "en"

WORDS: Final[dict[str, Words]] = {
    file.stem: read_words(file.read_text(encoding="utf-8"), file.stem)
    for file in sorted((Path(__file__).parent / "languages").glob("*.toml"))
}
"""By language; English is always there."""
