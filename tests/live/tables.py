"""Start positions in live auctions, reached by legal moves."""

from typing import Any

import msgspec

from referee.kernel.chance import Seeded
from referee.kernel.judge import legal_moves, set_up
from referee.kernel.seat import REFEREE
from referee.rulesets import LATEST

RULES = LATEST["fangfrisch"]


def options(reveal_seconds: int, bell_window_ms: int = 300) -> dict[str, Any]:
    return {"pace": "live", "reveal_seconds": reveal_seconds, "bell_window_ms": bell_window_ms, "first_seat": 0}


def auction(seats: int, reveal_seconds: int, bell_window_ms: int = 300) -> dict[str, Any]:
    """Return a position in which the first card of the first auction is open, and seat 0 sells."""
    chosen = msgspec.convert(options(reveal_seconds, bell_window_ms), RULES.options_type)
    position = set_up(RULES, chosen, seats, Seeded("auction"))
    for actor, move in ((0, {"type": "sell_fish", "lots": []}), (REFEREE, {"type": "show_offer"})):
        _, position = RULES.play(position, actor, RULES.read_move(move), Seeded("auction"))
    assert position.phase == "auction" and len(position.offer) == 1
    return msgspec.to_builtins(position)


def near_the_end(cards: int, reveal_seconds: int) -> dict[str, Any]:
    """Return a position in which a seat may sell fish and at most this number of cards is left in the deck."""
    chosen = msgspec.convert(options(reveal_seconds), RULES.options_type)
    for seed in range(1000):
        chance = Seeded(f"end:{seed}")
        position = set_up(RULES, chosen, 4, chance)
        while position.phase != "finished":
            if position.phase == "selling" and len(position.deck) <= cards and "market_close" in position.deck:
                return msgspec.to_builtins(position)
            due, awaited = RULES.due(position), RULES.awaited(position)
            if due is not None and (not awaited or chance.number("turn", 0, 3) > 0):
                _, position = RULES.play(position, REFEREE, due.move, chance)
            else:
                seat = awaited[chance.number("seat", 0, len(awaited) - 1)].seat
                moves = legal_moves(RULES, position, seat)
                _, position = RULES.play(position, seat, moves[chance.number("move", 0, len(moves) - 1)], chance)
    raise AssertionError("no random game reached such a position")
