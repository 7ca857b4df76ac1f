"""A position as one seat, or a spectator, may see it (section 11)."""

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from referee.kernel.audience import shown
from referee.kernel.seat import Seat
from referee.rulesets.catham_city.cards import CountMap, total
from referee.rulesets.catham_city.edition import Edition
from referee.rulesets.catham_city.names import Cards, Faction, Phase
from referee.rulesets.catham_city.position import Answer, Options, Pending, Position, Revealed, SeatState


class SeatView(msgspec.Struct, frozen=True, gc=False):
    """What a reader sees of a seat: everybody may count its cards."""

    hand: CountMap | None
    hand_count: int
    influence: int


class PendingView(msgspec.Struct, frozen=True, gc=False):
    """What a reader sees of an open question: for another seat, only whether it has answered."""

    faction: Faction | UnsetType | None = UNSET
    answers: tuple[Answer | bool | None, ...] | UnsetType = UNSET
    given: CountMap | UnsetType = UNSET


class View(msgspec.Struct, frozen=True, gc=False):
    """A position without what its reader may not know."""

    ruleset: Literal["catham-city"]
    options: Options
    phase: Phase
    seats: tuple[SeatView, ...]
    active_seat: Seat | None
    actions_left: int
    market: CountMap
    draw_pile: Cards | None
    """Always null."""
    draw_pile_count: int
    discard_pile: CountMap
    table: CountMap
    pending: PendingView | None
    revealed: Revealed | None
    """The cards that the last move laid open; null: none."""
    threshold: int
    """The influence with which a seat wins."""


_view = shown(View, Position)


def view(position: Position, reader: Seat | None, edition: Edition) -> View:
    """Everything but the hands and answers of others and the draw pile."""
    return _view(
        position,
        seats=tuple([_seat_view(state, seat == reader) for seat, state in enumerate(position.seats)]),
        draw_pile=None,
        draw_pile_count=len(position.draw_pile),
        threshold=edition.influence_to_win(len(position.seats)),
        pending=None if position.pending is None else _pending_view(position.pending, reader),
    )


def _seat_view(state: SeatState, own: bool) -> SeatView:
    return SeatView(hand=state.hand if own else None, hand_count=total(state.hand), influence=state.influence)


def _pending_view(pending: Pending, reader: Seat | None) -> PendingView:
    if isinstance(pending.answers, UnsetType):
        return PendingView(given=pending.given)
    seen = [answer if answer is None or seat == reader else True for seat, answer in enumerate(pending.answers)]
    return PendingView(faction=pending.faction, answers=tuple(seen))
