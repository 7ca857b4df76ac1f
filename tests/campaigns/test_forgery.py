"""Forged records, the short form; `make campaign-audit` is the long one."""

import pytest

from referee.audit import replay
from tests.campaigns.forgery import Forgeries, games

GAMES = 10


def test_every_proved_record_is_of_a_possible_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "TRIALS", 1)
    forgeries = Forgeries("1")
    for file in games(GAMES):
        forgeries.change_every_field(file, 1, only_new=True)
        forgeries.replay_differently(file, 3)
    print(dict(forgeries.figures), dict(forgeries.proved))
    assert forgeries.faults == []
    assert forgeries.figures["games"] == GAMES
    assert forgeries.figures["failed"] > forgeries.figures["proved"] > 10
    assert forgeries.proved["another table"] > 5
