"""Adds games to the stored ones until everything declared occurs in one; never changes a stored game.

If no game is stored, all of them are played again.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice, product
from typing import Any

from referee.audit.record import Record, read_commit
from referee.audit.verify import audit
from referee.bots import BOTS
from referee.kernel.message import Move, tag
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Actor
from referee.offline.play import bots_for, play_game
from referee.rulesets import TITLES
from referee.rulesets.editions import editions_of
from referee.table.terms import TABLE_VERSION
from tests.conformance.play import accepts, choose, spread
from tests.conformance.showing import eagerly, variedly
from tests.corpus.scripted_game import Choosing, Sitting, stories
from tests.corpus.stored_games import (
    DIRECTORY,
    SUFFIX,
    files,
    in_commits,
    occurring,
    packed,
    read_game,
    title_of,
    wanted,
)
from tests.greedy import advice

BOT_GAMES_MAX = 60
RARE_GAMES_MAX = 3000
ITERATIONS = 4
"""Few iterations, because a stored game shows how a bot plays, not how well."""
COMMITS_MAX = 500
"""The most commits of a stored game."""


@dataclass
class Shelf:
    """The stored games of a ruleset, and what does not occur in them yet."""

    ruleset: Ruleset
    missing: frozenset[str]

    def offer(self, name: str, record: Record) -> None:
        """Store a game if it shows something that was missing."""
        news = occurring(record) & self.missing
        if not news:
            return
        assert audit(record).verdict == "proved", name
        file = DIRECTORY / self.ruleset.slug / f"{self.ruleset.version}-{name}{SUFFIX}"
        assert not file.exists(), f"{file} is stored and stays as it is"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(packed(record))
        self.missing -= news
        print(f"{file.parent.name}/{file.name}: {len(record.entries)} commits, {', '.join(sorted(news))}", flush=True)

    def lacks(self, words: str) -> bool:
        """Whether something that begins with this text is missing."""
        return any(item.startswith(words) for item in self.missing)


def at_random(ruleset: Ruleset, rng: random.Random) -> Choosing:
    """A random actor that may act, with a random legal move."""
    return lambda position: choose(ruleset, position, rng)


def sensibly(ruleset: Ruleset, rng: random.Random) -> Choosing:
    """Moves of the greedy bot, but any move of the same type at first: such games come far and show rare positions."""
    times: Counter[str] = Counter()

    def choosing(position: Any) -> tuple[Actor, Move]:
        actor, move = choose(ruleset, position, rng)
        if actor == REFEREE:
            return actor, move
        best = advice(ruleset, position, actor)
        times[tag(best)] += 1
        is_whim = tag(move) == tag(best) and rng.random() < 1 / times[tag(best)]
        return actor, move if is_whim else best

    return choosing


def choices(ruleset: Ruleset, number: int) -> tuple[object, int]:
    """The options and the number of seats of the game with this number: every pair in turn, the rarest first."""
    variants = spread(ruleset.variants, random.Random(ruleset.slug))
    turn, variant = divmod(number, len(variants))
    options = variants[variant]
    fitting = [seats for seats in ruleset.seats if accepts(ruleset, options, seats)]
    return options, fitting[(variant + turn) % len(fitting)]


def add_bot_games(shelf: Shelf) -> None:
    """Add games between bots for every number of seats and every option of every edition."""
    for edition, rules in editions_of(shelf.ruleset).items():
        for number in range(BOT_GAMES_MAX):
            if shelf.lacks(f"{title_of(rules)} {edition}:"):
                options, seats = choices(rules, number)
                bots = ["random" if seat == number % seats else "greedy" for seat in range(seats)]
                name = f"{edition}-{seats}-bots-{number}"
                shelf.offer(name, play_game(rules, options, bots, f"corpus-{name}").record)


def add_games_to_make_again(shelf: Shelf) -> None:
    """Add games of every bot as it plays now, with every option, in the last edition, which is a short one."""
    *_, rules = editions_of(shelf.ruleset).values()
    names = bots_for(rules)
    versions = "-".join(f"{name}-{BOTS[name].version}" for name in names)
    variants = spread(rules.variants, random.Random(rules.slug))
    for number, (first, options) in enumerate(product(range(len(names)), variants)):
        if shelf.lacks(f"{title_of(rules)}: bot "):
            fitting = [seats for seats in rules.seats if accepts(rules, options, seats)]
            seats = len(names) if len(names) in fitting else fitting[-1]
            bots = tuple(islice(cycle(names), first + number, first + number + seats))
            name = f"{versions}-{number}"
            shelf.offer(name, play_game(rules, options, bots, f"corpus-{name}", ITERATIONS).record)


def add_rare_games(shelf: Shelf) -> None:
    """Add games for what the others did not show, as short as possible."""
    for number in range(RARE_GAMES_MAX):
        if shelf.missing:
            for record in rare_games(shelf, *choices(shelf.ruleset, number), number):
                shelf.offer(f"rare-{number}", record)


def rare_games(shelf: Shelf, options: object, seats: int, number: int) -> Iterator[Record]:
    """Games, each only up to the point at which it shows something that is missing."""
    rules, seed = shelf.ruleset, f"corpus-rare-{number}"
    if number % 5 == 0 or shelf.missing <= ends(shelf):
        bots = ["random" if seat == number % seats else "greedy" for seat in range(seats)]
        yield play_game(rules, options, bots, seed).record
        return
    policy = (at_random, variedly, eagerly, sensibly)[number % 5 - 1]
    sitting = Sitting(rules, options, seats, seed).play(policy(rules, random.Random(seed)), COMMITS_MAX)
    if sitting.state.status == "finished" and occurring(sitting.record) & shelf.missing & ends(shelf):
        yield sitting.record
        return
    shown = 0
    for version, entry in enumerate(sitting.entries, 1):
        items = {f"{title_of(rules)}: {item}" for item in in_commits(rules, [read_commit(entry.body)])}
        shown = version if items & shelf.missing - ends(shelf) else shown
    if 0 < shown < len(sitting.entries):
        yield sitting.back_to(shown).annul().record


def ends(shelf: Shelf) -> frozenset[str]:
    """The ways to end that must occur."""
    return frozenset(item for item in wanted(shelf.ruleset) if ": the end by " in item)


def main(slugs: list[str]) -> int:
    """Add what is missing, for all titles or for those named; returns the exit status."""
    stored = frozenset[str]().union(*(occurring(read_game(file)) for file in files()))
    unfound: list[str] = []
    for ruleset in (title for title in TITLES if not slugs or title.slug in slugs):
        shelf = Shelf(ruleset, wanted(ruleset) - stored)
        if shelf.missing:
            add_games_to_make_again(shelf)
            for name, record in stories(ruleset, at_random, "corpus").items():
                shelf.offer(f"table-{TABLE_VERSION}-{name}", record)
            add_bot_games(shelf)
            add_rare_games(shelf)
        unfound.extend(sorted(shelf.missing))
    for item in unfound:
        print(f"no game was found for {item}", file=sys.stderr)
    return 1 if unfound else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
