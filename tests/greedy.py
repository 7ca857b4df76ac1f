"""Games between the bot that follows a ruleset's advice and the bot that plays at random."""

from collections.abc import Collection, Iterator
from typing import Any

from referee.bots.bot import make_turn
from referee.bots.greedy_bot import GreedyBot
from referee.bots.random_bot import RandomBot
from referee.kernel.chance import Seeded
from referee.kernel.judge import settle
from referee.kernel.message import Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Seat


def advice(ruleset: Ruleset, position: Any, seat: Seat, plan: str | None = None) -> Move:
    """The move that the greedy bot makes with its seat's view and legal moves, after a check that it is legal."""
    bot = GreedyBot(plan)
    turn = make_turn(bot, ruleset, position, seat, Seeded(0))
    move = bot.choose(turn)
    assert move in [weighed.move for weighed in turn.moves]
    return move


def positions(
    ruleset: Ruleset, seats: int, greedy: Collection[int], seed: object, options: Any = None
) -> Iterator[tuple[Any, Seat | None]]:
    """Every position of a game with the actor who moves in it; at the end the last position with no actor."""
    chance = Seeded(f"{ruleset.slug} {seats} {seed}")
    position = settle(ruleset, ruleset.blank(options or ruleset.variants[0], seats), chance)
    for _ in range(ruleset.commits_max):
        asked = [decision.seat for decision in ruleset.awaited(position) if decision.obliged]
        due = ruleset.due(position)
        if asked:
            yield position, asked[0]
            bot = GreedyBot() if asked[0] in greedy else RandomBot()
            first_luck = Seeded(f"{seed} {asked[0]}")
            move = bot.choose(make_turn(bot, ruleset, position, asked[0], chance, first_luck=first_luck))
            _, position = ruleset.play(position, asked[0], move, chance)
        elif due:
            _, position = ruleset.play(position, REFEREE, due.move, chance)
        else:
            yield position, None
            return
    raise AssertionError(f"the game of seed {seed} does not end")


def end_of_game(ruleset: Ruleset, seats: int, greedy: Collection[int], seed: object, options: Any = None) -> Any:
    """The last position of a game."""
    *_, (position, _) = positions(ruleset, seats, greedy, seed, options)
    return position


def wins_against_random(ruleset: Ruleset, seats: int, games: int) -> int:
    """The number of games that the greedy bot wins against random bots, in changing seats."""
    ends = ((game % seats, end_of_game(ruleset, seats, {game % seats}, game)) for game in range(games))
    return sum(place.rank == 1 for seat, end in ends for place in ruleset.ranking(end) if place.seat == seat)


def assert_advice_is_that_of_the_view(ruleset: Ruleset, seats: int, options: Any = None, every: int = 7) -> None:
    """Assert that the advice does not depend on what the seat cannot see."""
    for number, (position, seat) in enumerate(positions(ruleset, seats, range(seats), "alike", options)):
        if seat is not None and number % every == 0:
            other = ruleset.alike(position, seat, Seeded(number))
            assert advice(ruleset, other, seat) == advice(ruleset, position, seat)
