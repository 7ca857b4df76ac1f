"""Setting up the table (TY-S1 to TY-S3)."""

from typing import Annotated

from msgspec import UnsetType

from referee.kernel.audience import NOBODY, OWN_ENTRY, whole
from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Trigger
from referee.kernel.rejection import require
from referee.kernel.seat import Seat
from tests.toy.edition import Edition
from tests.toy.names import Fish
from tests.toy.position import Case, Options, Position, Says, SeatState

setup = Chapter()


class SetUp(Trigger):
    """Shuffle and deal the fish, and choose the first seat."""


class GameSetUp(Event):
    """Every seat got its fish and its coins."""

    first_seat: Seat
    hands: Annotated[tuple[tuple[Fish, ...] | None, ...], OWN_ENTRY]
    hand_count: int
    coins: int
    deck: Annotated[tuple[Fish, ...] | UnsetType, NOBODY]
    deck_count: int


def blank(options: Options, seats: int, edition: Edition) -> Position:
    """The table before the set-up; refuses invalid options and numbers of seats."""
    require("TY-S1", 2 <= seats <= 4, f"The game is for 2 to 4 seats; you ask for {seats}.")
    first = options.first_seat
    require("TY-S2", first is None or 0 <= first < seats, f"`first_seat` is null or 0 to {seats - 1}, not {first}.")
    return Position(options=options, phase="setup", seats=(SeatState(),) * seats)


@setup.decides(SetUp)
def set_up(case: Case, move: SetUp) -> Says:
    """Set up the table by TY-S2 and TY-S3."""
    count, first = len(case.position.seats), case.position.options.first_seat
    if first is None:
        first = Seat(case.chance.number("draw_first_seat", 0, count - 1))  # TY-S2
    deck = case.chance.shuffle("shuffle_deck", case.edition.deck)  # TY-S3
    size = case.edition.hand
    yield GameSetUp(
        first_seat=first,
        hands=tuple([deck[size * seat : size * (seat + 1)] for seat in range(count)]),
        hand_count=size,
        coins=case.edition.coins,
        deck=deck[size * count :],
        deck_count=len(deck) - size * count,
    )


@setup.applies(GameSetUp)
def game_set_up(position: Position, event: GameSetUp) -> Position:
    """Every seat has its hand and its coins, and the first turn begins."""
    seats = tuple([SeatState(hand=hand or (), coins=event.coins) for hand in event.hands])
    return replace(position, phase="turn", seats=seats, deck=whole(event.deck), active_seat=event.first_seat)
