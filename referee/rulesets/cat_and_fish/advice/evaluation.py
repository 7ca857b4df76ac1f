"""How good a position is for each seat, in tenths of a euro; the bot `search` compares it."""

from typing import Final

from referee.rulesets.cat_and_fish.advice.greedy import MAGIC_CARD
from referee.rulesets.cat_and_fish.advice.outlook import CATCHES, ROUNDS_TO_PAY
from referee.rulesets.cat_and_fish.advice.plans import PLANS
from referee.rulesets.cat_and_fish.advice.worth import EURO, hopes_of, mean_of
from referee.rulesets.cat_and_fish.board import COLOUR_AT
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.fishing import hexes_in_reach
from referee.rulesets.cat_and_fish.names import COLOURS, FISH, SEASONS
from referee.rulesets.cat_and_fish.position import Position, SeatState, owns
from referee.rulesets.cat_and_fish.scoring import score

EARNED_BY_CARD: Final = 1
"""What a useful card earns beyond its price, in euros."""


def evaluate(position: Position, edition: Edition) -> tuple[int, ...]:
    """The scores; before the end, plus the expected earnings of stores, cards, magic cards and tiles in reach."""
    if position.phase == "finished":
        return tuple(EURO * score(state, edition) for state in position.seats)
    rounds_left = (edition.years - position.year) * len(SEASONS) + len(SEASONS) - 1 - SEASONS.index(position.season)
    return tuple(_promise(position, state, rounds_left, edition) for state in position.seats)


def is_checkpoint(position: Position, edition: Edition) -> bool:
    """Whether a round is over: earlier, the markers on the spaces have not paid yet."""
    return not any(state.placed for state in position.seats)


def _promise(position: Position, state: SeatState, rounds_left: int, edition: Edition) -> int:
    merchant, black_market = owns(state, "merchant"), owns(state, "black_market")
    fish = [tile for tile in state.store if tile in FISH] if rounds_left else []
    store = sum(mean_of(tile, merchant, black_market, edition) - EURO * edition.fish_score for tile in fish)
    waters = _waters(position, state, edition) // 2 if rounds_left else 0
    return EURO * score(state, edition) + store + _cards(state, rounds_left) + waters + MAGIC_CARD * len(state.magic)


def _cards(state: SeatState, rounds_left: int) -> int:
    """The worth of the cards of the plan that a seat comes closest to: a bit more than their prices, while it pays."""
    worths = {card.kind: EURO * (card.price + EARNED_BY_CARD) for card in state.cards}
    best = max(sum(worths.get(kind, 0) for kind in plan) for plan in PLANS.values())
    return best * min(rounds_left, ROUNDS_TO_PAY) // ROUNDS_TO_PAY


def _waters(position: Position, state: SeatState, edition: Edition) -> int:
    """The expected worth of the best tiles in reach of a seat."""
    hopes = hopes_of(COLOURS, edition)[owns(state, "merchant"), owns(state, "black_market")]
    near = [hex for hex in hexes_in_reach(state, edition) if position.board[hex] is not None]
    return sum(sorted((hopes[COLOUR_AT[hex]] for hex in near), reverse=True)[:CATCHES])
