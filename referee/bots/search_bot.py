"""The bot that tries out its moves in worlds that its seat cannot distinguish from the true one.

Determinised Monte Carlo search: in each world the bot plays every candidate with the same luck, continues with the
moves that the ruleset advises to every seat, and compares the resulting positions. The first candidate is the advised
move, the second is the advised move among the rest, and so on; random moves follow. If the advice has a probe depth, a
shallow search comes first and keeps only the best candidates. After every few worlds the worse half is dropped. The bot
prefers another move to the advised one only if it did clearly better, so it does not play worse than the advice.
"""

from math import sqrt
from typing import Any, NamedTuple

import msgspec

from referee.bots.bot import Turn, is_worth, lets_others_move
from referee.bots.playout import play_out, search_depth
from referee.kernel.chance import Seeded
from referee.kernel.judge import pick_weighed
from referee.kernel.message import Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat

CANDIDATES_MAX = 6
"""The number of candidates; of those that come from the advice, at most half are of one type."""
PROBED_MAX = 12
"""The number of candidates in a probe, which is cheap."""
PROBED_KEPT = 2
"""The number of candidates, besides the advised one, that remain after the probe."""
ROUNDS_BETWEEN_DROPS = 4
ROUNDS_MIN = 3
"""The number of worlds in which a move must have been tried before it is preferred."""
DOUBT = 1.0
"""The number of standard errors by which a move must be better than the advised one."""
DOUBT_OF_FEW = 6.0
"""Additional standard errors, divided by the number of worlds, because a few worlds may agree by accident."""
CERTAINTY = 3.0
"""The number of standard errors that end the search early."""
SEED_MAX = 2**62


class Gain(NamedTuple):
    """The mean gain of a move over the advised one, and its standard error."""

    mean: float
    error: float


class SearchBot:
    """Looks ahead in imagined worlds."""

    name = "search"
    version = "1"
    imagines = True

    def plays(self, ruleset: Ruleset) -> bool:
        """Return True: every ruleset can deal worlds."""
        return True

    def choose(self, turn: Turn) -> Move:
        """Return the move that did best in the worlds that the budget allows."""
        moves = candidates(turn)
        if len(moves) == 1 and not moves[0].secret:
            return moves[0]
        trials = Trials(turn, moves)
        if turn.ruleset.advice.probe_depth is not None:
            trials.probe(turn.ruleset.advice.probe_depth)
        while trials.run_round():
            pass
        return trials.best()

    def acts(self, turn: Turn, move: Move) -> bool:
        """Whether the ruleset advises to move."""
        return is_worth(turn, move)

    def waits(self, turn: Turn, move: Move) -> bool:
        """Whether the ruleset advises to let others move first."""
        return lets_others_move(turn, move)


def candidates(turn: Turn) -> list[Move]:
    """Return different moves to try: the advised ones first, then random ones."""
    most = CANDIDATES_MAX if turn.ruleset.advice.probe_depth is None else PROBED_MAX
    found = _advised(turn, most)
    left = [weighed for weighed in turn.moves if weighed.move not in found]
    while left and len(found) < most:
        move = pick_weighed(left, turn.chance)
        found.append(move)
        left = [weighed for weighed in left if weighed.move is not move]
    return found


def _advised(turn: Turn, most: int) -> list[Move]:
    """Return the advised move, then the advised one among the rest, and so on, with a limit for each type."""
    choose = turn.ruleset.advice.choose
    view = msgspec.json.decode(turn.view, type=turn.ruleset.view_type)
    left, found = [weighed.move for weighed in turn.moves], list[Move]()
    while choose is not None and left and len(found) < most:
        move = choose(view, turn.seat, tuple(left), turn.ruleset.edition)
        if move not in left:
            break
        found.append(move)
        is_enough = [type(each) for each in found].count(type(move)) == most // 2
        left = [other for other in left if other != move and not (is_enough and type(other) is type(move))]
    return found


