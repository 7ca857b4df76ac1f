"""A type with too many candidates is not listed, and costs no more than one that can just be listed."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import jsonschema
import pytest
from msgspec.structs import replace as changed

from referee.bots import BOTS
from referee.bots.bot import make_turn
from referee.bots.budget import Iterations
from referee.kernel.candidates import LISTED_MAX, Many, Proved, Weighed
from referee.kernel.chance import Seeded
from referee.kernel.judge import (
    SAMPLED_MAX,
    families,
    find_legal,
    judge,
    legal_moves,
    read_position,
    refusal,
    set_up,
    weighed_moves,
)
from referee.kernel.message import tag
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Ruleset
from referee.rulesets import LATEST
from tests.conformance.samples import as_json
from tests.toy import TOY
from tests.toy.position import Options
from tests.toy.rules import Bid, DrawCard, OfferCard
from tests.worst import WORST

FRESH = set_up(TOY, Options(first_seat=0), 2, Seeded(1))
BIDDING = judge(TOY, FRESH, 0, OfferCard(card=FRESH.seats[0].hand[0])).position
RICH = changed(BIDDING, seats=tuple(changed(seat, coins=10**6) for seat in BIDDING.seats))
BIDDER = TOY.awaited(RICH)[0].seat


class Counted:
    """A ruleset that counts how often it is asked about a move."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.asked = 0
        self._before = ruleset.before
        self.ruleset = replace(ruleset, before=self._count)

    def _count(self, case: Any, attempt: Any) -> None:
        self.asked += 1
        self._before(case, attempt)


def naming(*candidates: Any) -> Ruleset:
    return replace(TOY, candidates=lambda position, seat: iter(candidates))


def bids(first: int = 0, step: int = 1) -> Iterator[Bid]:
    return (Bid(coins=coins) for coins in count(first, step))


def first_bids(number: int) -> list[Bid]:
    return [Bid(coins=coins) for coins in range(number)]


def test_as_many_candidates_as_the_bound_are_listed_and_one_more_is_a_family() -> None:
    for candidates in ([Many(first_bids(LISTED_MAX))], first_bids(LISTED_MAX), [Proved(tuple(first_bids(LISTED_MAX)))]):
        assert legal_moves(naming(*candidates), RICH, BIDDER) == tuple(first_bids(LISTED_MAX))
    for candidates in (
        [Many(first_bids(LISTED_MAX + 1))],
        first_bids(LISTED_MAX + 1),
        [Weighed(bid, 2) for bid in first_bids(LISTED_MAX + 1)],
        [Proved(tuple(first_bids(LISTED_MAX))), Proved((Bid(coins=LISTED_MAX),))],
    ):
        found = find_legal(naming(*candidates), RICH, BIDDER)
        assert (found.listed, found.unlisted) == ((), (Bid,))


@pytest.mark.parametrize("order", [0, 1])
def test_a_type_without_end_starves_no_other(order: int) -> None:
    endless, other = Many(bids()), Proved((DrawCard(),))
    counted = Counted(naming(*((endless, other) if order == 0 else (other, endless))))
    found = find_legal(counted.ruleset, RICH, BIDDER)
    assert (found.listed, found.unlisted) == ((Weighed(DrawCard(), 1),), (Bid,))
    assert counted.asked == LISTED_MAX + 1


def test_the_same_candidate_again_and_again_counts_once() -> None:
    again = naming(*[Bid(coins=coins % 10) for coins in range(5 * LISTED_MAX)])
    assert legal_moves(again, RICH, BIDDER) == tuple(first_bids(10))


def test_programs_choose_from_a_sample_and_the_default() -> None:
    moves = [weighed.move for weighed in weighed_moves(naming(Many(bids(5))), RICH, BIDDER)]
    assert 2 <= len(moves) <= SAMPLED_MAX + 1
    assert moves[-1] == TOY.default(RICH, BIDDER) == Bid(coins=0)
    assert all(refusal(TOY, RICH, BIDDER, move) is None for move in moves)
    assert moves[0] == Bid(coins=5) and max(move.coins for move in moves) > LISTED_MAX // 2, "spread over all"


def test_where_no_candidate_in_reach_is_legal_the_default_is_left() -> None:
    hopeless = naming(Many(bids(10**7)))
    assert weighed_moves(hopeless, RICH, BIDDER) == (Weighed(Bid(coins=0), 1),)


def test_a_ruleset_that_describes_a_type_itself_describes_it_alone() -> None:
    (own,) = TOY.families(changed(FRESH, phase="haggling", buyer=1), 1)
    kind = TOY.moves[own.type]
    assert families(TOY, changed(FRESH, phase="haggling", buyer=1), 1, (kind,)) == (own,)


@pytest.mark.parametrize("name", WORST)
def test_the_worst_positions_of_every_title_are_listed_by_bounded_work(name: str) -> None:
    slug, make = WORST[name]
    raw, seat = make()
    counted = Counted(LATEST[slug])
    position = read_position(counted.ruleset, raw)
    found = find_legal(counted.ruleset, position, seat)
    assert counted.asked <= 2 * LISTED_MAX
    assert len(found.listed) + len(found.sample) >= 48
    for kind, family in zip(found.unlisted, families(LATEST[slug], position, seat, found.unlisted), strict=False):
        assert family.type == tag(kind) and "dry_run" in family.description
        fits = jsonschema.Draft202012Validator(family.schema)
        for weighed in found.sample:
            if type(weighed.move) is kind:
                fits.validate(as_json(weighed.move))
                assert refusal(LATEST[slug], position, seat, weighed.move) is None


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("name", WORST)
def test_every_bot_moves_in_the_worst_positions(name: str, bot: str) -> None:
    slug, make = WORST[name]
    raw, seat = make()
    counted = Counted(LATEST[slug])
    position = read_position(counted.ruleset, raw)
    turn = make_turn(BOTS[bot], counted.ruleset, position, seat, Seeded(1), Iterations(2))
    assert counted.asked <= 2 * LISTED_MAX
    assert not isinstance(judge(LATEST[slug], position, seat, BOTS[bot].choose(turn)), Rejection)
