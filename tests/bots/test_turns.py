"""The input of a bot contains only what its seat may see."""

import gc
import random
from types import ModuleType
from typing import Any

import pytest

from referee.bots import BOTS
from referee.bots.bot import Bot, Turn, make_turn
from referee.bots.budget import Iterations, Milliseconds
from referee.kernel.canon import canonical
from referee.kernel.chance import Seeded
from tests.conformance.play import Moment, moments_of
from tests.subjects import Subject, every_ruleset

ITERATIONS = 8

every_bot = pytest.mark.parametrize("bot", BOTS.values(), ids=list(BOTS))


def turns_of(bot: Bot, subject: Subject, rng: random.Random, count: int) -> list[tuple[Moment, int]]:
    """Return moments at which a seat has to move, with that seat."""
    if not bot.plays(subject.ruleset):
        pytest.skip("the bot does not play this title")
    found = []
    for moment in moments_of(subject, rng, 4 * count):
        decisions = subject.ruleset.awaited(moment.position)
        found += [(moment, decision.seat) for decision in decisions if decision.obliged][:1]
    return found[:count]


def turn_at(bot: Bot, position: Any, subject: Subject, seat: int, budget: Any = None) -> Turn:
    return make_turn(bot, subject.ruleset, position, seat, Seeded("bot"), budget or Iterations(ITERATIONS))


@every_bot
@every_ruleset
def test_hidden_information_does_not_change_the_input_of_a_bot(subject: Subject, bot: Bot, rng: random.Random) -> None:
    for moment, seat in turns_of(bot, subject, rng, 16):
        other = subject.ruleset.alike(moment.position, seat, Seeded("other"))
        here, there = turn_at(bot, moment.position, subject, seat), turn_at(bot, other, subject, seat)
        assert (here.view, here.world) == (there.view, there.world)
        assert canonical(here.moves) == canonical(there.moves)
        assert here.chance.number("next", 0, 2**60) == there.chance.number("next", 0, 2**60)


@every_bot
@every_ruleset
def test_the_position_cannot_be_reached_from_the_input_of_a_bot(subject: Subject, bot: Bot, rng: random.Random) -> None:
    for moment, seat in turns_of(bot, subject, rng, 4):
        turn = turn_at(bot, moment.position, subject, seat)
        fields = (turn.view, turn.world, turn.moves, turn.chance, turn.budget)
        assert not any(isinstance(each, subject.ruleset.position_type) for each in reachable(fields))
        assert moment.position not in reachable(fields)


def reachable(start: Any) -> list[Any]:
    """Return everything that can be reached from an object, except classes, modules and functions."""
    found, left = {id(start): start}, [start]
    while left:
        for each in gc.get_referents(left.pop()):
            if id(each) not in found and not isinstance(each, type | ModuleType) and not callable(each):
                found[id(each)] = each
                left.append(each)
    return list(found.values())


def test_reachable_finds_nested_objects() -> None:
    class Position:
        pass

    hidden = Position()
    assert any(isinstance(each, Position) for each in reachable((b"", [{"deep": (hidden,)}])))


@every_bot
@every_ruleset
def test_hidden_information_does_not_change_the_move_of_a_bot(subject: Subject, bot: Bot, rng: random.Random) -> None:
    for moment, seat in turns_of(bot, subject, rng, 3):
        other = subject.ruleset.alike(moment.position, seat, Seeded("other"))
        here, there = (bot.choose(turn_at(bot, each, subject, seat)) for each in (moment.position, other))
        assert canonical(here) == canonical(there), f"seat {seat} at {moment}"


@every_bot
@every_ruleset
def test_a_bot_makes_the_same_move_with_the_same_luck_and_iterations(
    subject: Subject, bot: Bot, rng: random.Random
) -> None:
    for moment, seat in turns_of(bot, subject, rng, 2):
        timed = Milliseconds(20)
        first = bot.choose(turn_at(bot, moment.position, subject, seat, timed))
        counted = Iterations(timed.spent)
        again = bot.choose(turn_at(bot, moment.position, subject, seat, counted))
        assert canonical(first) == canonical(again)
        assert timed.spent == counted.spent
        assert canonical(first) in [
            canonical(weighed.move) for weighed in turn_at(bot, moment.position, subject, seat).moves
        ]
