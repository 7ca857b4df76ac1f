"""Forged records, the short form; `make campaign-audit` is the long one."""

import pytest

from referee.audit import telling
from tests.campaigns.forgery import Forgeries, games

GAMES = 10


def test_a_record_that_is_proved_is_of_a_game_that_could_have_taken_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telling, "TRIALS", 1)
    forgeries = Forgeries("1")
    for file in games(GAMES):
        forgeries.change_every_field(file, 1, only_new=True)
        forgeries.tell_anew(file, 3)
    print(dict(forgeries.figures), dict(forgeries.proved))
    assert forgeries.faults == []
    assert forgeries.figures["games"] == GAMES
    assert forgeries.figures["failed"] > forgeries.figures["proved"] > 10
    assert forgeries.proved["another course"] > 5
