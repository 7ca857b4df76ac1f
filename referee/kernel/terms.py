"""What was agreed before the first move, whatever is played: clocks, who stands in, what may be taken back."""

from typing import Final, Literal

from msgspec import Struct

from referee.kernel.rejection import ensure
from referee.kernel.seat import Seat

TABLE_VERSION: Final = 1
"""The version of the rules of the table, clocks included. A game ends under the version it began with."""


DAYS_MAX = 366
SECONDS_MAX = DAYS_MAX * 86400
"""No time on a clock is longer."""
LAPSES_MAX = 100


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """How long a seat may think. Its bank runs when the time of the decision has passed."""

    decision_s: int = 0
    """For each decision."""
    bank_s: int = 0
    """For all decisions together, beyond their own time."""
    increment_s: int = 0
    """What the bank gains when a seat has decided in time and the word passes on."""
    lapses: int = 3
    """So many decisions in a row a seat may let lapse; with the last of them it counts as absent."""
    on_absence: Literal["bot", "end"] = "bot"
    """What follows when a seat is absent: a bot plays on, or the game ends."""
    on_abandonment: Literal["adjudicate", "annul", "bots"] = "adjudicate"
    """What follows when nobody but bots plays on."""


class Terms(Struct, frozen=True, forbid_unknown_fields=True):
    """The agreement of a table. It is part of the header, so that nobody can change it."""

    bots: tuple[str | None, ...]
    """By seat: the built-in bot that holds it."""
    table: int
    """The version of the rules of the table, clocks included."""
    clock: Clock | None = None
    on_resignation: Literal["bot", "end"] = "bot"
    """What follows when a seat concedes: a bot plays on, or the game ends."""
    stand_in: str = "random"
    """The bot that plays on for a seat."""
    undo: Literal["never", "free"] = "never"
    """Whether a seat may take back a move that drew no luck and told nobody anything hidden."""
    assigned: tuple[Seat, ...] = ()
    """The seats that an admin gave to players without asking them."""

    @property
    def players(self) -> tuple[Seat, ...]:
        """The seats that no built-in bot holds."""
        return tuple(Seat(number) for number, bot in enumerate(self.bots) if bot is None)


def check_terms(terms: Terms, seats: int) -> None:
    """Raise Malformed unless a table of so many seats can agree on these terms."""
    ensure(len(terms.bots) == seats, f"The terms are for {len(terms.bots)} seats, not for {seats}.")
    ensure(terms.table == TABLE_VERSION, f"Version {terms.table} of the rules of the table is not known here.")
    ensure(
        terms.assigned == tuple(seat for seat in terms.players if seat in terms.assigned),
        "The assigned seats are seats of players, each named once and in order.",
    )
    clock = terms.clock
    if clock is not None:
        times = (clock.decision_s, clock.bank_s, clock.increment_s)
        ensure(all(0 <= time <= SECONDS_MAX for time in times), f"A clock has times of 0 to {SECONDS_MAX} seconds.")
        ensure(clock.decision_s + clock.bank_s > 0, "A clock has time for a decision, or in the bank.")
        ensure(1 <= clock.lapses <= LAPSES_MAX, f"A seat is absent after 1 to {LAPSES_MAX} lapses.")
