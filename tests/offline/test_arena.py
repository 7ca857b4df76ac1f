"""How strength is measured: who sits where, what a win is, and when a verdict is clear."""

from fractions import Fraction

import pytest

from referee.offline.arena import main, play
from referee.offline.match import Match, Score, matches, scenarios, share_of, wilson
from referee.offline.play import Result
from referee.rulesets import LATEST

MATCH = Match("catham-city", {}, 3, "greedy", "random", iterations=1)


def test_the_stronger_bot_sits_in_every_seat_in_turn() -> None:
    assert [MATCH.bots(number).index("greedy") for number in range(6)] == [0, 1, 2, 0, 1, 2]
    assert all(MATCH.bots(number).count("random") == 2 for number in range(6))


def test_a_first_place_that_is_shared_is_a_part_of_a_win() -> None:
    result = Result(seed="1", bots=("a", "b", "c"), ranks=(1, 3, 1), scores=(5, 2, 5), commits=9, duration_ms=0)
    assert [share_of(result, seat) for seat in range(3)] == [Fraction(1, 2), 0, Fraction(1, 2)]


def test_the_interval_is_that_of_wilson() -> None:
    low, high = wilson(0.5, 100, 1.96)
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)
    low, high = wilson(1.0, 10, 1.96)
    assert (round(low, 3), high) == (0.722, 1.0)


@pytest.mark.parametrize(
    ("won", "games", "verdict", "is_clear"),
    [(95, 100, "met", True), (40, 100, "missed", True), (7, 10, "likely", False), (6, 10, "unlikely", False)],
)
def test_a_verdict_is_clear_when_the_interval_leaves_out_the_aim(won, games, verdict, is_clear) -> None:
    score = Score(Fraction(65, 100), games, Fraction(won))
    assert (score.verdict, score.is_clear) == (verdict, is_clear)


def test_the_aims_are_those_of_two_seats_and_of_more() -> None:
    aims = {(match.seats, match.strong): match.aim for match in matches(["hund-und-katz"], [], [], 1)}
    assert aims[2, "greedy"] == Fraction(9, 10)
    assert aims[2, "search"] == Fraction(65, 100)
    assert aims[4, "greedy"] == Fraction(1, 2)
    assert aims[4, "search"] == Fraction(13, 40)


@pytest.mark.parametrize("ruleset", LATEST.values(), ids=list(LATEST))
def test_every_scenario_and_number_of_seats_has_its_matches(ruleset) -> None:
    found = list(matches([ruleset.slug], [], [], 1))
    assert {match.seats for match in found} == set(ruleset.seats)
    named = {getattr(options, "scenario", None) for options in ruleset.variants}
    assert {match.options.get("scenario") for match in found} == named
    assert len(scenarios(ruleset)) == len(named)


def test_a_match_ends_when_its_verdict_is_clear() -> None:
    assert play(MATCH, 200, jobs=1).games < 200


def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--ruleset", "catham-city", "--seats", "2", "--bot", "greedy", "--games", "6", "--jobs", "1"]
    assert main(asked) == 0
    head, row, end = capsys.readouterr().out.splitlines()
    assert head.split()[:4] == ["title", "scenario", "seats", "bots"]
    assert row.split()[:5] == ["catham-city", "-", "2", "greedy/random", "6"]
    assert end == "1 of 1 aims are met."


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["--games", "0"], "argument --games: `0` is no whole number from 1 on"),
        (["--jobs", "none"], "argument --jobs: `none` is no whole number from 1 on"),
        (["--iterations", "-1"], "argument --iterations: `-1` is no whole number from 1 on"),
        (["--seats", "9"], "no title has such a match"),
        (["--scenario", "nowhere"], "no title has such a match"),
        (["--ruleset", "chess"], "invalid choice: 'chess'"),
    ],
)
def test_what_cannot_be_played_is_named(asked: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(asked)
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (2, "")
    assert told in said.err


def test_another_seed_is_other_luck() -> None:
    shares = [
        [Match("hund-und-katz", {}, 2, "random", "random", 1, seed).share(n) for n in range(12)] for seed in "aab"
    ]
    assert shares[0] == shares[1] != shares[2]
