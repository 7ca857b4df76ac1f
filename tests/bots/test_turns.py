"""What a bot is given: the bytes of its seat's view, what follows from them, and nothing else."""

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
    """Moments at which a seat owes a move, with that seat."""
    if not bot.plays(subject.ruleset):
        pytest.skip("the bot does not play this title")
    owed = []
    for moment in moments_of(subject, rng, 4 * count):
        decisions = subject.ruleset.awaited(moment.position)
        owed += [(moment, decision.seat) for decision in decisions if decision.obliged][:1]
    return owed[:count]


def given(bot: Bot, position: Any, subject: Subject, seat: int, budget: Any = None) -> Turn:
    return make_turn(bot, subject.ruleset, position, seat, Seeded("bot"), budget or Iterations(ITERATIONS))


@every_bot
@every_ruleset
def test_a_bot_is_given_the_same_bytes_whatever_its_seat_cannot_see(
    subject: Subject, bot: Bot, rng: random.Random
) -> None:
    for moment, seat in turns_of(bot, subject, rng, 16):
        other = subject.ruleset.alike(moment.position, seat, Seeded("other"))
        here, there = given(bot, moment.position, subject, seat), given(bot, other, subject, seat)
        assert (here.view, here.world) == (there.view, there.world)
        assert canonical(here.moves) == canonical(there.moves)
        assert here.chance.number("next", 0, 2**60) == there.chance.number("next", 0, 2**60)


@every_bot
@every_ruleset
def test_no_way_leads_from_what_a_bot_is_given_to_the_position(subject: Subject, bot: Bot, rng: random.Random) -> None:
    for moment, seat in turns_of(bot, subject, rng, 4):
        turn = given(bot, moment.position, subject, seat)
        parts = (turn.view, turn.world, turn.moves, turn.chance, turn.budget)
        assert not any(isinstance(each, subject.ruleset.position_type) for each in reachable(parts))
        assert moment.position not in reachable(parts)


def reachable(start: Any) -> list[Any]:
    """Everything that can be reached from an object, but for classes and modules."""
    found, left = {id(start): start}, [start]
    while left:
        for each in gc.get_referents(left.pop()):
            if id(each) not in found and not isinstance(each, type | ModuleType) and not callable(each):
                found[id(each)] = each
                left.append(each)
    return list(found.values())


def test_a_position_that_can_be_reached_is_found() -> None:
    class Position:
        pass

    hidden = Position()
    assert any(isinstance(each, Position) for each in reachable((b"", [{"deep": (hidden,)}])))


@every_bot
@every_ruleset
def test_a_bot_makes_the_same_move_whatever_its_seat_cannot_see(subject: Subject, bot: Bot, rng: random.Random) -> None:
    for moment, seat in turns_of(bot, subject, rng, 3):
        other = subject.ruleset.alike(moment.position, seat, Seeded("other"))
        here, there = (bot.choose(given(bot, each, subject, seat)) for each in (moment.position, other))
        assert canonical(here) == canonical(there), f"seat {seat} at {moment}"


@every_bot
@every_ruleset
def test_a_move_is_made_again_from_the_luck_and_the_iterations_spent(
    subject: Subject, bot: Bot, rng: random.Random
) -> None:
    for moment, seat in turns_of(bot, subject, rng, 2):
        timed = Milliseconds(20)
        first = bot.choose(given(bot, moment.position, subject, seat, timed))
        counted = Iterations(timed.spent)
        again = bot.choose(given(bot, moment.position, subject, seat, counted))
        assert canonical(first) == canonical(again)
        assert timed.spent == counted.spent
        assert canonical(first) in [
            canonical(weighed.move) for weighed in given(bot, moment.position, subject, seat).moves
        ]
