"""Points 11, 12 and 17: a game continues until it ends, and then it has a ranking."""

import random

import msgspec

from referee.kernel.chance import Seeded
from referee.kernel.judge import legal_moves, refusal
from referee.kernel.message import Trigger, tag
from referee.kernel.seat import REFEREE
from tests.conformance.play import filled_families, games_of, moments_of
from tests.conformance.samples import as_json
from tests.subjects import Subject, every_edition

MOMENTS = 60
REST = 64


@every_edition
def test_until_the_end_a_seat_is_awaited_or_a_trigger_is_due(subject: Subject) -> None:
    for game in games_of(subject):
        for commit in game.commits:
            assert commit.before.phase != "finished", game
            due = game.ruleset.due(commit.before)
            obliged = any(decision.obliged for decision in game.ruleset.awaited(commit.before))
            assert obliged or due is not None, f"{game}: no seat is obliged to move before version {commit.version}"


@every_edition
def test_random_play_ends_in_time_and_then_nothing_is_owed(subject: Subject) -> None:
    for game in games_of(subject):
        assert game.end.phase == "finished", f"{game}: {len(game.commits)} commits and no end"
        assert game.ruleset.awaited(game.end) == ()
        assert game.ruleset.due(game.end) is None
        assert all(legal_moves(game.ruleset, game.end, seat) == () for seat in range(game.seats))


@every_edition
def test_every_awaited_seat_exists_and_has_a_legal_move(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    for moment in moments_of(subject, rng, MOMENTS):
        for decision in ruleset.awaited(moment.position):
            assert 0 <= decision.seat < moment.game.seats, moment
            assert decision.moves, moment
            if decision.not_before_s:
                assert decision.not_before_clause in ruleset.rulebook.clauses
            moves = legal_moves(ruleset, moment.position, decision.seat)
            filled = (move for _ in range(50) for move in filled_families(ruleset, moment.position, decision.seat, rng))
            assert moves or any(refusal(ruleset, moment.position, decision.seat, move) is None for move in filled), (
                f"seat {decision.seat} has no legal move at {moment}"
            )


@every_edition
def test_each_awaited_type_of_move_is_legal_somewhere(subject: Subject) -> None:
    """A type that is awaited but never legal would mislead clients."""
    awaited: set[str] = set()
    made: set[str] = set()
    for game in games_of(subject):
        for commit in game.commits:
            awaited.update(name for decision in game.ruleset.awaited(commit.before) for name in decision.moves)
            made.add(tag(commit.move))
    assert made - set(subject.ruleset.triggers) <= awaited


@every_edition
def test_each_safe_default_is_legal_and_of_an_awaited_type(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    for moment in moments_of(subject, rng, MOMENTS):
        for decision in ruleset.awaited(moment.position):
            if decision.obliged:
                move = ruleset.default(moment.position, decision.seat)
                assert tag(move) in decision.moves, moment
                assert refusal(ruleset, moment.position, decision.seat, move) is None, f"{move} at {moment}"


@every_edition
def test_a_game_of_safe_defaults_ends_or_stays_sound(subject: Subject, rng: random.Random) -> None:
    """All players may miss every deadline."""
    ruleset = subject.ruleset
    for moment in moments_of(subject, rng, 10):
        position = moment.position
        for _ in range(60):
            due = ruleset.due(position)
            obliged = [decision.seat for decision in ruleset.awaited(position) if decision.obliged]
            if due is not None and (due.after_ms == 0 or not obliged):
                actor, move = REFEREE, due.move
            elif obliged:
                actor, move = obliged[0], ruleset.default(position, obliged[0])
            else:
                break
            position = ruleset.play(position, actor, move, Seeded(rng.random()))[1]
            ruleset.check(position)


@every_edition
def test_due_triggers_are_accepted_and_come_to_rest(subject: Subject) -> None:
    for game in games_of(subject):
        in_a_row = 0
        for commit in game.commits:
            due = game.ruleset.due(commit.before)
            if due is not None:
                assert refusal(game.ruleset, commit.before, REFEREE, due.move) is None, game
                assert tag(due.move) in game.ruleset.moves
                assert due.after_ms > 0 or isinstance(due.move, Trigger)
            in_a_row = in_a_row + 1 if due is not None and due.after_ms == 0 else 0
            assert in_a_row <= REST, f"{game}: triggers without end before version {commit.version}"


@every_edition
def test_the_ranking_covers_each_seat_and_names_the_clause(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    positions = [moment.position for moment in moments_of(subject, rng, MOMENTS)]
    for position in (*positions, *(game.end for game in games_of(subject))):
        places = ruleset.ranking(position)
        assert sorted(place.seat for place in places) == list(range(len(position.seats)))
        assert list(places) == sorted(places, key=lambda place: place.rank), "the first place has rank 1"
        for place in places:
            assert place.clause in ruleset.rulebook.clauses
            assert place.rank == 1 + sum(other.rank < place.rank for other in places), "ties share a rank: 1, 1, 3"


@every_edition
def test_the_ranking_matches_the_last_event_and_does_not_change(subject: Subject) -> None:
    for game in games_of(subject):
        places = sorted(game.ruleset.ranking(game.end), key=lambda place: place.seat)
        last = as_json(game.events[-1])
        assert [place.score for place in places] == last["scores"], game
        assert [place.rank for place in places] == last["ranks"], game
        stored = msgspec.convert(as_json(game.end), game.ruleset.position_type)
        assert sorted(game.ruleset.ranking(stored), key=lambda place: place.seat) == places, game
