"""How much time the seats have left, computed from the log alone, in milliseconds."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from referee.kernel.canon import canonical, digest
from referee.kernel.changes import put
from referee.kernel.ruleset import Decision
from referee.kernel.seat import Seat
from referee.table.terms import Clock

RETURN_S = 60
"""The least in the bank of a player who returns after a move was made, unless the whole bank is smaller."""


class Running(Struct, frozen=True):
    """A clock that runs: the seat owes a decision."""

    seat: Seat
    moves: tuple[str, ...]
    """The types of moves that are awaited. Other types mean another decision."""
    since: int
    spent: int = 0
    """Milliseconds already spent before a pause."""

    def elapsed(self, at: int) -> int:
        """The time that the decision has taken by then."""
        return self.spent + at - self.since


class Turn(Struct, frozen=True):
    """What a seat has done since another seat acted."""

    seat: Seat
    seen: tuple[str, ...]
    """The hashes of the positions it reached, the first one included."""


class Clocks(Struct, frozen=True):
    """The clocks of a table."""

    banks: tuple[int, ...]
    """What is left in the bank, by seat. What a running decision uses of it is deducted when the decision ends."""
    missed: tuple[int, ...]
    """By seat: the number of consecutive missed deadlines."""
    running: tuple[Running, ...] = ()
    relieved: tuple[Seat, ...] = ()
    """Seats that a bot took over since the last move."""
    turn: Turn | None = None

    def deadline(self, clock: Clock, seat: Seat) -> int | None:
        """When the time of a seat runs out; None: it owes nothing."""
        for each in self.running:
            if each.seat == seat:
                return each.since - each.spent + clock.decision_s * 1000 + self.banks[seat]
        return None

    def is_running(self, seat: Seat) -> bool:
        """Whether the clock of a seat is running."""
        return any(each.seat == seat for each in self.running)

    def is_absent(self, clock: Clock, seat: Seat) -> bool:
        """Whether a seat has missed too many deadlines."""
        return self.missed[seat] >= clock.missed_deadlines_max


def start(clock: Clock, seats: int) -> Clocks:
    """The clocks before the first move."""
    return Clocks(banks=(clock.bank_s * 1000,) * seats, missed=(0,) * seats)


def step(
    clocks: Clocks,
    clock: Clock,
    at: int,
    decisions: Iterable[Decision],
    mover: Seat | None,
    gains: bool = False,
    talk: bool = False,
    again: bool = False,
) -> Clocks:
    """The clocks after a commit that leaves these decisions owed.

    The clocks of the mover and of decisions that are no longer owed stop, and the mover's bank may gain its increment.
    Talk stops no clock. `again`: the mover came back to a position of this turn, so its clock runs on.
    """
    owed = {decision.seat: decision.moves for decision in decisions}
    going_on = [
        each
        for each in clocks.running
        if each.seat in owed and (talk or (again if each.seat == mover else owed[each.seat] == each.moves))
    ]
    banks = list(clocks.banks)
    for each in clocks.running:
        if each not in going_on:
            beyond = max(0, each.elapsed(at) - clock.decision_s * 1000)
            banks[each.seat] = max(0, banks[each.seat] - beyond)
    if mover is not None and gains:
        banks[mover] += clock.increment_s * 1000
    still = {each.seat for each in going_on}
    kept = [replace(each, moves=owed[each.seat]) for each in going_on]
    begun = [Running(seat, moves, at) for seat, moves in owed.items() if seat not in still]
    return replace(clocks, banks=tuple(banks), running=(*kept, *begun))


def note_turn(clocks: Clocks, seat: Seat, before: Any, after: Any) -> tuple[Clocks, bool]:
    """The clocks after a seat has moved, and whether it has had this position before in the same turn."""
    turn, here = clocks.turn, digest(canonical(after))
    if turn is None or turn.seat != seat:
        turn = Turn(seat, (digest(canonical(before)),))
    if here in turn.seen:
        return replace(clocks, turn=turn), True
    return replace(clocks, turn=replace(turn, seen=(*turn.seen, here))), False


def count_missed(clocks: Clocks, seat: Seat, missed: bool) -> Clocks:
    """The clocks after a seat decided in time, or missed its deadline."""
    return replace(clocks, missed=put(clocks.missed, seat, clocks.missed[seat] + 1 if missed else 0))


def stop(clocks: Clocks, at: int) -> Clocks:
    """The clocks when a pause begins."""
    return replace(clocks, running=tuple(replace(each, spent=each.elapsed(at), since=at) for each in clocks.running))


def resume(clocks: Clocks, at: int) -> Clocks:
    """The clocks when a pause ends."""
    return replace(clocks, running=tuple(replace(each, since=at) for each in clocks.running))


def give_back(clocks: Clocks, clock: Clock, seat: Seat) -> Clocks:
    """The clocks when a player returns to a seat."""
    bank = clocks.banks[seat]
    if seat not in clocks.relieved:
        bank = max(bank, min(clock.bank_s, RETURN_S) * 1000)
    relieved = tuple(other for other in clocks.relieved if other != seat)
    return count_missed(replace(clocks, banks=put(clocks.banks, seat, bank), relieved=relieved), seat, missed=False)


def take_back(clocks: Clocks, before: Clocks, seat: Seat, moved_at: int, at: int) -> Clocks:
    """The clocks when a move is undone: as before it, less the time its seat has spent; other seats lose none."""
    now = {each.seat: each for each in clocks.running}
    since = now[seat].elapsed(at) if seat in now else 0
    running = tuple(
        replace(each, since=at, spent=each.elapsed(moved_at) + since) if each.seat == seat else now.get(each.seat, each)
        for each in before.running
    )
    banks = tuple(map(max, clocks.banks, before.banks))
    return replace(clocks, banks=put(banks, seat, before.banks[seat]), running=running, turn=before.turn)
