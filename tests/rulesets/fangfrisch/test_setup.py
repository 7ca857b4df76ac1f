"""Setting up the table (FF-5 to FF-11)."""

from collections import Counter

import pytest

from referee.kernel.chance import Forced, InvalidChance, Seeded
from referee.kernel.judge import judge, read_options
from referee.kernel.rejection import Rejection
from referee.kernel.seat import REFEREE
from referee.rulesets.fangfrisch import FANGFRISCH
from referee.rulesets.fangfrisch.edition import EDITION
from referee.rulesets.fangfrisch.position import Options
from referee.rulesets.fangfrisch.setup import GameSetUp, SetUp
from referee.rulesets.fangfrisch.turns import TurnStarted
from tests.clauses import clause
from tests.given import Given

ORDINARY = EDITION.ordinary_cards


def blank(seats: int = 4, **options: object) -> Given:
    return Given(FANGFRISCH, FANGFRISCH.blank(Options(**options), seats))


def refused_options(clause_id: str, seats: int = 4, **options: object) -> None:
    with pytest.raises(Rejection) as refused:
        FANGFRISCH.blank(read_options(FANGFRISCH, options), seats)
    assert refused.value.clause == clause_id


@clause("FF-5", "FF-R35")
@pytest.mark.parametrize("seats", [0, 1, 2, 6])
def test_only_three_to_five_seats_play(seats: int) -> None:
    refused_options("FF-5", seats)


@clause("FF-5", "FF-6")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_seat_starts_with_thirty_euros_and_an_empty_stall(seats: int) -> None:
    table = blank(seats).when(REFEREE, SetUp()).tells("game_set_up", "turn_started")
    assert len(table.position.seats) == seats
    for each in table.position.seats:
        assert each.money == 30
        assert not (each.crate_1 or each.crate_2 or each.basin or each.trash)


@clause("FF-7", "FF-R1")
def test_the_deck_holds_the_104_cards_of_the_box() -> None:
    deck = blank().when(REFEREE, SetUp()).event(GameSetUp).deck
    counts = Counter(deck)
    assert len(deck) == 104
    assert [counts[f"lobster_{fish}"] for fish in (1, 2, 3)] == [5, 5, 4]
    assert [counts[f"octopus_{fish}"] for fish in (1, 2, 3)] == [4, 4, 2]
    assert counts["thief"] == counts["can"] == 4
    assert counts["end_phase"] == counts["market_close"] == 1


@clause("FF-8", "FF-9", "FF-R2")
def test_the_special_cards_lie_where_the_rulebook_puts_them() -> None:
    tail = (*ORDINARY[-5:-2], "market_close", *ORDINARY[-2:])
    then = blank().when(REFEREE, SetUp(), ("shuffle_deck", list(ORDINARY)), ("shuffle_tail", list(tail)))
    deck = then.event(GameSetUp).deck
    assert deck == (*ORDINARY[:88], "end_phase", *ORDINARY[88:97], *tail)
    assert deck.index("end_phase") == 88
    assert deck.index("market_close") == 101


@clause("FF-9")
def test_market_close_is_mixed_with_the_last_five_cards_only() -> None:
    stranger = ("eel_1", "market_close", *ORDINARY[-4:])
    with pytest.raises(InvalidChance) as refused:
        blank().when(REFEREE, SetUp(), ("shuffle_deck", list(ORDINARY)), ("shuffle_tail", list(stranger)))
    assert refused.value.point == "shuffle_tail"


@clause("FF-10", "FF-R4")
def test_the_first_seller_is_drawn() -> None:
    then = blank().when(REFEREE, SetUp(), ("draw_first_seat", 3))
    assert then.events[-1] == TurnStarted(seller=3)
    assert then.position.phase == "selling"


@clause("FF-10", "FF-R4")
def test_a_first_seller_that_is_named_is_not_drawn() -> None:
    chance = Forced((), Seeded(0))
    events, _ = FANGFRISCH.play(blank(first_seat=2).position, REFEREE, SetUp(), chance)
    assert events[-1] == TurnStarted(seller=2)
    assert [point for point, _ in chance.drawn] == ["shuffle_deck", "shuffle_tail"]


@clause("FF-10", "FF-R35")
@pytest.mark.parametrize("first_seat", [-1, 4])
def test_the_first_seller_must_be_a_seat(first_seat: int) -> None:
    refused_options("FF-10", first_seat=first_seat)


@clause("FF-37", "FF-R35")
def test_an_unknown_pace_is_refused() -> None:
    refused_options("FF-37", pace="blitz")


@clause("FF-44", "FF-R35")
@pytest.mark.parametrize("seconds", [0, 61])
def test_the_referee_turns_cards_every_1_to_60_seconds(seconds: int) -> None:
    refused_options("FF-44", reveal_seconds=seconds)


@clause("FF-41", "FF-R35")
@pytest.mark.parametrize("window_ms", [-1, 2001])
def test_rings_compete_for_at_most_two_seconds(window_ms: int) -> None:
    refused_options("FF-41", bell_window_ms=window_ms)


@clause("FF-2")
def test_no_seat_sets_the_table_up() -> None:
    blank().when(0, SetUp()).refused("FF-2")


def test_the_set_up_is_over_after_one_move() -> None:
    table = blank().when(REFEREE, SetUp()).tells("game_set_up", "turn_started")
    assert isinstance(judge(FANGFRISCH, table.position, REFEREE, SetUp()), Rejection)
