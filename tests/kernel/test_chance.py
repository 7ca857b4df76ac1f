"""Luck: derived, seeded, forced, or probed."""

from collections import Counter
from typing import Any

import pytest

from referee.kernel.chance import Derived, Drawn, Forced, Probe, Seeded, Source
from referee.kernel.rejection import InvalidChance

KEY = bytes(range(32))
CARDS = ("eel", "eel", "pike", "carp")


class Words(Source):
    """A source with predetermined words."""

    def __init__(self, *words: int) -> None:
        super().__init__(b"", "")
        self._given = list(words)

    def _word(self) -> int:
        return self._given.pop(0)


def test_words_that_would_favour_small_numbers_are_skipped() -> None:
    assert Words(2**64 - 1, 2**64 - 2, 5).below(2**63 + 1) == 5
    assert Words(2**64 - 1).below(2**64) == 2**64 - 1
    assert Words(2**64 - 1, 7).below(3) == 7 % 3, "2^64 is not a multiple of three, so the last word is skipped"


def test_numbers_below_a_bound_are_spread_evenly() -> None:
    source = Source(KEY, "even")
    counts = Counter(source.below(6) for _ in range(6000))
    assert sorted(counts) == list(range(6))
    assert all(900 < count < 1100 for count in counts.values())


def test_luck_depends_on_the_key_the_number_of_drawings_and_the_point() -> None:
    def faces(key: bytes, before: int, point: str) -> tuple[tuple[int, ...], ...]:
        chance = Derived(key, before)
        return chance.dice(point, 10), chance.dice(point, 10)

    first, second = faces(KEY, 1, "roll")
    assert (first, second) == faces(KEY, 1, "roll")
    assert first != second
    assert second == faces(KEY, 2, "roll")[0], "it does not matter in which commit a drawing is made"
    assert len({first, *(faces(*other)[0] for other in ((KEY, 2, "roll"), (KEY, 1, "throw"), (b"", 1, "roll")))}) == 4


def test_every_drawing_counts_even_one_that_needs_no_luck() -> None:
    chance = Derived(KEY, 1)
    chance.shuffle("other", CARDS)
    chance.shuffle("nothing", ())
    assert chance.dice("roll", 10) == Derived(KEY, 3).dice("roll", 10)


def test_outcomes_are_collected_in_order() -> None:
    chance = Derived(KEY, 3)
    hand, face = chance.pick("deal", CARDS, 2), chance.number("face", 1, 6)
    assert chance.drawn == [("deal", hand), ("face", face)]


def test_a_seed_gives_the_same_sequence_whatever_its_type() -> None:
    assert Seeded(7).dice("roll", 20) == Seeded("7").dice("roll", 20) == Seeded(b"7").dice("roll", 20)
    assert Seeded(7).dice("roll", 20) != Seeded(8).dice("roll", 20)


def test_seeded_luck_collects_no_outcomes() -> None:
    chance = Seeded(1)
    chance.dice("roll", 2)
    assert chance.drawn == []


@pytest.mark.parametrize("count", range(5))
def test_a_pick_takes_the_given_number_of_items_and_none_twice(count: int) -> None:
    for seed in range(20):
        picked = Seeded(seed).pick("deal", CARDS, count)
        assert len(picked) == count
        assert not Counter(picked) - Counter(CARDS)


def test_every_order_is_equally_likely() -> None:
    chance = Seeded(1)
    orders = Counter(chance.shuffle("mix", ("a", "b", "c")) for _ in range(6000))
    assert len(orders) == 6
    assert all(900 < count < 1100 for count in orders.values())


def test_shuffling_one_or_nothing_needs_no_luck() -> None:
    assert Seeded(0).shuffle("mix", ()) == ()
    assert Seeded(0).shuffle("mix", ("eel",)) == ("eel",)


def forced(point: str, outcome: Any) -> Forced:
    return Forced([(point, outcome)], Seeded(0))


def test_forced_outcomes_are_used_in_order_and_the_rest_is_drawn() -> None:
    chance = Forced([("roll", [6, 6]), ("roll", [1, 1])], Seeded(0))
    assert chance.dice("roll", 2) == (6, 6)
    assert set(chance.dice("other", 2)) <= set(range(1, 7))
    assert chance.dice("roll", 2) == (1, 1)
    assert chance.drawn[0] == ("roll", (6, 6))
    chance.require_used()


@pytest.mark.parametrize("outcome", [[1], [1, 7], [0, 1], [1, True], [1, "2"], 7, None, {}, [1.0, 2]])
def test_forced_dice_must_show_possible_faces(outcome: Any) -> None:
    with pytest.raises(InvalidChance) as refused:
        forced("roll", outcome).dice("roll", 2)
    assert refused.value.point == "roll"


@pytest.mark.parametrize("outcome", [0, 5, True, "1", None, [1], 1.0])
def test_a_forced_number_must_be_within_its_bounds(outcome: Any) -> None:
    with pytest.raises(InvalidChance):
        forced("seat", outcome).number("seat", 1, 4)


@pytest.mark.parametrize(
    "outcome",
    [["eel"], ["eel", "eel", "eel"], ["pike", "pike"], ["shark", "eel"], "ee", None, [["eel"], "eel"], [{}, {}]],
)
def test_only_cards_in_the_pile_can_be_forced(outcome: Any) -> None:
    with pytest.raises(InvalidChance):
        forced("deal", outcome).pick("deal", CARDS, 2)


@pytest.mark.parametrize("outcome", [[True, 2], [1.0, 2], [2, 1.0], ["1", 2]])
def test_an_equal_value_of_another_type_cannot_be_forced(outcome: Any) -> None:
    with pytest.raises(InvalidChance):
        forced("draw", outcome).pick("draw", (1, 2, 3), 2)


def test_cards_can_be_forced_in_any_order() -> None:
    assert forced("deal", ["pike", "eel"]).pick("deal", CARDS, 2) == ("pike", "eel")


def test_an_outcome_for_a_point_that_does_not_occur_is_refused() -> None:
    chance = Forced([("later", 1)], Seeded(0))
    chance.dice("roll", 1)
    with pytest.raises(InvalidChance, match="later"):
        chance.require_used()


def test_a_probe_stops_at_the_first_drawing() -> None:
    probe = Probe()
    with pytest.raises(Drawn):
        probe.shuffle("mix", CARDS)
    assert probe.drawn == []
