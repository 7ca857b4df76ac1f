"""What languages do differently when a sentence is put together: plurals, lists, one of a thing, elision."""

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Grammar:
    """How one language joins words. The default is English."""

    conjunction: str = "and"
    """The word before the last item of a list."""
    singular: tuple[int, ...] = (1,)
    """The numbers that take the singular."""
    one_has_article: bool = False
    """Whether one of a counted thing is said with its article (`einen Hacker`) and not with a digit (`1 hacker`)."""
    elided: str = ""
    """The words, apart by bars, that lose their last letter before a vowel: `de` + `Ada` is `d'Ada`."""

    def is_singular(self, number: int) -> bool:
        """Whether a number takes the singular."""
        return number in self.singular

    def listed(self, items: list[str]) -> str:
        """Items as a list in a sentence: `a, b and c`."""
        return f" {self.conjunction} ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)

    def joined(self, pieces: list[str]) -> str:
        """The pieces of a sentence as one text."""
        if not self.elided:
            return "".join(pieces)
        text = ""
        for piece in pieces:
            if _VOWEL.match(piece):
                text = re.sub(rf"\b({self.elided}) \Z", lambda found: f"{found[1][:-1]}'", text)
            text += piece
        return text


_VOWEL: Final = re.compile("[aeiouàâäéèêëîïôöùûüœæ]", re.IGNORECASE)

GRAMMARS: Final = {
    "en": Grammar(),
    "fr": Grammar("et", singular=(0, 1), one_has_article=True, elided="[Dd]e|[Qq]ue"),
    "de": Grammar("und", one_has_article=True),
}
"""By language. A language without an entry is put together as English is."""
