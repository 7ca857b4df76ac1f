"""Bots that may move but do not have to: the bell in the live pace of Fangfrisch."""

from typing import Any

import msgspec

from referee.audit.record import Record
from referee.audit.verify import audit
from referee.kernel.judge import read_options
from referee.offline.play import play_game
from referee.rulesets import LATEST
from tests.audit.forgeries import chained, commits_of, detail

TITLE = LATEST["fangfrisch"]
LIVE = read_options(TITLE, {"pace": "live"})


def moves(record: Record, kind: str) -> list[Any]:
    """Return the actors of all moves of a type."""
    commits = [msgspec.json.decode(entry.body) for entry in record.entries]
    return [commit["actor"] for commit in commits if commit["move"]["type"] == kind]


def test_bots_ring_when_they_want_an_offer_and_the_record_is_proved() -> None:
    record = play_game(TITLE, LIVE, ("greedy", "random", "greedy"), "live").record
    assert set(moves(record, "ring")) == {0, 1, 2}
    assert audit(record, with_bots=True).verdict == "proved"


def test_bots_that_want_no_offer_wait() -> None:
    record = play_game(TITLE, LIVE, ("greedy", "greedy", "greedy"), "live").record
    assert moves(record, "reveal_card") == []
    assert len(moves(record, "show_offer")) > len(moves(record, "ring")) > 3


def test_several_bots_that_want_to_ring_decide_independently() -> None:
    record = play_game(TITLE, LIVE, ("search", "search", "search"), "live", iterations=4).record
    assert len(set(moves(record, "ring"))) > 1
    assert audit(record, with_bots=True).verdict == "proved"


def contested_game() -> Record:
    return play_game(TITLE, LIVE, ("greedy", "random", "greedy"), "live").record


def test_bots_ring_after_their_reaction_times_and_those_within_the_window_compete() -> None:
    rings = [commit for commit in commits_of(contested_game()) if commit["move"]["type"] == "ring"]
    reactions = [commit["cause"]["reaction_ms"] for commit in rings]
    assert min(reactions) >= 400 and max(reactions) <= 1000 and len(set(reactions)) > len(reactions) // 2
    contested = [shown for shown in answers(contested_game()) if shown.count("ring") > 1]
    assert contested, "some bots ring for the same offer"


def answers(record: Record) -> list[Any]:
    events = [event for commit in commits_of(record) for event in commit["events"]]
    return [event["answers"] for event in events if event["type"] == "answers_shown"]


def forged_ring(**cause: Any) -> str:
    """What the audit says of a record in which the first ring has another cause."""
    record = contested_game()
    commits = commits_of(record)
    ring = next(commit for commit in commits if commit["move"]["type"] == "ring")
    ring["cause"] = {**ring["cause"], **cause}
    return detail(audit(chained(record, commits), with_bots=True), "bots")


def test_the_audit_repeats_the_reaction_time_of_a_bot() -> None:
    assert "but that of the bot" in forged_ring(reaction_ms=399)


def test_with_a_window_of_zero_the_fastest_bot_buys() -> None:
    options = read_options(TITLE, {"pace": "live", "bell_window_ms": 0})
    record = play_game(TITLE, options, ("greedy", "greedy", "greedy"), "zero").record
    assert audit(record, with_bots=True).verdict == "proved"
    assert answers(record) == []
    assert moves(record, "close_bell") == []
    assert len(moves(record, "ring")) > 3
