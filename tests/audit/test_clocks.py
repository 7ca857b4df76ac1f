"""Clocks, stand-ins, pauses by consent and undo: held against what was agreed."""

from typing import Any

import pytest
from msgspec.structs import replace

from referee.kernel import table_rules
from referee.kernel.judge import awaited_seats, legal_moves
from referee.kernel.message import Event, Move
from referee.kernel.moment import timestamp
from referee.kernel.rulings import lapse_cause, table_ruling
from referee.kernel.seat import REFEREE, Seat
from referee.kernel.table import (
    ALL_AGREED,
    Adjudicate,
    AgreeToPause,
    AgreeToResume,
    GameConceded,
    GamePaused,
    GameResumed,
    MoveUndone,
    PauseAgreed,
    Resign,
    ResumeAgreed,
    ReturnToSeat,
    SeatResigned,
    SeatTakenBack,
    SeatTakenOver,
    StandIn,
    Undo,
    adjudicated,
    conceded,
)
from referee.kernel.terms import TABLE_VERSION, Clock, Terms
from referee.rulesets.cat_and_fish import CAT_AND_FISH
from tests.audit.forging import audited, chained, commits_of, detail, failing
from tests.audit.playing import Play
from tests.audit.race import RACE, PlayCard, Roll, SetUp

CLOCK = Clock(decision_s=10, lapses=2)
BOTS = (None, None, "random")


def begun(clock: Clock | None = CLOCK, **terms: Any) -> Play:
    """A race of two players and a bot, after its set-up; seat 0 or 1 is to move."""
    agreed = Terms(bots=BOTS, table=TABLE_VERSION, clock=clock, stand_in="greedy", **terms)
    play = Play(RACE, terms=agreed).move(REFEREE, SetUp())
    while play.position.active == 2:
        play.move(2, Roll(), play.cause(2))
    return play


def lapse(play: Play, wait_s: float = 10.001, **changes: Any) -> Play:
    """The clock plays for the active seat."""
    seat = Seat(play.position.active)
    deadline = play.course.deadline(play.terms, seat)
    cause = {**lapse_cause(deadline, play.course, seat), **changes.pop("cause", {})}
    play.wait(wait_s)
    return play.move(seat, changes.pop("move", RACE.default(play.position, seat)), cause)


def verdict(play: Play) -> str:
    """Why the last commit of a game does not follow, or nothing if it does."""
    report = audited(play.record)
    assert failing(report) <= {"moves", "end"}
    if "moves" not in failing(report):
        return ""
    assert report.first_bad_version == len(play.entries)
    return detail(report, "moves")


def test_a_lapse_follows_when_the_time_was_up() -> None:
    assert verdict(lapse(begun())) == ""


def test_nobody_is_flagged_at_the_deadline_or_before() -> None:
    assert "though the time of the seat was not up" in verdict(lapse(begun(), 10))
    assert "though the time of the seat was not up" in verdict(lapse(begun(), 3))


def test_a_move_after_the_deadline_does_not_follow() -> None:
    play = begun()
    assert verdict(play.wait(10).move(play.position.active, Roll())) == ""
    late = begun()
    assert "after the time of the seat was up" in verdict(late.wait(10.001).move(late.position.active, Roll()))


def test_the_clock_plays_the_safe_default_and_nothing_else() -> None:
    play = begun()
    hand = play.position.seats[play.position.active].hand
    default = RACE.default(play.position, Seat(play.position.active))
    other = next(move for move in (Roll(), PlayCard(card=hand[-1])) if move != default)
    assert "not the safe default" in verdict(lapse(play, move=other))


@pytest.mark.parametrize("cause", [{"deadline": timestamp(0)}, {"lapse": 7}, {"excuse": "rain"}])
def test_the_cause_of_a_lapse_is_told_as_it_was(cause: dict[str, Any]) -> None:
    assert "tells another cause" in verdict(lapse(begun(), cause=cause))


def test_a_player_moves_for_a_seat_of_a_player_and_the_bot_for_its_own() -> None:
    for cause in ({"bot": "random"}, {}):
        play = begun(None)
        assert "has a cause, but a player made it" in verdict(play.move(play.position.active, Roll(), cause))
    play = until_active(begun(None), 2)
    assert "was not made by random" in verdict(play.move(2, Roll()))


def test_other_deadlines_than_those_that_follow_are_found() -> None:
    play = begun()
    commits = commits_of(play.record)
    commits[-1]["deadlines"][0]["at"] = timestamp(0)
    report = audited(chained(play.record, commits))
    assert "tells other deadlines" in detail(report, "moves")


def table(play: Play, actor: Any, move: Move, *events: Event) -> Play:
    return play.commit(actor, move, events)


def until_active(play: Play, seat: int) -> Play:
    """The race goes on until it is the turn of a seat."""
    while play.position.phase != "run" or play.position.active != seat:
        _go_on(play)
    return play


def _go_on(play: Play) -> None:
    if play.position.phase != "run":
        due = RACE.due(play.position)
        play.wait(due.after_s).move(REFEREE, due.move)
    else:
        mover = play.position.active
        play.move(mover, Roll(), play.cause(mover))


def absent() -> tuple[Play, Seat]:
    """A race in which a seat let two decisions lapse."""
    play = begun()
    seat = Seat(play.position.active)
    while not play.course.clocks.is_absent(CLOCK, seat):
        if play.position.phase == "run" and play.position.active == seat:
            lapse(play)
        else:
            _go_on(play)
    return play, seat


