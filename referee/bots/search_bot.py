"""The bot that tries its moves out in worlds that its seat cannot tell from the true one.

Determinised Monte-Carlo search: in each world every candidate is played with the same luck, everybody goes on as the
ruleset advises, and what comes of it is compared. The candidates are what the ruleset advises, what it advises of the
rest, and so on, then moves at random; where a ruleset asks for a glance, only what does best at once is looked at
further; the worse half is dropped again and again. The advice itself is left only for a move that did
clearly better, so the bot plays no worse than the advice.
"""

from math import sqrt
from typing import Any, NamedTuple

import msgspec

from referee.bots.bot import Turn, is_worth
from referee.bots.playout import carry_on, pauses_ahead
from referee.kernel.chance import Seeded
from referee.kernel.judge import pick_weighed
from referee.kernel.message import Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat

CANDIDATES_MAX = 6
"""So many moves are tried out, half of them at most of one kind if they come from the advice."""
GLANCED_AT_MAX = 12
"""The same where a glance comes first, which is cheap."""
GLANCED_AT_KEPT = 2
"""So many of them, beside the advice, are then looked at further."""
ROUNDS_BETWEEN_DROPS = 4
ROUNDS_MIN = 3
"""A move that was tried in fewer worlds is not made."""
DOUBT = 1.0
"""By so many standard errors a move must be better than the advice."""
DOUBT_OF_FEW = 6.0
"""And by so many more, shared out over the worlds that were seen: few worlds agree by accident."""
CERTAINTY = 3.0
"""By so many standard errors it is better beyond doubt."""
SEED_MAX = 2**62


class Gain(NamedTuple):
    """How much better than another a move did on average, and the standard error of that."""

    mean: float
    error: float


class SearchBot:
    """Looks ahead in imagined worlds."""

    name = "search"
    version = "1"
    imagines = True

    def plays(self, ruleset: Ruleset) -> bool:
        """Every ruleset has worlds to look into."""
        return True

    def choose(self, turn: Turn) -> Move:
        """The move that did best in the worlds that the budget allows."""
        moves = candidates(turn)
        if len(moves) == 1 and not moves[0].secret:
            return moves[0]
        trials = Trials(turn, moves)
        if turn.ruleset.glance is not None:
            trials.glance(turn.ruleset.glance)
        while trials.go_round():
            pass
        return trials.best()

    def acts(self, turn: Turn, move: Move) -> bool:
        """If a plain but sensible player would."""
        return is_worth(turn, move)


def candidates(turn: Turn) -> list[Move]:
    """What the ruleset advises first, then of the rest; then what random play picks. No two are equal."""
    most = CANDIDATES_MAX if turn.ruleset.glance is None else GLANCED_AT_MAX
    found = _advised(turn, most)
    left = [weighed for weighed in turn.moves if weighed.move not in found]
    while left and len(found) < most:
        move = pick_weighed(left, turn.chance)
        found.append(move)
        left = [weighed for weighed in left if weighed.move is not move]
    return found


def _advised(turn: Turn, most: int) -> list[Move]:
    """The advice, then what is advised without it, and so on, as long as there is advice: a few moves of each kind."""
    advise = turn.ruleset.greedy
    view = msgspec.json.decode(turn.view, type=turn.ruleset.view_type)
    left, found = [weighed.move for weighed in turn.moves], list[Move]()
    while advise is not None and left and len(found) < most:
        move = advise(view, turn.seat, tuple(left))
        if move not in left:
            break
        found.append(move)
        is_enough = [type(each) for each in found].count(type(move)) == most // 2
        left = [other for other in left if other != move and not (is_enough and type(other) is type(move))]
    return found


class Trials:
    """What came of each candidate, world by world. The first candidate is the advice."""

    def __init__(self, turn: Turn, moves: list[Move]) -> None:
        self._ruleset, self._seat, self._budget = turn.ruleset, turn.seat, turn.budget
        world: Any = msgspec.json.decode(turn.world, type=turn.ruleset.position_type)
        self._world = world
        self._seed = turn.chance.number("search", 0, SEED_MAX)
        self._moves = moves
        self._pauses = pauses_ahead(turn.ruleset, len(world.seats))
        self._alive = list(range(len(moves)))
        self._values: list[list[int]] = [[] for _ in moves]
        self._rounds = 0
        self._is_settled = False

    def glance(self, pauses: int) -> None:
        """Look a little ahead, and go on with what does best there, but for what comes to the same as the advice."""
        values = self._values_in(f"glance:{self._seed}", pauses)
        if values is None:
            return
        best = sorted(self._alive[1:], key=lambda number: -values[number])[:GLANCED_AT_KEPT]
        self._alive = [0, *sorted(number for number in best if values[number] != values[0])]
        self._is_settled = len(self._alive) == 1

    def go_round(self) -> bool:
        """Try every candidate that is left in another world; False if it is settled, or the budget is spent."""
        if self._is_settled:
            return False
        values = self._values_in(f"{self._seed}:{self._rounds}", self._pauses)
        if values is None:
            return False
        for number, value in zip(self._alive, values, strict=True):
            self._values[number].append(value)
        self._rounds += 1
        if self._rounds % ROUNDS_BETWEEN_DROPS == 0:
            self._drop()
        return True

    def _values_in(self, luck: str, pauses: int) -> list[int] | None:
        """What comes of every candidate left, in one world and with the same luck; None: the budget is spent."""
        ruleset, seat, values = self._ruleset, self._seat, list[int]()
        world = ruleset.alike(self._world, seat, Seeded(f"world:{luck}"))
        for number in self._alive:
            if not self._budget.spend():
                return None
            chance = Seeded(f"luck:{luck}")
            _, after = ruleset.play(world, seat, self._moves[number], chance)
            values.append(lead(ruleset, carry_on(ruleset, after, seat, chance, pauses), seat))
        return values

    def _drop(self) -> None:
        """The worse half of the candidates goes, and whatever is clearly worse than the advice, which stays."""
        gains = {number: self._gain(number) for number in self._alive[1:]}
        others = sorted(gains, key=lambda number: -gains[number].mean)
        if len(self._alive) > 2:
            others = others[: len(self._alive) // 2]
        self._alive = [0, *sorted(number for number in others if gains[number].mean > -DOUBT * gains[number].error)]
        self._is_settled = all(gains[number].mean > CERTAINTY * gains[number].error for number in self._alive[1:])

    def best(self) -> Move:
        """The move with the largest gain over the advice that is no accident, or the advice."""
        best, largest = 0, 0.0
        for number in self._alive[1:] if self._rounds >= ROUNDS_MIN else ():
            gain = self._gain(number)
            if gain.mean > largest and gain.mean > (DOUBT + DOUBT_OF_FEW / self._rounds) * gain.error:
                best, largest = number, gain.mean
        return self._moves[best]

    def _gain(self, number: int) -> Gain:
        """How much better than the advice a move did."""
        gains = [own - advice for own, advice in zip(self._values[number], self._values[0], strict=True)]
        mean = sum(gains) / len(gains)
        return Gain(mean, sqrt(sum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1) / len(gains)))


def lead(ruleset: Ruleset, position: Any, seat: Seat) -> int:
    """How promising a position is for a seat, beside the best of the others."""
    if ruleset.outlook is None:
        outlook = {place.seat: place.score for place in ruleset.ranking(position)}
    else:
        outlook = {Seat(number): value for number, value in enumerate(ruleset.outlook(position))}
    return outlook[seat] - max(value for other, value in outlook.items() if other != seat)
