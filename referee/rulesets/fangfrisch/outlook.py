"""How promising a position is for each seat, in euros: what a bot that looks ahead compares."""

from referee.rulesets.fangfrisch.cards import fish_on
from referee.rulesets.fangfrisch.edition import Edition
from referee.rulesets.fangfrisch.greedy import Prices, worth_of_stall
from referee.rulesets.fangfrisch.position import Position


def outlook(edition: Edition, position: Position) -> tuple[int, ...]:
    """The money and, until the end, what the stalls would bring, less what the trash will cost."""
    if position.phase == "finished":
        return tuple(seat.money for seat in position.seats)
    prices = Prices.of(edition)
    return tuple(
        seat.money + worth_of_stall(seat, prices) - fish_on(seat.trash) * prices.trash for seat in position.seats
    )
