"""Another position that a reader cannot tell from the true one."""

from referee.kernel.chance import Chance
from referee.kernel.changes import replace
from referee.kernel.seat import Seat
from tests.toy.edition import Edition
from tests.toy.position import Position


def alike(position: Position, reader: Seat | None, chance: Chance, edition: Edition) -> Position:
    """Shuffle the hidden fish over the deck and the other hands, and choose the hidden bids again."""
    others = [seat for seat in range(len(position.seats)) if seat != reader]
    unseen = [fish for seat in others for fish in position.seats[seat].hand]
    rest = list(chance.shuffle("alike", sorted((*unseen, *position.deck))))
    seats = list(position.seats)
    for number in others:
        seat = seats[number]
        hand, rest = tuple(rest[: len(seat.hand)]), rest[len(seat.hand) :]
        bid = None if seat.bid is None else chance.number("alike_bid", 0, seat.coins)
        seats[number] = replace(seat, hand=hand, bid=bid)
    return replace(position, seats=tuple(seats), deck=tuple(rest))
