"""Points 14 and 15: what a reader sees depends on nothing that the reader may not know."""

import random

import msgspec

from referee.kernel.audience import hidden_fields, redact, redact_move
from referee.kernel.canon import canonical
from referee.kernel.chance import Seeded
from referee.kernel.judge import legal_moves, refusal
from referee.kernel.message import Event
from referee.kernel.ruleset import Ruleset
from tests.conformance.play import Commit, Game, Moment, games_of, moments_of
from tests.conformance.samples import as_json
from tests.conformance.worlds import (
    Reader,
    kinds_of_change,
    knowable,
    permuted,
    readers,
    unseen,
    with_canaries,
)
from tests.subjects import Subject, every_edition

MOMENTS = 16


def assert_alike(moment: Moment, world: object, reader: Reader, seed: str) -> None:
    """Assert that a reader can find out the same in both worlds."""
    ruleset, position = moment.game.ruleset, moment.position
    here = knowable(ruleset, position, reader, random.Random(seed))
    there = knowable(ruleset, world, reader, random.Random(seed))
    for name, known in here.items():
        assert known == there[name], f"reader {reader} tells by {name} from {canonical(world).decode()}: {moment}"


@every_edition
def test_alike_positions_are_sound_and_indistinguishable(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    for moment in moments_of(subject, rng, MOMENTS):
        for reader in readers(moment.game.seats):
            for seed in range(3):
                world = ruleset.alike(moment.position, reader, Seeded(f"{moment.commit.version}:{seed}"))
                ruleset.check(world)
                assert_alike(moment, world, reader, f"{reader}:{seed}")


@every_edition
def test_an_alike_position_follows_from_the_view_and_the_luck_alone(subject: Subject, rng: random.Random) -> None:
    """So a bot that gets one learns nothing about the true position."""
    ruleset = subject.ruleset
    for moment in moments_of(subject, rng, 4 * MOMENTS):
        for reader in readers(moment.game.seats):
            other = ruleset.alike(moment.position, reader, Seeded("other"))
            luck = str(moment.commit.version)
            here, there = (ruleset.alike(each, reader, Seeded(luck)) for each in (moment.position, other))
            assert canonical(here) == canonical(there), f"for reader {reader} at {moment}"


@every_edition
def test_permuting_what_a_view_leaves_out_changes_nothing_for_its_reader(subject: Subject, rng: random.Random) -> None:
    for moment in moments_of(subject, rng, MOMENTS):
        for reader in readers(moment.game.seats):
            world = permuted(subject.ruleset, moment.position, reader, rng)
            assert_alike(moment, world, reader, str(reader))


@every_edition
def test_alike_positions_differ_in_all_that_is_hidden(subject: Subject, rng: random.Random) -> None:
    """A bot that searches in such worlds must not learn what its seat does not know."""
    ruleset = subject.ruleset
    possible: set[str] = set()
    drawn: set[str] = set()
    for moment in moments_of(subject, rng, 2 * MOMENTS):
        for reader in readers(moment.game.seats):
            world = permuted(ruleset, moment.position, reader, rng)
            possible |= kinds_of_change(ruleset, moment.position, world, reader)
            for _ in range(2):
                world = ruleset.alike(moment.position, reader, Seeded(rng.random()))
                drawn |= kinds_of_change(ruleset, moment.position, world, reader)
    assert possible <= drawn


@every_edition
def test_a_view_has_the_form_of_its_type(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    ends = [game.end for game in games_of(subject)]
    blanks = [game.commits[0].before for game in games_of(subject)]
    for position in (*(moment.position for moment in moments_of(subject, rng, MOMENTS)), *ends, *blanks):
        for reader in readers(len(position.seats)):
            view = ruleset.view(position, reader)
            assert type(view) is ruleset.view_type
            assert as_json(msgspec.convert(as_json(view), ruleset.view_type)) == as_json(view)


@every_edition
def test_no_hidden_card_occurs_in_the_bytes_of_a_view(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    for moment in moments_of(subject, rng, MOMENTS):
        for reader in (None, rng.randrange(moment.game.seats)):
            marked = with_canaries(moment.position, unseen(ruleset, moment.position, reader))
            assert b"canary" not in canonical(ruleset.view(marked, reader)), f"reader {reader} at {moment}"


@every_edition
def test_no_hidden_field_occurs_in_the_bytes_of_a_redacted_event(subject: Subject) -> None:
    for game in games_of(subject):
        for commit in game.commits:
            for event in commit.events:
                for reader in readers(game.seats) if hidden_fields(type(event)) else ():
                    assert_redacted(event, reader, game)


def assert_redacted(event: Event, reader: Reader, game: Game) -> None:
    """Assert that the reader's copy has nothing of a hidden field, and everything else unchanged."""
    whole, copy = as_json(event), as_json(redact(event, reader))
    encode_names = {field.name: field.encode_name for field in msgspec.structs.fields(event)}
    hidden = {encode_names[name]: audience for name, audience in hidden_fields(type(event))}
    for name, value in whole.items():
        if name not in hidden:
            assert copy[name] == value, f"{event} for {reader} in {game}"
        elif hidden[name].own_entry:
            others = [entry for seat, entry in enumerate(copy[name]) if seat != reader]
            assert others == [None] * len(others), f"{event} for {reader} in {game}"
        elif reader is None or reader not in [getattr(event, seat) for seat in hidden[name].seats_in]:
            assert name not in copy, f"{event} for {reader} in {game}"
        else:
            assert copy[name] == value, f"{event} for {reader} in {game}"


@every_edition
def test_a_secret_answer_looks_like_any_other(subject: Subject, rng: random.Random) -> None:
    """While other seats still owe an answer, nobody can see what was answered."""
    ruleset = subject.ruleset
    for moment in moments_of(subject, rng, 4 * MOMENTS):
        decisions = ruleset.awaited(moment.position)
        seats = {decision.seat for decision in decisions if decision.obliged}
        for seat in seats if len(seats) > 1 else ():
            answers = [move for move in legal_moves(ruleset, moment.position, seat) if move.secret]
            for reader in readers(moment.game.seats):
                if reader != seat:
                    seen = {_as_seen(ruleset, moment, seat, answer, reader) for answer in answers[:20]}
                    assert len(seen) <= 1, f"reader {reader} knows the answer of seat {seat} at {moment}"


def _as_seen(ruleset: Ruleset, moment: Moment, seat: int, move: object, reader: Reader) -> bytes:
    events, after = ruleset.play(moment.position, seat, move, Seeded(0))
    copies = [redact(event, reader) for event in events]
    redacted = redact_move(move, seat, reader)
    return canonical([redacted, copies, ruleset.view(after, reader), ruleset.awaited(after), ruleset.due(after)])


@every_edition
def test_a_move_does_not_reveal_what_its_events_hide(subject: Subject) -> None:
    for game in games_of(subject):
        for commit in game.commits:
            for reader in readers(game.seats):
                if reader != commit.actor:
                    assert_keeps_its_secrets(commit, reader, game)


def assert_keeps_its_secrets(commit: Commit, reader: Reader, game: Game) -> None:
    """Assert that a field which an event hides is not in the move, unless another event of the commit shows it."""
    copies = [redact(event, reader) for event in commit.events]
    for event, copy in zip(commit.events, copies, strict=True):
        for name, _ in hidden_fields(type(event)):
            if getattr(copy, name) is not msgspec.UNSET:
                continue
            secret = canonical(getattr(event, name))
            value = (redact_move(commit.move, commit.actor, reader) or {}).get(name, msgspec.UNSET)
            is_revealed = value is not msgspec.UNSET and canonical(value) == secret
            assert not is_revealed or secret in canonical(copies), f"{commit.move} reveals {name} to {reader} in {game}"


@every_edition
def test_events_that_hide_something_show_the_same_in_alike_worlds(subject: Subject, rng: random.Random) -> None:
    """Up to the first public fact that differs, the same move must look the same."""
    ruleset = subject.ruleset
    for moment in moments_of(subject, rng, 4 * MOMENTS):
        actor, move = moment.commit.actor, moment.commit.move
        for reader in readers(moment.game.seats):
            world = ruleset.alike(moment.position, reader, Seeded(rng.random()))
            if reader == actor or refusal(ruleset, world, actor, move) is not None:
                continue
            here = ruleset.decide(moment.position, actor, move, Seeded(0))
            there = ruleset.decide(world, actor, move, Seeded(0))
            for one, other in zip(here, there, strict=False):
                copies = redact(one, reader), redact(other, reader)
                if canonical(copies[0]) != canonical(copies[1]):
                    hides = type(one) is type(other) and copies[0] != one
                    assert not hides, f"reader {reader} tells {copies[0]} from {copies[1]} at {moment}"
                    break
