"""Nobody gains time, and nobody loses any, by what is done at the table."""

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from referee.bots.budget import Iterations
from referee.kernel.canon import canonical
from referee.kernel.chance import Probe
from referee.kernel.judge import awaited_seats, legal_moves
from referee.kernel.message import Move, tag
from referee.kernel.seat import Seat
from referee.kernel.table import AgreeToPause, AgreeToResume, Resign, ReturnToSeat, Undo
from referee.rulesets import LATEST
from referee.service.audits import audit_game
from referee.service.desk import Desk, now_ms
from referee.service.game import Game
from referee.service.games import Wish, create
from referee.service.moves import submit
from referee.service.nudges import bots_commit, referees_commit, run
from referee.service.problems import Problem
from referee.service.table import act
from tests.conformance.play import moments_of
from tests.live.tables import auction
from tests.subjects import Subject
from tests.workers.conftest import Called, caller


class Sitting:
    """A game and the time at its table."""

    def __init__(self, desk: Desk, set_time: Callable[[int], None], *seats: Any, **wish: Any) -> None:
        self.desk, self._set_time, self.now = desk, set_time, now_ms()
        set_time(self.now)
        self.game: Game = create(desk, caller(desk), Wish(seats=seats, **wish))
        run(desk, self.game.id, Called())

    @property
    def state(self) -> Any:
        return self.desk.newest(self.game)

    @property
    def owing(self) -> Seat:
        return self.game.rules.awaited(self.state.position)[0].seat

    def wait(self, seconds: float) -> None:
        self.now += round(seconds * 1000)
        self._set_time(self.now)

    def move(self, prefer: tuple[str, ...] = ()) -> None:
        """The first legal move of who owes one, of some type if it can be, and what follows from it at once."""
        moves = legal_moves(self.game.rules, self.state.position, self.owing)
        move = next((move for move in moves if tag(move) in prefer), moves[0])
        submit(self.desk, self.game, self.owing, msgspec.json.encode(move))
        self.carry_on()

    def carry_on(self) -> None:
        run(self.desk, self.game.id, Called())

    def left_s(self, seat: Seat) -> float:
        deadline = self.state.course.deadline(self.game.terms, seat)
        assert deadline is not None
        return (deadline - self.now) / 1000

    def is_sound(self) -> bool:
        return audit_game(self.desk, self.game).verdict in ("running", "proved")


@pytest.fixture
def sitting(quiet_desk: Desk, set_time: Callable[[int], None]) -> Callable[..., Sitting]:
    def sit_down(*seats: Any, ruleset: str = "hund-und-katz", **wish: Any) -> Sitting:
        return Sitting(quiet_desk, set_time, *(seats or ("me", "me")), ruleset=ruleset, **wish)

    return sit_down


def test_time_stays_spent_however_often_a_move_is_taken_back(sitting: Callable[..., Sitting]) -> None:
    table = sitting(clock={"decision_s": 60}, undo="free")
    seat = table.owing
    for _ in range(4):
        table.wait(10)
        table.move()
        act(table.desk, table.game, seat, Undo())
    assert table.left_s(seat) == 20
    table.wait(20.001)
    with pytest.raises(Problem, match="time-is-up"):
        act(table.desk, table.game, seat, Undo())
    table.carry_on()
    assert table.state.course.clocks.lapses[seat] == 1
    assert table.is_sound()


def test_who_has_waited_for_a_move_that_was_taken_back_has_lost_no_time(sitting: Callable[..., Sitting]) -> None:
    table = sitting(ruleset="cat-and-fish", clock={"bank_s": 60}, undo="free")
    mover = table.owing
    table.move()
    other = table.owing
    assert other != mover
    table.wait(59)
    assert table.left_s(other) == 1
    act(table.desk, table.game, mover, Undo())
    table.move()
    assert (table.owing, table.left_s(other)) == (other, 60)
    assert table.is_sound()


def test_what_is_said_at_the_table_keeps_no_card_from_turning(sitting: Callable[..., Sitting]) -> None:
    table = sitting("me", "me", "me", ruleset="fangfrisch", position=auction(3, 4))
    before = table.state.version
    for agreed in (True, False, True):
        table.wait(1)
        act(table.desk, table.game, Seat(0), AgreeToPause(agreed=agreed))
    table.wait(1)
    assert referees_commit(table.game, table.state, table.now - 1) is None
    table.carry_on()
    assert table.state.version == before + 4
    assert table.is_sound()


