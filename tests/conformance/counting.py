"""Counts of legal sequences from fixed positions: an unintended change of a rule changes a count."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from referee.kernel.chance import Seeded
from referee.kernel.judge import legal_moves, read_position
from referee.kernel.message import Move
from referee.kernel.rejection import Malformed
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Actor
from tests.conformance.play import moments_of
from tests.conformance.recorded import HERE
from tests.conformance.samples import as_json
from tests.subjects import Subject

DEPTH = 3
SEQUENCES_MAX = 1500
POSITIONS = 8
MOMENTS = 50


class Count(msgspec.Struct, frozen=True):
    """The numbers of legal sequences of one, two and three commits from a position."""

    sequences: tuple[int, ...]
    position: dict[str, Any]


class TooMany(Exception):
    """There are too many sequences to count."""


def next_moves(ruleset: Ruleset, position: Any) -> Iterator[tuple[Actor, Move]]:
    """Every possible next move, in order: the legal moves of the seats, then the trigger that is due."""
    for seat in range(len(position.seats)):
        for move in legal_moves(ruleset, position, seat):
            yield seat, move
    if (due := ruleset.due(position)) is not None:
        yield REFEREE, due.move


def count_sequences(ruleset: Ruleset, position: Any) -> tuple[int, ...]:
    """The number of legal sequences of each length, all with the same luck."""
    counts = []
    positions = [position]
    for depth in range(DEPTH):
        follow = [(each, actor, move) for each in positions for actor, move in next_moves(ruleset, each)]
        counts.append(len(follow))
        if len(follow) > SEQUENCES_MAX:
            raise TooMany
        if depth + 1 < DEPTH:
            positions = [ruleset.play(each, actor, move, Seeded("counts"))[1] for each, actor, move in follow]
    return tuple(counts)


def counts_file(ruleset: Ruleset) -> Path:
    """The file with the recorded counts of a ruleset."""
    return HERE / "counts" / f"{ruleset.slug}.json"


def recorded_counts(ruleset: Ruleset) -> tuple[Count, ...]:
    """The recorded counts; none for a new ruleset."""
    file = counts_file(ruleset)
    return msgspec.json.decode(file.read_bytes(), type=tuple[Count, ...]) if file.exists() else ()


def record_counts(subject: Subject) -> None:
    """Count again from the recorded positions, and add positions where there are too few."""
    ruleset = subject.ruleset
    counts = []
    for old in recorded_counts(ruleset):
        try:
            counts.append(Count(count_sequences(ruleset, read_position(ruleset, old.position)), old.position))
        except (Malformed, TooMany):
            continue
    counts = counts or list(new_counts(subject))
    lines = ",\n".join(msgspec.json.encode(count).decode() for count in counts)
    counts_file(ruleset).parent.mkdir(exist_ok=True)
    counts_file(ruleset).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def new_counts(subject: Subject) -> Iterator[Count]:
    """Counts for the positions with the most sequences in each phase, among some that occurred in play."""
    by_phase: dict[str, list[Count]] = {}
    for moment in moments_of(subject, random.Random(f"counts of {subject}"), MOMENTS):
        try:
            sequences = count_sequences(subject.ruleset, moment.position)
        except TooMany:
            continue
        by_phase.setdefault(moment.position.phase, []).append(Count(sequences, as_json(moment.position)))
    for found in by_phase.values():
        found.sort(key=lambda count: count.sequences[-1], reverse=True)
        yield from found[: max(1, POSITIONS // len(by_phase))]
