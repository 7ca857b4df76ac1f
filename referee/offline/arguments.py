"""Command-line arguments that the commands of offline play share."""

import argparse
import os
import threading

from referee.offline.pool import cores

DONE, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130
"""The exit statuses."""


EXIT_S = 5
"""How long an interrupted command tidies up."""


def exit_status(status: int) -> int:
    """Return the exit status of a command, and see to it that one that was interrupted ends.

    A process that was terminated in the middle of its work may have held a lock, for which the pool's own thread waits
    at the end of Python, in vain.
    """
    if status == INTERRUPTED:
        last = threading.Timer(EXIT_S, os._exit, [status])
        last.daemon = True
        last.start()
    return status


def positive(text: str) -> int:
    """Read a whole number of at least 1."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got `{text}`")
    return int(text)


def add_iterations(parser: argparse.ArgumentParser, count: int) -> None:
    """Add the option `--iterations`."""
    text = "the iterations of the bot search for each move (default: %(default)s)"
    parser.add_argument("--iterations", type=positive, default=count, metavar="N", help=text)


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add the option `--jobs`."""
    text = "the number of processes (default: one per core, %(default)s)"
    parser.add_argument("--jobs", type=positive, default=cores(), metavar="N", help=text)
