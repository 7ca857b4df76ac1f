"""When the bot that looks ahead leaves the advice, and how much it looks at before."""

from dataclasses import replace
from typing import Any

import pytest

from referee.bots.bot import Turn, make_turn
from referee.bots.budget import Iterations
from referee.bots.search_bot import GLANCED_AT_KEPT, ROUNDS_MIN, SearchBot, candidates
from referee.kernel.chance import Seeded
from referee.kernel.judge import set_up
from referee.kernel.message import Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.rulesets import LATEST
from tests.toy import TOY
from tests.toy.position import Position
from tests.toy.rules import DrawCard, OfferCard

ITERATIONS = 60
SEARCH = SearchBot()

AT_A_GLANCE = pytest.mark.parametrize("glance", [None, 0])


def cards_in_hand(position: Position) -> tuple[int, ...]:
    return tuple(len(seat.hand) for seat in position.seats)


def no_difference(position: Position) -> tuple[int, ...]:
    return tuple(0 for _ in position.seats)


def draws(view: Any, seat: Seat, moves: tuple[Move, ...]) -> Move:
    return min(moves, key=lambda move: not isinstance(move, DrawCard))


def offers(view: Any, seat: Seat, moves: tuple[Move, ...]) -> Move:
    return min(moves, key=lambda move: not isinstance(move, OfferCard))


def first(view: Any, seat: Seat, moves: tuple[Move, ...]) -> Move:
    return moves[0]


def first_turn(ruleset: Ruleset, iterations: int = ITERATIONS, seats: int = 2) -> Turn:
    position = set_up(ruleset, ruleset.options_type(first_seat=0), seats, Seeded("search"))
    return make_turn(SEARCH, ruleset, position, Seat(0), Seeded("bot"), Iterations(iterations))


@AT_A_GLANCE
def test_bad_advice_is_left_for_what_does_better(glance: int | None) -> None:
    turn = first_turn(replace(TOY, greedy=offers, outlook=cards_in_hand, horizon=0, glance=glance))
    assert isinstance(candidates(turn)[0], OfferCard)
    assert SEARCH.choose(turn) == DrawCard()


@AT_A_GLANCE
def test_good_advice_is_followed(glance: int | None) -> None:
    turn = first_turn(replace(TOY, greedy=draws, outlook=cards_in_hand, horizon=0, glance=glance))
    assert SEARCH.choose(turn) == DrawCard()


def test_what_comes_to_the_same_at_a_glance_is_not_looked_at_further() -> None:
    turn = first_turn(replace(TOY, greedy=draws, outlook=no_difference, horizon=0, glance=0))
    assert SEARCH.choose(turn) == DrawCard()
    assert turn.budget.spent == len(candidates(turn)) < ITERATIONS


def test_only_the_best_at_a_glance_are_looked_at_further() -> None:
    def last_animal(position: Any) -> tuple[int, ...]:
        return sum(place for place, animal in enumerate(position.animals) if 0 in animal.pawns), *(0,) * 5

    ruleset = replace(LATEST["hund-und-katz"], greedy=first, outlook=last_animal, horizon=0, glance=0)
    animals = len(candidates(first_turn(ruleset, seats=6)))
    enough = animals + ROUNDS_MIN * (1 + GLANCED_AT_KEPT)
    turn = first_turn(ruleset, iterations=enough, seats=6)
    assert animals > 1 + GLANCED_AT_KEPT
    assert SEARCH.choose(turn) == turn.moves[-1].move
    assert turn.budget.spent == enough


def test_without_the_time_for_a_glance_the_advice_is_followed() -> None:
    turn = first_turn(replace(TOY, greedy=offers, outlook=cards_in_hand, horizon=0, glance=0), iterations=2)
    assert isinstance(SEARCH.choose(turn), OfferCard)
