"""When the search bot prefers another move to the advised one, and how many iterations it uses."""

from dataclasses import replace
from typing import Any

import pytest

from referee.bots.bot import Turn, make_turn
from referee.bots.budget import Iterations
from referee.bots.search_bot import PROBED_KEPT, ROUNDS_MIN, SearchBot, candidates
from referee.kernel.advice import Advice
from referee.kernel.chance import Seeded
from referee.kernel.judge import set_up
from referee.kernel.message import Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.rulesets import LATEST
from tests.toy import TOY
from tests.toy.bidding import OfferCard
from tests.toy.position import Position
from tests.toy.turns import DrawCard

ITERATIONS = 60
SEARCH = SearchBot()

WITH_AND_WITHOUT_PROBE = pytest.mark.parametrize("probe_depth", [None, 0])


def cards_in_hand(position: Position, edition: Any) -> tuple[int, ...]:
    return tuple(len(seat.hand) for seat in position.seats)


def no_difference(position: Position, edition: Any) -> tuple[int, ...]:
    return tuple(0 for _ in position.seats)


def draws(view: Any, seat: Seat, moves: tuple[Move, ...], edition: Any) -> Move:
    return min(moves, key=lambda move: not isinstance(move, DrawCard))


def offers(view: Any, seat: Seat, moves: tuple[Move, ...], edition: Any) -> Move:
    return min(moves, key=lambda move: not isinstance(move, OfferCard))


def first(view: Any, seat: Seat, moves: tuple[Move, ...], edition: Any) -> Move:
    return moves[0]


def advised(ruleset: Ruleset, **advice: Any) -> Ruleset:
    """The ruleset with this advice, compared at the next checkpoint."""
    return replace(ruleset, advice=Advice(depth=0, **advice))


def first_turn(ruleset: Ruleset, iterations: int = ITERATIONS, seats: int = 2) -> Turn:
    position = set_up(ruleset, ruleset.options_type(first_seat=0), seats, Seeded("search"))
    return make_turn(SEARCH, ruleset, position, Seat(0), Seeded("bot"), Iterations(iterations))


@WITH_AND_WITHOUT_PROBE
def test_a_better_move_is_preferred_to_bad_advice(probe_depth: int | None) -> None:
    turn = first_turn(advised(TOY, choose=offers, evaluate=cards_in_hand, probe_depth=probe_depth))
    assert isinstance(candidates(turn)[0], OfferCard)
    assert SEARCH.choose(turn) == DrawCard()


@WITH_AND_WITHOUT_PROBE
def test_good_advice_is_followed(probe_depth: int | None) -> None:
    turn = first_turn(advised(TOY, choose=draws, evaluate=cards_in_hand, probe_depth=probe_depth))
    assert SEARCH.choose(turn) == DrawCard()


def test_moves_with_equal_values_in_the_probe_are_not_searched_further() -> None:
    turn = first_turn(advised(TOY, choose=draws, evaluate=no_difference, probe_depth=0))
    assert SEARCH.choose(turn) == DrawCard()
    assert turn.budget.spent == len(candidates(turn)) < ITERATIONS


def test_only_the_best_moves_of_the_probe_are_searched_further() -> None:
    def last_animal(position: Any, edition: Any) -> tuple[int, ...]:
        return sum(place for place, animal in enumerate(position.animals) if 0 in animal.pawns), *(0,) * 5

    ruleset = advised(LATEST["hund-und-katz"], choose=first, evaluate=last_animal, probe_depth=0)
    animals = len(candidates(first_turn(ruleset, seats=6)))
    enough = animals + ROUNDS_MIN * (1 + PROBED_KEPT)
    turn = first_turn(ruleset, iterations=enough, seats=6)
    assert animals > 1 + PROBED_KEPT
    assert SEARCH.choose(turn) == turn.moves[-1].move
    assert turn.budget.spent == enough


def test_the_advice_is_followed_if_the_budget_is_too_small_for_a_probe() -> None:
    turn = first_turn(advised(TOY, choose=offers, evaluate=cards_in_hand, probe_depth=0), iterations=2)
    assert isinstance(SEARCH.choose(turn), OfferCard)
