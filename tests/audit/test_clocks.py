"""Clocks, takeovers, pauses by agreement and undo, checked against the terms of the game."""

from typing import Any

import pytest
from msgspec.structs import replace

from referee.kernel.judge import awaited_seats, legal_moves
from referee.kernel.message import Event, Move
from referee.kernel.seat import REFEREE, Seat
from referee.rulesets.cat_and_fish import CAT_AND_FISH
from referee.table import rules as table_rules
from referee.table.duties import missed_deadline_cause, table_duty
from referee.table.moves import (
    ALL_AGREED,
    Adjudicate,
    AgreeToPause,
    AgreeToResume,
    GamePaused,
    GameResigned,
    GameResumed,
    MoveUndone,
    PauseAgreed,
    PlayerReturned,
    Resign,
    ResumeAgreed,
    ReturnToSeat,
    SeatResigned,
    SeatTakenOver,
    TakeOverSeat,
    Undo,
    end_by_adjudication,
    end_by_resignation,
)
from referee.table.terms import TABLE_VERSION, Clock, Terms
from referee.table.times import timestamp
from tests.audit.forgeries import audited, chained, commits_of, detail, failing
from tests.audit.race import RACE, PlayCard, Roll, SetUp
from tests.audit.recorded_game import Play

CLOCK = Clock(decision_s=10, missed_deadlines_max=2)
BOTS = (None, None, "random")


def begun(clock: Clock | None = CLOCK, **terms: Any) -> Play:
    """A race of two players and a bot, after its set-up; it is the turn of seat 0 or 1."""
    agreed = Terms(bots=BOTS, table=TABLE_VERSION, clock=clock, takeover_bot="greedy", **terms)
    play = Play(RACE, terms=agreed).move(REFEREE, SetUp())
    while play.position.active == 2:
        play.move(2, Roll(), play.cause(2))
    return play


def miss_deadline(play: Play, wait_s: float = 10.001, **changes: Any) -> Play:
    """The active seat misses its deadline, and the clock plays for it."""
    seat = Seat(play.position.active)
    deadline = play.table.deadline(play.terms, seat)
    cause = {**missed_deadline_cause(deadline, play.table, seat), **changes.pop("cause", {})}
    play.wait(wait_s)
    return play.move(seat, changes.pop("move", RACE.default(play.position, seat)), cause)


def verdict(play: Play) -> str:
    """The fault in the last commit of a game, or nothing."""
    report = audited(play.record)
    assert failing(report) <= {"moves", "end"}
    if "moves" not in failing(report):
        return ""
    assert report.first_bad_version == len(play.entries)
    return detail(report, "moves")


def test_the_clock_moves_after_a_missed_deadline() -> None:
    assert verdict(miss_deadline(begun())) == ""


def test_the_clock_does_not_move_at_the_deadline_or_before() -> None:
    assert "but no seat had missed the earliest deadline" in verdict(miss_deadline(begun(), 10))
    assert "but no seat had missed the earliest deadline" in verdict(miss_deadline(begun(), 3))


def test_a_move_after_the_deadline_is_found() -> None:
    play = begun()
    assert verdict(play.wait(10).move(play.position.active, Roll())) == ""
    late = begun()
    assert "was made after the deadline of the seat, 20" in verdict(
        late.wait(10.001).move(late.position.active, Roll())
    )


def test_the_clock_plays_the_default_only() -> None:
    play = begun()
    hand = play.position.seats[play.position.active].hand
    default = RACE.default(play.position, Seat(play.position.active))
    other = next(move for move in (Roll(), PlayCard(card=hand[-1])) if move != default)
    assert "which plays the default" in verdict(miss_deadline(play, move=other))


@pytest.mark.parametrize("cause", [{"deadline": timestamp(0)}, {"missed_deadlines": 7}, {"excuse": "rain"}])
def test_another_cause_for_a_missed_deadline_is_found(cause: dict[str, Any]) -> None:
    assert "must have the cause" in verdict(miss_deadline(begun(), cause=cause))


