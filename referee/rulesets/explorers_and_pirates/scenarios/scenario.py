"""A scenario is a list of chapters, by name."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, get_args

from referee.rulesets.explorers_and_pirates.names import Mission

EVERYWHERE: Final = (
    "setup",
    "placing",
    "turns",
    "production",
    "discards",
    "offers",
    "exchanges",
    "building",
    "cargo",
    "movement",
    "discovery",
    "settlers",
    "scoring",
)
"""The chapters of every scenario."""


@dataclass(frozen=True)
class Scenario:
    """A scenario and its chapters; all its features follow from them."""

    name: str
    chapters: tuple[str, ...]

    @cached_property
    def missions(self) -> tuple[Mission, ...]:
        """The missions that are played, in the order of the rulebook."""
        return tuple(mission for mission in get_args(Mission) if mission in self.chapters)

    @cached_property
    def has_pirates(self) -> bool:
        """Whether a seven brings pirate ships."""
        return "pirates" in self.chapters

    @cached_property
    def has_units(self) -> bool:
        """Whether units can be built."""
        return "units" in self.chapters

    @cached_property
    def is_founded_freely(self) -> bool:
        """Whether the seats place their first pieces themselves."""
        return "founding" in self.chapters
