"""The position: everything there is to know about a game, hidden information included."""

from collections.abc import Generator, Sequence
from typing import Annotated, Final, Literal, cast

import msgspec
from msgspec import Meta

from referee.kernel.message import Event
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Case as KernelCase
from referee.kernel.seat import Seat, clockwise, seat_until
from referee.rulesets.fangfrisch.edition import Edition
from referee.rulesets.fangfrisch.names import SLOTS, Cards, Slot

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
BELL_WINDOW_MS: Final = range(0, 2001)


class Options(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What the players agree on when they create a game. A clause refuses a value that is out of range (FF-R35)."""

    pace: Annotated[
        str,
        Meta(
            description="How the bell works: `turn`: every seat answers each card; `live`: seats ring at any time.",
            extra_json_schema={"enum": list(PACES)},
        ),
    ] = "turn"
    reveal_seconds: Annotated[
        int,
        Meta(
            description="Live pace only: the seconds until the referee shows the next card.",
            extra_json_schema={"minimum": REVEAL_SECONDS[0], "maximum": REVEAL_SECONDS[-1]},
        ),
    ] = 4
    bell_window_ms: Annotated[
        int,
        Meta(
            description="Live pace only: the milliseconds after the first ring during which further rings compete with "
            "it; 0: the first ring buys at once.",
            extra_json_schema={"minimum": BELL_WINDOW_MS[0], "maximum": BELL_WINDOW_MS[-1]},
        ),
    ] = 300
    first_seat: Annotated[
        Annotated[Seat, seat_until(4)] | None, Meta(description="The seat that sells first; null: drawn by chance.")
    ] = None


class SeatState(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A player's money and stall. In a slot the last card is the top card (FF-16)."""

    money: int
    crate_1: Cards
    crate_2: Cards
    basin: Cards
    trash: Cards
    answer: Answer | None


class Purchase(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The cards that a buyer has not yet stowed, and the thieves and cans that it has not yet used."""

    buyer: Seat
    hand: Cards
    thieves: int
    cans: int


class LastLot(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What became of the last offer that is gone."""

    offer_number: int
    buyer: Seat | None
    """The seat that bought it; null: the market closed, and nobody got it."""
    cards: int


class Position(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The complete state of a game."""

    ruleset: Literal["fangfrisch"]
    options: Options
    phase: Phase
    seats: tuple[SeatState, ...]
    seller: Seat | None
    deck: Cards
    """Top first."""
    offer: Cards
    offer_number: int
    """The number of cards turned so far in the game: no two offers have the same."""
    is_announced: bool
    """Whether the seller has announced a card that the referee has not shown yet (live pace)."""
    last_lot: LastLot | None
    discard: Cards
    cleared: Cards
    """Cards that cans removed from a trash, face down."""
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
    """The purchase of the buyer's steps."""
    assert position.purchase is not None, "a buyer's step has a purchase"
    return position.purchase


def others_of(position: Position, seat: Seat) -> tuple[Seat, ...]:
    """The other seats, clockwise from the left neighbour."""
    return clockwise(seat, len(position.seats))[1:]


def slot_of(stall: SeatState, slot: Slot) -> Cards:
    """The cards in a slot."""
    return cast(Cards, getattr(stall, slot))


def require_once(parameter: str, slots: Sequence[Slot]) -> None:
    """Refuse a list of slots that names one of them twice (FF-3)."""
    for slot in slots:
        if slots.count(slot) > 1:
            raise Rejection("FF-3", f"`{parameter}` names `{slot}` more than once.")


def is_stall_empty(stall: SeatState) -> bool:
    """Whether no slot holds a card; the trash does not count."""
    return not (stall.crate_1 or stall.crate_2 or stall.basin)


def used_slots(stall: SeatState) -> tuple[Slot, ...]:
    """The slots that hold cards."""
    return tuple([slot for slot in SLOTS if slot_of(stall, slot)])


def is_live(position: Position) -> bool:
    """Whether the game is in live pace (FF-41), not in turn pace (FF-37)."""
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


def ringing(position: Position) -> tuple[Seat, ...]:
    """The seats that have rung for the offer, in the order of their numbers."""
    return tuple([Seat(number) for number, seat in enumerate(position.seats) if seat.answer == "ring"])


def seat_in_turn(position: Position) -> Seat:
    """The seat that decides, in the phases in which one seat does."""
    if position.purchase is not None:
        return position.purchase.buyer
    return final_seller(position) if position.phase == "final_sale" else seller_of(position)


def final_seller(position: Position) -> Seat:
    """The next seat that has not had its final sale, clockwise from the seller (FF-69)."""
    return Seat((seller_of(position) + position.final_sales) % len(position.seats))
