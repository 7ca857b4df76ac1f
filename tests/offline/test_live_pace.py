"""Bots that may move but do not have to: the bell in the live pace of Fangfrisch."""

from typing import Any

import msgspec

from referee.audit.record import Record
from referee.audit.verify import audit
from referee.kernel.judge import read_options
from referee.offline.play import play_game
from referee.rulesets import LATEST

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
    assert set(moves(record, "reveal_card")) == {"referee"}
    assert len(moves(record, "reveal_card")) > len(moves(record, "ring")) > 3


def test_several_bots_that_want_to_ring_decide_independently() -> None:
    record = play_game(TITLE, LIVE, ("search", "search", "search"), "live", iterations=8).record
    assert len(set(moves(record, "ring"))) > 1
    assert audit(record, with_bots=True).verdict == "proved"
