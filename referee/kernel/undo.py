"""Which moves can be taken back: those that drew no luck and told nobody anything hidden."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from referee.kernel.audience import hidden_fields, redact, redact_move
from referee.kernel.canon import canonical
from referee.kernel.chance import Drawn, Probe, Seeded
from referee.kernel.clocks import Clocks
from referee.kernel.judge import legal_moves
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Actor, Seat

PAST_MAX = 50
"""So many commits are kept to be taken back."""

WORLDS = 100
"""In so many worlds that a reader cannot tell apart, the reader must be told the same."""
WORLDS_OF_A_SECRET = 16
"""The same where the reader did not see the whole move: then every move that looks the same is tried in each world."""


class Past(Struct, frozen=True):
    """A commit by the rules that no other seat has answered, with the position before it."""

    version: int
    actor: Actor
    move: Move
    position: Any
    at: int
    clocks: Clocks | None
    """Before it, as the position is."""
    moved_at: int | None
    """When the position before it had come about."""


def past_after(past: tuple[Past, ...], latest: Past) -> tuple[Past, ...]:
    """What may be taken back after a commit: it begins anew when another seat acts."""
    if latest.actor == REFEREE:
        return (*past, latest)[-PAST_MAX:] if past else ()
    others = any(each.actor not in (REFEREE, latest.actor) for each in past)
    return (latest,) if others else (*past, latest)[-PAST_MAX:]


def last_of(past: tuple[Past, ...], seat: Seat) -> tuple[Past, ...]:
    """The last move of a seat and what the referee did after it; empty: there is none to take back."""
    for place in range(len(past) - 1, -1, -1):
        if past[place].actor == seat:
            return past[place:]
    return ()


def why_final(ruleset: Ruleset, taken: tuple[Past, ...]) -> str | None:
    """Why these commits cannot be taken back, or None if they can."""
    for each in taken:
        try:
            events = ruleset.decide(each.position, each.actor, each.move, Probe())
        except Drawn as drawn:
            return f"Luck was drawn in version {each.version}: {drawn}."
        for reader in _readers(each, events):
            if _reveals(ruleset, each, events, reader):
                return f"Version {each.version} told {_name(reader)} something that was hidden before."
    return None


def _readers(past: Past, events: tuple[Event, ...]) -> Iterator[Seat | None]:
    """A spectator, and the seats that are told more: who knows more before and is told the same learns no more."""
    told = _told(past.actor, past.move, events, None)
    yield None
    for seat in map(Seat, range(len(past.position.seats))):
        if _told(past.actor, past.move, events, seat) != told:
            yield seat


def _name(reader: Seat | None) -> str:
    return "everybody" if reader is None else f"seat {reader}"


def _reveals(ruleset: Ruleset, past: Past, events: tuple[Event, ...], reader: Seat | None) -> bool:
    """Whether a reader who was told of a commit can tell worlds apart that were alike before it."""
    told = _told(past.actor, past.move, events, reader)
    return any(
        told not in _tellings(ruleset, ruleset.alike(past.position, reader, Seeded(world)), past, reader)
        for world in range(WORLDS_OF_A_SECRET if _is_secret(past, reader) else WORLDS)
    )


def _is_secret(past: Past, reader: Seat | None) -> bool:
    """Whether the reader did not see the whole move."""
    return past.actor not in (reader, REFEREE) and bool(past.move.secret or hidden_fields(type(past.move)))


def _tellings(ruleset: Ruleset, position: Any, past: Past, reader: Seat | None) -> set[bytes]:
    """What the reader could have been told in another world: by the same move, or by one that looks the same."""
    moves = [past.move]
    if _is_secret(past, reader):
        moves += legal_moves(ruleset, position, Seat(int(past.actor)))
    tellings: set[bytes] = set()
    for move in moves:
        try:
            events = ruleset.decide(position, past.actor, move, Probe())
        except (Drawn, Rejection):
            continue
        tellings.add(_told(past.actor, move, events, reader))
    return tellings


def _told(actor: Actor, move: Move, events: tuple[Event, ...], reader: Seat | None) -> bytes:
    return canonical([redact_move(move, actor, reader), [redact(event, reader) for event in events]])
