"""The command `python -m referee.offline`: plays games between bots from a seed, without Redis or a server."""

import argparse
import os
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import closing
from errno import EEXIST
from pathlib import Path
from typing import Any

import msgspec

from referee.audit.command import program
from referee.audit.record import write_record
from referee.offline.arguments import DONE, FAILED, INTERRUPTED, add_iterations, add_jobs, exit_status, positive
from referee.offline.plan import (
    Plan,
    Task,
    Unplayable,
    check_bots,
    check_options,
    check_seed,
    find_ruleset,
    make_directory,
)
from referee.offline.play import ITERATIONS, Played, Result
from referee.offline.pool import TaskFailed, in_order
from referee.offline.progress import with_progress
from referee.offline.summary import Summary
from referee.rulesets import LATEST


def main(arguments: Sequence[str]) -> int:
    """Play games, print their results, and return the exit status."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        plan = _plan(given)
        directory = None if given.out is None else make_directory(given.out)
    except Unplayable as error:
        parser.error(str(error))
    try:
        return _play(plan, directory, given.jobs, given.json)
    except TaskFailed as failure:
        print(f"{failure.trace}{failure}", file=sys.stderr)
        assert isinstance(failure.task, Task)
        print(f"to play this game alone: --first {failure.task.number} --games 1 --jobs 1", file=sys.stderr)
        return FAILED
    except OSError as error:
        print(f"{error.filename or 'output'}: {error.strerror}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program("referee-play", "referee.offline"),
        description="Play games between bots without a server, on all cores. The same seed leads to the same games, "
        "byte for byte, with any number of jobs.",
        epilog="Exit status: 0 all games were played, 1 a game failed or its record could not be written, "
        "2 wrong usage, 130 interrupted.",
    )
    parser.add_argument("ruleset", help=f"the title: {', '.join(LATEST)}")
    parser.add_argument(
        "--seats",
        required=True,
        metavar="BOT,BOT,…",
        help="the bot of each seat, starting with seat 0; greedy:NAME follows that plan of the title",
    )
    parser.add_argument("--games", type=positive, default=1, metavar="N", help="the number of games (default: 1)")
    parser.add_argument("--seed", default="1", help="a word or a number; game n has the seed SEED-n (default: 1)")
    parser.add_argument(
        "--first", type=positive, default=1, metavar="N", help="the number of the first game (default: 1)"
    )
    seating = parser.add_mutually_exclusive_group()
    seating.add_argument("--rotate", action="store_true", help="move every bot by one seat after each game")
    seating.add_argument("--permute", action="store_true", help="seat the bots in every order in turn")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=_option,
        metavar="NAME=VALUE",
        help="an option of the title; a value that is not JSON is taken as text; may be repeated for other options",
    )
    add_iterations(parser, ITERATIONS)
    parser.add_argument("--edition", metavar="NAME", help="another edition of the title: a name or a TOML file")
    parser.add_argument("--out", metavar="DIRECTORY", help="write the record of each game here, as SLUG-SEED-n.jsonl")
    add_jobs(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object per game instead of a summary")
    return parser


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, got `{text}`")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


def _options(given: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return the options by name; raises Unplayable if one is repeated."""
    options: dict[str, Any] = {}
    for name, value in given:
        if name in options:
            raise Unplayable(f"the option `{name}` is given more than once")
        options[name] = value
    return options


def _plan(given: argparse.Namespace) -> Plan:
    ruleset = find_ruleset(given.ruleset, given.edition)
    bots = check_bots(ruleset, given.seats.split(","))
    return Plan(
        slug=given.ruleset,
        edition=given.edition,
        options=check_options(ruleset, _options(given.option), len(bots)),
        bots=bots,
        seed=check_seed(given.seed),
        games=given.games,
        first=given.first,
        rotates=given.rotate,
        permutes=given.permute,
        iterations=given.iterations,
    )


def _play(plan: Plan, directory: Path | None, jobs: int, as_json: bool) -> int:
    start = time.monotonic()
    summary = Summary()
    with closing(_results(plan, directory, min(jobs, plan.games))) as results:
        for result in with_progress(results, plan.games):
            summary.add(result)
            if as_json:
                print(msgspec.json.encode(result).decode(), flush=True)
    if not as_json:
        for line in summary.lines(time.monotonic() - start):
            print(line)
    return DONE


def _results(plan: Plan, directory: Path | None, jobs: int) -> Generator[Result, None, None]:
    if directory is None:
        with closing(in_order(plan.result, plan.tasks(), jobs)) as results:
            yield from results
        return
    with closing(in_order(plan.play, plan.tasks(), jobs)) as games:
        for played in games:
            _write(directory / f"{plan.slug}-{played.result.seed}.jsonl", played)
            yield played.result


def _write(file: Path, played: Played) -> None:
    """Write a record at once, so that nobody reads half of one, and never over that of another game."""
    record = b"".join(write_record(played.record.header, played.record.entries, played.record.secret))
    if file.exists():
        if file.read_bytes() != record:
            raise FileExistsError(EEXIST, "already holds another game, and was not changed", str(file))
        return
    temporary = file.with_suffix(".part")
    temporary.write_bytes(record)
    os.replace(temporary, file)


def command() -> int:
    """Run the command with the arguments of the process."""
    return exit_status(main(sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(command())
