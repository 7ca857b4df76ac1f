"""A bot maps what its seat may see to a move."""

import hmac
from hashlib import sha256
from typing import Protocol

import msgspec

from referee.kernel.chance import Chance, Seeded
from referee.kernel.judge import Weighed
from referee.kernel.message import Move
from referee.kernel.record import Secret
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat


class Turn(msgspec.Struct, frozen=True):
    """What a bot is given: the bytes of its seat's view, its legal moves, and luck of its own."""

    ruleset: Ruleset
    seat: Seat
    view: bytes
    moves: tuple[Weighed, ...]
    """The legal moves, each with the weight that random play gives it."""
    chance: Chance


class Bot(Protocol):
    """A built-in player."""

    name: str
    version: str

    def plays(self, ruleset: Ruleset) -> bool:
        """Whether the bot knows how to play this ruleset."""

    def choose(self, turn: Turn) -> Move:
        """The move to make."""


def bot_chance(secret: Secret, seat: Seat, version: int) -> Chance:
    """The luck of a bot's move: it follows from the game's secret, so that the move can be made again."""
    return Seeded(hmac.digest(bytes.fromhex(secret.seed), f"bot:{seat}:{version}".encode(), sha256))
