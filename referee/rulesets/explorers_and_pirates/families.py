"""The family of moves with too many to list: the offers of the active seat (EP-51)."""

from collections.abc import Iterable, Mapping
from typing import Any

from referee.kernel.message import tag
from referee.kernel.ruleset import Family
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.names import GOODS, RESOURCES, Good
from referee.rulesets.explorers_and_pirates.offers import OfferTrade
from referee.rulesets.explorers_and_pirates.position import Position, opponents
from referee.rulesets.explorers_and_pirates.wealth import amount_of

Schema = dict[str, Any]

DESCRIPTION = "An offer: what you give, what you want, and which opponents you ask. No kind is on both sides (EP-51)."


def families(position: Position, seat: Seat, edition: Edition) -> Iterable[Family]:
    """Offers, if the active seat may make one and has something to give."""
    if position.phase != "trade_build" or position.offer is not None or seat != position.active_seat:
        return ()
    state = position.seats[seat]
    held = {good: amount_of(state, good) for good in GOODS}
    wanted = _held_by_opponents(position, seat, edition)
    if not any(held.values()) or not any(wanted.values()):
        return ()
    schema: Schema = {
        "type": "object",
        "properties": {
            "type": {"const": tag(OfferTrade)},
            "give": _bundles(held),
            "want": _bundles(wanted),
            "to": {
                "type": "array",
                "items": {"enum": list(opponents(position, seat))},
                "minItems": 1,
                "maxItems": len(position.seats) - 1,
                "uniqueItems": True,
            },
        },
        "required": ["type", "give", "want"],
        "additionalProperties": False,
    }
    return (Family(tag(OfferTrade), DESCRIPTION, schema),)


def _held_by_opponents(position: Position, seat: Seat, edition: Edition) -> dict[Good, int]:
    """The cards of each kind that all opponents have together, and the most gold that one of them has."""
    own = position.seats[seat]
    found: dict[Good, int] = {
        resource: edition.cards_each - getattr(position.bank, resource) - amount_of(own, resource)
        for resource in RESOURCES
    }
    found["gold"] = max(position.seats[other].gold for other in opponents(position, seat))
    return found


def _bundles(most: Mapping[Good, int]) -> Schema:
    """A schema of bundles with at least one kind, each up to its bound: one branch per first kind."""
    kinds = [(good, {"type": "integer", "minimum": 1, "maximum": bound}) for good, bound in most.items() if bound]
    return {
        "anyOf": [
            {
                "type": "object",
                "properties": dict(kinds[place:]),
                "required": [kinds[place][0]],
                "additionalProperties": False,
            }
            for place in range(len(kinds))
        ]
    }
