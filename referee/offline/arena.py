"""The command `python -m referee.offline.arena`: how strong each bot is, measured in many games on all cores."""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing

from referee.offline.arguments import DONE, FAILED, INTERRUPTED, add_iterations, add_jobs, positive
from referee.offline.match import LOOKS, PAIRS, SEED, Match, Score, Verdict, looks, matches
from referee.offline.pool import TaskFailed, in_order
from referee.offline.progress import watched
from referee.rulesets import LATEST

GAMES = 400
ITERATIONS = 200
"""So much the bot search thinks about a move: some tenths of a second."""

COLUMNS = "{:<22} {:<22} {:>5}  {:<14} {:>5}  {:>4}  {:<12}  {:>4}  {}"
HEADER = COLUMNS.format("title", "scenario", "seats", "bots", "games", "won", "interval", "aim", "verdict")


def main(arguments: Sequence[str]) -> int:
    """Play the matches, print a table, and give the exit status."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    chosen = [
        match
        for match in matches(asked.ruleset or list(LATEST), asked.seats, asked.bot, asked.iterations, asked.seed)
        if not asked.scenario or match.options.get("scenario") in asked.scenario
    ]
    if not chosen:
        parser.error("no title has such a match: see --ruleset, --scenario and --seats")
    try:
        return _play_all(chosen, asked.games, asked.jobs)
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
    """Play a match until its verdict is clear when it is looked at, or so many games are played, in whole rounds."""
    score, looked_at = Score(match.aim), looks(match.seats, games)
    most = looked_at[-1]
    with closing(in_order(match.share, range(most), min(jobs, most))) as shares:
        for share in watched(shares, most):
            score.add(share)
            if score.games in looked_at and score.is_clear:
                break
    return score


def line(match: Match, score: Score) -> str:
    """A row of the table."""
    low, high = score.interval
    scenario = str(match.options.get("scenario", "-"))
    bots, interval = f"{match.strong}/{match.weak}", f"{low:.2f} to {high:.2f}"
    won, aim = f"{score.share:.2f}", f"{float(match.aim):.2f}"
    return COLUMNS.format(match.slug, scenario, match.seats, bots, score.games, won, interval, aim, score.verdict)


def last_line(verdicts: Mapping[Verdict, int]) -> str:
    """How many aims are met, how many are as far as can be seen, and how many are not."""
    missed = verdicts["unlikely"] + verdicts["missed"]
    return f"{sum(verdicts.values())} aims: {verdicts['met']} met, {verdicts['likely']} likely, {missed} not reached."


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m referee.offline.arena",
        description="Measure the built-in bots: one stronger bot among weaker ones, in every seat in turn. A match "
        f"is looked at after {', '.join(map(str, LOOKS))} and all games, and ends when its verdict is clear. The "
        "interval holds the true share in about 95 of 100 matches.",
        epilog="Verdicts: met, the whole interval lies above the aim; likely, the share reaches the aim, but the "
        "interval goes below it; unlikely, the share is below the aim, but the interval reaches it; missed, the whole "
        "interval lies below. The last line counts the unlikely and the missed as not reached. "
        "Exit status: 0 no share is below its aim, 1 some are or a game failed, 2 wrong usage, 130 interrupted.",
    )
    parser.add_argument("--ruleset", action="append", choices=list(LATEST), help="only this title; may be repeated")
    parser.add_argument("--scenario", action="append", help="only this scenario; may be repeated")
    parser.add_argument("--seats", action="append", type=positive, default=[], help="only this many; may be repeated")
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
        help="at most so many a match, rounded up to whole rounds of seats (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", default=SEED, help="a word or number: other luck for all games (default: %(default)s)"
    )
    add_iterations(parser, ITERATIONS)
    add_jobs(parser)
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
