"""Setting up the table (FF-5 to FF-11)."""

from typing import Annotated

from msgspec import UnsetType

from referee.kernel.audience import NOBODY, whole
from referee.kernel.changes import replace
from referee.kernel.message import Event, Trigger
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.cards import Cards
from referee.rulesets.fangfrisch.edition import Edition
from referee.rulesets.fangfrisch.position import (
    PACES,
    REVEAL_SECONDS,
    SLUG,
    Case,
    Options,
    Position,
    Says,
    SeatState,
)
from referee.rulesets.fangfrisch.turns import TurnStarted

setup = Chapter()


class SetUp(Trigger):
    """Prepare the deck and find the first seller."""


class GameSetUp(Event):
    """Every seat has its starting money, and the deck is ready."""

    money: int
    first_seat: Seat
    deck: Annotated[Cards | UnsetType, NOBODY]


def blank(edition: Edition, options: Options, seats: int) -> Position:
    """The table before the set-up; refuses what the game cannot be played with."""
    require_options(edition, options, seats)
    seat = SeatState(money=0, crate_1=(), crate_2=(), basin=(), trash=(), answer=None)
    return Position(
        ruleset=SLUG,
        options=options,
        phase="setup",
        seats=(seat,) * seats,
        seller=None,
        deck=(),
        offer=(),
        discard=(),
        aside=(),
        purchase=None,
        idle_turns=0,
        final_sales=0,
    )


def require_options(edition: Edition, options: Options, seats: int) -> None:
    """The number of seats and every option are possible; each is refused by the clause that it belongs to (FF-R35)."""
    require("FF-5", seats in edition.seats, f"The game is for {min(edition.seats)} to {max(edition.seats)} seats.")
    first = options.first_seat
    require("FF-10", first is None or 0 <= first < seats, "`first_seat` is null or one of the seats.")
    require("FF-37", options.pace in PACES, f"`pace` is one of: {', '.join(PACES)}.")
    require(
        "FF-44",
        options.reveal_seconds in REVEAL_SECONDS,
        f"`reveal_seconds` is {REVEAL_SECONDS[0]} to {REVEAL_SECONDS[-1]}.",
    )


@setup.decides(SetUp)
def set_up(case: Case, move: SetUp) -> Says:
    """FF-6 to FF-10."""
    edition, options = case.edition, case.position.options
    shuffled = case.chance.shuffle("shuffle_deck", edition.ordinary_cards)  # FF-7
    tail_at = len(shuffled) - edition.mixed_with_market_close
    end_phase_at = len(shuffled) - edition.end_phase_from_last + 1
    tail = case.chance.shuffle("shuffle_tail", (*shuffled[tail_at:], "market_close"))  # FF-9
    deck: Cards = (*shuffled[:end_phase_at], "end_phase", *shuffled[end_phase_at:tail_at], *tail)  # FF-8
    first = options.first_seat
    if first is None:
        first = Seat(case.chance.number("draw_first_seat", 0, len(case.position.seats) - 1))  # FF-10
    yield GameSetUp(money=edition.starting_money, first_seat=first, deck=deck)
    yield TurnStarted(seller=first)


@setup.applies(GameSetUp)
def game_set_up(position: Position, event: GameSetUp) -> Position:
    """Money for every seat, the deck in its order."""
    seats = tuple([replace(seat, money=event.money) for seat in position.seats])
    return replace(position, seats=seats, deck=whole(event.deck), seller=event.first_seat)
