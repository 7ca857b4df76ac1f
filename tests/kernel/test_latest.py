"""What is found out once about the same things."""

from referee.kernel.latest import of_latest


def test_the_same_things_are_looked_into_once_in_a_row() -> None:
    looked = []

    @of_latest
    def total(one: tuple[int, ...], other: tuple[int, ...]) -> int:
        looked.append((one, other))
        return sum(one) + sum(other)

    first, second = (1, 2), (3,)
    assert [total(first, second) for _ in range(3)] == [6, 6, 6]
    assert looked == [(first, second)]
    assert total(second, first) == 6
    assert total(first, second) == 6
    assert len(looked) == 3


def test_equal_things_that_are_not_the_same_are_looked_into_again() -> None:
    looked = []

    @of_latest
    def length(one: list[int], other: list[int]) -> int:
        looked.append(one)
        return len(one) + len(other)

    assert length([1], []) == 1
    assert length([1], []) == 1
    assert len(looked) == 2
