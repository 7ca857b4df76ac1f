"""Setting up the table (FF-5 to FF-11)."""

from typing import Annotated

from msgspec import UnsetType

from referee.kernel.audience import NOBODY, whole
from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Trigger
from referee.kernel.rejection import require
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.edition import Edition
from referee.rulesets.fangfrisch.names import Cards
from referee.rulesets.fangfrisch.position import (
    BELL_WINDOW_MS,
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
    """Shuffle the deck, put the special cards in, and choose the first seller."""


class GameSetUp(Event):
    """Every seat got its starting money, and the deck is ready."""

    money: int
    first_seat: Seat
    deck: Annotated[Cards | UnsetType, NOBODY]


def blank(options: Options, seats: int, edition: Edition) -> Position:
    """The table before the set-up; refuses invalid options and numbers of seats."""
    require_options(options, seats, edition)
    seat = SeatState(money=0, crate_1=(), crate_2=(), basin=(), trash=(), answer=None)
    return Position(
        ruleset=SLUG,
        options=options,
        phase="setup",
        seats=(seat,) * seats,
        seller=None,
        deck=(),
        offer=(),
        offer_number=0,
        is_announced=False,
        last_lot=None,
        discard=(),
        cleared=(),
        aside=(),
        purchase=None,
        idle_turns=0,
        final_sales=0,
    )


def require_options(options: Options, seats: int, edition: Edition) -> None:
    """Refuse an invalid number of seats or option by the clause that gives it its meaning (FF-R35)."""
    least, most = min(edition.seats), max(edition.seats)
    require("FF-5", seats in edition.seats, f"The game is for {least} to {most} seats; you ask for {seats}.")
    first, seconds, window_ms = options.first_seat, options.reveal_seconds, options.bell_window_ms
    require("FF-10", first is None or 0 <= first < seats, f"`first_seat` is null or 0 to {seats - 1}, not {first}.")
    require("FF-37", options.pace in PACES, f"`pace` must be {' or '.join(f'`{pace}`' for pace in PACES)}.")
    least, most = REVEAL_SECONDS[0], REVEAL_SECONDS[-1]
    require("FF-44", seconds in REVEAL_SECONDS, f"`reveal_seconds` must be {least} to {most}, not {seconds}.")
    least, most = BELL_WINDOW_MS[0], BELL_WINDOW_MS[-1]
    require("FF-41", window_ms in BELL_WINDOW_MS, f"`bell_window_ms` must be {least} to {most}, not {window_ms}.")


@setup.decides(SetUp)
def set_up(case: Case, move: SetUp) -> Says:
    """Set up the table by FF-6 to FF-10."""
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
    """Every seat has its money, the deck lies ready, and the first seller is known."""
    seats = tuple([replace(seat, money=event.money) for seat in position.seats])
    return replace(position, seats=seats, deck=whole(event.deck), seller=event.first_seat)
