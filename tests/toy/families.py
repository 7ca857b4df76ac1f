"""Families of moves: types with too many moves to list."""

from collections.abc import Iterator

from referee.kernel.message import tag
from referee.kernel.ruleset import Family
from referee.kernel.seat import Seat
from tests.toy.edition import Edition
from tests.toy.haggling import ShareCoins
from tests.toy.position import Position


def families(position: Position, seat: Seat, edition: Edition) -> Iterator[Family]:
    """Every way to hand out coins."""
    if position.phase != "haggling":
        return
    coins = position.seats[seat].coins
    entry = [
        {"const": 0} if number == seat else {"minimum": 0, "maximum": coins} for number in range(len(position.seats))
    ]
    yield Family(
        type=tag(ShareCoins),
        description="One number of coins per seat.",
        schema={
            "type": "object",
            "properties": {
                "type": {"const": tag(ShareCoins)},
                "shares": {
                    "type": "array",
                    "prefixItems": [{"type": "integer", **each} for each in entry],
                    "minItems": len(entry),
                    "maxItems": len(entry),
                },
            },
            "required": ["type", "shares"],
            "additionalProperties": False,
        },
    )
