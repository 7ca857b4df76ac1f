"""Clocks: worked out from the log alone."""

from referee.kernel.clocks import (
    Clocks,
    Running,
    counted,
    halted,
    restarted,
    returned,
    taken_back,
    ticked,
    wound_up,
)
from referee.kernel.ruleset import Decision
from referee.kernel.seat import Seat
from referee.kernel.terms import Clock

ADA, BOB = Seat(0), Seat(1)
BOTH = Clock(decision_s=10, bank_s=60, increment_s=5)
BANK = Clock(bank_s=60)


def owes(*seats: Seat, move: str = "play") -> list[Decision]:
    return [Decision(seat, (move,)) for seat in seats]


def running(clock: Clock, *seats: Seat, at: int = 0) -> Clocks:
    return ticked(wound_up(clock, 2), clock, at, owes(*seats), None)


def test_a_clock_runs_for_who_is_awaited_and_for_nobody_else() -> None:
    clocks = running(BOTH, ADA, at=1000)
    assert clocks.deadline(BOTH, ADA) == 71_000
    assert clocks.deadline(BOTH, BOB) is None


def test_the_time_of_the_decision_goes_before_the_bank() -> None:
    clocks = ticked(running(BOTH, ADA), BOTH, 9_000, owes(BOB), ADA, gains=True)
    assert clocks.banks == (65_000, 60_000)
    clocks = ticked(clocks, BOTH, 9_000 + 14_000, owes(ADA), BOB, gains=True)
    assert clocks.banks == (65_000, 61_000)
    assert clocks.deadline(BOTH, ADA) == 23_000 + 10_000 + 65_000


def test_a_bank_is_never_overdrawn() -> None:
    clocks = ticked(running(BANK, ADA), BANK, 99_000, owes(ADA), ADA)
    assert clocks.banks[ADA] == 0
    assert clocks.deadline(BANK, ADA) == 99_000


def test_who_decides_at_the_same_time_gets_no_more_time_by_the_moves_of_others() -> None:
    clocks = ticked(running(BOTH, ADA, BOB), BOTH, 8_000, owes(BOB), ADA)
    assert clocks.running == (Running(BOB, ("play",), 0),)


def test_another_decision_has_its_own_time() -> None:
    clocks = ticked(running(BOTH, ADA), BOTH, 12_000, owes(ADA, move="answer"), None)
    assert clocks.running == (Running(ADA, ("answer",), 12_000),)
    assert clocks.banks[ADA] == 58_000


def test_a_pause_takes_no_time() -> None:
    clocks = restarted(halted(running(BOTH, ADA), 4_000), 1_000_000)
    assert clocks.deadline(BOTH, ADA) == 1_000_000 + 66_000
    after = ticked(clocks, BOTH, 1_010_000, owes(BOB), ADA, gains=True)
    assert after.banks[ADA] == 60_000 - 4_000 + 5_000


def test_lapses_count_in_a_row() -> None:
    clocks = wound_up(Clock(decision_s=1, lapses=2), 2)
    for lapsed, absent in ((True, False), (False, False), (True, False), (True, True)):
        clocks = counted(clocks, ADA, lapsed)
        assert clocks.is_absent(Clock(decision_s=1, lapses=2), ADA) is absent


def test_who_returns_finds_a_minute_and_a_clean_slate() -> None:
    rich = Clock(bank_s=600)
    away = Clocks(banks=(0, 90_000), lapses=(3, 3))
    assert returned(away, rich, ADA) == Clocks(banks=(60_000, 90_000), lapses=(0, 3))
    assert returned(away, rich, BOB) == Clocks(banks=(0, 90_000), lapses=(3, 0))
    assert returned(away, Clock(bank_s=20), ADA).banks[ADA] == 20_000


def test_who_returns_before_anybody_has_moved_finds_what_was_left() -> None:
    away = Clocks(banks=(0, 90_000), lapses=(3, 3), relieved=(ADA, BOB))
    assert returned(away, BANK, ADA) == Clocks(banks=(0, 90_000), lapses=(0, 3), relieved=(BOB,))


def test_talk_gives_nobody_new_time() -> None:
    clocks = ticked(running(BOTH, ADA), BOTH, 9_000, owes(ADA, move="withdraw"), ADA, talk=True)
    assert clocks.running == (Running(ADA, ("withdraw",), 0),)
    clocks = ticked(clocks, BOTH, 30_000, owes(ADA), BOB, talk=True)
    assert (clocks.banks, clocks.deadline(BOTH, ADA)) == ((60_000, 60_000), 70_000)


def test_time_stays_spent_when_a_move_is_taken_back() -> None:
    before = running(BOTH, ADA)
    after = ticked(before, BOTH, 9_000, owes(ADA), ADA)
    back = taken_back(after, before, ADA, 9_000, 17_000)
    assert back.banks == before.banks
    assert back.deadline(BOTH, ADA) == before.deadline(BOTH, ADA) == 70_000


def test_nobody_pays_for_a_decision_that_another_took_back() -> None:
    before = running(BANK, ADA)
    after = ticked(before, BANK, 5_000, owes(BOB), ADA)
    assert after.deadline(BANK, BOB) == 65_000
    back = taken_back(after, before, ADA, 5_000, 64_000)
    assert back.running == (Running(ADA, ("play",), 64_000, spent=5_000),)
    assert back.banks == (60_000, 60_000)
    assert ticked(back, BANK, 70_000, owes(BOB), ADA).deadline(BANK, BOB) == 130_000
