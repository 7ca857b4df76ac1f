"""What a player reads when a move is refused: the thing, the numbers, and one cause."""

from typing import Any

import pytest

from referee.kernel.rejection import Rejection
from referee.rulesets.fangfrisch.position import LastLot
from tests.given import Given
from tests.rulesets.fangfrisch.tables import a_purchase, an_auction, given, seat

STALL = seat(crate_1="eel_1", crate_2="octopus_1", basin="octopus_2")
STEAL = {"type": "steal_cards", "from": [{"seat": 3, "slot": "basin"}] * 2}


def stow(**parameters: Any) -> dict[str, Any]:
    return {"type": "stow_cards", "place": {}, **parameters}


def sell(*lots: tuple[str, ...]) -> dict[str, Any]:
    names = ("slot", "species")
    return {"type": "sell_fish", "lots": [dict(zip(names, lot, strict=False)) for lot in lots]}


def thieves(number: int, basin: str) -> Given:
    victim = seat(crate_1="crab_1", basin=basin)
    return a_purchase(seat(), seat(), seat(), victim, phase="thieving", thieves=number)


def stowing(hand: str, stall: Any = STALL, **rest: Any) -> Given:
    return a_purchase(seat(), stall, phase="stowing", hand=hand, **rest)


def canning(trash: str) -> Given:
    return a_purchase(seat(), seat(trash=trash), phase="canning", cans=1)


def message(table: Given, actor: Any, move: dict[str, Any]) -> str:
    verdict = table.when(actor, move).verdict
    assert isinstance(verdict, Rejection)
    return verdict.message


