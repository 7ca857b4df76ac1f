"""A bot that has made an offer waits for the answers: those of bots come at once, players get some time."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from referee.bots.choices import ANSWERS_MS
from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.offers import AcceptTrade, DeclineTrade
from referee.rulesets.explorers_and_pirates.position import Position
from referee.service.audits import audit_game
from referee.service.lobby import NewGame, create
from referee.service.moves import submit
from referee.service.nudges import run
from referee.service.repository import Repository, now_ms
from tests.conformance.samples import as_json
from tests.rulesets.explorers_and_pirates.tables import a_position, seat
from tests.workers.conftest import Called, caller

PLAYER, BOT = Seat(0), {"bot": "greedy"}


def a_lack_of_ore() -> Position:
    """Seat 1 wants a harbour settlement and has grain for it; the other seats have ore."""
    owner = seat("ore2", harbors={"2,0,N": ""})
    lacking = seat("grain4", settlements="4,-3,S", harbors={"2,2,S": ""})
    return a_position(owner, lacking, seat("ore1"), active_seat=1)


class Table:
    """A game in which a bot is to trade, and the time is set by the test."""

    def __init__(self, repository: Repository, set_time: Callable[[int], None], *seats: Any) -> None:
        self.repository, self._set_time, self.now = repository, set_time, now_ms()
        set_time(self.now)
        wish = NewGame(ruleset="explorers-and-pirates", seats=seats, position=as_json(a_lack_of_ore()))
        self.game = create(repository, caller(repository), wish)
        self.carry_on()

    def carry_on(self) -> None:
        run(self.repository, self.game.id, Called(), bots_for_s=60)

    def wait(self, milliseconds: int) -> None:
        self.now += milliseconds
        self._set_time(self.now)
        self.carry_on()

    def answer(self, move: Move) -> None:
        submit(self.repository, self.game, PLAYER, msgspec.json.encode(move))
        self.carry_on()

    @property
    def position(self) -> Position:
        position: Position = self.repository.newest(self.game).position
        return position

    @property
    def events(self) -> list[str]:
        """The types of all events so far."""
        entries = self.repository.log.read(self.game.id, 0)
        return [event["type"] for entry in entries for event in msgspec.json.decode(entry.body)["events"]]


@pytest.fixture
def table(quiet_repository: Repository, set_time: Callable[[int], None]) -> Callable[..., Table]:
    return lambda *seats: Table(quiet_repository, set_time, *seats)


def test_a_bot_waits_for_the_answer_of_a_player(table: Callable[..., Table]) -> None:
    trading = table("me", BOT, "me")
    assert trading.position.offer is not None
    assert trading.position.offer.want == {"ore": 1}
    trading.answer(AcceptTrade())
    assert "trade_made" in trading.events
    assert audit_game(trading.repository, trading.game).verdict == "running"


def test_a_bot_withdraws_its_offer_when_players_have_had_their_time(table: Callable[..., Table]) -> None:
    trading = table("me", BOT, "me")
    trading.wait(ANSWERS_MS - 1)
    assert trading.position.offer is not None
    assert trading.repository.log.due_games(trading.now, 10) == []
    assert trading.repository.log.due_games(trading.now + 1, 10) == [(trading.game.id, trading.now + 1)]
    trading.wait(1)
    assert trading.position.offer is None
    assert "trade_withdrawn" in trading.events


def test_bots_answer_at_once(table: Callable[..., Table]) -> None:
    trading = table("me", BOT, BOT)
    assert trading.events[:3] == ["trade_offered", "trade_accepted", "trade_made"]


def test_an_answer_gives_the_others_their_time_again(table: Callable[..., Table]) -> None:
    trading = table("me", BOT, "me")
    trading.wait(ANSWERS_MS - 1)
    trading.answer(DeclineTrade())
    trading.wait(ANSWERS_MS - 1)
    assert trading.position.offer is not None
    trading.wait(1)
    assert trading.position.offer is None
