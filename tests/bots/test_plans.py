"""The plans of the bot greedy: drawn once, kept, recognised, named, and replayed by the audit."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from referee.audit.verify import audit
from referee.bots import BOTS, find_bot
from referee.bots.bot import Turn, make_turn
from referee.bots.greedy_bot import GreedyBot
from referee.kernel.advice import Advice, Plan
from referee.kernel.chance import Seeded
from referee.kernel.judge import set_up
from referee.kernel.message import Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.offline.play import play_game
from referee.rulesets import TITLES
from tests.audit.forgeries import chained, commits_of
from tests.toy import TOY
from tests.toy.bidding import OfferCard
from tests.toy.turns import DrawCard

WITH_PLANS = [title for title in TITLES if title.advice.plans]


def first_of_type(kind: type[Move]) -> Callable[..., Move]:
    def choose(view: Any, seat: Seat, moves: tuple[Move, ...], edition: Any) -> Move:
        return min(moves, key=lambda move: not isinstance(move, kind))

    return choose


def always(view: Any, seat: Seat, edition: Any) -> bool:
    return True


def never(view: Any, seat: Seat, edition: Any) -> bool:
    return False


def with_plans(draws: Callable[..., bool], offers: Callable[..., bool]) -> Ruleset:
    """The toy with one plan that draws cards and one that offers them, and when each fits."""
    plans = {"draws": Plan(first_of_type(DrawCard), draws), "offers": Plan(first_of_type(OfferCard), offers)}
    return replace(TOY, advice=Advice(choose=first_of_type(DrawCard), plans=plans))


def turn_with(ruleset: Ruleset, first_luck: object, luck: object = 0) -> Turn:
    position = set_up(ruleset, ruleset.options_type(first_seat=0), 2, Seeded("plans"))
    return make_turn(GreedyBot(), ruleset, position, Seat(0), Seeded(luck), first_luck=Seeded(first_luck))


def test_every_plan_is_drawn_by_luck() -> None:
    ruleset = with_plans(always, always)
    chosen = [type(GreedyBot().choose(turn_with(ruleset, first_luck))) for first_luck in range(60)]
    assert 15 < chosen.count(DrawCard) < 45
    assert 15 < chosen.count(OfferCard) < 45


def test_the_plan_depends_on_the_first_luck_alone() -> None:
    ruleset = with_plans(always, always)
    for first_luck in range(8):
        assert len({type(GreedyBot().choose(turn_with(ruleset, first_luck, luck))) for luck in range(8)}) == 1


@pytest.mark.parametrize("first_luck", range(8))
def test_a_plan_that_does_not_fit_what_the_seat_owns_is_not_followed(first_luck: int) -> None:
    assert isinstance(GreedyBot().choose(turn_with(with_plans(always, never), first_luck)), DrawCard)
    assert isinstance(GreedyBot().choose(turn_with(with_plans(never, always), first_luck)), OfferCard)


def test_a_seat_that_no_plan_fits_follows_one_all_the_same() -> None:
    chosen = {type(GreedyBot().choose(turn_with(with_plans(never, never), luck))) for luck in range(20)}
    assert chosen == {DrawCard, OfferCard}


@pytest.mark.parametrize("first_luck", range(4))
def test_a_bot_with_a_named_plan_follows_it_whatever_its_luck_is(first_luck: int) -> None:
    turn = turn_with(with_plans(always, never), first_luck)
    assert isinstance(GreedyBot("offers").choose(turn), OfferCard)


def test_a_bot_is_found_by_its_name_and_plan() -> None:
    ruleset = with_plans(always, always)
    bot = find_bot("greedy:offers", ruleset)
    assert bot is not None and bot.name == "greedy:offers"
    assert find_bot("greedy", ruleset) is BOTS["greedy"]
    for name in ("greedy:nothing", "greedy:", "random:offers", "offers", ""):
        assert find_bot(name, ruleset) is None
    assert find_bot("greedy:offers", TOY) is None


@pytest.mark.parametrize("title", WITH_PLANS, ids=lambda title: title.slug)
def test_the_audit_replays_the_moves_of_bots_that_drew_a_plan_and_of_those_with_a_named_one(title: Ruleset) -> None:
    bots = ("greedy", f"greedy:{[*title.advice.plans][-1]}", "random")
    record = play_game(title, title.variants[0], bots, "plans").record
    assert audit(record, with_bots=True).verdict == "proved"


@pytest.mark.parametrize("title", WITH_PLANS, ids=lambda title: title.slug)
def test_the_audit_finds_a_bot_that_did_not_follow_its_plan(title: Ruleset) -> None:
    followed, *_, claimed = (f"greedy:{plan}" for plan in title.advice.plans)
    record = play_game(title, title.variants[0], (followed, "random"), "plans").record
    commits = commits_of(record)
    for commit in commits:
        if commit["actor"] == 0:
            commit["cause"]["bot"] = claimed
    header = structs.replace(record.header, terms=structs.replace(record.header.terms, bots=(claimed, "random")))
    report = audit(chained(record, commits, header), with_bots=True)
    assert f"but the bot {claimed} plays " in report.checks[-1].detail
