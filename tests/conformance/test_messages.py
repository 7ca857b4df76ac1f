"""Points 1 and 2: messages survive JSON, and every kind of message is declared once."""

import random
from collections import Counter
from collections.abc import Iterator

import jsonschema
import msgspec

from referee.kernel.judge import read_options, read_position
from referee.kernel.message import Event, Move, schema_of, tag, type_of
from tests.conformance.play import games_of, moments_of
from tests.conformance.recorded import recorded_tags
from tests.conformance.samples import Absurd, as_json
from tests.subjects import Subject, every_edition, every_ruleset, package_name


@every_edition
def test_moves_and_events_survive_json(subject: Subject) -> None:
    ruleset = subject.ruleset
    events_of_any_kind = msgspec.json.Decoder(ruleset.any_event)
    for game in games_of(subject):
        for commit in game.commits:
            assert ruleset.read_move(msgspec.json.encode(commit.move)).move == commit.move, game
            assert ruleset.read_move(as_json(commit.move)).move == commit.move, game
            for event in commit.events:
                assert events_of_any_kind.decode(msgspec.json.encode(event)) == event, game


@every_ruleset
def test_absurd_moves_survive_json(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    for moment in moments_of(subject, rng, 5):
        for move in Absurd(ruleset, moment.position, rng).moves(tuple(ruleset.moves), 40):
            assert ruleset.read_move(msgspec.json.encode(move)).move == move


@every_ruleset
def test_moves_fit_their_published_schema(subject: Subject) -> None:
    validators = {
        name: jsonschema.Draft202012Validator(schema_of(kind)) for name, kind in subject.ruleset.moves.items()
    }
    for game in games_of(subject):
        made = {tag(commit.move): commit.move for commit in game.commits}
        for name, move in made.items():
            validators[name].validate(as_json(move))


@every_edition
def test_positions_survive_json(subject: Subject) -> None:
    for game in games_of(subject):
        for commit in game.commits[:: 1 + len(game.commits) // 50]:
            for position in (commit.before, commit.after):
                assert read_position(game.ruleset, as_json(position)) == position, game


@every_ruleset
def test_options_survive_json(subject: Subject) -> None:
    for options in subject.ruleset.variants:
        assert read_options(subject.ruleset, as_json(options)) == options
    assert read_options(subject.ruleset, {}) == subject.ruleset.variants[0], "the first options are the defaults"


@every_ruleset
def test_each_kind_of_message_has_one_function_and_a_sentence(subject: Subject) -> None:
    chapters = subject.ruleset.chapters
    for declared in ("rules", "reducers"):
        kinds = Counter(kind for chapter in chapters for kind in getattr(chapter, declared))
        for kind, count in kinds.items():
            assert count == 1, f"{kind.__name__} is declared in {count} chapters"
            assert (kind.__dict__.get("__doc__") or "").strip(), f"{kind.__name__} has no docstring"
            assert tag(kind) == type_of(kind.__name__)


@every_ruleset
def test_every_kind_of_message_is_declared(subject: Subject) -> None:
    declared = {*subject.ruleset.moves.values(), *subject.ruleset.events.values()}
    written = {
        kind
        for base in (Move, Event)
        for kind in _heirs(base)
        if not kind.__subclasses__() and f"{kind.__module__}.".startswith(f"{package_name(subject.ruleset)}.")
    }
    assert written == declared


def _heirs(kind: type) -> Iterator[type]:
    for heir in kind.__subclasses__():
        yield heir
        yield from _heirs(heir)


@every_ruleset
def test_no_type_is_lost_or_renamed(subject: Subject) -> None:
    """A stored game must stay readable; `python -m tests.record` adds new types."""
    tags = recorded_tags(subject.ruleset)
    assert set(tags.moves) == set(subject.ruleset.moves)
    assert set(tags.events) == set(subject.ruleset.events)


@every_ruleset
def test_a_game_ends_with_scores_and_ranks_by_seat(subject: Subject) -> None:
    for game in games_of(subject):
        last = as_json(game.events[-1])
        assert last["type"] == "game_finished", game
        assert len(last["scores"]) == len(last["ranks"]) == game.seats, game
        assert all(tag(event) != "game_finished" for event in game.events[:-1]), game
