"""Editions are read from TOML, and refused if no game can be played with them."""

import msgspec
import pytest

from referee.kernel.edition import read_edition


class Box(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cards: int
    seats: int = 2

    def __post_init__(self) -> None:
        if self.cards < self.seats:
            raise ValueError("every seat gets a card")


def test_an_edition_is_read_into_its_type() -> None:
    assert read_edition("cards = 5", Box) == Box(cards=5)


@pytest.mark.parametrize(
    ("toml", "fault"),
    [
        ("cards = 1", "every seat gets a card"),
        ("cards = 5\npawns = 2", "unknown field `pawns`"),
        ("cards = 'five'", "Expected `int`"),
        ("", "missing required field `cards`"),
        ("cards = ", "Invalid value"),
    ],
)
def test_numbers_that_cannot_be_played_are_refused(toml: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        read_edition(toml, Box)
