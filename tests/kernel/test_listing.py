"""A type with too many candidates is not listed, and costs no more than one that can just be listed."""

from collections.abc import Iterator
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
from tests.parts import with_functions
from tests.toy import TOY
from tests.toy.bidding import Bid, OfferCard
from tests.toy.position import Options
from tests.toy.turns import DrawCard
from tests.worst import WORST

FRESH = set_up(TOY, Options(first_seat=0), 2, Seeded(1))
BIDDING = judge(TOY, FRESH, 0, OfferCard(card=FRESH.seats[0].hand[0])).position
RICH = changed(BIDDING, seats=tuple(changed(seat, coins=10**6) for seat in BIDDING.seats))
BIDDER = TOY.awaited(RICH)[0].seat


class Counted:
    """A ruleset that counts the moves that it judges."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.judged = 0
        self._before = ruleset.contract.before
        self.ruleset = with_functions(ruleset, before=self._count)

    def _count(self, case: Any, attempt: Any) -> None:
        self.judged += 1
        self._before(case, attempt)


def naming(*candidates: Any) -> Ruleset:
    return with_functions(TOY, candidates=lambda position, seat, edition: iter(candidates))


def bids(first: int = 0, step: int = 1) -> Iterator[Bid]:
    return (Bid(coins=coins) for coins in count(first, step))


def first_bids(number: int) -> list[Bid]:
    return [Bid(coins=coins) for coins in range(number)]


def test_candidates_up_to_the_limit_are_listed_and_one_more_makes_a_family() -> None:
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
def test_a_type_with_endless_candidates_does_not_keep_others_from_being_listed(order: int) -> None:
    endless, other = Many(bids()), Proved((DrawCard(),))
    counted = Counted(naming(*((endless, other) if order == 0 else (other, endless))))
    found = find_legal(counted.ruleset, RICH, BIDDER)
    assert (found.listed, found.unlisted) == ((Weighed(DrawCard(), 1),), (Bid,))
    assert counted.judged == LISTED_MAX + 1


def test_a_repeated_candidate_counts_once() -> None:
    again = naming(*[Bid(coins=coins % 10) for coins in range(5 * LISTED_MAX)])
    assert legal_moves(again, RICH, BIDDER) == tuple(first_bids(10))


def test_programs_choose_from_a_sample_and_the_default() -> None:
    moves = [weighed.move for weighed in weighed_moves(naming(Many(bids(5))), RICH, BIDDER)]
    assert 2 <= len(moves) <= SAMPLED_MAX + 1
    assert moves[-1] == TOY.default(RICH, BIDDER) == Bid(coins=0)
    assert all(refusal(TOY, RICH, BIDDER, move) is None for move in moves)
    assert moves[0] == Bid(coins=5) and max(move.coins for move in moves) > LISTED_MAX // 2, "the sample is spread"


def test_the_default_remains_where_none_of_the_judged_candidates_is_legal() -> None:
    hopeless = naming(Many(bids(10**7)))
    assert weighed_moves(hopeless, RICH, BIDDER) == (Weighed(Bid(coins=0), 1),)


def test_a_family_of_the_ruleset_replaces_the_general_one() -> None:
    (own,) = TOY.families(changed(FRESH, phase="haggling", buyer=1), 1)
    kind = TOY.moves[own.type]
    assert families(TOY, changed(FRESH, phase="haggling", buyer=1), 1, (kind,)) == (own,)


@pytest.mark.parametrize("name", WORST)
def test_listing_the_worst_positions_of_every_title_judges_a_bounded_number_of_moves(name: str) -> None:
    slug, make = WORST[name]
    raw, seat = make()
    counted = Counted(LATEST[slug])
    position = read_position(counted.ruleset, raw)
    found = find_legal(counted.ruleset, position, seat)
    assert counted.judged <= 2 * LISTED_MAX
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
    assert counted.judged <= 2 * LISTED_MAX
    assert not isinstance(judge(LATEST[slug], position, seat, BOTS[bot].choose(turn)), Rejection)
