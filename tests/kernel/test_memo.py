"""Results that are remembered for the same arguments."""

from referee.kernel.memo import remember_last


def test_the_same_arguments_are_computed_once_in_a_row() -> None:
    computed = []

    @remember_last
    def total(one: tuple[int, ...], other: tuple[int, ...]) -> int:
        computed.append((one, other))
        return sum(one) + sum(other)

    first, second = (1, 2), (3,)
    assert [total(first, second) for _ in range(3)] == [6, 6, 6]
    assert computed == [(first, second)]
    assert total(second, first) == 6
    assert total(first, second) == 6
    assert len(computed) == 3


def test_equal_but_not_identical_arguments_are_computed_again() -> None:
    computed = []

    @remember_last
    def length(one: list[int], other: list[int]) -> int:
        computed.append(one)
        return len(one) + len(other)

    assert length([1], []) == 1
    assert length([1], []) == 1
    assert len(computed) == 2
