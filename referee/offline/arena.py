"""The command `python -m referee.offline.arena`: how strong each bot is, measured in many games on all cores."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing

from referee.offline.match import PAIRS, Match, Score, matches
from referee.offline.pool import cores, in_order
from referee.offline.progress import watched
from referee.rulesets import LATEST

GAMES = 400
GAMES_MIN = 24
"""Fewer games prove nothing, however they end."""
ITERATIONS = 200
"""So much the bot search thinks about a move: some tenths of a second."""

COLUMNS = "{:<22} {:<22} {:>5}  {:<14} {:>5}  {:>4}  {:<12}  {:>4}  {}"
HEADER = COLUMNS.format("title", "scenario", "seats", "bots", "games", "won", "interval", "aim", "verdict")


def main(arguments: Sequence[str]) -> int:
    """Play the matches, print a table, and give the exit status: 1 if an aim is missed."""
    asked = _parser().parse_args(arguments)
    slugs = asked.ruleset or list(LATEST)
    chosen = list(matches(slugs, asked.seats, asked.bot, asked.iterations))
    if asked.scenario:
        chosen = [match for match in chosen if match.options.get("scenario") in asked.scenario]
    print(HEADER, flush=True)
    failed = 0
    for match in chosen:
        score = play(match, asked.games, asked.jobs)
        print(line(match, score), flush=True)
        failed += score.share < match.aim
    print(f"{len(chosen) - failed} of {len(chosen)} aims are met.")
    return 1 if failed else 0


def play(match: Match, games: int, jobs: int) -> Score:
    """Play a match until its verdict is clear, or so many games are played."""
    score = Score(match.aim)
    with closing(in_order(match.share, range(games), min(jobs, games))) as shares:
        for share in watched(shares, games):
            score.add(share)
            if score.games >= GAMES_MIN and score.games % match.seats == 0 and score.is_clear:
                break
    return score


def line(match: Match, score: Score) -> str:
    """A row of the table."""
    low, high = score.interval()
    scenario = str(match.options.get("scenario", "-"))
    bots, interval = f"{match.strong}/{match.weak}", f"{low:.2f} to {high:.2f}"
    won, aim = f"{score.share:.2f}", f"{float(match.aim):.2f}"
    return COLUMNS.format(match.slug, scenario, match.seats, bots, score.games, won, interval, aim, score.verdict)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m referee.offline.arena",
        description="Measure the built-in bots: one stronger bot among weaker ones, in every seat in turn. A match "
        "ends when its verdict is clear. The interval holds the true share in 95 of 100 cases.",
        epilog="Exit status: 0 every aim is met, 1 some are not.",
    )
    parser.add_argument("--ruleset", action="append", choices=list(LATEST), help="only this title; may be repeated")
    parser.add_argument("--scenario", action="append", help="only this scenario; may be repeated")
    parser.add_argument("--seats", action="append", type=int, default=[], help="only this many; may be repeated")
    parser.add_argument(
        "--bot",
        action="append",
        default=[],
        choices=[strong for strong, _ in PAIRS],
        help="only the matches that this bot should win; may be repeated",
    )
    parser.add_argument("--games", type=int, default=GAMES, help="at most so many a match (default: %(default)s)")
    parser.add_argument(
        "--iterations",
        type=int,
        default=ITERATIONS,
        help="how much the bot search thinks about a move (default: %(default)s)",
    )
    parser.add_argument("--jobs", type=int, default=cores(), help="processes (default: one per core, %(default)s)")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
