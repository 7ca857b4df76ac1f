"""Point 23: a seat that moves in circles gains no time."""

import random
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from referee.kernel.canon import canonical
from referee.kernel.chance import Drawn, Probe
from referee.kernel.judge import awaited_seats, legal_moves
from referee.kernel.message import Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.rulesets import LATEST
from referee.table import clocks
from referee.table.state import TableState, after_move, start_table
from referee.table.terms import TABLE_VERSION, Clock, Terms
from tests.commits import a_commit
from tests.conformance.play import moments_of
from tests.subjects import Subject, every_ruleset

MOMENTS = 60
MOVES_PER_KIND = 2
CLOCK = Clock(decision_s=600, bank_s=600, increment_s=60)
STEP_MS = 1000

Path = tuple[Move, ...]


def cycles(ruleset: Ruleset, position: Any, seat: Seat, rng: random.Random, depth: int) -> Iterator[tuple[Path, Path]]:
    """Circles of moves without luck that bring a seat back to a position, each with the moves that lead there."""

    def walk(position: Any, seen: tuple[bytes, ...], path: Path) -> Iterator[tuple[Path, Path]]:
        if len(path) == depth or seat not in awaited_seats(ruleset, position):
            return
        for move in some_of_each_kind(legal_moves(ruleset, position, seat), rng):
            try:
                _, after = ruleset.play(position, seat, move, Probe())
            except Drawn:
                continue
            here = canonical(after)
            if here in seen and not move.talk:
                start = seen.index(here)
                yield path[:start], (*path[start:], move)
            else:
                yield from walk(after, (*seen, here), (*path, move))

    yield from walk(position, (canonical(position),), ())


def some_of_each_kind(moves: tuple[Move, ...], rng: random.Random) -> list[Move]:
    """A few moves of every type, so that one frequent type does not take up all trials."""
    kinds: dict[type[Move], list[Move]] = {}
    for move in moves:
        kinds.setdefault(type(move), []).append(move)
    return [move for kind in kinds.values() for move in rng.sample(kind, min(MOVES_PER_KIND, len(kind)))]


class Clocked:
    """A seat that moves once a second at a table with a clock."""

    def __init__(self, ruleset: Ruleset, position: Any) -> None:
        self.ruleset, self.position = ruleset, position
        self.terms = Terms(bots=(None,) * len(position.seats), table=TABLE_VERSION, clock=CLOCK)
        table = start_table(self.terms)
        assert table.clocks is not None
        owed = [decision for decision in ruleset.awaited(position) if decision.obliged]
        self.table: TableState = replace(table, clocks=clocks.step(table.clocks, CLOCK, 0, owed, None))
        self.version = 0

    def deadline(self, seat: Seat) -> int:
        """The deadline of the seat; 0 if it has none."""
        return self.table.deadline(self.terms, seat) or 0

    def move(self, seat: Seat, move: Move) -> int:
        """Make a move; returns the deadline after it."""
        events, after = self.ruleset.play(self.position, seat, move, Probe())
        self.version += 1
        commit, at = a_commit(self.version, seat, move, events), self.version * STEP_MS
        self.table = after_move(self.ruleset, self.terms, self.table, commit, at, self.position, after)
        self.position = after
        return self.deadline(seat)


@every_ruleset
def test_a_seat_that_moves_in_circles_gains_no_time(subject: Subject, rng: random.Random) -> None:
    ruleset = subject.ruleset
    for moment in moments_of(subject, rng, MOMENTS):
        for seat in sorted(awaited_seats(ruleset, moment.position)):
            for lead, circle in cycles(ruleset, moment.position, seat, rng, depth=3):
                table = Clocked(ruleset, moment.position)
                once = [table.deadline(seat), *(table.move(seat, move) for move in (*lead, *circle[:-1]))]
                back = [table.move(seat, circle[-1]), *(table.move(seat, move) for move in circle * 3)]
                assert max(back) <= max(once), f"{moment}: {circle} after {lead} wins time"


def test_circles_are_found_where_cargo_is_loaded_and_unloaded(rng: random.Random) -> None:
    """Otherwise the test above would prove nothing."""
    title = LATEST["explorers-and-pirates"]
    kinds = {
        tuple(type(move).__name__ for move in circle)
        for moment in moments_of(Subject(title), rng, 3 * MOMENTS)
        for seat in sorted(awaited_seats(title, moment.position))
        for _, circle in cycles(title, moment.position, seat, rng, depth=2)
    }
    assert ("TransferCargo", "TransferCargo") in kinds
