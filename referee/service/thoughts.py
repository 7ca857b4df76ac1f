"""What a thinking bot has decided, kept until the time to say so has come.

How long a bot thinks depends on what it sees. At a table with players its move is therefore made when its whole budget
has passed, however soon it was found. No worker waits for that: the decision is kept, and the game is woken in time.
"""

from typing import Any

import msgspec

from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.service.commits import Made, follow_rules
from referee.service.desk import Desk
from referee.service.game import Game
from referee.service.state import State

KEPT_MS = 600_000


class Choice(msgspec.Struct, frozen=True):
    """The move of a bot, with all that it takes to make it again."""

    seat: Seat
    move: Move
    cause: dict[str, Any]


class Thought(msgspec.Struct, frozen=True):
    """A choice that is kept."""

    after: str
    """The hash of the commit that it answers."""
    due: int
    """When the move is made, in milliseconds."""
    seat: int
    move: msgspec.Raw
    cause: dict[str, Any]


_thoughts = msgspec.json.Decoder(Thought)


def keep(desk: Desk, game: Game, state: State, choice: Choice, due: int) -> Thought:
    """Keep what a bot has decided to do at this state, until it is due."""
    move = msgspec.Raw(msgspec.json.encode(choice.move))
    thought = Thought(state.hash, due, choice.seat, move, choice.cause)
    desk.log.keep_thought(game.id, msgspec.json.encode(thought), KEPT_MS)
    return thought


def recall(desk: Desk, game: Game, state: State) -> Thought | None:
    """What a bot has decided to do at this state, if one has."""
    body = desk.log.thought(game.id)
    thought = None if body is None else _thoughts.decode(body)
    return thought if thought is not None and thought.after == state.hash else None


def thoughts_commit(game: Game, state: State, thought: Thought) -> Made:
    """The move that was decided on, made now."""
    return follow_rules(game, state, Seat(thought.seat), game.rules.read_move(bytes(thought.move)), thought.cause)
