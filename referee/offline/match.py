"""One stronger bot among weaker ones, now in this seat, now in that: how often does it win, and how sure is that?"""

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
"""Who should beat whom."""

AIMS_OF_TWO = {"greedy": Fraction(90, 100), "search": Fraction(65, 100)}
"""The share of games that a bot should win against one of the next weaker kind."""
AIMS_OF_MORE = {"greedy": Fraction(2), "search": Fraction(13, 10)}
"""The same among several, in shares that would be fair."""

SEED = "arena"
"""Where the luck of the games comes from, unless it is said."""

LOOKS = (24, 50, 100, 200)
"""After so many games a match is looked at, and ends if its verdict is clear; every further look would be another
chance to be wrong."""
Z = 2.5
"""The reach of an interval, for all looks together: about 95 of 100 matches end with one that holds the true share,
though an early end is likelier where the games went far to one side. For a single look it would be 1.96."""


Verdict = Literal["met", "likely", "unlikely", "missed"]


class Match(msgspec.Struct, frozen=True):
    """Which games decide whether one bot beats another."""

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
        """The bots by seat in a game."""
        return tuple(self.strong if seat == number % self.seats else self.weak for seat in range(self.seats))

    def share(self, number: int) -> Fraction:
        """The stronger bot's part of the first place in a game: each luck is played once from every seat."""
        ruleset = LATEST[self.slug]
        options = read_options(ruleset, self.options)
        seed = f"{self.seed}-{number // self.seats}"
        return share_of(play_result(ruleset, options, self.bots(number), seed, self.iterations), number % self.seats)


def share_of(result: Result, seat: int) -> Fraction:
    """A seat's part of the first place, which several may share."""
    return Fraction(int(result.ranks[seat] == 1), result.ranks.count(1))


class Interval(NamedTuple):
    """Where a share lies."""

    low: float
    high: float


def looks(seats: int, games: int) -> tuple[int, ...]:
    """After how many games a match is looked at, the last time after all; always after whole rounds of seats."""
    *early, last = (-(-count // seats) * seats for count in (*LOOKS, games))
    return (*(count for count in early if count < last), last)


def wilson(share: float, games: int, z: float) -> Interval:
    """Wilson's interval of a share that was seen in so many games."""
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    reach = z / (1 + z * z / games) * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return Interval(max(0.0, middle - reach), min(1.0, middle + reach))


@dataclass
class Score:
    """How a match stands."""

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
        """Where the true share lies."""
        return wilson(self.share, self.games, Z)

    @property
    def is_clear(self) -> bool:
        """Whether further games would hardly change the verdict."""
        return self.verdict in ("met", "missed")

    @property
    def verdict(self) -> Verdict:
        """Whether the aim is met: for certain, as far as can be seen, or not."""
        low, high = self.interval
        if low >= self.aim:
            return "met"
        if high < self.aim:
            return "missed"
        return "likely" if self.share >= self.aim else "unlikely"


def matches(
    slugs: list[str], seats: list[int], strong: list[str], iterations: int, seed: str = SEED
) -> Iterator[Match]:
    """Every match of these titles, numbers of seats and stronger bots."""
    for slug in slugs:
        ruleset = LATEST[slug]
        for options in scenarios(ruleset):
            for count in ruleset.seats:
                for better, worse in PAIRS:
                    is_asked = (not seats or count in seats) and (not strong or better in strong)
                    if is_asked and _is_playable(ruleset, options, count, better):
                        yield Match(slug, msgspec.to_builtins(options), count, better, worse, iterations, seed)


def scenarios(ruleset: Ruleset) -> list[Any]:
    """Options for every scenario of a title; a title without scenarios has its defaults."""
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