def test_no_time_is_won_by_offers_that_are_taken_back(sitting: Callable[..., Sitting]) -> None:
    table = sitting(ruleset="explorers-and-pirates", clock={"decision_s": 60, "bank_s": 60, "increment_s": 5})
    while table.state.position.phase != "trade_build":
        table.move(prefer=("roll_dice",))
    seat = table.owing
    assert table.state.position.seats[seat].gold > 0
    offer = {"type": "offer_trade", "give": {"gold": 1}, "want": {"ore": 1}}
    for _ in range(10):
        for move in (offer, {"type": "withdraw_trade"}):
            table.wait(2)
            submit(table.desk, table.game, seat, msgspec.json.encode(move))
    assert table.left_s(seat) == 120 - 40
    assert table.is_sound()


def transfers(table: Sitting) -> list[Move]:
    """The ways to load or unload cargo now."""
    moves = legal_moves(table.game.rules, table.state.position, table.owing)
    return [move for move in moves if tag(move) == "transfer_cargo"]


def with_cargo_at_hand() -> dict[str, Any]:
    """A position in which the seat whose turn it is can load cargo and unload it again."""
    title = LATEST["explorers-and-pirates"]
    for moment in moments_of(Subject(title), random.Random("cargo"), 500):
        seats = awaited_seats(title, moment.position)
        if len(moment.position.seats) == 2 and any(
            tag(move) == "transfer_cargo" for seat in seats for move in legal_moves(title, moment.position, seat)
        ):
            return msgspec.to_builtins(moment.position)
    raise AssertionError("no position of a random game is of use here")


def test_no_time_is_won_by_loading_and_unloading(sitting: Callable[..., Sitting]) -> None:
    clock = {"decision_s": 60, "bank_s": 30, "increment_s": 5}
    table = sitting(ruleset="explorers-and-pirates", clock=clock, position=with_cargo_at_hand(), undo="free")
    seat, start = table.owing, canonical(table.state.position)
    known: set[bytes] = {start}
    left = None
    for number in range(8):
        table.wait(1)
        back = next(move for move in transfers(table) if number % 2 == 0 or _leads_to(table, move) == start)
        submit(table.desk, table.game, seat, msgspec.json.encode(back))
        here = canonical(table.state.position)
        if here in known and left is not None:
            assert table.left_s(seat) == left - 1
        known.add(here)
        left = table.left_s(seat)
    assert left == 90 - 7
    assert table.is_sound()


def _leads_to(table: Sitting, move: Move) -> bytes:
    return canonical(table.game.rules.play(table.state.position, table.owing, move, Probe())[1])


def test_who_is_absent_does_not_move_before_the_referee_has_ruled(sitting: Callable[..., Sitting]) -> None:
    table = sitting(clock={"decision_s": 5, "lapses": 1, "on_absence": "end"})
    seat = table.owing
    table.wait(5.001)
    lapse = referees_commit(table.game, table.state, table.now)
    assert lapse is not None
    table.desk.log.append(table.game.id, lapse.entry, None, None)
    move = legal_moves(table.game.rules, table.state.position, seat)
    with pytest.raises(Problem, match="game-finished"):
        submit(table.desk, table.game, seat, msgspec.json.encode(move[0]))
    assert table.state.status == "finished"
    table.carry_on()
    assert table.is_sound()


def test_a_bank_is_not_filled_by_coming_back_at_once(sitting: Callable[..., Sitting]) -> None:
    table = sitting(clock={"bank_s": 30, "lapses": 1})
    seat = table.owing
    table.wait(30.001)
    table.carry_on()
    act(table.desk, table.game, seat, ReturnToSeat())
    assert table.state.course.clocks.banks[seat] == 0
    assert table.is_sound()


def test_the_time_that_a_bot_thinks_is_not_that_of_the_next_player(sitting: Callable[..., Sitting]) -> None:
    seats = ({"bot": "greedy"}, "me")
    table = sitting(*seats, ruleset="catham-city", options={"first_seat": 0}, clock={"decision_s": 5})

    def thinks() -> Iterations:
        table.wait(0.7)
        return Iterations(1)

    asked_at = table.now
    made = bots_commit(table.game, table.state, thinks, asked_at, None)
    assert made is not None
    assert made.state.at == asked_at + 700


def test_nobody_waits_for_the_word_of_who_has_conceded(sitting: Callable[..., Sitting]) -> None:
    table = sitting("me", "me", "me")
    for seat in map(Seat, range(3)):
        act(table.desk, table.game, seat, AgreeToPause())
    assert table.state.status == "paused"
    act(table.desk, table.game, Seat(0), AgreeToResume())
    act(table.desk, table.game, Seat(1), Resign())
    assert table.state.status == "paused"
    act(table.desk, table.game, Seat(2), Resign())
    assert table.state.status == "running"
    assert table.is_sound()
