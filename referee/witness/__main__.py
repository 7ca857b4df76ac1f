"""The command of a witness: `python -m referee.witness watch URL VKEY STATE`, `compare VKEY ONE OTHER [URL]`.

It exits with 1 if a log told two stories, and leaves both signed checkpoints; with 2 if something cannot be read.
"""

import argparse
import sys
import time
from pathlib import Path
from urllib.error import URLError

from referee.tlog.note import InvalidNote, Verifier, read_vkey
from referee.witness.watch import Fork, compare, look, over_http


def main(arguments: list[str]) -> int:
    """Watch a log or compare two checkpoints; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        verifier = read_vkey(options.vkey)
        return _watch(options, verifier) if options.command == "watch" else _compare(options, verifier)
    except Fork as fork:
        evidence = Path(f"{options.state}.fork" if options.command == "watch" else "checkpoints.fork")
        evidence.write_text(f"{fork.old}\n{fork.new}")
        print(f"FORK: {fork} Both signed checkpoints are in {evidence}.")
        return 1
    except (InvalidNote, OSError, UnicodeDecodeError) as error:
        print(f"unreadable: {error}", file=sys.stderr)
        return 2


def _watch(options: argparse.Namespace, verifier: Verifier) -> int:
    rounds = 0
    while True:
        try:
            checkpoint = look(over_http(options.url), verifier, Path(options.state))
            print(f"{checkpoint.size} leaves", flush=True)
        except URLError as error:
            print(f"no answer: {error}", file=sys.stderr, flush=True)
        rounds += 1
        if rounds == options.rounds:
            return 0
        time.sleep(options.seconds)


def _compare(options: argparse.Namespace, verifier: Verifier) -> int:
    one, other = (Path(name).read_text() for name in (options.one, options.other))
    print(compare(verifier, one, other, over_http(options.url) if options.url else None))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m referee.witness", description="Watch a transparency log.")
    commands = parser.add_subparsers(dest="command", required=True)
    watch = commands.add_parser("watch", help="follow a log, and stop if it tells two stories")
    watch.add_argument("url", help="where the log is, such as https://referee.example/log")
    watch.add_argument("vkey", help="the key of the log, from /log/keys")
    watch.add_argument("state", help="a file for the last checkpoint")
    watch.add_argument("--seconds", type=float, default=60, help="seconds between two looks (default: 60)")
    watch.add_argument("--rounds", type=int, default=0, help="how often to look (default: for ever)")
    compared = commands.add_parser("compare", help="compare the checkpoints that two people have")
    for name in ("vkey", "one", "other"):
        compared.add_argument(name)
    compared.add_argument("url", nargs="?", help="where the log is, to prove that one continues the other")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
