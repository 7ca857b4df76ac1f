"""What playthroughs must show: each event with each of its reasons, and each way to end."""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from referee.kernel.candidates import one_by_one
from referee.kernel.chance import Seeded
from referee.kernel.judge import refusal
from referee.kernel.message import Event, Move, tag
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Actor, Seat
from tests.conformance.play import CAMPAIGN, Commit, Game, accepts, choose, games_of, play, spread
from tests.greedy import advice
from tests.playthrough import Section, Start, files_of, read_sections, replayed, still_legal, write_file
from tests.subjects import Subject

REASONS = ("reason", "cause", "kind", "source", "mode")
GAMES_MAX = 60
GAMES_IN_VAIN = 15
LOOK_AHEAD = 10
COMMITS_MAX = 6000
THE_END = "the end by"


@cache
def reasons(event: type[Event]) -> tuple[str, tuple[str, ...]] | None:
    """The field with the reason of an event, and its possible values."""
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


def shown_by_commits(commits: Iterable[Commit]) -> frozenset[str]:
    """What these commits show."""
    shown: set[str] = set()
    for commit in commits:
        for event in commit.events:
            shown.add(tag(event))
            if (why := reasons(type(event))) is not None:
                shown.add(f"{tag(event)} {getattr(event, why[0])}")
        if commit.after.phase == "finished":
            shown.add(f"{THE_END} {tag(commit.move)}")
    return frozenset(shown)


def eagerly(ruleset: Ruleset, rng: random.Random) -> Callable[[Any], tuple[Actor, Move]]:
    """A player who takes the best of a few moves, which makes games shorter than random play."""

    def choosing(position: Any) -> tuple[Actor, Move]:
        tried = [choose(ruleset, position, rng) for _ in range(1 if rng.random() < 0.3 else LOOK_AHEAD)]
        return max(tried, key=lambda each: _gain(ruleset, position, *each))

    return choosing


def _gain(ruleset: Ruleset, position: Any, actor: Actor, move: Move) -> int:
    if actor == REFEREE:
        return 0
    _, after = ruleset.play(position, actor, move, Seeded("gain"))
    return next(place.score for place in ruleset.ranking(after) if place.seat == actor)


def variedly(ruleset: Ruleset, rng: random.Random) -> Callable[[Any], tuple[Actor, Move]]:
    """A player who chooses a type first and then a move of it, which shows rare moves."""

    def choosing(position: Any) -> tuple[Actor, Move]:
        actor, move = choose(ruleset, position, rng)
        if actor == REFEREE:
            return actor, move
        moves = list(one_by_one(ruleset.candidates(position, actor)))
        rng.shuffle(moves)
        types = sorted({tag(each) for each in moves})
        for name in rng.sample(types, len(types)):
            for each in moves:
                if tag(each) == name and refusal(ruleset, position, actor, each) is None:
                    return actor, each
        return actor, move

    return choosing


def sensibly(ruleset: Ruleset, rng: random.Random) -> Callable[[Any], tuple[Actor, Move]]:
    """A player who mostly takes the ruleset's advice, if it has some, which shows what comes late in a game."""
    varied = variedly(ruleset, rng)

    def choosing(position: Any) -> tuple[Actor, Move]:
        actor, _ = choose(ruleset, position, rng)
        if actor == REFEREE or ruleset.advice.choose is None or rng.random() < 0.2:
            return varied(position)
        return actor, advice(ruleset, position, Seat(int(actor)))

    return choosing


POLICIES = (eagerly, variedly, sensibly)


def some_games(subject: Subject) -> Iterator[Game]:
    """The games that the suite plays, then more games, with every variant in turn."""
    yield from games_of(subject)
    ruleset = subject.ruleset
    variants = spread(ruleset.variants, random.Random(f"some games of {subject}"))
    for number in count():
        options = variants[number % len(variants)]
        seats = ruleset.seats[number % len(ruleset.seats)]
        if accepts(ruleset, options, seats):
            policy = POLICIES[number % len(POLICIES)]
            seed = f"{ruleset.slug}:{policy.__name__}:{number}"
            yield play(ruleset, options, seats, seed, COMMITS_MAX, policy(ruleset, random.Random(seed)))


