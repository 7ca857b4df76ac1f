"""The arena: seats, wins, intervals, and when a verdict is clear."""

from fractions import Fraction

import pytest

from referee.offline import arena
from referee.offline.arena import GAMES, main, play
from referee.offline.match import (
    AIMS_OF_MORE,
    AIMS_OF_TWO,
    Match,
    Score,
    check_points_of,
    matches,
    scenarios,
    share_of,
    wilson,
)
from referee.offline.play import Result
from referee.rulesets import LATEST

MATCH = Match("catham-city", {}, 3, "greedy", "random", iterations=1)


def test_the_stronger_bot_plays_in_every_seat_in_turn() -> None:
    assert [MATCH.bots(number).index("greedy") for number in range(6)] == [0, 1, 2, 0, 1, 2]
    assert all(MATCH.bots(number).count("random") == 2 for number in range(6))


def test_a_shared_first_place_counts_as_part_of_a_win() -> None:
    result = Result(seed="1", bots=("a", "b", "c"), ranks=(1, 3, 1), scores=(5, 2, 5), commits=9, duration_ms=0)
    assert [share_of(result, seat) for seat in range(3)] == [Fraction(1, 2), 0, Fraction(1, 2)]


def test_the_interval_is_the_wilson_score_interval() -> None:
    low, high = wilson(0.5, 100, 1.96)
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)
    low, high = wilson(1.0, 10, 1.96)
    assert (round(low, 3), high) == (0.722, 1.0)


@pytest.mark.parametrize(
    ("won", "games", "verdict", "is_clear"),
    [(95, 100, "met", True), (40, 100, "missed", True), (7, 10, "likely", False), (6, 10, "unlikely", False)],
)
def test_a_verdict_is_clear_when_the_interval_excludes_the_aim(won, games, verdict, is_clear) -> None:
    score = Score(Fraction(65, 100), games, Fraction(won))
    assert (score.verdict, score.is_clear) == (verdict, is_clear)


def test_the_aims_depend_on_the_number_of_seats() -> None:
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


@pytest.mark.parametrize(
    ("seats", "games", "check_points"),
    [
        (2, 400, (24, 50, 100, 200, 400)),
        (3, 400, (24, 51, 102, 201, 402)),
        (5, 200, (25, 50, 100, 200)),
        (4, 24, (24,)),
        (4, 7, (8,)),
        (6, 10_000, (24, 54, 102, 204, 10_002)),
    ],
)
def test_the_check_points_are_whole_rounds_of_seats(seats, games, check_points) -> None:
    assert check_points_of(seats, games) == check_points


class Scripted(Match, frozen=True):
    """A match whose games end as the script prescribes, over and over."""

    script: str = "+"

    def share(self, number: int) -> Fraction:
        return Fraction(int(self.script[number % len(self.script)] == "+"))


@pytest.mark.parametrize(
    ("script", "games"),
    [
        pytest.param("+", 24, id="clear at the first check point"),
        pytest.param("-", 24, id="clearly missed"),
        pytest.param("---" + 100 * "+", 51, id="clear between two check points"),
        pytest.param("+-+", 402, id="never clear, and in whole rounds of seats"),
    ],
)
def test_a_match_ends_only_at_a_check_point(script: str, games: int) -> None:
    match = Scripted("catham-city", {}, 3, "greedy", "random", 1, script=script)
    assert play(match, GAMES, jobs=1).games == games


def coverage(aim: Fraction, seats: int, true_share: float) -> float:
    """Return the exact probability that the interval at the end of a match contains the true share."""
    check_points = check_points_of(seats, GAMES)
    running, held = {0: 1.0}, 0.0
    for games in range(1, check_points[-1] + 1):
        lost = {won: chance * (1 - true_share) for won, chance in running.items()}
        running = {won: lost.get(won, 0.0) + running.get(won - 1, 0.0) * true_share for won in range(games + 1)}
        for won in list(running) if games in check_points else ():
            score = Score(aim, games, Fraction(won))
            if score.is_clear or games == check_points[-1]:
                low, high = score.interval
                held += running.pop(won) * (low <= true_share <= high)
    return held


@pytest.mark.parametrize("off", [-0.1, -0.04, 0, 0.04, 0.09])
@pytest.mark.parametrize("strong", ["greedy", "search"])
def test_the_interval_contains_the_true_share_although_a_match_may_end_early(strong: str, off: float) -> None:
    aims = {2: AIMS_OF_TWO[strong], **{seats: AIMS_OF_MORE[strong] / seats for seats in (3, 4, 5, 6)}}
    for seats, aim in aims.items():
        assert coverage(aim, seats, float(aim) + off) >= 0.93, (seats, aim)


def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--ruleset", "catham-city", "--seats", "2", "--bot", "greedy", "--games", "6", "--jobs", "1"]
    assert main(arguments) == 0
    head, row, end = capsys.readouterr().out.splitlines()
    assert head.split()[:4] == ["title", "scenario", "seats", "bots"]
    assert row.split()[:5] == ["catham-city", "-", "2", "greedy/random", "6"]
    assert end == "1 aims: 0 met, 1 likely, 0 not reached."


@pytest.mark.parametrize(
    ("won", "end", "status"),
    [
        ((24, 24), "2 aims: 2 met, 0 likely, 0 not reached.", 0),
        ((24, 22), "2 aims: 1 met, 1 likely, 0 not reached.", 0),
        ((22, 17), "2 aims: 0 met, 1 likely, 1 not reached.", 1),
        ((24, 2), "2 aims: 1 met, 0 likely, 1 not reached.", 1),
    ],
)
def test_the_last_line_counts_met_and_likely_aims_separately(
    won, end, status, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ends = iter(won)
    monkeypatch.setattr(arena, "play", lambda match, games, jobs: Score(Fraction(3, 4), 24, Fraction(next(ends))))
    assert main(["--ruleset", "catham-city", "--seats", "2"]) == status
    assert capsys.readouterr().out.splitlines()[-1] == end


def test_the_help_explains_the_verdicts(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    text = " ".join(capsys.readouterr().out.split())
    for verdict in ("met", "likely", "unlikely", "missed"):
        assert f" {verdict}, the " in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--games", "0"], "argument --games: expected a whole number of at least 1, got `0`"),
        (["--jobs", "none"], "argument --jobs: expected a whole number of at least 1, got `none`"),
        (["--iterations", "-1"], "argument --iterations: expected a whole number of at least 1, got `-1`"),
        (["--seats", "9"], "no title has a match with these"),
        (["--scenario", "nowhere"], "no title has a match with these"),
        (["--ruleset", "chess"], "invalid choice: 'chess'"),
    ],
)
def test_bad_arguments_are_refused(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    output = capsys.readouterr()
    assert (ended.value.code, output.out) == (2, "")
    assert message in output.err


def test_another_seed_leads_to_other_luck() -> None:
    shares = [
        [Match("hund-und-katz", {}, 2, "random", "random", 1, seed).share(n) for n in range(12)] for seed in "aab"
    ]
    assert shares[0] == shares[1] != shares[2]
