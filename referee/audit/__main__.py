"""The offline command: `python -m referee.audit RECORD…`. It needs neither Redis nor Flask, nor a network."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from io import TextIOWrapper
from typing import BinaryIO

import msgspec

from referee.audit.editions import NoEdition, bring_edition
from referee.audit.record import LINE_BYTES_MAX, Record, Unreadable, read_record
from referee.audit.verify import Report, Rulesets, audit
from referee.rulesets import RULESETS

EXIT = {"proved": 0, "running": 3, "failed": 1, "unreadable": 2}
"""From the best to the worst; several records give the worst."""

MARKS = {True: "ok", False: "FAILED", None: "-"}

PROGRESS_EVERY = 500
"""Commits between two signs of life on a terminal."""


def main(arguments: Sequence[str], rulesets: Rulesets = RULESETS) -> int:
    """Audit each record, print what was found, and give the exit status."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    try:
        for edition in asked.edition:
            bring_edition(edition, rulesets)
    except NoEdition as fault:
        parser.error(str(fault))
    results = [_audit_file(name, rulesets, asked.json, asked.bots) for name in asked.records]
    return EXIT[max(results, key=list(EXIT).index)]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m referee.audit",
        description="Prove recorded games: that nothing was changed, that luck follows from the secret that was "
        "committed to, and that every move was legal; or name the first commit that does not follow.",
        epilog="Exit status: 0 proved, 1 failed, 2 unreadable or wrong usage, 3 not over yet, or the record stops "
        "before the end. Of several records the worst counts: unreadable, failed, not over, proved.",
    )
    parser.add_argument("records", nargs="+", metavar="RECORD", help="a record in JSON Lines; - is standard input")
    parser.add_argument(
        "--edition",
        action="append",
        default=[],
        metavar="FILE",
        help="a file in TOML with the numbers of an edition that does not ship with the rules; may be repeated",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per record instead of text")
    parser.add_argument("--bots", action="store_true", help="make the moves of built-in bots again, too: takes long")
    return parser


def _audit_file(name: str, rulesets: Rulesets, as_json: bool, with_bots: bool) -> str:
    try:
        record = _read(name)
    except (Unreadable, OSError) as error:
        fault = str(error) if isinstance(error, Unreadable) else error.strerror or str(error)
        if as_json:
            _print_json({"record": name, "verdict": "unreadable", "fault": fault})
        else:
            _print_text(f"{name}: unreadable: {fault}")
        return "unreadable"
    report = _watched(record, rulesets, with_bots)
    if as_json:
        _print_json({"record": name, "game": record.header.game, **msgspec.to_builtins(report)})
    else:
        for line in _text(name, record, report):
            _print_text(line)
    return report.verdict


def _read(name: str) -> Record:
    if name == "-":
        return read_record(_lines(sys.stdin.buffer))
    with open(name, "rb") as file:
        return read_record(_lines(file))


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, none read further than a record's line can go."""
    while line := file.readline(LINE_BYTES_MAX + 1):
        yield line


def _text(name: str, record: Record, report: Report) -> Iterator[str]:
    header = record.header
    casual = ", from a given position" if header.position is not None else ""
    yield f"{name}: game {header.game}, {header.ruleset} {header.version}, {len(header.nonces)} seats{casual}"
    for check in report.checks:
        yield f"  {MARKS[check.passed]:<7} {check.name:<11} {check.detail}"
    where = "" if report.first_bad_version is None else f": {_first_bad(report.first_bad_version)}"
    yield f"{report.verdict.upper()}{where}"


def _first_bad(version: int) -> str:
    return f"commit {version} is the first that does not follow" if version else "the header does not hold"


def _print_text(line: str) -> None:
    """A record is not to be trusted with the auditor's terminal: what cannot be seen is spelled out."""
    print("".join(each if each.isprintable() else ascii(each)[1:-1] for each in line))


def _print_json(value: object) -> None:
    print(msgspec.json.encode(value).decode())


def _watched(record: Record, rulesets: Rulesets, with_bots: bool) -> Report:
    """The audit of a record; a long one shows on a terminal how far it is."""
    total = len(record.entries)
    if total < PROGRESS_EVERY or not sys.stderr.isatty():
        return audit(record, rulesets, with_bots=with_bots)

    def show(done: int) -> None:
        if done % PROGRESS_EVERY == 0:
            print(f"\r{done} of {total} commits", end="", file=sys.stderr, flush=True)

    report = audit(record, rulesets, show, with_bots)
    print(f"\r{' ' * 40}\r", end="", file=sys.stderr, flush=True)
    return report


if __name__ == "__main__":
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
