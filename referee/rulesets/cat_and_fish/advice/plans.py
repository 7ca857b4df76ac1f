"""Three ways to get rich: better gear, ships, or both. A plan is the list of cards that it buys, in their order."""

from typing import Final, Literal

from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.names import CardKind
from referee.rulesets.cat_and_fish.view import View

PlanName = Literal["gear", "ships", "both"]

PLANS: Final[dict[PlanName, tuple[CardKind, ...]]] = {
    "gear": ("fishing_net", "membership", "cold_storage", "merchant", "fisherman", "black_market"),
    "ships": ("fishing_boat", "fishing_vessel", "black_market", "membership", "cold_storage", "merchant"),
    "both": ("fishing_boat", "fishing_net", "membership", "cold_storage", "merchant", "black_market"),
}
"""The cards that each plan buys, one after the other."""

USEFUL: Final[frozenset[CardKind]] = frozenset(card for cards in PLANS.values() for card in cards)
"""The cards that some plan buys."""


def fits(name: PlanName, view: View, seat: Seat, edition: Edition) -> bool:
    """Whether a plan could have led to the cards that a seat owns."""
    owned = [card.kind for card in view.seats[seat].cards]
    return all(card in PLANS[name] for card in owned if card in USEFUL)


def plan_of(view: View, seat: Seat, edition: Edition) -> PlanName:
    """The plan that a seat seems to follow by the cards that it owns; of several the first."""
    return next((name for name in PLANS if fits(name, view, seat, edition)), "both")
