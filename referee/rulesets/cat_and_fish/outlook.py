"""How promising a position is for each seat, in tenths of a euro: what a bot that looks ahead compares."""

from typing import Final

from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.greedy import EURO, MAGIC_CARD, SHOPPING_LIST, mean_of
from referee.rulesets.cat_and_fish.names import FISH, SEASONS
from referee.rulesets.cat_and_fish.position import Position, SeatState, owns
from referee.rulesets.cat_and_fish.scoring import score

EARNED_BY_CARD: Final = 6
"""What a card that pays earns in a round."""


def outlook(edition: Edition, position: Position) -> tuple[int, ...]:
    """The scores and, until the end, what the store, the cards and the magic may still bring."""
    if position.phase == "finished":
        return tuple(EURO * score(state, edition) for state in position.seats)
    rounds_left = (edition.years - position.year) * len(SEASONS) + len(SEASONS) - 1 - SEASONS.index(position.season)
    return tuple(_promise(edition, state, rounds_left) for state in position.seats)


def is_pause(position: Position) -> bool:
    """Whether a round is over: before that, what the markers are for is still to come."""
    return not any(state.placed for state in position.seats)


def _promise(edition: Edition, state: SeatState, rounds_left: int) -> int:
    merchant, black_market = owns(state, "merchant"), owns(state, "black_market")
    fish = [tile for tile in state.store if tile in FISH] if rounds_left else []
    store = sum(mean_of(edition, tile, merchant, black_market) - EURO * edition.fish_score for tile in fish)
    cards = EARNED_BY_CARD * rounds_left * sum(card.kind in SHOPPING_LIST for card in state.cards)
    return EURO * score(state, edition) + store + cards + MAGIC_CARD * len(state.magic)
