"""How good a position is for each seat, in tenths of a euro; the bot `search` compares it."""

from typing import Final

from referee.rulesets.cat_and_fish.advice.greedy import MAGIC_CARD
from referee.rulesets.cat_and_fish.advice.plans import USEFUL
from referee.rulesets.cat_and_fish.advice.worth import EURO, mean_of
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.names import FISH, SEASONS
from referee.rulesets.cat_and_fish.position import Position, SeatState, owns
from referee.rulesets.cat_and_fish.scoring import score

EARNED_BY_CARD: Final = 6
"""The earnings of a useful card in a round."""


def evaluate(position: Position, edition: Edition) -> tuple[int, ...]:
    """The scores; before the end, plus the expected earnings of stores, cards and magic cards."""
    if position.phase == "finished":
        return tuple(EURO * score(state, edition) for state in position.seats)
    rounds_left = (edition.years - position.year) * len(SEASONS) + len(SEASONS) - 1 - SEASONS.index(position.season)
    return tuple(_promise(state, rounds_left, edition) for state in position.seats)


def is_checkpoint(position: Position, edition: Edition) -> bool:
    """Whether a round is over: earlier, the markers on the spaces have not paid yet."""
    return not any(state.placed for state in position.seats)


def _promise(state: SeatState, rounds_left: int, edition: Edition) -> int:
    merchant, black_market = owns(state, "merchant"), owns(state, "black_market")
    fish = [tile for tile in state.store if tile in FISH] if rounds_left else []
    store = sum(mean_of(tile, merchant, black_market, edition) - EURO * edition.fish_score for tile in fish)
    cards = EARNED_BY_CARD * rounds_left * sum(card.kind in USEFUL for card in state.cards)
    return EURO * score(state, edition) + store + cards + MAGIC_CARD * len(state.magic)