def must_be_shown(subject: Subject) -> frozenset[str]:
    """Every type of event, and every way to end that occurs in the suite's games (those of a campaign do not count)."""
    games = () if CAMPAIGN else games_of(subject)
    found = frozenset[str]().union(*(shown_by_commits(game.commits[-1:]) for game in games))
    return frozenset(subject.ruleset.events) | {way for way in found if way.startswith(THE_END)}


def record_playthroughs(subject: Subject) -> None:
    """Keep recorded playthroughs that are still legal, and add games that show what is missing."""
    ruleset = subject.ruleset
    kept = {file.stem: still_legal(ruleset, file) or played_anew(ruleset, file) for file in files_of(ruleset)}
    game, excerpts = kept.get("game", []), kept.get("excerpts", [])
    shown = frozenset[str]().union(*(shown_by_section(ruleset, section) for section in (*game, *excerpts)))
    if not game or not must_be_shown(subject) <= shown:
        pool = _pool(subject)
        game = game or [_whole(pool)]
        shown |= shown_by_section(ruleset, game[0])
        excerpts.extend(_excerpts(pool, shown))
    for name, sections in {**kept, "game": game, "excerpts": excerpts}.items():
        if sections:
            write_file(ruleset, name, sections)


def played_anew(ruleset: Ruleset, file: Path) -> list[Section]:
    """The sections of a file of games between advised players, played again by today's advice; none for other files."""
    if file.stem in ("game", "excerpts"):
        return []
    return [_played_anew(ruleset, section) for section in read_sections(ruleset, file)]


def _played_anew(ruleset: Ruleset, section: Section) -> Section:
    start, rng = section.start, random.Random(section.start.seed)
    assert start.version == 1, f"{section.title} begins in the middle of a game that is played differently now"

    def choosing(position: Any) -> tuple[Actor, Move]:
        actor, move = choose(ruleset, position, rng)
        return actor, move if actor == REFEREE else advice(ruleset, position, Seat(int(actor)))

    game = play(ruleset, start.options, start.seats, start.seed, len(section.moves), choosing)
    return replace(section, moves=tuple((commit.actor, commit.move) for commit in game.commits))


def _whole(pool: list[Game]) -> Section:
    """The shortest finished game."""
    shortest = min((game for game in pool if game.end.phase == "finished"), key=lambda game: len(game.commits))
    moves = tuple((commit.actor, commit.move) for commit in shortest.commits)
    return Section("a whole game", Start.of_game(shortest), moves, ())


def shown_by_section(ruleset: Ruleset, section: Section) -> frozenset[str]:
    """What a section shows."""
    return shown_by_commits(replayed(ruleset, section.start, section.moves))


def _pool(subject: Subject) -> list[Game]:
    """Games until they show every type of event and further games bring nothing new, or until the limit."""
    pool: list[Game] = []
    shown: set[str] = set()
    nothing_new = 0
    for game in some_games(subject):
        pool.append(game)
        news = shown_by_commits(game.commits) - shown
        shown |= news
        nothing_new = 0 if news else nothing_new + 1
        if len(pool) >= GAMES_MAX or (nothing_new >= GAMES_IN_VAIN and set(subject.ruleset.events) <= shown):
            return pool
    return pool


def _excerpts(pool: list[Game], shown: frozenset[str]) -> Iterator[Section]:
    """Excerpts of two commits, each time the two that show most of what is missing."""
    windows = [
        (game, version, news)
        for game in pool
        for version in range(2, len(game.commits))
        if not (news := shown_by_commits(game.commits[version - 1 : version + 1])) <= shown
    ]
    while windows:
        game, version, news = max(windows, key=lambda window: (len(window[2] - shown), -len(window[0].commits)))
        moves = tuple((commit.actor, commit.move) for commit in game.commits[version - 1 : version + 1])
        yield Section(", ".join(sorted(news - shown)), Start.before(game, version), moves, ())
        shown |= news
        windows = [window for window in windows if window[2] - shown]
