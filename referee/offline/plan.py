"""A series of games: rules, bots, number and seed, all checked before the first game."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import msgspec

from referee.bots import find_bot
from referee.bots.greedy_bot import GreedyBot
from referee.kernel.judge import read_options
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Ruleset
from referee.offline.play import ITERATIONS, Played, Result, bots_for, play_game, play_result
from referee.rulesets import LATEST
from referee.rulesets.editions import editions_of, read_file, with_edition

SEED = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Unplayable(ValueError):
    """The request cannot be played; the message names the reason and what is allowed."""


class Plan(msgspec.Struct, frozen=True):
    """A series of games."""

    slug: str
    edition: str | None
    """The name or the file of an edition; None is the edition in the box."""
    options: dict[str, Any]
    bots: tuple[str, ...]
    """The bots by seat."""
    seed: str
    games: int
    first: int = 1
    """The number of the first game."""
    rotates: bool = False
    """Whether every bot moves by one seat after each game."""
    permutes: bool = False
    """Whether the bots sit in every order in turn."""
    iterations: int = ITERATIONS

    def play(self, task: "Task") -> Played:
        """Play one of the games, and return its record and result."""
        ruleset, options = self._rules()
        return play_game(ruleset, options, task.bots, task.seed, self.iterations)

    def result(self, task: "Task") -> Result:
        """Play one of the games, and return only its result."""
        ruleset, options = self._rules()
        return play_result(ruleset, options, task.bots, task.seed, self.iterations)

    def _rules(self) -> tuple[Ruleset, Any]:
        ruleset = find_ruleset(self.slug, self.edition)
        return ruleset, read_options(ruleset, self.options)

    def tasks(self) -> Iterator["Task"]:
        """Yield the games one by one."""
        orders = self._orders()
        for number in range(self.first, self.first + self.games):
            yield Task(number, f"{self.seed}-{number}", orders[(number - 1) % len(orders)])

    def _orders(self) -> list[tuple[str, ...]]:
        """Return the seating order of the bots for each game."""
        if self.permutes:
            return list(dict.fromkeys(permutations(self.bots)))
        seats = len(self.bots)
        shifts = range(seats) if self.rotates else range(1)
        return [self.bots[seats - shift :] + self.bots[: seats - shift] for shift in shifts]


class Task(msgspec.Struct, frozen=True):
    """One game of a plan."""

    number: int
    seed: str
    bots: tuple[str, ...]

    def __str__(self) -> str:
        return f"game {self.number} (seed {self.seed}, {', '.join(self.bots)})"


@cache
def find_ruleset(slug: str, edition: str | None = None) -> Ruleset:
    """Return the newest version of a title, with an edition given by name or file; raises Unplayable."""
    if slug not in LATEST:
        raise Unplayable(f"unknown ruleset `{slug}`; there are: {', '.join(LATEST)}")
    if edition is None:
        return LATEST[slug]
    known = editions_of(LATEST[slug])
    if edition in known:
        return known[edition]
    if not edition.endswith(".toml"):
        raise Unplayable(
            f"{slug} has no edition `{edition}`; it has: {', '.join(known)}; or pass a file that ends in .toml"
        )
    try:
        return with_edition(LATEST[slug], read_file(edition))
    except OSError as error:
        raise Unplayable(f"edition {edition}: {error.strerror}") from None
    except ValueError as error:
        raise Unplayable(f"edition {edition}: {error}") from None


def check_options(ruleset: Ruleset, raw: dict[str, Any], seats: int) -> dict[str, Any]:
    """Return the options with all defaults; raises Unplayable."""
    try:
        options: dict[str, Any] = msgspec.to_builtins(ruleset.blank(read_options(ruleset, raw), seats).options)
        return options
    except msgspec.ValidationError as error:
        known = ", ".join(ruleset.options_type.__struct_fields__)
        raise Unplayable(f"options: {error}; the options are: {known}") from None
    except Rejection as rejection:
        raise Unplayable(f"options: {rejection.message} ({rejection.clause})") from None


def check_bots(ruleset: Ruleset, names: Sequence[str]) -> tuple[str, ...]:
    """Return the bots by seat; raises Unplayable."""
    for name in names:
        if find_bot(name, ruleset) is None:
            known = (*bots_for(ruleset), *(f"{GreedyBot.name}:{plan}" for plan in ruleset.advice.plans))
            raise Unplayable(f"no bot `{name}` plays {ruleset.slug}; these do: {', '.join(known)}")
    if len(names) not in ruleset.seats:
        seats = f"{ruleset.seats[0]} to {ruleset.seats[-1]}"
        raise Unplayable(f"{ruleset.slug} has {seats} seats; bots given: {len(names)}")
    return tuple(names)


def check_seed(seed: str) -> str:
    """Return a seed that can be part of a file name; raises Unplayable."""
    if SEED.fullmatch(seed) is None:
        raise Unplayable(f"a seed has 1 to 64 letters, digits, dots, dashes and underscores; got `{seed}`")
    return seed


def make_directory(name: str) -> Path:
    """Return a directory to write to, creating it if necessary; raises Unplayable."""
    directory = Path(name)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unplayable(f"{name}: {error.strerror}") from None
    return directory
