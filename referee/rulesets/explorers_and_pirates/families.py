"""The families of moves with too many to list: the offers of the active seat (EP-51), and the paths of its ships."""

from collections.abc import Iterable, Mapping
from typing import Any

from referee.kernel.message import tag
from referee.kernel.ruleset import Family
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.movement import MoveShip, course_of, voyage_of
from referee.rulesets.explorers_and_pirates.names import GOODS, Good
from referee.rulesets.explorers_and_pirates.offers import OfferTrade, held_by_opponents
from referee.rulesets.explorers_and_pirates.pieces import passing_ship
from referee.rulesets.explorers_and_pirates.position import Position, opponents
from referee.rulesets.explorers_and_pirates.wealth import amount_of

Schema = dict[str, Any]

OFFERS = "An offer: what you give, what you want, and which opponents you ask. No kind is on both sides (EP-51)."
PATHS = (
    "A path of one of your ships, edge by edge. Listed are a shortest path to each route that the ship can reach, and "
    "the one around a pirate ship; any other path that EP-71 to EP-76 and EP-47 allow is legal as well."
)


def families(position: Position, seat: Seat, edition: Edition) -> Iterable[Family]:
    """The offers or the paths that the active seat may choose from."""
    if seat != position.active_seat:
        return ()
    if position.phase == "trade_build" and position.offer is None:
        return _offers(position, seat, edition)
    return _paths(position, seat, edition) if position.phase == "movement" else ()


def _paths(position: Position, seat: Seat, edition: Edition) -> Iterable[Family]:
    """Paths, if a ship has movement points left and no other one has to sail on first."""
    passing = passing_ship(position, edition)
    ships = [id for id in position.seats[seat].ships if passing in (None, id) and not voyage_of(position, id).finished]
    courses = {id: course for id in ships if (course := course_of(position, edition, seat, id)).left > 0}
    if not courses:
        return ()
    edges = sorted({edge for course in courses.values() for edge in (course.start, *course.ways)})
    schema: Schema = {
        "type": "object",
        "properties": {
            "type": {"const": tag(MoveShip)},
            "ship": {"enum": list(courses)},
            "path": {
                "type": "array",
                "items": {"enum": edges},
                "minItems": 1,
                "maxItems": max(course.left for course in courses.values()),
            },
            "pay_tribute": {"type": "boolean"},
        },
        "required": ["type", "ship", "path"],
        "additionalProperties": False,
    }
    return (Family(tag(MoveShip), PATHS, schema),)


def _offers(position: Position, seat: Seat, edition: Edition) -> Iterable[Family]:
    """Offers, if the seat has something to give and an opponent has something to take."""
    state = position.seats[seat]
    held = {good: amount_of(state, good) for good in GOODS}
    wanted = held_by_opponents(position, seat, edition)
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
    return (Family(tag(OfferTrade), OFFERS, schema),)


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
