"""A server that lets a player break the rules and recomputes every hash."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.audit.record import Record
from referee.kernel.message import Move
from referee.kernel.seat import REFEREE
from tests.audit.forgeries import audited, chained, commits_of, detail, failing, forged, renumbered
from tests.audit.race import (
    RACE,
    REST_S,
    CardPlayed,
    CloseLap,
    GameFinished,
    Hurry,
    LapClosed,
    LapStarted,
    PlayCard,
    Roll,
    Rolled,
    Seated,
    SetUp,
    StartLap,
    Went,
)
from tests.audit.recorded_game import Play, played

RECORD = played(RACE)
LAST = len(RECORD.entries)


def begun() -> Play:
    """A race after its set-up."""
    return Play(RACE).move(REFEREE, SetUp())


def rested() -> Play:
    """A race in its first rest."""
    play = begun()
    for _ in range(3):
        play.move(play.position.active, Roll())
    return play.move(REFEREE, CloseLap())


def refused(play: Play) -> str:
    """The fault in the last commit, which is the only one apart from the missing end."""
    report = audited(play.record)
    assert failing(report) == {"moves", "end"}
    assert report.first_bad_version == len(play.entries)
    assert f"Checked up to commit {len(play.entries) - 1}" in detail(report, "outcomes")
    return detail(report, "moves")


def test_a_card_that_the_seat_does_not_hold_is_found() -> None:
    play = begun()
    seat = play.position.active
    card = play.position.seats[(seat + 1) % 3].hand[0]
    play.commit(seat, PlayCard(card=card), (CardPlayed(seat=seat, card=card), Went(seat=seat, steps=card)))
    assert "play_card by seat" in refused(play)
    assert "is refused by RA-7: You do not hold this card." in refused(play)


def test_a_move_out_of_turn_is_found() -> None:
    play = begun()
    seat = (play.position.active + 1) % 3
    play.commit(seat, Roll(), (Rolled(dice=(3, 3)), Went(seat=seat, steps=6)))
    assert "is refused by RA-6" in refused(play)


def test_a_move_before_the_set_up_is_found() -> None:
    play = Play(RACE).commit(0, Roll(), (Rolled(dice=(3, 3)), Went(seat=0, steps=6)))
    assert "is refused by RA-5" in refused(play)


@pytest.mark.parametrize("actor", [-1, 3, 4_000_000_000, "bob", "", "0"])
def test_an_unknown_actor_is_found(actor: Any) -> None:
    play = begun().commit(actor, Roll(), ())
    assert "has an unknown actor; this game has seats 0 to 2, referee and admin." in refused(play)


def test_a_move_of_the_rules_by_an_admin_is_found() -> None:
    assert "an admin does not play" in refused(begun().commit("admin", Roll(), ()))


@pytest.mark.parametrize("actor", [0, 1, 2])
def test_a_trigger_by_a_seat_is_found(actor: int) -> None:
    play = begun()
    for _ in range(3):
        play.move(play.position.active, Roll())
    play.commit(actor, CloseLap(), (LapClosed(),))
    assert f"close_lap by seat {actor} is a trigger, which only the referee makes." in refused(play)


def test_a_trigger_that_is_not_due_is_found() -> None:
    assert "nothing was due" in refused(begun().commit(REFEREE, CloseLap(), (LapClosed(),)))


def test_another_trigger_than_the_one_due_is_found() -> None:
    play = rested().wait(REST_S).commit(REFEREE, SetUp(), (Seated(first=0),))
    assert 'was made when {"type":"start_lap"} was due' in refused(play)


def test_a_move_by_the_referee_for_a_seat_is_found() -> None:
    play = begun()
    play.commit(REFEREE, Roll(), (Rolled(dice=(3, 3)), Went(seat=play.position.active, steps=6)))
    assert "nothing was due" in refused(play)


def test_a_trigger_before_its_time_is_found() -> None:
    play = rested().wait(REST_S - 0.001).commit(REFEREE, StartLap(), (LapStarted(),))
    assert f"it has to wait {REST_S * 1000} ms" in refused(play)


def test_a_trigger_at_its_time_is_accepted() -> None:
    play = rested().wait(REST_S).move(REFEREE, StartLap())
    assert failing(audited(play.record)) == {"end"}


def test_a_move_before_its_time_is_found() -> None:
    play = rested().wait(2.999)
    play.commit(play.position.active, Hurry(), (LapStarted(),))
    assert "it has to wait 3000 ms" in refused(play)
    play = rested().wait(3)
    assert failing(audited(play.move(play.position.active, Hurry()).record)) == {"end"}


@pytest.mark.parametrize(
    "move",
    [
        {},
        {"type": None},
        {"type": ["roll"]},
        {"type": "fly"},
        {"type": "roll", "dice": [6, 6]},
        {"type": "play_card"},
        {"type": "play_card", "card": "6"},
    ],
)
def test_a_move_that_cannot_be_read_is_found(move: dict[str, Any]) -> None:
    report = audited(forged(RECORD, 2, lambda commit: commit.update(move=move)))
    assert failing(report) == {"moves"}
    assert report.first_bad_version == 2
    assert "RA-4" in detail(report, "moves")


def test_a_move_without_one_of_its_members_is_found() -> None:
    version = next(number for number, commit in enumerate(commits_of(RECORD), 1) if commit["move"]["type"] == "roll")
    report = audited(forged(RECORD, version, lambda commit: commit["move"].pop("shout")))
    assert failing(report) == {"moves"}
    assert 'must be written as {"shout":"","type":"roll"}.' in detail(report, "moves")


@pytest.mark.parametrize(
    "cause", [{}, {"bot": "greedy"}, {"deadline": "2026-11-16T08:00:00.000Z", "missed_deadlines": 9}]
)
@pytest.mark.parametrize("type", ["set_up", "close_lap"])
def test_a_cause_of_a_trigger_is_found(type: str, cause: dict[str, Any]) -> None:
    version = 1 + [commit["move"]["type"] for commit in commits_of(RECORD)].index(type)
    report = audited(forged(RECORD, version, lambda commit: commit.update(cause=cause)))
    assert (failing(report), report.first_bad_version) == ({"moves"}, version)
    assert f"{type} by referee has a cause" in detail(report, "moves")


EVENT_EDITS = {
    "without events": lambda events: events.clear(),
    "an event more": lambda events: events.append({"type": "lap_started"}),
    "an unknown event": lambda events: events.insert(0, {"type": "prize_won"}),
    "an event without a type": lambda events: events[-1].pop("type"),
    "an event without its field": lambda events: events[-1].pop("steps"),
    "a field more": lambda events: events[-1].update(cheated=False),
    "for another seat": lambda events: events[-1].update(seat=9),
}


@pytest.mark.parametrize("edit", EVENT_EDITS)
def test_events_that_do_not_follow_from_the_move_are_found(edit: str) -> None:
    version = next(
        number for number, commit in enumerate(commits_of(RECORD), 1) if commit["move"]["type"] == "play_card"
    )
    report = audited(forged(RECORD, version, lambda commit: EVENT_EDITS[edit](commit["events"])))
    assert failing(report) == {"moves"}
    assert report.first_bad_version == version
    assert "has events that do not follow from it" in detail(report, "moves")


def test_true_is_not_one() -> None:
    def edit(commit: dict[str, Any]) -> None:
        ranks = commit["events"][-1]["ranks"]
        ranks[ranks.index(1)] = True

    report = audited(forged(RECORD, LAST, edit))
    assert report.verdict == "failed"
    assert report.first_bad_version == LAST


def after_the_end(record: Record, actor: Any, move: Move, *events: Any) -> Record:
    """The record with one more commit."""
    added = {
        **commits_of(record)[-1],
        "actor": actor,
        "move": msgspec.to_builtins(move),
        "events": [msgspec.to_builtins(event) for event in events],
    }
    return renumbered(record, [*commits_of(record), added])


@pytest.mark.parametrize("actor", [0, 1, 2, REFEREE, "admin"])
def test_a_commit_after_the_end_is_found(actor: Any) -> None:
    report = audited(after_the_end(RECORD, actor, Roll(), Rolled(dice=(1, 1))))
    assert failing(report) == {"moves", "end"}
    assert report.first_bad_version == LAST + 1
    assert f"The game was already over with commit {LAST}." in detail(report, "end")


def test_a_second_end_is_found() -> None:
    finished = GameFinished(scores=(0, 0, 0), ranks=(1, 1, 1))
    report = audited(after_the_end(RECORD, REFEREE, CloseLap(), finished))
    assert failing(report) == {"moves", "end"}
    assert report.first_bad_version == LAST + 1


def test_an_event_after_the_end_is_found() -> None:
    report = audited(forged(RECORD, LAST, lambda commit: commit["events"].append({"type": "lap_closed"})))
    assert failing(report) == {"moves", "end"}
    assert report.first_bad_version == LAST
    assert "ends the game, but more events follow it" in detail(report, "end")


def test_a_false_end_is_found() -> None:
    finished = {"type": "game_finished", "scores": [0, 0, 9], "ranks": [2, 2, 1]}
    short = renumbered(RECORD, commits_of(RECORD)[:4])
    report = audited(forged(short, 4, lambda commit: commit["events"].append(finished)))
    assert failing(report) == {"moves"}
    assert report.first_bad_version == 4


@pytest.mark.parametrize("version", range(1, LAST + 1))
def test_a_missing_commit_is_found_even_if_the_chain_is_recomputed(version: int) -> None:
    commits = commits_of(RECORD)
    del commits[version - 1]
    report = audited(renumbered(RECORD, commits))
    assert report.verdict == "failed"
    assert failing(report) & {"moves", "outcomes", "end"}
    assert report.first_bad_version is not None and report.first_bad_version >= version


def test_another_goal_than_the_one_played_for_is_found() -> None:
    closing = next(
        number for number, commit in enumerate(commits_of(RECORD), 1) if commit["move"]["type"] == "close_lap"
    )
    report = audited(chained(RECORD, commits_of(RECORD), replace(RECORD.header, options={"goal": 5})))
    assert failing(report) == {"moves"}
    assert report.first_bad_version == closing
    assert 'the record has null, but "game_finished" follows' in detail(report, "moves")