def test_a_bot_stands_in_for_who_is_absent_and_the_player_comes_back() -> None:
    play, seat = absent()
    ruling = table_ruling(RACE, play.terms, play.course, play.position)
    assert ruling.move == StandIn(seat=seat)
    assert verdict(table(play, REFEREE, ruling.move, *ruling.events)) == ""
    assert verdict(table(play, seat, ReturnToSeat(), SeatTakenBack(seat=seat))) == ""
    assert play.course.clocks.lapses[seat] == 0


def test_no_bot_stands_in_for_who_is_present() -> None:
    play = begun()
    taken = SeatTakenOver(seat=Seat(0), bot="greedy")
    assert "Nothing of that kind is due" in verdict(table(play, REFEREE, StandIn(seat=Seat(0)), taken))


def test_another_bot_than_the_one_agreed_on_is_found() -> None:
    play, seat = absent()
    taken = SeatTakenOver(seat=seat, bot="random")
    assert "has other events" in verdict(table(play, REFEREE, StandIn(seat=seat), taken))


def test_nobody_comes_back_who_was_not_away() -> None:
    play = begun()
    assert "No bot stands in" in verdict(table(play, 0, ReturnToSeat(), SeatTakenBack(seat=Seat(0))))


def test_a_seat_that_conceded_does_not_play_on_under_a_bot_without_a_name() -> None:
    play = Play(RACE, terms=Terms(bots=BOTS, table=TABLE_VERSION, stand_in="")).move(REFEREE, SetUp())
    until_active(play, 0).commit(0, Resign(), (SeatResigned(seat=Seat(0)), SeatTakenOver(seat=Seat(0), bot="")))
    assert "was not made by" in verdict(play.move(0, Roll()))


def adjudicated_after_a_lapse(close_lap: bool) -> Play:
    """With its last lapse an absent player ends a lap, which the referee has to close; then the game is adjudicated."""
    play = begun(Clock(decision_s=10, lapses=1, on_absence="end"))
    while play.position.phase != "run" or play.position.moved < 2:
        _go_on(play)
    assert play.position.active != 2
    lapse(play)
    assert RACE.due(play.position).after_s == 0
    if close_lap:
        _go_on(play)
    ruling = table_ruling(RACE, play.terms, play.course, play.position)
    return play.commit(REFEREE, ruling.move, ruling.events)


def test_the_referee_does_what_is_due_before_it_rules_at_the_table() -> None:
    """Else it could choose whether a game ends before or after its scoring."""
    assert verdict(adjudicated_after_a_lapse(close_lap=True)) == ""
    assert "though the referee owed close_lap first" in verdict(adjudicated_after_a_lapse(close_lap=False))


def test_a_game_is_not_adjudicated_while_somebody_plays() -> None:
    play = begun()
    end = adjudicated(RACE.ranking(play.position), (Seat(0),))
    assert "Nothing of that kind is due" in verdict(table(play, REFEREE, Adjudicate(), end))


def test_a_resignation_ends_as_was_agreed() -> None:
    play = begun(on_resignation="end")
    taken = SeatTakenOver(seat=Seat(0), bot="greedy")
    assert "has other events" in verdict(table(play, 0, Resign(), SeatResigned(seat=Seat(0)), taken))
    play = begun(on_resignation="end")
    end: GameConceded = conceded(RACE.ranking(play.position), Seat(0))
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


def test_a_pause_that_not_everybody_agreed_to_is_found() -> None:
    assert "has other events" in verdict(agrees(begun(), 0, GamePaused(reason=ALL_AGREED)))


def test_after_a_week_one_player_is_enough_to_go_on() -> None:
    def resumed(days: float) -> Play:
        play = agrees(agrees(begun(), 0), 1, GamePaused(reason=ALL_AGREED)).wait(86400 * days)
        agreed = ResumeAgreed(seat=Seat(1), agreed=True)
        return table(play, 1, AgreeToResume(), agreed, GameResumed(reason=ALL_AGREED))

    assert verdict(resumed(7)) == ""
    assert "has other events" in verdict(resumed(6.9))


def test_a_move_that_drew_luck_is_not_taken_back() -> None:
    play = begun(None, undo="free")
    seat = Seat(play.position.active)
    play.move(seat, Roll())
    undone = MoveUndone(seat=seat, version=len(play.entries))
    assert "Luck was drawn" in verdict(table(play, seat, Undo(), undone))


def test_a_seat_takes_back_a_limited_number_of_moves_in_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else one player could keep the others waiting, and make the audit of their game as long as it likes."""
    assert table_rules.UNDOS_MAX == 100
    monkeypatch.setattr(table_rules, "UNDOS_MAX", 3)
    play = Play(CAT_AND_FISH, seats=2, terms=Terms(bots=(None, None), table=TABLE_VERSION, undo="free"))
    play.move(REFEREE, CAT_AND_FISH.due(play.position).move)
    (seat,) = awaited_seats(CAT_AND_FISH, play.position)
    for undos in range(1, 5):
        play.move(seat, legal_moves(CAT_AND_FISH, play.position, seat)[0])
        table(play, seat, Undo(), MoveUndone(seat=seat, version=len(play.entries)))
        assert ("You have taken back 3 moves in this game" in verdict(play)) == (undos > 3)


def test_at_a_table_that_did_not_agree_nothing_is_taken_back() -> None:
    play = begun(None, undo="free")
    seat = Seat(play.position.active)
    play.move(seat, Roll())
    table(play, seat, Undo(), MoveUndone(seat=seat, version=len(play.entries)))
    header = replace(play.header, terms=Terms(bots=BOTS, table=TABLE_VERSION))
    report = audited(chained(play.record, commits_of(play.record), header))
    assert "At this table no move is taken back" in detail(report, "moves")
