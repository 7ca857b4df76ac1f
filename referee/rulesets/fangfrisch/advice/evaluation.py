"""How good a position is for each seat, in euros: what the bot `search` compares."""

from referee.rulesets.fangfrisch.advice.greedy import Prices, worth_of_stall
from referee.rulesets.fangfrisch.edition import Edition
from referee.rulesets.fangfrisch.names import fish_on
from referee.rulesets.fangfrisch.position import Position


def evaluate(position: Position, edition: Edition) -> tuple[int, ...]:
    """The money and, until the end, the prices of the stalls less the cost of the trash."""
    if position.phase == "finished":
        return tuple(seat.money for seat in position.seats)
    prices = Prices.of(edition)
    return tuple(
        seat.money + worth_of_stall(seat, prices) - fish_on(seat.trash) * prices.trash for seat in position.seats
    )
