"""The command `python -m referee.offline`: games between bots, from a seed. It needs neither Redis nor a server."""

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

from referee.audit.record import write_record
from referee.offline.arguments import DONE, FAILED, INTERRUPTED, add_iterations, add_jobs, positive
from referee.offline.plan import (
    Plan,
    Task,
    Unplayable,
    find_bots,
    find_directory,
    find_options,
    find_ruleset,
    find_seed,
)
from referee.offline.play import ITERATIONS, Played, Result
from referee.offline.pool import TaskFailed, in_order
from referee.offline.progress import watched
from referee.offline.summary import Summary
from referee.rulesets import LATEST


def main(arguments: Sequence[str]) -> int:
    """Play what is asked for, print what became of it, and give the exit status."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    try:
        plan = _plan(asked)
        directory = None if asked.out is None else find_directory(asked.out)
    except Unplayable as fault:
        parser.error(str(fault))
    try:
        return _play(plan, directory, asked.jobs, asked.json)
    except TaskFailed as failure:
        print(f"{failure.trace}{failure}", file=sys.stderr)
        assert isinstance(failure.task, Task)
        print(f"play it alone with --first {failure.task.number} --games 1 --jobs 1", file=sys.stderr)
        return FAILED
    except OSError as error:
        print(f"{error.filename or 'output'}: {error.strerror}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m referee.offline",
        description="Play games between bots without a server, on all cores. The same seed gives the same games, "
        "byte for byte, with however many jobs.",
        epilog="Exit status: 0 all games were played, 1 a game failed or could not be written, 2 wrong usage, "
        "130 interrupted.",
    )
    parser.add_argument("ruleset", help=f"the title: {', '.join(LATEST)}")
    parser.add_argument("--seats", required=True, metavar="BOT,BOT,…", help="the bot on each seat, from seat 0 on")
    parser.add_argument("--games", type=positive, default=1, metavar="N", help="how many games (default: 1)")
    parser.add_argument("--seed", default="1", help="a word or number; game n has the seed SEED-n (default: 1)")
    parser.add_argument("--first", type=positive, default=1, metavar="N", help="the number of the first game")
    parser.add_argument("--rotate", action="store_true", help="move the bots on by one seat from game to game")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=_option,
        metavar="NAME=VALUE",
        help="an option of the title; the value is JSON, or else text; may be repeated for other options",
    )
    add_iterations(parser, ITERATIONS)
    parser.add_argument("--edition", metavar="NAME", help="another edition of the title: its name, or a file in TOML")
    parser.add_argument("--out", metavar="DIRECTORY", help="write the record of each game there, as SLUG-SEED-n.jsonl")
    add_jobs(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object per game instead of a summary")
    return parser


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"`{text}` is not written NAME=VALUE")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


def _options(given: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The options by name; raises Unplayable if one is given twice."""
    options: dict[str, Any] = {}
    for name, value in given:
        if name in options:
            raise Unplayable(f"the option `{name}` is given more than once")
        options[name] = value
    return options


def _plan(asked: argparse.Namespace) -> Plan:
    ruleset = find_ruleset(asked.ruleset, asked.edition)
    bots = find_bots(ruleset, asked.seats.split(","))
    return Plan(
        slug=asked.ruleset,
        edition=asked.edition,
        options=find_options(ruleset, _options(asked.option), len(bots)),
        bots=bots,
        seed=find_seed(asked.seed),
        games=asked.games,
        first=asked.first,
        rotates=asked.rotate,
        iterations=asked.iterations,
    )


def _play(plan: Plan, directory: Path | None, jobs: int, as_json: bool) -> int:
    start = time.monotonic()
    summary = Summary()
    with closing(_results(plan, directory, min(jobs, plan.games))) as results:
        for result in watched(results, plan.games):
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
    """Write a record, over no other game's; whoever looks at the directory meanwhile sees no half of one."""
    record = b"".join(write_record(played.record.header, played.record.entries, played.record.secret))
    if file.exists():
        if file.read_bytes() != record:
            raise FileExistsError(EEXIST, "holds another game, and is left as it is", str(file))
        return
    half = file.with_suffix(".part")
    half.write_bytes(record)
    os.replace(half, file)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