def test_players_and_bots_move_only_for_their_own_seats() -> None:
    for cause in ({"bot": "random"}, {}):
        play = begun(None)
        assert "has a cause, but a player made it" in verdict(play.move(play.position.active, Roll(), cause))
    play = until_active(begun(None), 2)
    assert "was not made by random" in verdict(play.move(2, Roll()))


def test_wrong_deadlines_are_found() -> None:
    play = begun()
    commits = commits_of(play.record)
    commits[-1]["deadlines"][0]["at"] = timestamp(0)
    report = audited(chained(play.record, commits))
    assert "reports wrong deadlines" in detail(report, "moves")


def table(play: Play, actor: Any, move: Move, *events: Event) -> Play:
    return play.commit(actor, move, events)


def until_active(play: Play, seat: int) -> Play:
    """The race continues until it is the turn of a seat."""
    while play.position.phase != "run" or play.position.active != seat:
        _continue(play)
    return play


def _continue(play: Play) -> None:
    if play.position.phase != "run":
        due = RACE.due(play.position)
        play.wait(due.after_ms / 1000).move(REFEREE, due.move)
    else:
        mover = play.position.active
        play.move(mover, Roll(), play.cause(mover))


def absent() -> tuple[Play, Seat]:
    """A race in which a seat missed two deadlines."""
    play = begun()
    seat = Seat(play.position.active)
    while not play.table.clocks.is_absent(CLOCK, seat):
        if play.position.phase == "run" and play.position.active == seat:
            miss_deadline(play)
        else:
            _continue(play)
    return play, seat


def test_a_bot_takes_over_from_an_absent_player_until_the_player_returns() -> None:
    play, seat = absent()
    duty = table_duty(RACE, play.terms, play.table, play.position)
    assert duty.move == TakeOverSeat(seat=seat)
    assert verdict(table(play, REFEREE, duty.move, *duty.events)) == ""
    assert verdict(table(play, seat, ReturnToSeat(), PlayerReturned(seat=seat))) == ""
    assert play.table.clocks.missed[seat] == 0


def test_no_bot_takes_over_from_a_player_who_is_present() -> None:
    play = begun()
    taken = SeatTakenOver(seat=Seat(0), bot="greedy")
    assert "This move of the referee is not due now" in verdict(table(play, REFEREE, TakeOverSeat(seat=Seat(0)), taken))


def test_a_takeover_by_another_bot_is_found() -> None:
    play, seat = absent()
    taken = SeatTakenOver(seat=seat, bot="random")
    assert "has events that do not follow from it" in verdict(table(play, REFEREE, TakeOverSeat(seat=seat), taken))


def test_a_return_without_a_takeover_is_found() -> None:
    play = begun()
    assert "No bot has taken over" in verdict(table(play, 0, ReturnToSeat(), PlayerReturned(seat=Seat(0))))


def test_a_player_who_resigned_does_not_move_for_a_bot_without_a_name() -> None:
    play = Play(RACE, terms=Terms(bots=BOTS, table=TABLE_VERSION, takeover_bot="")).move(REFEREE, SetUp())
    until_active(play, 0).commit(0, Resign(), (SeatResigned(seat=Seat(0)), SeatTakenOver(seat=Seat(0), bot="")))
    assert "was not made by" in verdict(play.move(0, Roll()))


def adjudicated_after_a_missed_deadline(close_lap: bool) -> Play:
    """A missed deadline ends a lap, which the referee has to close before it adjudicates the game."""
    play = begun(Clock(decision_s=10, missed_deadlines_max=1, on_absence="end"))
    while play.position.phase != "run" or play.position.moved < 2:
        _continue(play)
    assert play.position.active != 2
    miss_deadline(play)
    assert RACE.due(play.position).after_ms == 0
    if close_lap:
        _continue(play)
    duty = table_duty(RACE, play.terms, play.table, play.position)
    return play.commit(REFEREE, duty.move, duty.events)


def test_the_referee_makes_the_due_trigger_before_it_adjudicates() -> None:
    """Otherwise it could choose whether a game ends before or after its scoring."""
    assert verdict(adjudicated_after_a_missed_deadline(close_lap=True)) == ""
    assert "was made before close_lap, which was due first" in verdict(
        adjudicated_after_a_missed_deadline(close_lap=False)
    )


