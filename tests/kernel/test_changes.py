"""Small steps for frozen positions."""

import pytest

from referee.kernel.changes import put, without


@pytest.mark.parametrize(("index", "after"), [(0, "xbc"), (1, "axc"), (2, "abx")])
def test_one_item_is_exchanged(index: int, after: str) -> None:
    assert put(tuple("abc"), index, "x") == tuple(after)


def test_the_first_equal_item_goes_and_the_rest_keep_their_order() -> None:
    assert without(tuple("abcab"), "ab") == tuple("cab")
    assert without(tuple("abc"), "") == tuple("abc")


def test_what_is_not_there_cannot_go() -> None:
    with pytest.raises(ValueError):
        without(tuple("abc"), "aa")
