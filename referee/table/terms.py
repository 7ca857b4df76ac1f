"""What was agreed before the first move, whatever is played: clocks, takeover, undo."""

from typing import Final, Literal

from msgspec import Struct

from referee.kernel.rejection import ensure
from referee.kernel.seat import Seat

TABLE_VERSION: Final = 1
"""The version of the rules of the table, clocks included. A game ends under the version it began with."""


DAYS_MAX = 366
SECONDS_MAX = DAYS_MAX * 86400
"""The longest time on a clock."""
MISSED_DEADLINES_LIMIT = 100
REVEAL_S = 120
REVEAL_S_MAX = 7 * 86400
"""The longest time to reveal what was sealed."""


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """How long a seat may think. Its bank runs once the time of the decision is used up."""

    decision_s: int = 0
    """Seconds for each decision."""
    bank_s: int = 0
    """Seconds for the whole game, used when a decision takes longer than its own time."""
    increment_s: int = 0
    """Seconds added to the bank when a seat completes its turn in time (Fischer increment)."""
    missed_deadlines_max: int = 3
    """Consecutive missed deadlines after which the seat counts as absent."""
    on_absence: Literal["bot", "end"] = "bot"
    """What happens when a seat is absent: a bot takes over, or the game ends."""
    on_abandonment: Literal["adjudicate", "annul", "bots"] = "adjudicate"
    """What happens when no player is left: the game is adjudicated or annulled, or the bots play on."""


class Terms(Struct, frozen=True, forbid_unknown_fields=True):
    """The agreement of a table. It is part of the header, so that nobody can change it."""

    bots: tuple[str | None, ...]
    """By seat: the built-in bot that holds it."""
    table: int
    """The version of the rules of the table, clocks included."""
    clock: Clock | None = None
    on_resignation: Literal["bot", "end"] = "bot"
    """What happens when a seat resigns: a bot takes over, or the game ends."""
    takeover_bot: str = "random"
    """The bot that takes over seats."""
    undo: Literal["never", "free"] = "never"
    """Whether a seat may undo a move that drew no luck and revealed nothing hidden."""
    luck: Literal["fixed", "fresh"] = "fixed"
    """`fixed`: all luck follows from the seed and from what the seats added before the start.

    `fresh`: a move that draws also adds the next link of its seat's chain."""
    reveal_s: int = REVEAL_S
    """Seconds that the seats have to reveal what they sealed, once the last seat is taken."""
    unrevealed: Literal["annul", "without"] = "annul"
    """What happens if a seat does not reveal in time: the game is annulled, or starts without its nonce."""
    assigned: tuple[Seat, ...] = ()
    """The seats that an admin gave to players without inviting them."""

    @property
    def players(self) -> tuple[Seat, ...]:
        """The seats that no built-in bot holds."""
        return tuple(Seat(number) for number, bot in enumerate(self.bots) if bot is None)


def check_terms(terms: Terms, seats: int) -> None:
    """Raise Malformed unless a table with this number of seats can agree on these terms."""
    ensure(len(terms.bots) == seats, f"The terms are for {len(terms.bots)} seats, not for {seats}.")
    ensure(terms.table == TABLE_VERSION, f"Version {terms.table} of the rules of the table is unknown.")
    ensure(
        terms.assigned == tuple(seat for seat in terms.players if seat in terms.assigned),
        "The assigned seats are seats of players, each named once and in order.",
    )
    ensure(1 <= terms.reveal_s <= REVEAL_S_MAX, f"The time to reveal is 1 to {REVEAL_S_MAX} seconds.")
    clock = terms.clock
    if clock is not None:
        times = (clock.decision_s, clock.bank_s, clock.increment_s)
        ensure(all(0 <= time <= SECONDS_MAX for time in times), f"A clock has times of 0 to {SECONDS_MAX} seconds.")
        ensure(clock.decision_s + clock.bank_s > 0, "A clock has time for a decision, or in the bank.")
        ensure(
            1 <= clock.missed_deadlines_max <= MISSED_DEADLINES_LIMIT,
            f"A seat is absent after 1 to {MISSED_DEADLINES_LIMIT} missed deadlines.",
        )