def test_an_adjudication_without_an_absent_player_is_found() -> None:
    play = begun()
    end = end_by_adjudication(RACE.ranking(play.position), (Seat(0),))
    assert "This move of the referee is not due now" in verdict(table(play, REFEREE, Adjudicate(), end))


def test_a_resignation_has_the_consequence_in_the_terms() -> None:
    play = begun(on_resignation="end")
    taken = SeatTakenOver(seat=Seat(0), bot="greedy")
    assert "has events that do not follow from it" in verdict(
        table(play, 0, Resign(), SeatResigned(seat=Seat(0)), taken)
    )
    play = begun(on_resignation="end")
    end: GameResigned = end_by_resignation(RACE.ranking(play.position), Seat(0))
    assert audited(table(play, 0, Resign(), SeatResigned(seat=Seat(0)), end).record).verdict == "proved"


def agrees(play: Play, seat: int, *more: Event) -> Play:
    return table(play, seat, AgreeToPause(), PauseAgreed(seat=Seat(seat), agreed=True), *more)


def test_a_pause_needs_every_player_and_stops_the_clocks() -> None:
    play = agrees(agrees(begun(), 0), 1, GamePaused(reason=ALL_AGREED))
    resumes = ResumeAgreed(seat=Seat(0), agreed=True)
    play = table(play.wait(3600), 0, AgreeToResume(), resumes)
    resumes = ResumeAgreed(seat=Seat(1), agreed=True)
    play = table(play, 1, AgreeToResume(), resumes, GameResumed(reason=ALL_AGREED))
    assert verdict(play.wait(9).move(play.position.active, Roll())) == ""


def test_a_pause_that_not_every_player_agreed_to_is_found() -> None:
    assert "has events that do not follow from it" in verdict(agrees(begun(), 0, GamePaused(reason=ALL_AGREED)))


def test_after_a_week_one_player_can_resume() -> None:
    def resumed(days: float) -> Play:
        play = agrees(agrees(begun(), 0), 1, GamePaused(reason=ALL_AGREED)).wait(86400 * days)
        agreed = ResumeAgreed(seat=Seat(1), agreed=True)
        return table(play, 1, AgreeToResume(), agreed, GameResumed(reason=ALL_AGREED))

    assert verdict(resumed(7)) == ""
    assert "has events that do not follow from it" in verdict(resumed(6.9))


def test_an_undo_of_a_move_with_luck_is_found() -> None:
    play = begun(None, undo="free")
    seat = Seat(play.position.active)
    play.move(seat, Roll())
    undone = MoveUndone(seat=seat, version=len(play.entries))
    assert "drew luck" in verdict(table(play, seat, Undo(), undone))


def test_too_many_undos_of_a_seat_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise one player could keep the others waiting and make the record endless."""
    assert table_rules.UNDOS_MAX == 100
    monkeypatch.setattr(table_rules, "UNDOS_MAX", 3)
    play = Play(CAT_AND_FISH, seats=2, terms=Terms(bots=(None, None), table=TABLE_VERSION, undo="free"))
    play.move(REFEREE, CAT_AND_FISH.due(play.position).move)
    (seat,) = awaited_seats(CAT_AND_FISH, play.position)
    for undos in range(1, 5):
        play.move(seat, legal_moves(CAT_AND_FISH, play.position, seat)[0])
        table(play, seat, Undo(), MoveUndone(seat=seat, version=len(play.entries)))
        assert ("You have undone 3 moves in this game" in verdict(play)) == (undos > 3)


def test_an_undo_that_the_terms_do_not_allow_is_found() -> None:
    play = begun(None, undo="free")
    seat = Seat(play.position.active)
    play.move(seat, Roll())
    table(play, seat, Undo(), MoveUndone(seat=seat, version=len(play.entries)))
    header = replace(play.header, terms=Terms(bots=BOTS, table=TABLE_VERSION))
    report = audited(chained(play.record, commits_of(play.record), header))
    assert "This table does not allow undo" in detail(report, "moves")