@pytest.mark.parametrize(
    ("table", "actor", "move", "expected"),
    [
        (
            given(),
            1,
            {"type": "ring"},
            "`ring` needs phase `auction`; in phase `selling` seat 0 starts its turn and may sell fish.",
        ),
        (
            an_auction(),
            1,
            sell(),
            "`sell_fish` needs phase `selling` or `buyer_sale` or `final_sale`; in phase `auction` seat 1, seat 2, "
            "seat 3 must ring or pass.",
        ),
        (
            an_auction(pace="live"),
            1,
            stow(),
            "`stow_cards` needs phase `stowing`; in phase `auction` a seat that takes part may ring, and the seller "
            "announces cards.",
        ),
        (
            stowing("eel_2", seat(), last_lot=LastLot(1, 1, 1)),
            2,
            {"type": "ring", "seen": 1},
            "`ring` is too late: seat 1 bought the lot of 1 card, offer 1; in phase `stowing` seat 1 bought the lot "
            "and must stow its hand.",
        ),
        (
            given(phase="closing", discard="eel_1", last_lot=LastLot(1, None, 1)),
            2,
            {"type": "ring", "seen": 1},
            "`ring` is too late: the market closed, and nobody got the lot of 1 card, offer 1; in phase `closing` the "
            "referee closes the market.",
        ),
        (
            an_auction(pace="live", discard="eel_2 eel_3", last_lot=LastLot(2, 3, 2)),
            1,
            {"type": "ring", "seen": 2},
            "Offer 2 is gone: seat 3 bought the lot of 2 cards, offer 2.",
        ),
        (
            an_auction(pace="live"),
            1,
            {"type": "ring", "seen": 5},
            "You name offer 5, but the newest offer is number 2.",
        ),
        (
            an_auction(pace="live"),
            1,
            {"type": "ring"},
            "In live pace `seen` must name the offer that you saw; it is number 2 now.",
        ),
        (
            an_auction(pace="live", offer="", is_announced=True),
            1,
            {"type": "ring", "seen": 0},
            "The first card of this auction is not shown yet, so there is no offer.",
        ),
        (
            an_auction(seat(), seat(answer="ring"), seat(), seat(answer="ring"), pace="live"),
            0,
            {"type": "reveal_card", "seen": 2},
            "Seat 1, seat 3 rang for offer 2: it is sold first.",
        ),
        (
            an_auction(pace="live", is_announced=True),
            0,
            {"type": "reveal_card", "seen": 2},
            "You have announced the next card; the referee is about to show it.",
        ),
        (given(phase="finished"), 1, {"type": "ring"}, "The game is over; no move is possible."),
        (given(), 1, sell(), "`sell_fish` is not your move, you are seat 1: seat 0 starts its turn and may sell fish."),
        (
            stowing("eel_1"),
            0,
            stow(),
            "`stow_cards` is not your move, you are seat 0: seat 1 bought the lot and must stow its hand.",
        ),
        (
            given(phase="closing"),
            1,
            {"type": "close_market"},
            "Only the referee makes the move `close_market`; you are seat 1.",
        ),
        (
            an_auction(pace="live"),
            1,
            {"type": "reveal_card"},
            "Only the seller, seat 0, announces cards; you are seat 1.",
        ),
        (
            an_auction(),
            0,
            {"type": "ring"},
            "You are the seller; with 4 seats the seller takes no part in its own auction.",
        ),
        (an_auction(seat(), seat(9)), 1, {"type": "ring"}, "The lot costs 10 euros; you have 9."),
        (
            an_auction(seat(), seat(answer="pass")),
            1,
            {"type": "ring"},
            "You answered `pass` to offer 2; an answer is final.",
        ),
        (
            an_auction(),
            1,
            {"type": "ring", "seen": 1},
            "Offer 1 has become offer 2: it has 2 cards now, the newest is tuna_2.",
        ),
        (given(STALL), 0, sell(("crate_1",), ("crate_1",)), "`lots` names `crate_1` more than once."),
        (given(), 0, sell(("crate_1",)), "Your `crate_1` is empty, so there is nothing to sell."),
        (given(STALL), 0, sell(("crate_1", "crab")), "Your `crate_1` holds eel; you cannot sell it as crab."),
        (
            given(STALL, seat(crate_1="crab_1")),
            0,
            sell(("basin",)),
            "Your `basin` holds jokers only: name the species that you sell them as, since it spoils fish.",
        ),
        (
            given(STALL),
            0,
            sell(("basin", "eel")),
            "Your `crate_1` holds eel; sell the jokers of your `basin` as another species.",
        ),
        (
            given(STALL),
            0,
            sell(("basin", "crab"), ("crate_2", "crab")),
            "You cannot sell both `basin` and `crate_2` as crab; name another species for one.",
        ),
        (thieves(1, "tuna_1 tuna_2"), 1, STEAL, "1 thief cannot steal 2 cards: each steals one."),
        (thieves(2, "tuna_1"), 1, STEAL, "The `basin` of seat 3 holds 1 card; you name it 2 times."),
        (thieves(2, ""), 1, STEAL, "The `basin` of seat 3 is empty, so there is nothing to steal."),
        (
            stowing("eel_2 crab_1"),
            1,
            stow(discard=["crab_1"]),
            "Place or discard every card of your hand; you leave out eel_2.",
        ),
        (
            stowing("eel_2"),
            1,
            stow(discard=["eel_2", "eel_2"]),
            "Place or discard each card of your hand once, and no other card; you hold eel_2.",
        ),
        (
            stowing("octopus_3"),
            1,
            stow(discard=["octopus_3"]),
            "You cannot discard `octopus_3`: a joker must go into a slot.",
        ),
        (
            stowing("crab_1 crab_2"),
            1,
            stow(place={"basin": ["crab_1"]}, discard=["crab_2"]),
            "Put all crab cards of your hand into one slot, or discard all.",
        ),
        (
            stowing("eel_2"),
            1,
            stow(discard=["eel_2"]),
            "Your `crate_1` holds eel; eel cards of your hand must go there.",
        ),
        (stowing("crab_1"), 1, stow(place={"crate_1": ["crab_1"]}), "Your `crate_1` cannot hold both eel and crab."),
        (stowing("crab_1", seat()), 1, stow(empty_slots=["basin"]), "Your `basin` is empty already."),
        (
            canning("eel_1 eel_1 eel_1"),
            1,
            {"type": "clear_trash", "cards": ["eel_1"] * 3},
            "1 can cannot remove 3 cards: each removes at most 2.",
        ),
        (
            canning("eel_1"),
            1,
            {"type": "clear_trash", "cards": ["eel_1"] * 2},
            "Your trash holds 1 of `eel_1`; you name 2.",
        ),
        (
            canning("eel_1"),
            1,
            {"type": "clear_trash", "cards": ["whale"]},
            "Your trash holds fish cards only; you name something else.",
        ),
    ],
)
def test_a_refusal_names_the_thing_and_the_numbers(
    table: Given, actor: int, move: dict[str, Any], expected: str
) -> None:
    assert message(table, actor, move) == expected
