"""The position: everything there is to know about a game, hidden information included."""

from collections.abc import Generator
from typing import Annotated, Any, Final, Literal, cast

import msgspec
from msgspec import Meta

from referee.kernel.changes import put, replace
from referee.kernel.message import Event
from referee.kernel.ruleset import Case as KernelCase
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.cards import SLOTS, Cards, Slot
from referee.rulesets.fangfrisch.edition import Edition

SLUG: Final = "fangfrisch"

Phase = Literal[
    "setup",
    "selling",
    "auction",
    "thieving",
    "stowing",
    "canning",
    "buyer_sale",
    "closing",
    "final_sale",
    "settling",
    "finished",
]

PURCHASE_PHASES: Final[tuple[Phase, ...]] = ("thieving", "stowing", "canning", "buyer_sale")

Answer = Literal["ring", "pass"]

PACES: Final = ("turn", "live")
REVEAL_SECONDS: Final = range(1, 61)


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is agreed when the game is created. A value out of range breaks a clause, not the form (FF-R35)."""

    pace: Annotated[
        str,
        Meta(
            description="How the bell works: every seat answers each card, or the first ring wins.",
            extra_json_schema={"enum": list(PACES)},
        ),
    ] = "turn"
    reveal_seconds: Annotated[
        int,
        Meta(
            description="In live pace: the seconds until the referee turns the next card.",
            extra_json_schema={"minimum": REVEAL_SECONDS[0], "maximum": REVEAL_SECONDS[-1]},
        ),
    ] = 4
    first_seat: Annotated[Seat | None, Meta(description="The first seller; drawn if null.")] = None


class SeatState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's money and stall. In a slot the last card is the top card (FF-16)."""

    money: int
    crate_1: Cards
    crate_2: Cards
    basin: Cards
    trash: Cards
    answer: Answer | None


class Purchase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a buyer has bought and not yet put away or used."""

    buyer: Seat
    hand: Cards
    thieves: int
    cans: int


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The complete state of a game."""

    ruleset: Literal["fangfrisch"]
    options: Options
    phase: Phase
    seats: tuple[SeatState, ...]
    seller: Seat | None
    deck: Cards
    """Top first."""
    offer: Cards
    discard: Cards
    aside: Cards
    purchase: Purchase | None
    idle_turns: int
    final_sales: int


Case = KernelCase[Position, Edition]
Says = Generator[Event, Position, None]


def seller_of(position: Position) -> Seat:
    """The seat whose turn it is."""
    assert position.seller is not None, "somebody sells from the set-up on"
    return position.seller


def purchase_of(position: Position) -> Purchase:
    """What is being put away."""
    assert position.purchase is not None, "a buyer's step has a purchase"
    return position.purchase


def clockwise(position: Position, seat: Seat) -> tuple[Seat, ...]:
    """The other seats, beginning with the one after this."""
    number = len(position.seats)
    return tuple([Seat((seat + step) % number) for step in range(1, number)])


def slot_of(stall: SeatState, slot: Slot) -> Cards:
    """The cards in a slot."""
    return cast(Cards, getattr(stall, slot))


def is_stall_empty(stall: SeatState) -> bool:
    """Whether no slot holds a card; the trash does not count."""
    return not (stall.crate_1 or stall.crate_2 or stall.basin)


def used_slots(stall: SeatState) -> tuple[Slot, ...]:
    """The slots that hold cards."""
    return tuple([slot for slot in SLOTS if slot_of(stall, slot)])


def is_live(position: Position) -> bool:
    """Whether the bell is a race (FF-41), and not a round of answers (FF-37)."""
    return position.options.pace == "live"


def may_seller_bid(position: Position, edition: Edition) -> bool:
    """Whether the seller takes part in its own auction (FF-30)."""
    return len(position.seats) <= edition.seller_bids_up_to_seats


def bidders(position: Position, edition: Edition) -> tuple[Seat, ...]:
    """The seats that take part in the auction, in the order of their numbers (FF-30, FF-31)."""
    left_out = None if may_seller_bid(position, edition) else position.seller
    return tuple(
        [
            Seat(number)
            for number, seat in enumerate(position.seats)
            if seat.money >= edition.lot_price and number != left_out
        ]
    )


def seat_in_turn(position: Position) -> Seat:
    """The one seat that decides, in the phases that have one."""
    if position.purchase is not None:
        return position.purchase.buyer
    return final_seller(position) if position.phase == "final_sale" else seller_of(position)


def final_seller(position: Position) -> Seat:
    """The next seat that has not had its last sale, clockwise from the seller (FF-69)."""
    return Seat((seller_of(position) + position.final_sales) % len(position.seats))


def with_seat(position: Position, seat: Seat, **changes: Any) -> tuple[SeatState, ...]:
    """The seats with these changes to one of them."""
    return put(position.seats, seat, replace(position.seats[seat], **changes))
