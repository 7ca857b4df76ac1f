"""Points 7, 8, 9, 10 and 13: listed moves are accepted, all others are refused with a clause."""

import random
from typing import Any

import jsonschema
import msgspec
import pytest

from referee.kernel.chance import Derived, Seeded
from referee.kernel.judge import families, find_legal, legal_moves, refusal
from referee.kernel.message import Move, Trigger, tag
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Family, Ruleset
from referee.kernel.seat import REFEREE, Actor, Seat
from tests.conformance.play import Moment, careful_play, filled_families, games_of, moments_of
from tests.conformance.samples import Absurd, as_json
from tests.subjects import Subject, every_edition

MOMENTS = 30
MOVES_A_MOMENT = 25


def awaited_types(ruleset: Ruleset, position: Any, seat: int) -> set[str]:
    """The types of moves that a seat is awaited for."""
    return {name for decision in ruleset.awaited(position) if decision.seat == seat for name in decision.moves}


def refused_with(ruleset: Ruleset, position: Any, actor: Actor, move: Any, moment: Moment) -> str:
    """The clause that refuses a move; the test fails unless the move is refused before any event or drawing."""
    chance = Derived(b"refused", 0)
    with pytest.raises(Rejection) as refused:
        careful_play(ruleset, position, actor, move, chance)
        pytest.fail(f"{actor} may not, but did: {move} at {moment}")
    assert refused.value.clause in ruleset.rulebook.clauses, f"{refused.value} at {moment}"
    assert refused.value.message.endswith("."), f"a message is a sentence: {refused.value.message!r}"
    return refused.value.clause


