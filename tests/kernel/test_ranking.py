"""Places: the order, shared ranks, and the clause that each seat's place cites."""

from referee.kernel.ranking import Place, places, ranks_of


def test_equal_keys_share_a_rank_and_the_next_rank_is_skipped() -> None:
    assert ranks_of((4, 9, 4, 1)) == (2, 1, 2, 4)
    assert ranks_of(()) == ()


def test_the_best_come_first_and_equal_seats_in_the_order_of_the_table() -> None:
    found = places((4, 9, 4), (4, 9, 4), "TY-13")
    assert found == (Place(1, 1, 9, "TY-13"), Place(0, 2, 4, "TY-13"), Place(2, 2, 4, "TY-13"))


def test_the_rest_of_the_key_breaks_a_tie_and_the_clause_of_the_tie_is_cited() -> None:
    found = places(((4, 1), (4, 2), (3, 9)), (4, 4, 3), "TY-12", tie="TY-13")
    assert found == (Place(1, 1, 4, "TY-13"), Place(0, 2, 4, "TY-13"), Place(2, 3, 3, "TY-12"))
