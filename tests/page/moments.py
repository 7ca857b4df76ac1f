"""Moments of games that are always the same: greedy players and a known luck lead to them."""

from functools import cache
from typing import Any

import msgspec

from referee.kernel.chance import Seeded
from referee.kernel.judge import legal_moves, settle
from referee.kernel.ruleset import Ruleset
from referee.rulesets import LATEST
from tests.service import Client

MOMENTS = {
    "cat-and-fish": 120,
    "catham-city": 33,
    "explorers-and-pirates": 150,
    "fangfrisch": 83,
    "hund-und-katz": 66,
}
"""The number of moves after which each title is looked at."""
RANDOM_MOVES = 6
"""One move in this number is random, so that games show more than what greedy players do."""

WAITING = {"bot": "random"}


@cache
def moment(slug: str, moves: int, options: int = 0) -> tuple[Any, int]:
    """A position of four seats after a number of moves or a few more, and the one seat that is asked there."""
    rules, luck = LATEST[slug], Seeded(f"moment {slug}")
    position = settle(rules, rules.blank(rules.variants[options], 4), luck)
    for step in range(10 * moves):
        asked = rules.awaited(position)
        if step >= moves and len(asked) == 1:
            return msgspec.to_builtins(position), asked[0].seat
        seat = asked[step % len(asked)].seat
        _, position = rules.play(position, seat, chosen(rules, position, seat, luck), luck)
        position = settle(rules, position, luck)
    raise AssertionError(f"no seat of {slug} is asked alone")


def chosen(rules: Ruleset, position: Any, seat: int, luck: Seeded) -> Any:
    """The move that the ruleset advises, or now and then any."""
    moves = tuple(legal_moves(rules, position, seat))
    if luck.number("drawn", 1, RANDOM_MOVES) == 1:
        return luck.pick("move", moves, 1)[0]
    plans = [*rules.advice.plans.values()]
    choose = plans[seat % len(plans)].choose if plans else rules.advice.choose
    assert choose is not None
    view = msgspec.json.decode(msgspec.json.encode(rules.view(position, seat)), type=rules.view_type)
    return choose(view, seat, moves, rules.edition)


def seated(player: Client, slug: str, moves: int | None = None, options: int = 0, other: Any = WAITING) -> str:
    """Create a game at such a moment, in which a player is asked and the other seats wait; returns its id."""
    position, seat = moment(slug, MOMENTS[slug] if moves is None else moves, options)
    seats = ["me" if number == seat else other for number in range(len(position["seats"]))]
    return str(player.create(*seats, ruleset=slug, position=position)["id"])