class Trials:
    """The value of each candidate in each world. The first candidate is the advised move."""

    def __init__(self, turn: Turn, moves: list[Move]) -> None:
        self._ruleset, self._seat, self._budget = turn.ruleset, turn.seat, turn.budget
        world: Any = msgspec.json.decode(turn.world, type=turn.ruleset.position_type)
        self._world = world
        self._seed = turn.chance.number("search", 0, SEED_MAX)
        self._moves = moves
        self._depth = search_depth(turn.ruleset, len(world.seats))
        self._alive = list(range(len(moves)))
        self._values: list[list[int]] = [[] for _ in moves]
        self._rounds = 0
        self._is_settled = False

    def probe(self, depth: int) -> None:
        """Search to a small depth, and keep the best moves whose value differs from that of the advised one."""
        values = self._values_in(f"glance:{self._seed}", depth)  # Audits replay bots: the name of the luck stays.
        if values is None:
            return
        best = sorted(self._alive[1:], key=lambda number: -values[number])[:PROBED_KEPT]
        self._alive = [0, *sorted(number for number in best if values[number] != values[0])]
        self._is_settled = len(self._alive) == 1

    def run_round(self) -> bool:
        """Try every remaining candidate in another world; False if the search is settled or the budget is used up."""
        if self._is_settled:
            return False
        values = self._values_in(f"{self._seed}:{self._rounds}", self._depth)
        if values is None:
            return False
        for number, value in zip(self._alive, values, strict=True):
            self._values[number].append(value)
        self._rounds += 1
        if self._rounds % ROUNDS_BETWEEN_DROPS == 0:
            self._drop()
        return True

    def _values_in(self, luck: str, depth: int) -> list[int] | None:
        """Return the value of every remaining candidate in one world, with the same luck; None if the budget ends."""
        ruleset, seat, values = self._ruleset, self._seat, list[int]()
        world = ruleset.alike(self._world, seat, Seeded(f"world:{luck}"))
        for number in self._alive:
            if not self._budget.spend():
                return None
            chance = Seeded(f"luck:{luck}")
            _, after = ruleset.play(world, seat, self._moves[number], chance)
            values.append(lead(ruleset, play_out(ruleset, after, seat, chance, depth), seat))
        return values

    def _drop(self) -> None:
        """Drop the worse half of the candidates, and all that are clearly worse than the advised one, which stays."""
        gains = {number: self._gain(number) for number in self._alive[1:]}
        others = sorted(gains, key=lambda number: -gains[number].mean)
        if len(self._alive) > 2:
            others = others[: len(self._alive) // 2]
        self._alive = [0, *sorted(number for number in others if gains[number].mean > -DOUBT * gains[number].error)]
        self._is_settled = all(gains[number].mean > CERTAINTY * gains[number].error for number in self._alive[1:])

    def best(self) -> Move:
        """Return the move with the largest significant gain over the advised one, or the advised one."""
        best, largest = 0, 0.0
        for number in self._alive[1:] if self._rounds >= ROUNDS_MIN else ():
            gain = self._gain(number)
            if gain.mean > largest and gain.mean > (DOUBT + DOUBT_OF_FEW / self._rounds) * gain.error:
                best, largest = number, gain.mean
        return self._moves[best]

    def _gain(self, number: int) -> Gain:
        """Return the gain of a move over the advised one."""
        gains = [own - advice for own, advice in zip(self._values[number], self._values[0], strict=True)]
        mean = sum(gains) / len(gains)
        return Gain(mean, sqrt(sum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1) / len(gains)))


def lead(ruleset: Ruleset, position: Any, seat: Seat) -> int:
    """Return how far a seat is ahead of the best other seat."""
    evaluate = ruleset.advice.evaluate
    if evaluate is None:
        values = {place.seat: place.score for place in ruleset.ranking(position)}
    else:
        values = {Seat(number): value for number, value in enumerate(evaluate(position, ruleset.edition))}
    return values[seat] - max(value for other, value in values.items() if other != seat)
