"""No player gains or loses time by moves at the table."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from referee.bots.budget import Iterations
from referee.kernel.canon import canonical
from referee.kernel.chance import Probe
from referee.kernel.judge import legal_moves
from referee.kernel.message import Move, tag
from referee.kernel.seat import Seat
from referee.service.audits import audit_game
from referee.service.game import Game
from referee.service.lobby import NewGame, create
from referee.service.moves import act, submit
from referee.service.nudges import bots_commit, run
from referee.service.problems import Problem
from referee.service.repository import Repository, now_ms
from referee.table.commits import prepare_due
from referee.table.moves import AgreeToPause, AgreeToResume, Resign, ReturnToSeat, Undo
from referee.table.rules import TableRefusal
from tests.live.tables import auction
from tests.rulesets.explorers_and_pirates.tables import a_position
from tests.rulesets.explorers_and_pirates.tables import seat as a_seat
from tests.workers.conftest import Called, caller


class Sitting:
    """A game with a clock that the test sets."""

    def __init__(self, repository: Repository, set_time: Callable[[int], None], *seats: Any, **terms: Any) -> None:
        self.repository, self._set_time, self.now = repository, set_time, now_ms()
        set_time(self.now)
        self.game: Game = create(repository, caller(repository), NewGame(seats=seats, **terms))
        run(repository, self.game.id, Called())

    @property
    def state(self) -> Any:
        return self.repository.newest(self.game)

    @property
    def owing(self) -> Seat:
        return self.game.rules.awaited(self.state.position)[0].seat

    def wait(self, seconds: float) -> None:
        self.now += round(seconds * 1000)
        self._set_time(self.now)

    def move(self, prefer: tuple[str, ...] = ()) -> None:
        """Make the first legal move of the awaited seat, of a preferred type if possible, and what follows at once."""
        moves = legal_moves(self.game.rules, self.state.position, self.owing)
        move = next((move for move in moves if tag(move) in prefer), moves[0])
        submit(self.repository, self.game, self.owing, msgspec.json.encode(move))
        self.carry_on()

    def carry_on(self) -> None:
        run(self.repository, self.game.id, Called())

    def left_s(self, seat: Seat) -> float:
        deadline = self.state.table.deadline(self.game.terms, seat)
        assert deadline is not None
        return (deadline - self.now) / 1000

    def is_sound(self) -> bool:
        return audit_game(self.repository, self.game).verdict in ("running", "proved")


@pytest.fixture
def sitting(quiet_repository: Repository, set_time: Callable[[int], None]) -> Callable[..., Sitting]:
    def sit_down(*seats: Any, ruleset: str = "hund-und-katz", **terms: Any) -> Sitting:
        return Sitting(quiet_repository, set_time, *(seats or ("me", "me")), ruleset=ruleset, **terms)

    return sit_down


def test_time_stays_spent_however_often_a_move_is_undone(sitting: Callable[..., Sitting]) -> None:
    table = sitting(clock={"decision_s": 60}, undo="free")
    seat = table.owing
    for _ in range(4):
        table.wait(10)
        table.move()
        act(table.repository, table.game, seat, Undo())
    assert table.left_s(seat) == 20
    table.wait(20.001)
    with pytest.raises(TableRefusal, match="deadline-passed"):
        act(table.repository, table.game, seat, Undo())
    table.carry_on()
    assert table.state.table.clocks.missed[seat] == 1
    assert table.is_sound()


def test_other_players_lose_no_time_by_an_undone_move(sitting: Callable[..., Sitting]) -> None:
    table = sitting(ruleset="cat-and-fish", clock={"bank_s": 60}, undo="free")
    mover = table.owing
    table.move()
    other = table.owing
    assert other != mover
    table.wait(59)
    assert table.left_s(other) == 1
    act(table.repository, table.game, mover, Undo())
    table.move()
    assert (table.owing, table.left_s(other)) == (other, 60)
    assert table.is_sound()


def test_votes_at_the_table_do_not_delay_a_trigger(sitting: Callable[..., Sitting]) -> None:
    table = sitting("me", "me", "me", ruleset="fangfrisch", position=auction(3, 4))
    before = table.state.version
    for agreed in (True, False, True):
        table.wait(1)
        act(table.repository, table.game, Seat(0), AgreeToPause(agreed=agreed))
    table.wait(1)
    assert prepare_due(table.game, table.state, table.now - 1) is None
    table.carry_on()
    assert table.state.version == before + 4
    assert table.is_sound()


def test_withdrawn_offers_gain_no_time(sitting: Callable[..., Sitting]) -> None:
    table = sitting(ruleset="explorers-and-pirates", clock={"decision_s": 60, "bank_s": 60, "increment_s": 5})
    while table.state.position.phase != "trade_build":
        table.move(prefer=("roll_dice",))
    seat = table.owing
    assert table.state.position.seats[seat].gold > 0
    offer = {"type": "offer_trade", "give": {"gold": 1}, "want": {"ore": 1}}
    for _ in range(10):
        for move in (offer, {"type": "withdraw_trade"}):
            table.wait(2)
            submit(table.repository, table.game, seat, msgspec.json.encode(move))
    assert table.left_s(seat) == 120 - 40
    assert table.is_sound()


def transfers(table: Sitting) -> list[Move]:
    """The legal moves that load or unload cargo."""
    moves = legal_moves(table.game.rules, table.state.position, table.owing)
    return [move for move in moves if tag(move) == "transfer_cargo"]


def with_cargo_at_hand() -> dict[str, Any]:
    """A position in which the awaited seat can load cargo and unload it again."""
    own = a_seat(harbors={"2,0,N": "settler"}, ships={"0-1": "2,0,NE"})
    written: dict[str, Any] = msgspec.to_builtins(a_position(own, a_seat(), phase="movement"))
    return written


def test_loading_and_unloading_gains_no_time(sitting: Callable[..., Sitting]) -> None:
    clock = {"decision_s": 60, "bank_s": 30, "increment_s": 5}
    table = sitting(ruleset="explorers-and-pirates", clock=clock, position=with_cargo_at_hand(), undo="free")
    seat, start = table.owing, canonical(table.state.position)
    known: set[bytes] = {start}
    left = None
    for number in range(8):
        table.wait(1)
        back = next(move for move in transfers(table) if number % 2 == 0 or _leads_to(table, move) == start)
        submit(table.repository, table.game, seat, msgspec.json.encode(back))
        here = canonical(table.state.position)
        if here in known and left is not None:
            assert table.left_s(seat) == left - 1
        known.add(here)
        left = table.left_s(seat)
    assert left == 90 - 7
    assert table.is_sound()


def _leads_to(table: Sitting, move: Move) -> bytes:
    return canonical(table.game.rules.play(table.state.position, table.owing, move, Probe())[1])


def test_the_referee_acts_before_an_absent_player_can_move(sitting: Callable[..., Sitting]) -> None:
    table = sitting(clock={"decision_s": 5, "missed_deadlines_max": 1, "on_absence": "end"})
    seat = table.owing
    table.wait(5.001)
    default = prepare_due(table.game, table.state, table.now)
    assert default is not None
    table.repository.log.append(table.game.id, default.entry, None, None)
    move = legal_moves(table.game.rules, table.state.position, seat)
    with pytest.raises(Problem, match="game-finished"):
        submit(table.repository, table.game, seat, msgspec.json.encode(move[0]))
    assert table.state.status == "finished"
    table.carry_on()
    assert table.is_sound()


def test_returning_at_once_does_not_refill_the_bank(sitting: Callable[..., Sitting]) -> None:
    table = sitting(clock={"bank_s": 30, "missed_deadlines_max": 1})
    seat = table.owing
    table.wait(30.001)
    table.carry_on()
    act(table.repository, table.game, seat, ReturnToSeat())
    assert table.state.table.clocks.banks[seat] == 0
    assert table.is_sound()


def test_a_bots_thinking_time_is_not_taken_from_the_next_player(sitting: Callable[..., Sitting]) -> None:
    seats = ({"bot": "greedy"}, "me")
    table = sitting(*seats, ruleset="catham-city", options={"first_seat": 0}, clock={"decision_s": 5})

    def thinks() -> Iterations:
        table.wait(0.7)
        return Iterations(1)

    began = table.now
    prepared = bots_commit(table.game, table.state, thinks, began)
    assert prepared is not None
    assert prepared.state.at == began + 700


def test_a_vote_does_not_wait_for_a_seat_that_resigned(sitting: Callable[..., Sitting]) -> None:
    table = sitting("me", "me", "me")
    for seat in map(Seat, range(3)):
        act(table.repository, table.game, seat, AgreeToPause())
    assert table.state.status == "paused"
    act(table.repository, table.game, Seat(0), AgreeToResume())
    act(table.repository, table.game, Seat(1), Resign())
    assert table.state.status == "paused"
    act(table.repository, table.game, Seat(2), Resign())
    assert table.state.status == "running"
    assert table.is_sound()
