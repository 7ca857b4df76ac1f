"""Positions just before the end of a game, so that a browser can play every title to its end within seconds."""

from functools import cache
from typing import Any, NamedTuple

import msgspec

from referee.kernel.chance import Seeded
from referee.kernel.judge import legal_moves, settle
from referee.kernel.ruleset import Ruleset

GAMES_MAX = 40


class Ending(NamedTuple):
    """A position, and the move of a seat that ends the game."""

    position: dict[str, Any]
    seat: int
    move: dict[str, Any]


@cache
def ending_of(rules: Ruleset) -> Ending:
    """The last decision of a random game at the smallest table, which ends it whatever luck says."""
    for attempt in range(GAMES_MAX):
        luck = Seeded(f"ending {rules.slug} {attempt}")
        position = settle(rules, rules.blank(rules.variants[0], rules.seats[0]), luck)
        last: Any = None
        while decisions := rules.awaited(position):
            move = luck.pick("move", legal_moves(rules, position, decisions[0].seat), 1)[0]
            last = position, decisions, move
            position = settle(rules, rules.play(position, decisions[0].seat, move, luck)[1], luck)
        before, decisions, move = last
        lucks = [Seeded(f"other luck {number}") for number in range(5)]
        ends = [settle(rules, rules.play(before, decisions[0].seat, move, other)[1], other) for other in lucks]
        if len(decisions) == 1 and all(end.phase == "finished" for end in ends):
            return Ending(msgspec.to_builtins(before), decisions[0].seat, msgspec.to_builtins(move))
    raise AssertionError(f"no game of {rules.title} has an end")
