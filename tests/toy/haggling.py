"""Haggling: the buyer may hand out coins, until the referee ends it (TY-9)."""

from referee.kernel.changes import replace, with_seat
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move, Trigger
from referee.kernel.rejection import require
from referee.kernel.seat import Seat
from tests.toy.position import Case, Natural, Position, Says
from tests.toy.turns import next_turn

haggling = Chapter()


class ShareCoins(Move):
    """Hand out coins after a purchase: one number per seat."""

    shares: tuple[Natural, ...]


class CloseHaggling(Trigger):
    """End the haggling."""


class CoinsShared(Event):
    """The buyer handed out coins."""

    seat: Seat
    shares: tuple[int, ...]


@haggling.decides(ShareCoins)
def share_coins(case: Case, move: ShareCoins) -> Says:
    """Check TY-9; then hand out the coins, and the turn passes."""
    shares, count, coins = move.shares, len(case.position.seats), case.position.seats[case.seat].coins
    require("TY-9", len(shares) == count, f"Name one number of coins for each of the {count} seats.")
    require("TY-9", shares[case.seat] == 0, "You cannot hand out coins to yourself.")
    require("TY-9", 1 <= sum(shares) <= coins, f"You hand out {sum(shares)} coins; it must be 1 to {coins}.")
    position = yield CoinsShared(seat=case.seat, shares=shares)
    yield from next_turn(case, position)


@haggling.decides(CloseHaggling)
def close_haggling(case: Case, move: CloseHaggling) -> Says:
    """The buyer hands out nothing, and the turn passes (TY-9)."""
    yield from next_turn(case, case.position)


@haggling.applies(CoinsShared)
def coins_shared(position: Position, event: CoinsShared) -> Position:
    """Move the coins from the buyer to the others."""
    given = zip(position.seats, event.shares, strict=True)
    seats = tuple([replace(seat, coins=seat.coins + share) for seat, share in given])
    seats = with_seat(seats, event.seat, coins=seats[event.seat].coins - sum(event.shares))
    return replace(position, phase="turn", seats=seats, buyer=None)
