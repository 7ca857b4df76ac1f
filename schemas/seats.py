"""Requests about seats: to take one, and to reveal what was sealed there."""

from schemas.base import Request, StrictInteger, nonce
from schemas.text import text


class NewSeat(Request):
    """The seat that you want."""

    seat = StrictInteger(
        load_default=None,
        allow_none=True,
        metadata={
            "description": "The number of the seat; null: the one you are invited to, otherwise the first open one."
        },
    )
    nonce = nonce()
    seal = text(
        128,
        load_default=None,
        allow_none=True,
        metadata={
            "description": "Instead of `nonce`: the hash of a nonce that you reveal when every seat is taken, 64 "
            "hexadecimal digits. Then nobody can choose a nonce by yours.",
        },
    )
    join_code = text(
        64, load_default=None, allow_none=True, metadata={"description": "The join code of the game, if it has one."}
    )


class NewSeal(Request):
    """The seal of a new chain of links."""

    seal = text(128, required=True, metadata={"description": "The hash of its first link: 64 hexadecimal digits."})


class Reveal(Request):
    """The nonce that opens your seal."""

    link = text(128, required=True, metadata={"description": "Your nonce: 64 hexadecimal digits."})
