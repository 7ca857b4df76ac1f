"""The three ways to get rich are fair, and the sea is sailed and dangerous: the first games of a table of rules.md."""

from collections import Counter
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec
import pytest

from referee.offline.plan import Plan
from referee.offline.play import Played
from referee.rulesets.cat_and_fish.advice.plans import PLANS
from referee.rulesets.cat_and_fish.position import SLUG
from tests.clauses import clause

GAMES = 30
SEED = "plans"
pytestmark = pytest.mark.xdist_group("balance of cat_and_fish")
"""One worker plays the games for all these tests."""

BOTS = tuple(f"greedy:{plan}" for plan in PLANS)


@cache
def games() -> tuple[Played, ...]:
    """Every order of the three plans around the table, five times, always with the same luck."""
    plan = Plan(SLUG, None, {}, BOTS, SEED, GAMES, permutes=True)
    return tuple(plan.play(task) for task in plan.tasks())


def events() -> list[dict[str, Any]]:
    """Every event of the games, with the bot that it is about as `bot`."""
    found = []
    for played in games():
        for entry in played.record.entries:
            for event in msgspec.json.decode(entry.body)["events"]:
                bot = played.result.bots[event["seat"]] if "seat" in event else None
                found.append({**event, "bot": bot})
    return found


@clause("CF-R4")
@pytest.mark.parametrize("bot", BOTS)
def test_no_way_wins_more_than_45_or_less_than_20_percent(bot: str) -> None:
    results = [played.result for played in games()]
    seats = [(result, result.bots.index(bot)) for result in results]
    won = sum(Fraction(int(result.ranks[seat] == 1), result.ranks.count(1)) for result, seat in seats)
    assert Fraction(20, 100) <= won / GAMES <= Fraction(45, 100)


def test_every_order_of_the_plans_is_played_equally_often() -> None:
    orders = Counter(played.result.bots for played in games())
    assert len(orders) == 6
    assert set(orders.values()) == {GAMES // 6}


def test_ships_are_bought_and_leave_the_coast() -> None:
    bought = Counter((event["bot"], event["card"]) for event in events() if event["type"] == "card_bought")
    assert bought["greedy:ships", "fishing_vessel"] == bought["greedy:both", "fishing_boat"] == GAMES
    at_sea = Counter(event["bot"] for event in events() if event["type"] == "pawn_sailed" and event["to"][0] in "ab")
    assert at_sea["greedy:ships"] > 5 * GAMES
    assert at_sea["greedy:gear"] == 0


def test_typhoon_and_oil_strike_ships() -> None:
    struck = Counter(event["cause"] for event in events() if event["type"] in ("fish_lost", "penalty_paid"))
    assert min(struck["typhoon"], struck["oil"]) > GAMES // 4
