"""Another position that a reader cannot tell from the true one."""

from collections import Counter

from referee.kernel.chance import Chance
from referee.kernel.changes import replace
from referee.kernel.seat import Seat
from referee.rulesets.hund_und_katz.edition import Edition
from referee.rulesets.hund_und_katz.position import Position


def alike(position: Position, reader: Seat | None, chance: Chance, edition: Edition) -> Position:
    """The deck in another order, and the others' hands dealt again from the cards that the reader has not seen."""
    if position.phase == "setup":
        return position
    unseen = Counter(edition.action_cards)
    unseen.subtract(position.action_discard)
    if reader is not None:
        unseen.subtract(position.seats[reader].hand)
    cards = iter(chance.shuffle("alike_hands", tuple(unseen.elements())))
    seats = tuple(
        state if seat == reader else replace(state, hand=tuple(next(cards) for _ in state.hand))
        for seat, state in enumerate(position.seats)
    )
    return replace(position, seats=seats, food_deck=chance.shuffle("alike_food", sorted(position.food_deck)))
