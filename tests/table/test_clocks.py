"""Clocks, computed from the log alone."""

from referee.kernel.ruleset import Decision
from referee.kernel.seat import Seat
from referee.table.clocks import Clocks, Running, count_missed, give_back, resume, start, step, stop, take_back
from referee.table.terms import Clock

ADA, BOB = Seat(0), Seat(1)
BOTH = Clock(decision_s=10, bank_s=60, increment_s=5)
BANK = Clock(bank_s=60)


def owes(*seats: Seat, move: str = "play") -> list[Decision]:
    return [Decision(seat, (move,)) for seat in seats]


def running(clock: Clock, *seats: Seat, at: int = 0) -> Clocks:
    return step(start(clock, 2), clock, at, owes(*seats), None)


def test_only_the_clocks_of_awaited_seats_run() -> None:
    clocks = running(BOTH, ADA, at=1000)
    assert clocks.deadline(BOTH, ADA) == 71_000
    assert clocks.deadline(BOTH, BOB) is None


def test_the_time_of_the_decision_is_used_before_the_bank() -> None:
    clocks = step(running(BOTH, ADA), BOTH, 9_000, owes(BOB), ADA, gains=True)
    assert clocks.banks == (65_000, 60_000)
    clocks = step(clocks, BOTH, 9_000 + 14_000, owes(ADA), BOB, gains=True)
    assert clocks.banks == (65_000, 61_000)
    assert clocks.deadline(BOTH, ADA) == 23_000 + 10_000 + 65_000


def test_a_bank_is_never_overdrawn() -> None:
    clocks = step(running(BANK, ADA), BANK, 99_000, owes(ADA), ADA)
    assert clocks.banks[ADA] == 0
    assert clocks.deadline(BANK, ADA) == 99_000


def test_moves_of_others_give_no_time_to_a_seat_that_decides_simultaneously() -> None:
    clocks = step(running(BOTH, ADA, BOB), BOTH, 8_000, owes(BOB), ADA)
    assert clocks.running == (Running(BOB, ("play",), 0),)


def test_another_decision_has_its_own_time() -> None:
    clocks = step(running(BOTH, ADA), BOTH, 12_000, owes(ADA, move="answer"), None)
    assert clocks.running == (Running(ADA, ("answer",), 12_000),)
    assert clocks.banks[ADA] == 58_000


def test_a_pause_takes_no_time() -> None:
    clocks = resume(stop(running(BOTH, ADA), 4_000), 1_000_000)
    assert clocks.deadline(BOTH, ADA) == 1_000_000 + 66_000
    after = step(clocks, BOTH, 1_010_000, owes(BOB), ADA, gains=True)
    assert after.banks[ADA] == 60_000 - 4_000 + 5_000


def test_consecutive_missed_deadlines_are_counted() -> None:
    clocks = start(Clock(decision_s=1, missed_deadlines_max=2), 2)
    for missed, absent in ((True, False), (False, False), (True, False), (True, True)):
        clocks = count_missed(clocks, ADA, missed)
        assert clocks.is_absent(Clock(decision_s=1, missed_deadlines_max=2), ADA) is absent


def test_a_returning_player_finds_a_minute_and_no_missed_deadlines() -> None:
    rich = Clock(bank_s=600)
    away = Clocks(banks=(0, 90_000), missed=(3, 3))
    assert give_back(away, rich, ADA) == Clocks(banks=(60_000, 90_000), missed=(0, 3))
    assert give_back(away, rich, BOB) == Clocks(banks=(0, 90_000), missed=(3, 0))
    assert give_back(away, Clock(bank_s=20), ADA).banks[ADA] == 20_000


def test_a_player_who_returns_before_the_next_move_finds_what_was_left() -> None:
    away = Clocks(banks=(0, 90_000), missed=(3, 3), relieved=(ADA, BOB))
    assert give_back(away, BANK, ADA) == Clocks(banks=(0, 90_000), missed=(0, 3), relieved=(BOB,))


def test_talk_gives_no_seat_new_time() -> None:
    clocks = step(running(BOTH, ADA), BOTH, 9_000, owes(ADA, move="withdraw"), ADA, talk=True)
    assert clocks.running == (Running(ADA, ("withdraw",), 0),)
    clocks = step(clocks, BOTH, 30_000, owes(ADA), BOB, talk=True)
    assert (clocks.banks, clocks.deadline(BOTH, ADA)) == ((60_000, 60_000), 70_000)


def test_time_stays_spent_when_a_move_is_undone() -> None:
    before = running(BOTH, ADA)
    after = step(before, BOTH, 9_000, owes(ADA), ADA)
    back = take_back(after, before, ADA, 9_000, 17_000)
    assert back.banks == before.banks
    assert back.deadline(BOTH, ADA) == before.deadline(BOTH, ADA) == 70_000


def test_other_seats_do_not_pay_for_an_undone_move() -> None:
    before = running(BANK, ADA)
    after = step(before, BANK, 5_000, owes(BOB), ADA)
    assert after.deadline(BANK, BOB) == 65_000
    back = take_back(after, before, ADA, 5_000, 64_000)
    assert back.running == (Running(ADA, ("play",), 64_000, spent=5_000),)
    assert back.banks == (60_000, 60_000)
    assert step(back, BANK, 70_000, owes(BOB), ADA).deadline(BANK, BOB) == 130_000
