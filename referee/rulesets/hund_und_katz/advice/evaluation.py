"""How good a position is for each seat: what the bot `search` compares."""

from typing import Final

from referee.rulesets.hund_und_katz.edition import Edition
from referee.rulesets.hund_und_katz.position import Position
from referee.rulesets.hund_und_katz.scoring import scores_of

ACTION_CARD: Final = 5
"""The worth of an action card in hand."""


def evaluate(position: Position, edition: Edition) -> tuple[int, ...]:
    """The scores as the table stands, and what the hands promise until the end."""
    card = 0 if position.phase == "finished" else ACTION_CARD
    scores = scores_of(position, edition)
    return tuple(score + card * len(state.hand) for score, state in zip(scores, position.seats, strict=True))
