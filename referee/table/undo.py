"""Which moves can be undone: those that drew no luck and revealed nothing hidden."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from referee.kernel.audience import hidden_fields, redact, redact_move
from referee.kernel.candidates import one_by_one
from referee.kernel.canon import canonical
from referee.kernel.chance import Drawn, Probe, Seeded
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Actor, Seat
from referee.table.clocks import Clocks

PAST_MAX = 50
"""The most commits that can be undone at once."""

WORLDS = 100
"""The number of alternative positions, alike to a reader, in which a move must show the reader the same."""
WORLDS_OF_A_SECRET = 16
"""The same where the reader did not see the whole move: then every move that looks the same is tried in each world."""

JUDGED_MAX = 2000
"""The most moves that are judged for one undo, over all worlds; if they are not enough, the undo is refused."""


class Past(Struct, frozen=True):
    """A commit by the rules after which no other seat has acted, with the position before it."""

    version: int
    actor: Actor
    move: Move
    position: Any
    at: int
    clocks: Clocks | None
    """The clocks before it."""
    moved_at: int | None
    """When the position before it was reached."""


def past_after(past: tuple[Past, ...], latest: Past) -> tuple[Past, ...]:
    """The commits that may be undone after the latest one: none from before another seat acted."""
    if latest.actor == REFEREE:
        return (*past, latest)[-PAST_MAX:] if past else ()
    others = any(each.actor not in (REFEREE, latest.actor) for each in past)
    return (latest,) if others else (*past, latest)[-PAST_MAX:]


def last_of(past: tuple[Past, ...], seat: Seat) -> tuple[Past, ...]:
    """The last move of a seat and what the referee did after it; empty: the seat has no move to undo."""
    for index in range(len(past) - 1, -1, -1):
        if past[index].actor == seat:
            return past[index:]
    return ()


class _TooManyMoves(Exception):
    """The limit is reached before anything is decided."""


class _Tries:
    """Tries moves in other worlds, and stops when they become too many."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._left = JUDGED_MAX

    def shown(self, position: Any, past: Past, move: Move, reader: Seat | None) -> bytes | None:
        """What a reader would see of the move at a position; None: it is not legal there, or draws luck."""
        self.count()
        try:
            events = self.ruleset.decide(position, past.actor, move, Probe())
        except (Drawn, Rejection):
            return None
        return _shown(past.actor, move, events, reader)

    def count(self) -> None:
        """Count a move; raises _TooManyMoves."""
        if self._left == 0:
            raise _TooManyMoves
        self._left -= 1


def why_final(ruleset: Ruleset, undone: tuple[Past, ...]) -> str | None:
    """Why these commits cannot be undone, or None if they can."""
    tries = _Tries(ruleset)
    for each in undone:
        try:
            events = ruleset.decide(each.position, each.actor, each.move, Probe())
        except Drawn as drawn:
            return f"Version {each.version} drew luck: {drawn}."
        try:
            for reader in _readers(each, events):
                if _reveals(tries, each, events, reader):
                    return f"Version {each.version} showed {_name(reader)} something that was hidden before."
        except _TooManyMoves:
            return f"The referee cannot tell within {JUDGED_MAX} judged moves whether your move revealed anything."
    return None


def _readers(past: Past, events: tuple[Event, ...]) -> Iterator[Seat | None]:
    """A spectator, and the seats that see more of a commit; a seat that sees the same learns no more."""
    shown = _shown(past.actor, past.move, events, None)
    yield None
    for seat in map(Seat, range(len(past.position.seats))):
        if _shown(past.actor, past.move, events, seat) != shown:
            yield seat


def _name(reader: Seat | None) -> str:
    return "everybody" if reader is None else f"seat {reader}"


def _reveals(tries: _Tries, past: Past, events: tuple[Event, ...], reader: Seat | None) -> bool:
    """Whether a reader who has seen a commit can rule out worlds that were possible before it."""
    shown = _shown(past.actor, past.move, events, reader)
    is_secret = _is_secret(past, reader)
    for number in range(WORLDS_OF_A_SECRET if is_secret else WORLDS):
        world = tries.ruleset.alike(past.position, reader, Seeded(number))
        if tries.shown(world, past, past.move, reader) != shown and not (
            is_secret and _is_shown_by_another(tries, world, past, reader, shown)
        ):
            return True
    return False


def _is_secret(past: Past, reader: Seat | None) -> bool:
    """Whether the reader did not see the whole move."""
    return past.actor not in (reader, REFEREE) and bool(past.move.secret or hidden_fields(type(past.move)))


def _is_shown_by_another(tries: _Tries, world: Any, past: Past, reader: Seat | None, shown: bytes) -> bool:
    """Whether another move that looks the same to the reader would show the reader the same."""
    redacted = redact_move(past.move, past.actor, reader)
    for move in one_by_one(tries.ruleset.candidates(world, Seat(int(past.actor)))):
        if redact_move(move, past.actor, reader) != redacted:
            tries.count()
        elif tries.shown(world, past, move, reader) == shown:
            return True
    return False


def _shown(actor: Actor, move: Move, events: tuple[Event, ...], reader: Seat | None) -> bytes:
    return canonical([redact_move(move, actor, reader), [redact(event, reader) for event in events]])
