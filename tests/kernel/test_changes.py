"""Changed copies of frozen positions."""

import pytest

from referee.kernel.changes import put, with_seat, without
from tests.toy.position import SeatState


@pytest.mark.parametrize(("index", "after"), [(0, "xbc"), (1, "axc"), (2, "abx")])
def test_put_replaces_one_item(index: int, after: str) -> None:
    assert put(tuple("abc"), index, "x") == tuple(after)


def test_one_seat_is_changed_and_the_others_are_shared() -> None:
    seats = (SeatState(coins=1), SeatState(coins=2))
    after = with_seat(seats, 1, coins=5, bid=3)
    assert after == (SeatState(coins=1), SeatState(coins=5, bid=3))
    assert after[0] is seats[0]


def test_the_first_equal_item_is_removed_and_the_rest_keep_their_order() -> None:
    assert without(tuple("abcab"), "ab") == tuple("cab")
    assert without(tuple("abc"), "") == tuple("abc")


def test_an_item_that_is_not_there_cannot_be_removed() -> None:
    with pytest.raises(ValueError):
        without(tuple("abc"), "aa")
