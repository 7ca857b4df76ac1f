"""Mutated moves and positions: the rules refuse them, or can continue from them."""

import random
import traceback
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import msgspec

from referee.kernel.chance import Seeded
from referee.kernel.judge import judge, legal_moves, read_position
from referee.kernel.rejection import InvalidChance, Malformed, Rejection
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE
from tests.api.requests import OTHER
from tests.campaigns.leaks.positions import some_positions
from tests.conformance.damage import at, disturbed, paths, with_at
from tests.conformance.samples import as_json, from_schema
from tests.conformance.worlds import readers

CHANGES_MAX = 3
MOVES_ON = 3
MOVES_TRIED = 8
FAULTS_MAX = 10

Json = Any


@dataclass
class Findings:
    """The number of trials by outcome, and the faults."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return ", ".join(f"{count} {name}" for name, count in sorted(self.counts.items()))

    def watch(self, what: str, call: Callable[[], Any], *expected: type[Exception]) -> Any:
        """The result of a call; None if it refuses properly. Any other exception is a fault."""
        try:
            return call()
        except expected:
            return None
        except Exception:
            self.faults.append(f"{what}\n{traceback.format_exc(limit=-4)}")
            return None


class Fuzzer:
    """Mutates moves and positions of one ruleset."""

    def __init__(self, ruleset: Ruleset, rng: random.Random, findings: Findings) -> None:
        self._ruleset = ruleset
        self._rng = rng
        self._findings = findings
        self._source = some_positions(ruleset.slug, rng)
        self._schemas = [msgspec.json.schema(kind, ref_template="#/$defs/{name}") for kind in ruleset.moves.values()]

    def run(self, rounds: int) -> None:
        """Try this number of positions, each unchanged and changed, with all kinds of moves."""
        for _ in range(rounds):
            position = next(self._source)
            self.try_moves(position)
            self.try_position(self.changed(position))
            if len(self._findings.faults) >= FAULTS_MAX:
                return

    def changed(self, position: Any) -> Json:
        """The JSON of a position with a few parts changed: enlarged, reduced, swapped, or of another type."""
        raw = as_json(position)
        for _ in range(self._rng.randint(1, CHANGES_MAX)):
            raw = self._rng.choice((self._disturbed, self._exchanged, self._replaced))(raw)
        return raw

    def _disturbed(self, raw: Json) -> Json:
        return disturbed(raw, self._rng)

    def _exchanged(self, raw: Json) -> Json:
        """Swap two parts of the same kind, which keeps many sums right."""
        places = list(paths(raw))
        one = self._rng.choice(places)
        others = [place for place in places if type(at(raw, place)) is type(at(raw, one)) and len(place) == len(one)]
        other = self._rng.choice(others)
        if one == other[: len(one)] or other == one[: len(other)]:
            return raw
        first, second = deepcopy(at(raw, one)), deepcopy(at(raw, other))
        return with_at(with_at(raw, one, second), other, first)

    def _replaced(self, raw: Json) -> Json:
        return with_at(raw, self._rng.choice(list(paths(raw))), deepcopy(self._rng.choice(OTHER)))

    def try_position(self, raw: Json) -> None:
        """Assert that a position is refused as malformed, or that every function accepts it and a game can continue."""
        self._findings.counts["positions"] += 1
        body = msgspec.json.encode(raw)
        what = f"{self._ruleset.slug}, position {body.decode()}"
        position = self._findings.watch(what, lambda: read_position(self._ruleset, raw), Malformed)
        if position is not None:
            self._findings.counts["positions taken"] += 1
            self._findings.watch(what, lambda: self._go_on(position))

    def _go_on(self, position: Any) -> None:
        ruleset = self._ruleset
        for reader in readers(len(position.seats)):
            ruleset.view(position, reader)
            ruleset.alike(position, reader, Seeded(0))
        ruleset.ranking(position)
        for step in range(MOVES_ON):
            due, awaited = ruleset.due(position), ruleset.awaited(position)
            if due is not None:
                actor, moves = REFEREE, (due.move,)
            elif awaited:
                actor = self._rng.choice(awaited).seat
                moves = (*legal_moves(ruleset, position, actor), ruleset.default(position, actor))
            else:
                return
            _, position = ruleset.play(position, actor, self._rng.choice(moves), Seeded(step))
            self._findings.counts["moves made from them"] += position.phase != "setup"

    def try_moves(self, position: Any) -> None:
        """Assert that the judge gives a verdict on every move."""
        seats = [decision.seat for decision in self._ruleset.awaited(position)] or [0]
        seat = self._rng.choice(seats)
        legal = [msgspec.to_builtins(move) for move in legal_moves(self._ruleset, position, seat)[:50]] or [{}]
        for _ in range(MOVES_TRIED):
            move = self.grown(legal, position)
            self._findings.counts["moves"] += 1
            what = f"{self._ruleset.slug}, seat {seat}, move {move}, position {msgspec.json.encode(position).decode()}"
            verdict = self._findings.watch(what, lambda move=move: self._judged(position, seat, move), InvalidChance)
            self._findings.counts["moves refused"] += isinstance(verdict, Rejection)

    def _judged(self, position: Any, seat: int, move: Json) -> Any:
        actor = self._rng.choice((seat, seat, seat, self._rng.randrange(len(position.seats)), REFEREE, 99))
        return judge(self._ruleset, position, actor, self._ruleset.read_move(move), ())

    def grown(self, legal: list[Json], position: Any) -> Json:
        """A legal move with a part of another move or of the position, or with a random value; or a random move."""
        move, other = self._rng.choice(legal), self._rng.choice(legal)
        kind = self._rng.randrange(4)
        if kind == 0 or not move:
            return from_schema(self._rng.choice(self._schemas), self._rng)
        places = list(paths(move))
        if not places:
            return {**move, **other, "type": move.get("type")}
        place = self._rng.choice(places)
        if kind == 1:
            return with_at(move, place, deepcopy(self._rng.choice(OTHER)))
        source = as_json(position) if kind == 2 else other
        everywhere = list(paths(source)) or [()]
        return with_at(move, place, deepcopy(at(source, self._rng.choice(everywhere))))
