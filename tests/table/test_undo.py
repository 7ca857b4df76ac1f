"""Which moves can be undone."""

from typing import Any

import pytest
from msgspec.structs import replace as changed

from referee.kernel.judge import read_position, weighed_moves
from referee.kernel.message import Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import REFEREE, Seat
from referee.rulesets import LATEST
from referee.table.undo import JUDGED_MAX, PAST_MAX, Past, last_of, past_after, why_final
from tests.audit.race import RACE, Roll
from tests.audit.race import SetUp as StartRace
from tests.audit.recorded_game import Play
from tests.kernel.test_toy import a_position, bidding
from tests.parts import with_functions
from tests.toy import TOY
from tests.toy.bidding import Bid, OfferCard
from tests.toy.haggling import ShareCoins
from tests.toy.position import SeatState
from tests.toy.turns import DrawCard
from tests.worst import WORST


def past(version: int, actor: Any, move: Move | None = None, position: Any = None) -> Past:
    return Past(version, actor, move or Roll(), position, 0, None, None)


def test_moves_of_one_seat_with_the_triggers_after_them_may_be_undone() -> None:
    taken = past_after((), past(1, Seat(0)))
    taken = past_after(taken, past(2, Seat(0)))
    taken = past_after(taken, past(3, REFEREE))
    assert [each.version for each in taken] == [1, 2, 3]
    assert [each.version for each in last_of(taken, Seat(0))] == [2, 3]
    assert last_of(taken, Seat(1)) == ()


def test_a_move_after_which_another_seat_acted_stays() -> None:
    taken = past_after((past(1, Seat(0)), past(2, REFEREE)), past(3, Seat(1)))
    assert [each.version for each in taken] == [3]


def test_nobody_can_undo_a_trigger_alone() -> None:
    assert past_after((), past(1, REFEREE)) == ()


def test_only_the_last_commits_can_be_undone() -> None:
    taken: tuple[Past, ...] = ()
    for version in range(1, PAST_MAX + 10):
        taken = past_after(taken, past(version, Seat(0)))
    assert (len(taken), taken[-1].version) == (PAST_MAX, PAST_MAX + 9)


def test_a_move_that_drew_luck_is_final() -> None:
    play = Play(RACE).move(REFEREE, StartRace())
    final = why_final(RACE, (past(2, play.position.active, Roll(), play.position),))
    assert final is not None and "Version 2 drew luck" in final


SHARING = {"phase": "sharing", "active_seat": 0, "buyer": 1}


@pytest.mark.parametrize(
    ("seat", "move", "position", "reader"),
    [
        (0, DrawCard(), a_position(), "seat 0"),
        (0, OfferCard(card="carp"), a_position(), "everybody"),
    ],
)
def test_a_move_that_revealed_something_hidden_is_final(seat: int, move: Move, position: Any, reader: str) -> None:
    final = why_final(TOY, (past(7, Seat(seat), move, position),))
    assert final == f"Version 7 showed {reader} something that was hidden before."


def test_a_secret_move_reveals_nothing() -> None:
    assert why_final(TOY, (past(7, Seat(1), Bid(coins=2), bidding(None, None)),)) is None


def test_a_move_without_secrets_can_be_undone() -> None:
    seats = (SeatState(coins=5), SeatState(hand=("eel",), coins=5), SeatState(coins=5))
    alone = a_position(seats=(SeatState(hand=("carp",) * 1, coins=5), *seats[1:]))
    assert why_final(TOY, (past(7, Seat(0), OfferCard(card="carp"), alone),)) is not None
    moves = [move for move in TOY.candidates(_sharing(), Seat(1)) if isinstance(move, ShareCoins)]
    assert moves and why_final(TOY, (past(9, Seat(1), moves[0], _sharing()),)) is None


def _sharing() -> Any:
    """A position in which seat 1 hands out coins, reached by play."""
    from tests.given import Given
    from tests.toy.bidding import RevealBids

    return Given(TOY, bidding(3, 1)).when(REFEREE, RevealBids()).position


class Counted:
    """A ruleset that counts the moves that it judges."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.judged = 0
        self._before = ruleset.contract.before
        self.ruleset = with_functions(ruleset, before=self._count)

    def _count(self, case: Any, attempt: Any) -> None:
        self.judged += 1
        self._before(case, attempt)


@pytest.mark.parametrize("name", WORST)
@pytest.mark.parametrize("choice", [0, 20, -1])
def test_an_undo_judges_a_bounded_number_of_moves_even_in_the_worst_positions(name: str, choice: int) -> None:
    slug, make = WORST[name]
    raw, seat = make()
    counted = Counted(LATEST[slug])
    position = read_position(counted.ruleset, raw)
    move = weighed_moves(counted.ruleset, position, seat)[choice].move
    answers = []
    for _ in range(2):
        counted.judged = 0
        answers.append(why_final(counted.ruleset, (past(1, seat, move, position),) * 3))
        assert counted.judged <= JUDGED_MAX + 3
    assert answers[0] == answers[1], "the audit comes to the same result"


def test_an_undo_that_needs_too_many_judged_moves_is_refused() -> None:
    """In a world in which nobody has a coin, any of thousands of bids could be the one that was made."""
    rich = bidding(None, None)
    rich = changed(rich, seats=tuple(changed(seat, coins=10**6) for seat in rich.seats))
    bids = [Bid(coins=coins) for coins in range(1, JUDGED_MAX + 2)]
    unlike = with_functions(
        TOY,
        candidates=lambda position, seat, edition: bids,
        alike=lambda position, reader, chance, edition: _poor(position),
    )
    final = why_final(unlike, (past(7, Seat(1), bids[-1], rich),))
    assert final is not None and f"within {JUDGED_MAX} judged moves" in final


def _poor(position: Any) -> Any:
    return changed(position, seats=tuple(changed(seat, coins=0) for seat in position.seats))
