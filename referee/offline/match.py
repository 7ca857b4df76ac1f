"""One stronger bot plays among weaker ones, in every seat in turn: how often does it win, and how certain is that?"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, Literal, NamedTuple

import msgspec

from referee.kernel.judge import read_options
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Ruleset
from referee.offline.play import Result, bots_for, play_result
from referee.rulesets import LATEST

PAIRS = (("greedy", "random"), ("search", "greedy"))
"""Pairs of bots, of which the first should beat the second."""

AIMS_OF_TWO = {"greedy": Fraction(90, 100), "search": Fraction(65, 100)}
"""The share of games that a bot should win against one bot of the next weaker kind."""
AIMS_OF_MORE = {"greedy": Fraction(2), "search": Fraction(13, 10)}
"""The same among several weaker bots, as a multiple of an even share."""

SEED = "arena"
"""The default seed of the games."""

CHECK_POINTS = (24, 50, 100, 200)
"""The numbers of games after which a match ends if its verdict is clear. They are few, because each is another chance
to be wrong."""
Z = 2.5
"""The width of an interval in standard deviations. With it, about 95 of 100 matches end with an interval that contains
the true share, although lopsided matches end earlier. For a single check point it would be 1.96."""


Verdict = Literal["met", "likely", "unlikely", "missed"]


class Match(msgspec.Struct, frozen=True):
    """The games that decide whether one bot beats another."""

    slug: str
    options: dict[str, Any]
    seats: int
    strong: str
    weak: str
    iterations: int
    seed: str = SEED

    @property
    def aim(self) -> Fraction:
        """The share of games that the stronger bot should win."""
        if self.seats == 2:
            return AIMS_OF_TWO[self.strong]
        return AIMS_OF_MORE[self.strong] / self.seats

    def bots(self, number: int) -> tuple[str, ...]:
        """Return the bots of a game by seat."""
        return tuple(self.strong if seat == number % self.seats else self.weak for seat in range(self.seats))

    def share(self, number: int) -> Fraction:
        """Play a game and return the stronger bot's share of the win; each seed is played once from every seat."""
        ruleset = LATEST[self.slug]
        options = read_options(ruleset, self.options)
        seed = f"{self.seed}-{number // self.seats}"
        return share_of(play_result(ruleset, options, self.bots(number), seed, self.iterations), number % self.seats)


def share_of(result: Result, seat: int) -> Fraction:
    """Return a seat's share of the win, which several seats may share."""
    return Fraction(int(result.ranks[seat] == 1), result.ranks.count(1))


class Interval(NamedTuple):
    """The bounds of a share."""

    low: float
    high: float


def check_points_of(seats: int, games: int) -> tuple[int, ...]:
    """Return the numbers of games at which a match may end, in whole rounds of seats; the last is the most games."""
    *early, last = (-(-count // seats) * seats for count in (*CHECK_POINTS, games))
    return (*(count for count in early if count < last), last)


def wilson(share: float, games: int, z: float) -> Interval:
    """Return the Wilson score interval for a share of this number of games."""
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    reach = z / (1 + z * z / games) * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return Interval(max(0.0, middle - reach), min(1.0, middle + reach))


@dataclass
class Score:
    """The score of a match so far."""

    aim: Fraction
    games: int = 0
    won: Fraction = Fraction(0)

    def add(self, share: Fraction) -> None:
        """Count another game."""
        self.games += 1
        self.won += share

    @property
    def share(self) -> float:
        """The share of games won."""
        return float(self.won / self.games)

    @property
    def interval(self) -> Interval:
        """The interval of the true share."""
        return wilson(self.share, self.games, Z)

    @property
    def is_clear(self) -> bool:
        """Whether more games would hardly change the verdict."""
        return self.verdict in ("met", "missed")

    @property
    def verdict(self) -> Verdict:
        """Whether the aim is met, and how certain that is."""
        low, high = self.interval
        if low >= self.aim:
            return "met"
        if high < self.aim:
            return "missed"
        return "likely" if self.share >= self.aim else "unlikely"


def matches(
    slugs: list[str], seats: list[int], strong: list[str], iterations: int, seed: str = SEED
) -> Iterator[Match]:
    """Yield every match of these titles, numbers of seats and stronger bots."""
    for slug in slugs:
        ruleset = LATEST[slug]
        for options in scenarios(ruleset):
            for count in ruleset.seats:
                for better, worse in PAIRS:
                    is_chosen = (not seats or count in seats) and (not strong or better in strong)
                    if is_chosen and _is_playable(ruleset, options, count, better):
                        yield Match(slug, msgspec.to_builtins(options), count, better, worse, iterations, seed)


def scenarios(ruleset: Ruleset) -> list[Any]:
    """Return options for every scenario of a title, or the defaults of a title without scenarios."""
    found: dict[object, Any] = {}
    for options in ruleset.variants:
        found.setdefault(getattr(options, "scenario", None), options)
    return list(found.values())


def _is_playable(ruleset: Ruleset, options: Any, seats: int, bot: str) -> bool:
    try:
        ruleset.blank(options, seats)
    except Rejection:
        return False
    return bot in bots_for(ruleset)
