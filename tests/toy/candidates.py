"""Moves worth trying; the rules decide which of them are legal."""

from collections.abc import Iterator

from referee.kernel.message import Move
from referee.kernel.seat import Seat
from tests.toy.bidding import Bid, OfferCard
from tests.toy.edition import Edition
from tests.toy.haggling import ShareCoins
from tests.toy.position import Position
from tests.toy.turns import DrawCard


def candidates(position: Position, seat: Seat, edition: Edition) -> Iterator[Move]:
    """Every move of the turn and every bid; when coins are handed out, one coin for each seat."""
    if position.phase == "turn":
        yield DrawCard()
        yield from (OfferCard(card=card) for card in position.seats[seat].hand)
    if position.phase == "bidding":
        yield from (Bid(coins=coins) for coins in range(position.seats[seat].coins + 1))
    if position.phase == "haggling":
        seats = range(len(position.seats))
        yield from (ShareCoins(shares=tuple([int(each == other) for each in seats])) for other in seats)