@every_edition
def test_each_legal_move_is_accepted_and_leads_to_a_sound_position(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    for moment in moments_of(subject, rng, MOMENTS):
        for seat in range(moment.game.seats):
            moves = legal_moves(ruleset, moment.position, seat)
            for move in rng.sample(moves, min(MOVES_A_MOMENT, len(moves))):
                chance = Seeded(rng.random())
                try:
                    _, after = careful_play(ruleset, moment.position, seat, move, chance)
                    ruleset.check(after)
                except Exception as fault:
                    raise AssertionError(f"seat {seat}, {move} at {moment}") from fault


@every_edition
def test_legal_moves_are_of_awaited_types(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    for moment in moments_of(subject, rng, MOMENTS):
        for seat in range(moment.game.seats):
            types = awaited_types(ruleset, moment.position, seat)
            assert types <= set(ruleset.moves)
            assert {tag(move) for move in legal_moves(ruleset, moment.position, seat)} <= types, moment
            assert {family.type for family in ruleset.families(moment.position, seat) if types} <= types, moment


@every_edition
def test_legal_moves_have_no_duplicates_and_a_stable_order(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    for moment in moments_of(subject, rng, MOMENTS):
        for seat in range(moment.game.seats):
            moves = legal_moves(ruleset, moment.position, seat)
            assert len({msgspec.json.encode(move) for move in moves}) == len(moves), moment
            assert legal_moves(ruleset, moment.position, seat) == moves, moment


@every_edition
def test_a_family_allows_only_readable_moves_and_some_are_legal(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    offered: set[str] = set()
    accepted: set[str] = set()
    for moment in moments_of(subject, rng, 4 * MOMENTS):
        for decision in ruleset.awaited(moment.position):
            seat = decision.seat
            fitting = {family.type: validator_of(family) for family in ruleset.families(moment.position, seat)}
            offered |= fitting.keys()
            listed = [move for move in legal_moves(ruleset, moment.position, seat) if tag(move) in fitting]
            filled = [move for _ in range(8) for move in filled_families(ruleset, moment.position, seat, rng)]
            for move in (*rng.sample(listed, min(8, len(listed))), *filled):
                fitting[tag(move)].validate(as_json(move))
                if refusal(ruleset, moment.position, seat, move) is None:
                    ruleset.check(careful_play(ruleset, moment.position, seat, move, Seeded(0))[1])
                    accepted.add(tag(move))
    assert accepted == offered, "no move of the family is legal"


def validator_of(family: Family) -> jsonschema.Draft202012Validator:
    """The validator of a family's schema, after a check of the schema and of its description."""
    jsonschema.Draft202012Validator.check_schema(family.schema)
    assert family.description.strip()
    return jsonschema.Draft202012Validator(family.schema)


@every_edition
def test_absurd_moves_are_refused_with_a_clause(subject: Subject, rng: random.Random) -> None:
    """An accepted move must be listed, or have the effect of a listed one, unless its type is a family."""
    ruleset = subject.ruleset
    for moment in moments_of(subject, rng, MOMENTS):
        absurd = Absurd(ruleset, moment.position, rng)
        for seat in range(moment.game.seats):
            legal = legal_moves(ruleset, moment.position, seat)
            types = awaited_types(ruleset, moment.position, seat)
            unlisted = find_legal(ruleset, moment.position, seat).unlisted
            open_types = {family.type for family in families(ruleset, moment.position, seat, unlisted)}
            fitting = tuple(types & set(ruleset.moves)) or tuple(ruleset.moves)
            moves = [*absurd.moves(tuple(sorted(fitting)), 20), *absurd.moves(tuple(ruleset.moves), 5)]
            for move in moves:
                chance = Derived(b"absurd", 0)
                try:
                    _, after = careful_play(ruleset, moment.position, seat, move, chance)
                except Rejection as rejection:
                    assert rejection.clause in ruleset.rulebook.clauses, f"{rejection} at {moment}"
                    assert move not in legal, moment
                    continue
                ruleset.check(after)
                assert tag(move) in types, f"seat {seat} is not awaited for {move} at {moment}"
                listed = tag(move) in open_types or has_effect_of_listed(ruleset, moment, seat, move, legal)
                assert listed, f"{move} of seat {seat} is legal and not listed at {moment}"


def has_effect_of_listed(ruleset: Ruleset, moment: Moment, seat: Seat, move: Move, legal: tuple[Move, ...]) -> bool:
    """Whether a legal move is listed, or leads to the position of a listed one but for the order of lists."""
    if move in legal:
        return True

    def effect(tried: Move) -> Any:
        _, after = careful_play(ruleset, moment.position, seat, tried, Derived(b"effect", 0))
        return in_order(as_json(after))

    wanted = effect(move)
    return any(effect(other) == wanted for other in legal if type(other) is type(move))


def in_order(value: Any) -> Any:
    """A value with all its lists in the same order."""
    if isinstance(value, dict):
        return {name: in_order(part) for name, part in value.items()}
    return sorted(map(in_order, value), key=msgspec.json.encode) if isinstance(value, list) else value


def crossed(legal: tuple[Move, ...], rng: random.Random, count: int) -> list[Move]:
    """Legal moves that have got one parameter from another legal move of their type."""
    kinds: dict[type[Move], list[Move]] = {}
    for move in legal:
        kinds.setdefault(type(move), []).append(move)
    mixed: list[Move] = []
    for kind in [kind for kind, moves in kinds.items() if len(moves) > 1 and len(kind.__struct_fields__) > 1]:
        for _ in range(count):
            move, other = rng.sample(kinds[kind], 2)
            name = rng.choice(kind.__struct_fields__)
            mixed.append(msgspec.structs.replace(move, **{name: getattr(other, name)}))
    return mixed


@every_edition
def test_a_list_of_legal_moves_is_complete_for_every_type_that_is_no_family(
    subject: Subject, rng: random.Random
) -> None:
    """Moves that mix the parameters of listed ones are refused or listed, too."""
    ruleset = subject.ruleset
    for moment in moments_of(subject, rng, MOMENTS):
        for seat in range(moment.game.seats):
            found = find_legal(ruleset, moment.position, seat)
            open_types = {family.type for family in families(ruleset, moment.position, seat, found.unlisted)}
            legal = legal_moves(ruleset, moment.position, seat)
            for move in crossed(legal, rng, count=10):
                if tag(move) not in open_types and refusal(ruleset, moment.position, seat, move) is None:
                    listed = has_effect_of_listed(ruleset, moment, seat, move, legal)
                    assert listed, f"{move} of seat {seat} is legal and not listed at {moment}"


@every_edition
def test_unreadable_moves_are_refused_with_a_clause(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    for moment in moments_of(subject, rng, MOMENTS):
        good = as_json(moment.commit.move)
        damaged: list[Any] = [
            {},
            [],
            None,
            "set_up",
            [good],
            {"type": "no_such_move"},
            {"type": None},
            {"type": [good["type"]]},
            {**good, "absurd": 1},
            *({**good, name: {"absurd": [None]}} for name in good),
            {key: value for key, value in good.items() if key != "type"},
        ]
        for raw in damaged:
            attempt = ruleset.read_move(raw)
            assert attempt.move is None, f"{raw} was read as {attempt.move}"
            for actor in (moment.commit.actor, 0, REFEREE):
                refused_with(ruleset, moment.position, actor, attempt, moment)


@every_edition
def test_no_other_actor_can_make_the_move_of_an_awaited_seat(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    for moment in moments_of(subject, rng, MOMENTS):
        due = ruleset.due(moment.position)
        for decision in ruleset.awaited(moment.position):
            moves = legal_moves(ruleset, moment.position, decision.seat)
            for move in rng.sample(moves, min(5, len(moves))):
                for other in range(moment.game.seats):
                    if tag(move) not in awaited_types(ruleset, moment.position, other):
                        refused_with(ruleset, moment.position, other, move, moment)
                if due is None or tag(due.move) != tag(move):
                    refused_with(ruleset, moment.position, REFEREE, move, moment)


@every_edition
def test_an_actor_without_a_seat_cannot_move(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    for moment in moments_of(subject, rng, MOMENTS):
        for outsider in (-1, moment.game.seats, moment.game.seats + 7):
            refused_with(ruleset, moment.position, outsider, moment.commit.move, moment)
            assert legal_moves(ruleset, moment.position, outsider) == ()


@every_edition
def test_no_seat_can_make_a_trigger_and_the_referee_only_due_ones(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    triggers = {tag(commit.move): commit.move for game in games_of(subject) for commit in game.commits}
    triggers = {name: move for name, move in triggers.items() if isinstance(move, Trigger)}
    for moment in moments_of(subject, rng, MOMENTS):
        due = ruleset.due(moment.position)
        for name, move in triggers.items():
            for seat in range(moment.game.seats):
                refused_with(ruleset, moment.position, seat, move, moment)
            if due is None or tag(due.move) != name:
                refused_with(ruleset, moment.position, REFEREE, move, moment)


@every_edition
def test_a_move_of_another_phase_is_refused(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    moments = moments_of(subject, rng, MOMENTS)
    for moment in moments:
        for other in moments:
            actor, move = other.commit.actor, other.commit.move
            if actor == REFEREE or actor >= moment.game.seats:
                continue
            if tag(move) not in awaited_types(ruleset, moment.position, actor):
                refused_with(ruleset, moment.position, actor, move, moment)


@every_edition
def test_no_seat_can_move_before_the_set_up(subject: Subject) -> None:
    for game in games_of(subject):
        start = Moment(game, game.commits[0])
        for commit in game.commits[1:10]:
            for seat in range(game.seats):
                refused_with(game.ruleset, start.position, seat, commit.move, start)


@every_edition
def test_a_finished_game_refuses_every_move_with_one_clause(subject: Subject, rng: random.Random) -> None:
    clauses: set[str] = set()
    for game in games_of(subject):
        end = Moment(game, game.commits[-1])
        for commit in rng.sample(game.commits, min(40, len(game.commits))):
            clause = refused_with(game.ruleset, game.end, commit.actor, commit.move, end)
            if commit.actor != REFEREE:
                clauses.add(clause)
    assert len(clauses) == 1
