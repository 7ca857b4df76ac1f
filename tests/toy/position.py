"""The position of the toy, what must hold in it, and who sees what of it."""

from collections import Counter
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from referee.kernel.chance import Chance
from referee.kernel.changes import replace
from referee.kernel.rejection import ensure
from referee.kernel.seat import Seat
from tests.toy.edition import Edition

Fish = Literal["carp", "pike", "eel"]
Phase = Literal["setup", "turn", "bidding", "haggling", "closing", "finished"]
Natural = Annotated[int, Meta(ge=0)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is agreed when the game is created."""

    first_seat: Seat | None = None
    haggling: bool = True


class SeatState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat has."""

    hand: tuple[Fish, ...] = ()
    coins: Natural = 0
    bought: tuple[Fish, ...] = ()
    bid: Natural | None = None


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The complete state of a game."""

    options: Options
    phase: Phase
    seats: tuple[SeatState, ...]
    ruleset: Literal["toy"] = "toy"
    active_seat: Seat | None = None
    buyer: Seat | None = None
    deck: tuple[Fish, ...] = ()
    offer: Fish | None = None
    thrown_away: tuple[Fish, ...] = ()
    turns: Natural = 0


class SeatView(msgspec.Struct, frozen=True):
    """A seat as another one sees it."""

    hand: tuple[Fish, ...] | None
    hand_count: int
    coins: int
    bought: tuple[Fish, ...]
    bid: int | bool | None


class View(msgspec.Struct, frozen=True):
    """A position as one seat sees it."""

    ruleset: str
    options: Options
    phase: Phase
    seats: tuple[SeatView, ...]
    active_seat: Seat | None
    buyer: Seat | None
    deck: None
    deck_count: int
    offer: Fish | None
    thrown_away: tuple[Fish, ...]
    turns: int


def can_act(position: Position, seat: int) -> bool:
    """Whether a seat can draw or offer."""
    return bool(position.deck or position.seats[seat].hand)


def bidders(position: Position) -> tuple[Seat, ...]:
    """The seats that may still bid (TY-7)."""
    return tuple(
        Seat(number)
        for number, seat in enumerate(position.seats)
        if number != position.active_seat and seat.coins and seat.bid is None
    )


def check(edition: Edition, position: Position) -> None:
    """Raise Malformed where an invariant is broken."""
    seats, phase = position.seats, position.phase
    ensure(2 <= len(seats) <= 4, "There are two to four seats.")
    for name in ("active_seat", "buyer"):
        number = getattr(position, name)
        ensure(number is None or 0 <= number < len(seats), f"`{name}` is a seat.")
    first = position.options.first_seat
    ensure(first is None or 0 <= first < len(seats), "`first_seat` is a seat.")
    offered = () if position.offer is None else (position.offer,)
    fish = Counter((*position.deck, *offered, *position.thrown_away))
    fish.update(each for seat in seats for each in (*seat.hand, *seat.bought))
    ensure(fish == Counter(edition.deck), "Every fish of the box is somewhere.")
    ensure(sum(seat.coins for seat in seats) == edition.coins * len(seats), "No coin is lost.")
    ensure(all(len(seat.hand) <= edition.hand_limit for seat in seats), "No hand is above the limit.")
    ensure(position.active_seat is not None, "A seat is active.")
    ensure((position.offer is not None) == (phase == "bidding"), "A fish is offered while bids are awaited.")
    ensure((position.buyer is not None) == (phase == "haggling"), "A buyer haggles.")
    for number, seat in enumerate(seats):
        ensure(
            seat.bid is None or (phase == "bidding" and number != position.active_seat and seat.bid <= seat.coins),
            "Bids are made while a fish is offered, by the other seats, with their own coins.",
        )
    over = position.turns >= edition.turns_max or not any(can_act(position, number) for number in range(len(seats)))
    ensure(position.turns <= edition.turns_max, "There are no more turns than agreed.")
    if phase == "turn":
        ensure(not over and can_act(position, position.active_seat or 0), "The active seat can draw or offer.")
    ensure(over or phase not in ("closing", "finished"), "The game ends when nobody can act, or the time is up.")


def view(position: Position, seat: Seat | None) -> View:
    """What a seat may see."""
    return View(
        ruleset=position.ruleset,
        options=position.options,
        phase=position.phase,
        seats=tuple(_seat_view(each, own=number == seat) for number, each in enumerate(position.seats)),
        active_seat=position.active_seat,
        buyer=position.buyer,
        deck=None,
        deck_count=len(position.deck),
        offer=position.offer,
        thrown_away=position.thrown_away,
        turns=position.turns,
    )


def _seat_view(seat: SeatState, *, own: bool) -> SeatView:
    return SeatView(
        hand=seat.hand if own else None,
        hand_count=len(seat.hand),
        coins=seat.coins,
        bought=seat.bought,
        bid=seat.bid if own else None if seat.bid is None else True,
    )


def alike(position: Position, reader: Seat | None, chance: Chance) -> Position:
    """Another position that the reader cannot tell from this one: hidden fish mixed, hidden bids made anew."""
    hidden = [seat for seat in range(len(position.seats)) if seat != reader]
    unseen = [fish for seat in hidden for fish in position.seats[seat].hand]
    rest = list(chance.shuffle("alike", sorted((*unseen, *position.deck))))
    seats = list(position.seats)
    for number in hidden:
        seat = seats[number]
        hand, rest = tuple(rest[: len(seat.hand)]), rest[len(seat.hand) :]
        bid = None if seat.bid is None else chance.number("alike_bid", 0, seat.coins)
        seats[number] = replace(seat, hand=hand, bid=bid)
    return replace(position, seats=tuple(seats), deck=tuple(rest))
