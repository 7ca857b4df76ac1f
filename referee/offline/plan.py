"""What is to be played: which rules, which bots, how often, from which seed; checked before the first game."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from referee.kernel.judge import read_options
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Ruleset
from referee.offline.play import ITERATIONS, Played, Result, bots_for, play_game, play_result
from referee.rulesets import LATEST
from referee.rulesets.editions import editions_of, read_file, with_edition

SEED = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Unplayable(ValueError):
    """What was asked for cannot be played; says which part of it, and what can be."""


class Plan(msgspec.Struct, frozen=True):
    """A row of games."""

    slug: str
    edition: str | None
    """The name of an edition or of its file; None: the box."""
    options: dict[str, Any]
    bots: tuple[str, ...]
    """By seat."""
    seed: str
    games: int
    first: int = 1
    """The number of the first game."""
    rotates: bool = False
    """Whether the bots move on by one seat from game to game."""
    iterations: int = ITERATIONS

    def play(self, task: "Task") -> Played:
        """Play one of the games, and keep its record."""
        ruleset, options = self._rules()
        return play_game(ruleset, options, task.bots, task.seed, self.iterations)

    def result(self, task: "Task") -> Result:
        """Play one of the games, and keep only what became of it."""
        ruleset, options = self._rules()
        return play_result(ruleset, options, task.bots, task.seed, self.iterations)

    def _rules(self) -> tuple[Ruleset, Any]:
        ruleset = find_ruleset(self.slug, self.edition)
        return ruleset, read_options(ruleset, self.options)

    def tasks(self) -> Iterator["Task"]:
        """The games, one by one."""
        for number in range(self.first, self.first + self.games):
            turn = (number - 1) % len(self.bots) if self.rotates else 0
            bots = self.bots[len(self.bots) - turn :] + self.bots[: len(self.bots) - turn]
            yield Task(number, f"{self.seed}-{number}", bots)


class Task(msgspec.Struct, frozen=True):
    """One game of a plan."""

    number: int
    seed: str
    bots: tuple[str, ...]

    def __str__(self) -> str:
        return f"game {self.number} (seed {self.seed}, {', '.join(self.bots)})"


@cache
def find_ruleset(slug: str, edition: str | None = None) -> Ruleset:
    """The newest version of a title, with the edition of a name or of a file; raises Unplayable."""
    if slug not in LATEST:
        raise Unplayable(f"there is no ruleset `{slug}`; there are: {', '.join(LATEST)}")
    if edition is None:
        return LATEST[slug]
    known = editions_of(LATEST[slug])
    if edition in known:
        return known[edition]
    if not edition.endswith(".toml"):
        raise Unplayable(f"{slug} has no edition `{edition}`; it has: {', '.join(known)}; or name a file in TOML")
    try:
        return with_edition(LATEST[slug], read_file(edition))
    except OSError as error:
        raise Unplayable(f"edition {edition}: {error.strerror}") from None
    except ValueError as error:
        raise Unplayable(f"edition {edition}: {error}") from None


def find_options(ruleset: Ruleset, raw: dict[str, Any], seats: int) -> dict[str, Any]:
    """The options, with the defaults filled in; raises Unplayable."""
    try:
        options: dict[str, Any] = msgspec.to_builtins(ruleset.blank(read_options(ruleset, raw), seats).options)
        return options
    except msgspec.ValidationError as error:
        known = ", ".join(ruleset.options_type.__struct_fields__)
        raise Unplayable(f"options: {error}; the options are: {known}") from None
    except Rejection as rejection:
        raise Unplayable(f"options: {rejection.message} ({rejection.clause})") from None


def find_bots(ruleset: Ruleset, names: Sequence[str]) -> tuple[str, ...]:
    """The bots by seat; raises Unplayable."""
    known = bots_for(ruleset)
    for name in names:
        if name not in known:
            raise Unplayable(f"no bot `{name}` plays {ruleset.slug}; there are: {', '.join(known)}")
    if len(names) not in ruleset.seats:
        seats = f"{ruleset.seats[0]} to {ruleset.seats[-1]}"
        raise Unplayable(f"{ruleset.slug} has {seats} seats, and {len(names)} bots are named")
    return tuple(names)


def find_seed(seed: str) -> str:
    """A seed that can be part of a file's name; raises Unplayable."""
    if SEED.fullmatch(seed) is None:
        raise Unplayable(f"the seed `{seed}` is not 1 to 64 letters, digits, dots, dashes or underscores")
    return seed


def find_directory(name: str) -> Path:
    """A directory to write to, made if there is none; raises Unplayable."""
    directory = Path(name)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unplayable(f"{name}: {error.strerror}") from None
    return directory
