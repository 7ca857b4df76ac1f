"""The numbers of the toy."""

import tomllib
from pathlib import Path

import msgspec

PACKAGE = Path(__file__).parent


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All numbers of one edition."""

    edition: str
    copies: int
    value: dict[str, int]
    hand: int
    hand_limit: int
    coins: int
    patience_s: int
    turns_max: int

    @property
    def deck(self) -> tuple[str, ...]:
        """Every fish of the box."""
        return tuple(fish for fish in self.value for _ in range(self.copies))


def read_edition(text: str) -> Edition:
    """An edition from TOML."""
    return msgspec.convert(tomllib.loads(text), Edition)


EDITION = read_edition((PACKAGE / "edition.toml").read_text(encoding="utf-8"))
