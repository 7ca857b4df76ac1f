"""A bot maps what its seat may see to a move."""

import hmac
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, Protocol

import msgspec

from referee.bots.budget import Budget, Iterations
from referee.kernel.candidates import Weighed
from referee.kernel.chance import Chance, Seeded
from referee.kernel.judge import weighed_moves
from referee.kernel.message import Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat


class Turn(msgspec.Struct, frozen=True):
    """What a bot is given: the bytes of its seat's view, what follows from them, and luck of its own.

    In two positions that the seat cannot tell apart it is given the same, byte for byte.
    """

    ruleset: Ruleset
    seat: Seat
    view: bytes
    world: bytes
    """For a bot that imagines what it cannot see: a position of this view, with all that is hidden dealt anew."""
    moves: tuple[Weighed, ...]
    """The legal moves, each with the weight that random play gives it."""
    chance: Chance
    budget: Budget


class Bot(Protocol):
    """A built-in player."""

    name: str
    version: str
    imagines: bool
    """Whether the bot is given a world."""

    def plays(self, ruleset: Ruleset) -> bool:
        """Whether the bot knows how to play this ruleset."""

    def choose(self, turn: Turn) -> Move:
        """The move to make."""

    def acts(self, turn: Turn, move: Move) -> bool:
        """Whether the bot makes the chosen move though nothing obliges it; else it waits for what comes."""


def make_turn(
    bot: Bot, ruleset: Ruleset, position: Any, seat: Seat, chance: Chance, budget: Budget | None = None
) -> Turn:
    """What a bot is given at a position: nothing of the position but what the seat may see."""
    world = msgspec.json.encode(ruleset.alike(position, seat, chance)) if bot.imagines else b""
    return Turn(
        ruleset=ruleset,
        seat=seat,
        view=msgspec.json.encode(ruleset.view(position, seat)),
        world=world,
        moves=weighed_moves(ruleset, position, seat),
        chance=chance,
        budget=budget or Iterations(0),
    )


def is_worth(turn: Turn, move: Move) -> bool:
    """Whether a plain but sensible player makes the move though nothing obliges it."""
    if turn.ruleset.is_worth is None:
        return True
    return turn.ruleset.is_worth(msgspec.json.decode(turn.view, type=turn.ruleset.view_type), turn.seat, move)


def luck_of(seat: Seat, decided: int) -> str:
    """The name of a bot's luck when bots have made this number of decisions for the seat before."""
    return f"bot:{seat}:{decided}"


def first_of(decided: Iterable[int]) -> str:
    """The name of the luck that says which of several bots acts first."""
    return f"first:{sum(decided)}"


def bot_chance(key: bytes, luck: str) -> Chance:
    """The luck of that name: it follows from the key of the game's luck, so that the move can be made again."""
    return Seeded(hmac.digest(key, luck.encode(), sha256))
