"""The command `python -m referee.offline.arena`: measures the strength of each bot in many games, on all cores."""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing

from referee.audit.command import program
from referee.offline.arguments import DONE, FAILED, INTERRUPTED, add_iterations, add_jobs, exit_status, positive
from referee.offline.match import CHECK_POINTS, PAIRS, SEED, Match, Score, Verdict, check_points_of, matches
from referee.offline.pool import TaskFailed, in_order
from referee.offline.progress import with_progress
from referee.rulesets import LATEST

GAMES = 400
ITERATIONS = 200
"""The iterations of the bot search for one move, which take some tenths of a second."""

COLUMNS = "{:<22} {:<22} {:>5}  {:<14} {:>5}  {:>4}  {:<12}  {:>4}  {}"
HEADER = COLUMNS.format("title", "scenario", "seats", "bots", "games", "won", "interval", "aim", "verdict")


def main(arguments: Sequence[str]) -> int:
    """Play the matches, print a table, and return the exit status."""
    parser = _parser()
    given = parser.parse_args(arguments)
    chosen = [
        match
        for match in matches(given.ruleset or list(LATEST), given.seats, given.bot, given.iterations, given.seed)
        if not given.scenario or match.options.get("scenario") in given.scenario
    ]
    if not chosen:
        parser.error("no title has a match with these --ruleset, --scenario, --seats and --bot")
    try:
        return _play_all(chosen, given.games, given.jobs)
    except TaskFailed as failure:
        print(f"{failure.trace}{failure}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED


def _play_all(chosen: Sequence[Match], games: int, jobs: int) -> int:
    print(HEADER, flush=True)
    verdicts: Counter[Verdict] = Counter()
    for match in chosen:
        score = play(match, games, jobs)
        print(line(match, score), flush=True)
        verdicts[score.verdict] += 1
    print(last_line(verdicts))
    return FAILED if verdicts["unlikely"] + verdicts["missed"] else DONE


def play(match: Match, games: int, jobs: int) -> Score:
    """Play a match in whole rounds of seats, until its verdict is clear or it has at least this number of games."""
    score, check_points = Score(match.aim), check_points_of(match.seats, games)
    most = check_points[-1]
    with closing(in_order(match.share, range(most), min(jobs, most))) as shares:
        for share in with_progress(shares, most):
            score.add(share)
            if score.games in check_points and score.is_clear:
                break
    return score


def line(match: Match, score: Score) -> str:
    """Return a row of the table."""
    low, high = score.interval
    scenario = str(match.options.get("scenario", "-"))
    bots, interval = f"{match.strong}/{match.weak}", f"{low:.2f} to {high:.2f}"
    won, aim = f"{score.share:.2f}", f"{float(match.aim):.2f}"
    return COLUMNS.format(match.slug, scenario, match.seats, bots, score.games, won, interval, aim, score.verdict)


def last_line(verdicts: Mapping[Verdict, int]) -> str:
    """Return the number of aims that are met, likely and not reached."""
    missed = verdicts["unlikely"] + verdicts["missed"]
    return f"{sum(verdicts.values())} aims: {verdicts['met']} met, {verdicts['likely']} likely, {missed} not reached."


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program("referee-arena", "referee.offline.arena"),
        description="Measure the strength of the built-in bots: one stronger bot plays among weaker ones, in every "
        f"seat in turn. After {', '.join(map(str, CHECK_POINTS))} games a match ends early if its verdict is clear. "
        "The interval contains the true share in about 95 of 100 matches.",
        epilog="Verdicts: met, the whole interval is above the aim; likely, the share reaches the aim, but the "
        "interval extends below it; unlikely, the share is below the aim, but the interval reaches it; missed, the "
        "whole interval is below the aim. The last line counts unlikely and missed aims as not reached. "
        "Exit status: 0 no share is below its aim, 1 some are or a game failed, 2 wrong usage, 130 interrupted.",
    )
    parser.add_argument("--ruleset", action="append", choices=list(LATEST), help="only this title; may be repeated")
    parser.add_argument("--scenario", action="append", help="only this scenario; may be repeated")
    parser.add_argument(
        "--seats", action="append", type=positive, default=[], help="only this number of seats; may be repeated"
    )
    parser.add_argument(
        "--bot",
        action="append",
        default=[],
        choices=[strong for strong, _ in PAIRS],
        help="only the matches that this bot should win; may be repeated",
    )
    parser.add_argument(
        "--games",
        type=positive,
        default=GAMES,
        help="the most games in a match, rounded up to whole rounds of seats (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", default=SEED, help="a word or a number; another seed leads to other luck (default: %(default)s)"
    )
    add_iterations(parser, ITERATIONS)
    add_jobs(parser)
    return parser


def command() -> int:
    """Run the command with the arguments of the process."""
    return exit_status(main(sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(command())
