"""The numbers of the box, typed and frozen: `edition.toml` and the further ones in `editions/`."""

from pathlib import Path
from typing import Final

import msgspec

from referee.kernel.edition import read_edition
from referee.rulesets.catham_city.names import FACTIONS, Faction

PACKAGE: Final = Path(__file__).parent


class Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Part of an edition; refuses keys that it does not know."""


class Actions(Numbers, frozen=True):
    """Actions per turn (CC-8)."""

    normal: int
    expert: int


class JournalistNumbers(Numbers, frozen=True):
    """The numbers of the journalists (CC-28, CC-29, CC-33)."""

    cards: int
    gain: int
    bonus_gain: int


class DetectiveNumbers(Numbers, frozen=True):
    """The numbers of the detectives (CC-34, CC-36)."""

    cards: int
    extra: int
    gain: int
    match_gain: int


class BureaucratNumbers(Numbers, frozen=True):
    """The numbers of the bureaucrats (CC-37, CC-38)."""

    min_cards: int
    gain_per_faction: int


class ScientistNumbers(Numbers, frozen=True):
    """The numbers of the scientists (CC-40)."""

    cards: int
    gain: int
    draw: int


class RobocatDraw(Numbers, frozen=True):
    """The robocats' mode `draw` (CC-42)."""

    cards: int
    draw: int


class RobocatInfluence(Numbers, frozen=True):
    """The robocats' mode `influence` (CC-43)."""

    cards: int
    gain: int


class RobocatNumbers(Numbers, frozen=True):
    """The two modes of the robocats."""

    draw: RobocatDraw
    influence: RobocatInfluence


class MafiaNumbers(Numbers, frozen=True):
    """The numbers of the mafia (CC-44 to CC-48)."""

    cards: int
    gain: int
    lose_cards: int
    lose_influence: int


class PoliceNumbers(Numbers, frozen=True):
    """The numbers of the police (CC-50 to CC-55)."""

    min_cards: int
    extra: int
    gain_per_match: int
    draw_per_police: int


class HackerNumbers(Numbers, frozen=True):
    """The numbers of the hackers (CC-58, CC-61)."""

    min_cards: int
    max_cards: int
    gain_per_hacker: int


class Edition(Numbers, frozen=True):
    """All numbers of one edition of the game."""

    edition: str
    copies_per_faction: int
    factions_in_play: int
    factions: tuple[Faction, ...]
    default_factions: tuple[Faction, ...]
    threshold: dict[str, int]
    """By number of seats, which is a string in JSON and in TOML."""
    deal: tuple[int, ...]
    market_size: int
    hand_limit: int
    actions: Actions
    journalist: JournalistNumbers
    detective: DetectiveNumbers
    bureaucrat: BureaucratNumbers
    scientist: ScientistNumbers
    robocat: RobocatNumbers
    mafia: MafiaNumbers
    police: PoliceNumbers
    hacker: HackerNumbers

    def __post_init__(self) -> None:
        """Refuse numbers with which no game can be played."""
        require_playable(self)

    @property
    def seats(self) -> range:
        """The numbers of seats that the edition allows."""
        numbers = [int(seats) for seats in self.threshold]
        return range(min(numbers), max(numbers) + 1)

    def influence_to_win(self, seats: int) -> int:
        """The threshold with this number of seats (CC-63)."""
        return self.threshold[str(seats)]

    def actions_per_turn(self, expert: bool) -> int:
        """The number of actions in a turn (CC-8)."""
        return self.actions.expert if expert else self.actions.normal


def require_playable(edition: Edition) -> None:
    """Raise ValueError for numbers that would bring a game to a dead end (section 2.3 of rules.md)."""
    in_play = edition.factions_in_play
    seats_max = max(edition.seats)
    outside = in_play * edition.copies_per_faction - seats_max * edition.hand_limit - edition.market_size
    demands = {
        "the factions are the eight of the box, in their order": edition.factions == FACTIONS,
        "the default factions are as many as are in play": len(set(edition.default_factions)) == in_play,
        "every number of seats has a threshold": sorted(edition.threshold) == [str(seats) for seats in edition.seats],
        "every seat is dealt a hand": len(edition.deal) == seats_max,
        "no hand is dealt beyond the limit": max(edition.deal) <= edition.hand_limit,
        "the market can always be refilled": outside >= edition.market_size > 0,
        "a turn has one action, two in the expert variant": edition.actions == Actions(normal=1, expert=2),
    }
    for demand, is_met in demands.items():
        if not is_met:
            raise ValueError(f"{edition.edition}: {demand}")


EDITION: Final = read_edition((PACKAGE / "edition.toml").read_text(encoding="utf-8"), Edition)
"""The edition of the rulebook."""
