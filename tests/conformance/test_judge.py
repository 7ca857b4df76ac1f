"""Points 21 and 24: the judge, which knows only a position, comes to the same verdict as the live game.

It reads every position in which a game can end.
"""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from referee.kernel.chance import Derived, Seeded
from referee.kernel.judge import Accepted, judge, legal_moves, read_position
from referee.kernel.rejection import InvalidChance, Rejection
from tests.conformance.play import Commit, Game, games_of, is_over
from tests.conformance.samples import as_json
from tests.corpus.stored_games import files, read_game, replayed
from tests.subjects import Subject, every_edition, every_ruleset

COMMITS = 40


def drawn_in(game: Game, commit: Commit) -> list[tuple[str, Any]]:
    """The outcomes of the luck that a commit drew."""
    chance = Derived(game.key, commit.drawn)
    game.ruleset.decide(commit.before, commit.actor, commit.move, chance)
    return [(point, as_json(outcome)) for point, outcome in chance.drawn]


def sampled(subject: Subject, rng: random.Random) -> list[tuple[Game, Commit]]:
    """The set-up of every game and some of its commits, first those with luck."""
    found: list[tuple[Game, Commit]] = []
    for game in games_of(subject):
        rest = rng.sample(game.commits[1:], min(COMMITS, len(game.commits) - 1))
        lucky = [commit for commit in game.commits[1:300] if drawn_in(game, commit)][:COMMITS]
        found.extend((game, commit) for commit in (game.commits[0], *lucky, *rest))
    return found


@every_edition
def test_the_judge_agrees_with_the_live_game_at_stored_positions(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    for game, commit in sampled(subject, rng):
        position = read_position(ruleset, as_json(commit.before))
        move = ruleset.read_move(as_json(commit.move))
        verdict = judge(ruleset, position, commit.actor, move, drawn_in(game, commit))
        assert isinstance(verdict, Accepted), f"{game}, version {commit.version}: {verdict}"
        assert verdict.events == commit.events, f"{game}, version {commit.version}"
        assert verdict.position == commit.after, f"{game}, version {commit.version}"


@every_edition
def test_impossible_luck_is_not_a_verdict(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    for game, commit in sampled(subject, rng):
        outcomes = drawn_in(game, commit)
        wrong = [[*outcomes, ("no_such_point", 1)]]
        for at, (point, outcome) in enumerate(outcomes):
            shorter = outcome[1:] if isinstance(outcome, list) and outcome else -1
            for instead in ("absurd", None, {}, -1, 10**9, True, shorter):
                wrong.append([*outcomes[:at], (point, instead), *outcomes[at + 1 :]])
        for forced in wrong:
            with pytest.raises(InvalidChance):
                judge(ruleset, commit.before, commit.actor, commit.move, forced)
                pytest.fail(f"took {forced} for {commit.move} in {game}")


LAST_COMMITS = 12
"""In the last positions of a game every legal move is tried, to find the other ways in which it could have ended."""


def ends_of(game: Game) -> Iterator[Any]:
    """The last position of a game, and those in which it would have ended with another of its last moves."""
    ruleset = game.ruleset
    yield game.end
    for commit in game.commits[-LAST_COMMITS:]:
        for decision in ruleset.awaited(commit.before):
            for move in legal_moves(ruleset, commit.before, decision.seat):
                _, after = ruleset.play(commit.before, decision.seat, move, Seeded(commit.version))
                if is_over(ruleset, after):
                    yield after


@every_edition
def test_the_judge_reads_every_position_in_which_a_game_ends(subject: Subject) -> None:
    """`check` accepts what `decide` can end a game in, and the judge refuses to play on."""
    ruleset = subject.ruleset
    for game in games_of(subject):
        last = game.commits[-1]
        for end in ends_of(game):
            position = read_position(ruleset, as_json(end))
            assert position == end, game
            assert isinstance(judge(ruleset, position, last.actor, last.move), Rejection), game


@every_ruleset
def test_the_judge_reads_the_last_position_of_every_stored_game(subject: Subject) -> None:
    ruleset = subject.ruleset
    for record in map(read_game, files()):
        if (record.header.ruleset, record.header.version) == (ruleset.slug, ruleset.version):
            end = replayed(record, ruleset)
            assert read_position(end.rules, as_json(end.position)) == end.position
