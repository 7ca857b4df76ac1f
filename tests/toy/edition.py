"""The numbers of the box, from `edition.toml` and the further editions in `editions/`."""

from pathlib import Path
from typing import Final

import msgspec

from referee.kernel.edition import read_edition
from tests.toy.names import Fish

PACKAGE: Final = Path(__file__).parent


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All numbers of one edition."""

    edition: str
    copies: int
    value: dict[Fish, int]
    hand: int
    hand_limit: int
    coins: int
    patience_s: int
    turns_max: int

    @property
    def deck(self) -> tuple[Fish, ...]:
        """Every fish of the box."""
        return tuple([fish for fish in self.value for _ in range(self.copies)])


EDITION: Final = read_edition((PACKAGE / "edition.toml").read_text(encoding="utf-8"), Edition)
