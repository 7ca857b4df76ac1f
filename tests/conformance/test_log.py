"""Points 5, 6 and 9: the log is the game."""

import random

import msgspec

from referee.kernel.canon import canonical
from referee.kernel.chance import Derived
from referee.kernel.judge import read_position, replay
from tests.conformance.play import games_of
from tests.conformance.samples import as_json
from tests.subjects import Subject, every_edition

SAMPLES = 60


@every_edition
def test_folding_the_log_gives_the_position_that_was_played(subject: Subject) -> None:
    for game in games_of(subject):
        blank = game.ruleset.blank(game.options, game.seats)
        assert replay(game.ruleset, blank, game.events) == game.end, game


@every_edition
def test_a_snapshot_and_the_rest_of_the_log_give_the_same_position(subject: Subject, rng: random.Random) -> None:
    for game in games_of(subject):
        at = rng.randrange(len(game.commits))
        snapshot = read_position(game.ruleset, as_json(game.commits[at].before))
        rest = [event for commit in game.commits[at:] for event in commit.events]
        assert replay(game.ruleset, snapshot, rest) == game.end, f"{game}, from version {at}"


@every_edition
def test_a_log_that_was_stored_as_json_folds_to_the_same_position(subject: Subject) -> None:
    for game in games_of(subject):
        stored = msgspec.json.encode(game.events)
        events = msgspec.json.decode(stored, type=tuple[game.ruleset.any_event, ...])
        blank = game.ruleset.blank(game.options, game.seats)
        assert canonical(replay(game.ruleset, blank, events)) == canonical(game.end), game


@every_edition
def test_deciding_and_applying_leave_the_position_untouched(subject: Subject, rng: random.Random) -> None:
    for game in games_of(subject):
        for commit in rng.sample(game.commits, min(SAMPLES, len(game.commits))):
            position, as_it_was = commit.before, canonical(commit.before)
            game.ruleset.decide(position, commit.actor, commit.move, Derived(game.key, commit.drawn))
            for event in commit.events:
                before = canonical(position)
                after = game.ruleset.apply(position, event)
                assert canonical(position) == before, f"{game}: {event} was applied in place"
                position = after
            assert canonical(commit.before) == as_it_was, f"{game}: {commit.move} was decided in place"


@every_edition
def test_deciding_twice_gives_the_same_events(subject: Subject, rng: random.Random) -> None:
    for game in games_of(subject):
        for commit in rng.sample(game.commits, min(SAMPLES, len(game.commits))):
            chance = Derived(game.key, commit.drawn)
            again = game.ruleset.decide(commit.before, commit.actor, commit.move, chance)
            assert canonical(again) == canonical(commit.events), f"{game}, version {commit.version}"


@every_edition
def test_every_accepted_move_has_events(subject: Subject) -> None:
    for game in games_of(subject):
        for commit in game.commits:
            assert commit.events, f"{game}: {commit.move} was accepted without an event"
