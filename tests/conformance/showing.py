"""What playthroughs show: each event with each of its reasons, and each way to end."""

import random
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import count
from typing import Any, Literal, get_args, get_origin, get_type_hints

from referee.kernel.chance import Seeded
from referee.kernel.message import Event, tag
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE
from tests.conformance.play import Commit, Game, accepts, choose, games_of, play, spread
from tests.playthrough import Section, Start, files_of, replayed, still_legal, write_file
from tests.subjects import Subject

REASONS = ("reason", "cause", "kind", "source", "mode")
GAMES_MAX = 60
GAMES_IN_VAIN = 15
LOOK_AHEAD = 10


@cache
def reasons(event: type[Event]) -> tuple[str, tuple[str, ...]] | None:
    """The field that says why an event happened, and what it may say."""
    hints = get_type_hints(event)
    for name in REASONS:
        words = tuple(_words(hints[name])) if name in hints else ()
        if words:
            return name, words
    return None


def _words(hint: Any) -> Iterator[str]:
    if get_origin(hint) is Literal:
        yield from (word for word in get_args(hint) if isinstance(word, str))
    else:
        for part in get_args(hint):
            yield from _words(part)


def all_events(ruleset: Ruleset) -> frozenset[str]:
    """What must be shown: every type of event."""
    return frozenset(ruleset.events)


def shown_by_commits(commits: Iterable[Commit]) -> frozenset[str]:
    """What these commits show."""
    shown: set[str] = set()
    for commit in commits:
        for event in commit.events:
            shown.add(tag(event))
            if (why := reasons(type(event))) is not None:
                shown.add(f"{tag(event)} {getattr(event, why[0])}")
        if commit.after.phase == "finished":
            shown.add(f"the end by {tag(commit.move)}")
    return frozenset(shown)


def eager_play(ruleset: Ruleset, options: Any, seats: int, seed: str) -> Game:
    """A game in which everybody takes the best of a few moves: shorter than one at random."""
    rng = random.Random(f"eager:{seed}")

    def eager(position: Any) -> Any:
        tried = [choose(ruleset, position, rng) for _ in range(1 if rng.random() < 0.3 else LOOK_AHEAD)]
        return max(tried, key=lambda each: _gain(ruleset, position, *each))

    return play(ruleset, options, seats, seed, choosing=eager)


def _gain(ruleset: Ruleset, position: Any, actor: Any, move: Any) -> int:
    if actor == REFEREE:
        return 0
    _, after = ruleset.play(position, actor, move, Seeded("gain"))
    return next(place.score for place in ruleset.ranking(after) if place.seat == actor)


def some_games(subject: Subject) -> Iterator[Game]:
    """First the games that the suite plays, then more, with every variant in turn."""
    yield from games_of(subject)
    ruleset = subject.ruleset
    variants = spread(ruleset.variants, random.Random(f"some games of {subject}"))
    for number in count():
        options = variants[number % len(variants)]
        seats = ruleset.seats[number % len(ruleset.seats)]
        if accepts(ruleset, options, seats):
            yield eager_play(ruleset, options, seats, f"{ruleset.slug}:eager:{number}")


def record_playthroughs(subject: Subject) -> None:
    """Keep what is on record and legal; add a whole game and excerpts until everything is shown."""
    ruleset = subject.ruleset
    kept = {file.stem: still_legal(ruleset, file) for file in files_of(ruleset)}
    shown = frozenset[str]().union(*(shown_by_section(ruleset, each) for each in kept.get("excerpts", ())))
    pool = _pool(subject)
    if not kept.get("game"):
        shortest = min(pool, key=lambda game: len(game.commits))
        moves = tuple((commit.actor, commit.move) for commit in shortest.commits)
        kept["game"] = [Section("a whole game", Start.of_game(shortest), moves, ())]
    shown = shown.union(*(shown_by_section(ruleset, each) for each in kept["game"]))
    kept["excerpts"] = [*kept.get("excerpts", ()), *_excerpts(pool, shown)]
    for name, sections in kept.items():
        if sections:
            write_file(ruleset, name, sections)


def shown_by_section(ruleset: Ruleset, section: Section) -> frozenset[str]:
    """What a section shows."""
    return shown_by_commits(replayed(ruleset, section.start, section.moves))


def _pool(subject: Subject) -> list[Game]:
    """Games until every type of event is shown and some more games have brought nothing new, or it is enough."""
    pool: list[Game] = []
    shown: set[str] = set()
    nothing_new = 0
    for game in some_games(subject):
        pool.append(game)
        news = shown_by_commits(game.commits) - shown
        shown |= news
        nothing_new = 0 if news else nothing_new + 1
        if len(pool) >= GAMES_MAX or (nothing_new >= GAMES_IN_VAIN and all_events(subject.ruleset) <= shown):
            return pool
    return pool


def _excerpts(pool: list[Game], shown: frozenset[str]) -> Iterator[Section]:
    """Two commits at a time, each time those that show most of what is missing."""
    windows = [
        (game, version, shown_by_commits(game.commits[version - 1 : version + 1]))
        for game in pool
        for version in range(2, len(game.commits))
    ]
    while windows:
        game, version, news = max(windows, key=lambda window: (len(window[2] - shown), -len(window[0].commits)))
        if not news - shown:
            return
        moves = tuple((commit.actor, commit.move) for commit in game.commits[version - 1 : version + 1])
        yield Section(", ".join(sorted(news - shown)), Start.before(game, version), moves, ())
        shown |= news
        windows = [window for window in windows if window[2] - shown]
