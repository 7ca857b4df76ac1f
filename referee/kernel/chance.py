"""The luck of a game, drawn at named points: derived from a secret, forced, seeded, or probed.

Every drawing is built from one operation of a `Source`: a uniform integer below n. `docs/fairness.md`
specifies it with test vectors.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256
from struct import Struct
from typing import Any, TypeVar

from referee.kernel.rejection import InvalidChance

T = TypeVar("T")

WORD_COUNT = 1 << 64
"""The number of different words."""
BLOCK = Struct(">4Q")
"""A block: four big-endian words."""

HMAC_BLOCK = 64
INNER_PAD = bytes(byte ^ 0x36 for byte in range(256))
OUTER_PAD = bytes(byte ^ 0x5C for byte in range(256))
"""The parts of HMAC-SHA256 (RFC 2104)."""


class Source:
    """An endless sequence of uniform integers: HMAC-SHA256 blocks of four 64-bit words, without biased words."""

    def __init__(self, key: bytes, label: str) -> None:
        padded = (key if len(key) <= HMAC_BLOCK else sha256(key).digest()).ljust(HMAC_BLOCK, b"\0")
        self._inner = sha256(padded.translate(INNER_PAD) + f"{label}:".encode())
        self._outer = sha256(padded.translate(OUTER_PAD))
        self._block = 0
        self._words: list[int] = []

    def below(self, bound: int) -> int:
        """A uniform integer from 0 to bound - 1."""
        limit = WORD_COUNT - WORD_COUNT % bound
        while True:
            word = self._word()
            if word < limit:
                return word % bound

    def _word(self) -> int:
        if not self._words:  # The key and the label have been hashed already: only the number of the block is new.
            inner, outer = self._inner.copy(), self._outer.copy()
            inner.update(b"%d" % self._block)
            outer.update(inner.digest())
            self._block += 1
            self._words[:] = reversed(BLOCK.unpack(outer.digest()))
        return self._words.pop()


class Chance(ABC):
    """Draws luck for a rule. Each drawing names its point; `drawn` collects the outcomes."""

    def __init__(self) -> None:
        self.drawn: list[tuple[str, Any]] = []

    def draw(self, point: str, sample: Callable[[Source], T], read: Callable[[Any], T]) -> T:
        """Draw an outcome of any shape: `sample` draws it; `read` converts a forced one, or raises ValueError."""
        outcome = self._outcome(point, sample, read)
        self.drawn.append((point, outcome))
        return outcome

    @abstractmethod
    def _outcome(self, point: str, sample: Callable[[Source], T], read: Callable[[Any], T]) -> T: ...

    def shuffle(self, point: str, items: Sequence[T]) -> tuple[T, ...]:
        """All items in a random order."""
        return self.pick(point, items, len(items))

    def pick(self, point: str, items: Sequence[T], count: int) -> tuple[T, ...]:
        """`count` of the items, without replacement, in the order drawn."""

        def sample(source: Source) -> tuple[T, ...]:
            rest = list(items)
            for at in range(min(count, len(rest) - 1)):
                other = at + source.below(len(rest) - at)
                rest[at], rest[other] = rest[other], rest[at]
            return tuple(rest[:count])

        def read(outcome: Any) -> tuple[T, ...]:
            if not isinstance(outcome, (list, tuple)) or len(outcome) != count:
                raise ValueError(f"expected a list of {count}")
            spare = Counter((type(item), item) for item in items)
            for item in outcome:
                if isinstance(item, (list, dict)) or spare[type(item), item] < 1:
                    raise ValueError(f"{item!r} is not among the items to draw from, or not that often")
                spare[type(item), item] -= 1
            return tuple(outcome)

        return self.draw(point, sample, read)

    def number(self, point: str, low: int, high: int) -> int:
        """A whole number from low to high, both included: a seat, or a die."""

        def read(outcome: Any) -> int:
            if type(outcome) is not int or not low <= outcome <= high:
                raise ValueError(f"expected an integer from {low} to {high}")
            return outcome

        return self.draw(point, lambda source: low + source.below(high - low + 1), read)

    def dice(self, point: str, count: int, sides: int = 6) -> tuple[int, ...]:
        """The faces of `count` dice."""

        def read(outcome: Any) -> tuple[int, ...]:
            if not isinstance(outcome, (list, tuple)) or len(outcome) != count:
                raise ValueError(f"expected a list of {count} dice")
            if any(type(face) is not int or not 1 <= face <= sides for face in outcome):
                raise ValueError(f"a die shows 1 to {sides}")
            return tuple(outcome)

        return self.draw(point, lambda source: tuple(1 + source.below(sides) for _ in range(count)), read)


class Derived(Chance):
    """The luck of a game: a drawing follows from the game's key, the number of drawings before it, and its point."""

    def __init__(self, key: bytes, before: int) -> None:
        super().__init__()
        self._key = key
        self._before = before

    def _outcome(self, point: str, sample: Callable[[Source], T], read: Callable[[Any], T]) -> T:
        return sample(self.source(f"{self._before + len(self.drawn)}:{point}"))

    def source(self, label: str) -> Source:
        """The numbers of one drawing."""
        return Source(self._key, label)


class Seeded(Chance):
    """The luck of playouts and sample positions: an endless sequence from a seed."""

    def __init__(self, seed: int | str | bytes) -> None:
        super().__init__()
        text = seed if isinstance(seed, bytes) else str(seed).encode()
        self._source = Source(sha256(text).digest(), "seeded")

    def draw(self, point: str, sample: Callable[[Source], T], read: Callable[[Any], T]) -> T:
        """Draw an outcome without collecting it: a playout draws too many."""
        return sample(self._source)

    def number(self, point: str, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + self._source.below(high - low + 1)

    def _outcome(self, point: str, sample: Callable[[Source], T], read: Callable[[Any], T]) -> T:
        return sample(self._source)


class Forced(Chance):
    """Forced outcomes, used in order as their points occur; everything else is drawn."""

    def __init__(self, outcomes: Sequence[tuple[str, Any]], otherwise: Chance) -> None:
        super().__init__()
        self._left = list(reversed(outcomes))
        self._otherwise = otherwise

    def _outcome(self, point: str, sample: Callable[[Source], T], read: Callable[[Any], T]) -> T:
        if not self._left or self._left[-1][0] != point:
            return self._otherwise.draw(point, sample, read)
        _, outcome = self._left.pop()
        try:
            return read(outcome)
        except ValueError as error:
            raise InvalidChance(point, str(error)) from None

    def require_used(self) -> None:
        """Raise InvalidChance for a forced outcome whose point did not occur."""
        if self._left:
            raise InvalidChance(self._left[-1][0], "this point does not occur here")


class Drawn(Exception):
    """A rule reached its first drawing, so every check that can refuse the move has passed."""


class Probe(Chance):
    """Used where nothing may be drawn: the first drawing stops the rule."""

    def _outcome(self, point: str, sample: Callable[[Source], T], read: Callable[[Any], T]) -> T:
        raise Drawn(point)
