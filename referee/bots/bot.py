"""The interface of a bot, which chooses a move from what its seat may see."""

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
    """The input of a bot: the bytes of its seat's view, the legal moves, and luck of its own.

    Two positions that the seat cannot tell apart lead to the same input, byte for byte.
    """

    ruleset: Ruleset
    seat: Seat
    view: bytes
    world: bytes
    """A position with the same view, in which everything hidden is dealt again; empty unless the bot `imagines`."""
    moves: tuple[Weighed, ...]
    """The legal moves, each with its weight in random play."""
    chance: Chance
    first_luck: Chance
    """The luck of the first decision that a bot made for the seat: the same in every turn of a game."""
    budget: Budget


class Bot(Protocol):
    """A built-in player."""

    name: str
    version: str
    imagines: bool
    """Whether the bot needs a world."""

    def plays(self, ruleset: Ruleset) -> bool:
        """Whether the bot can play this ruleset."""

    def choose(self, turn: Turn) -> Move:
        """Return the move to make."""

    def acts(self, turn: Turn, move: Move) -> bool:
        """Whether the bot makes the chosen move although the seat does not have to move; otherwise it waits."""

    def waits(self, turn: Turn, move: Move) -> bool:
        """Whether the bot, which owes the chosen move, first waits for other seats that may move."""


def make_turn(
    bot: Bot,
    ruleset: Ruleset,
    position: Any,
    seat: Seat,
    chance: Chance,
    budget: Budget | None = None,
    first_luck: Chance | None = None,
) -> Turn:
    """Return a bot's input at a position, which contains only what the seat may see.

    Without `first_luck` this is the first decision for the seat.
    """
    world = msgspec.json.encode(ruleset.alike(position, seat, chance)) if bot.imagines else b""
    return Turn(
        ruleset=ruleset,
        seat=seat,
        view=msgspec.json.encode(ruleset.view(position, seat)),
        world=world,
        moves=weighed_moves(ruleset, position, seat),
        chance=chance,
        first_luck=first_luck or chance,
        budget=budget or Iterations(0),
    )


def is_worth(turn: Turn, move: Move) -> bool:
    """Whether the ruleset advises the move although the seat does not have to move."""
    ruleset = turn.ruleset
    if ruleset.advice.is_worth is None:
        return True
    view = msgspec.json.decode(turn.view, type=ruleset.view_type)
    return ruleset.advice.is_worth(view, turn.seat, move, ruleset.edition)


def lets_others_move(turn: Turn, move: Move) -> bool:
    """Whether the ruleset advises to let seats move that may, before this move that the seat owes."""
    ruleset = turn.ruleset
    if ruleset.advice.waits is None:
        return False
    view = msgspec.json.decode(turn.view, type=ruleset.view_type)
    return ruleset.advice.waits(view, turn.seat, move, ruleset.edition)


def luck_of(seat: Seat, decided: int) -> str:
    """Return the name of a bot's luck after bots have made this number of decisions for the seat."""
    return f"bot:{seat}:{decided}"


def first_of(decided: Iterable[int]) -> str:
    """Return the name of the luck that decides which of several bots acts first."""
    return f"first:{sum(decided)}"


REACTION_MS = range(400, 1001)
"""The reaction times of bots where seats race: about those of a person who looks at an offer and decides."""


def reaction_ms(key: bytes, luck: str, view: bytes) -> int:
    """Return a bot's reaction time, which follows from its luck, once for each view that the seat sees."""
    drawn = hmac.digest(key, b"%b:reaction:%b" % (luck.encode(), sha256(view).digest()), sha256)
    return REACTION_MS[int.from_bytes(drawn[:8], "big") % len(REACTION_MS)]


def bot_chance(key: bytes, luck: str) -> Chance:
    """Return the luck of this name, which follows from the game's key, so that an audit can replay the move."""
    return Seeded(hmac.digest(key, luck.encode(), sha256))
