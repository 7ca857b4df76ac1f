"""What the commands of offline play have in common."""

import argparse

from referee.offline.pool import cores

DONE, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130
"""The exit statuses."""


def positive(text: str) -> int:
    """A whole number from 1 on."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"`{text}` is no whole number from 1 on")
    return int(text)


def add_iterations(parser: argparse.ArgumentParser, count: int) -> None:
    """Let it be said how much a bot thinks."""
    told = "how much the bot search thinks about a move (default: %(default)s)"
    parser.add_argument("--iterations", type=positive, default=count, metavar="N", help=told)


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Let it be said how many processes play."""
    told = "processes (default: one per core, %(default)s)"
    parser.add_argument("--jobs", type=positive, default=cores(), metavar="N", help=told)
