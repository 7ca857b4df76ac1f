"""The offline command: `python -m referee.audit RECORD…`. It needs neither Redis nor Flask, nor a network."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import TextIOWrapper
from typing import Any, BinaryIO

import msgspec

from referee.audit.editions import NoEdition, bring_edition
from referee.audit.notes import FORMS, Note, NotNoted, read_note, read_notes
from referee.audit.record import LINE_BYTES_MAX, Record, Unreadable, read_record
from referee.audit.verify import Progress, Report, Rulesets, audit
from referee.rulesets import RULESETS

EXIT = {"proved": 0, "running": 3, "failed": 1, "unreadable": 2}
"""From the best to the worst; several records give the worst."""

MARKS = {True: "ok", False: "FAILED", None: "-"}

PROGRESS_EVERY = 500
"""Commits between two signs of life on a terminal."""


DESCRIPTION = """\
Prove recorded games, offline: that no line was changed, that luck follows from the secret that was committed to
before the start, and that every move was legal; or name the first commit that does not follow.

A record can be proved and still be of another game than yours. Note what is public while you play, and let the
command compare: with --commitment, --hash and --nonce, or with a file of notes."""

EPILOG = """\
A file of notes has one note per line, in the forms of the options:

  commitment c69bd203a7ee2b89...       all 64 digits; from GET /v1/games/ID, before you sit down
  nonce 0:any text                     the nonce of seat 0, after the start; nothing after the colon: it gave none
  hash 17:790071d379185a27...          the hash of commit 17, from GET /v1/games/ID/events

Empty lines, and lines that begin with #, are skipped.

Examples:

  python -m referee.audit game.jsonl
  python -m referee.audit game.jsonl --commitment c69bd203... --nonce "0:my own luck" --hash 17:790071d3...
  python -m referee.audit game.jsonl --notes notes.txt

Exit status: 0 proved, 1 failed, 2 unreadable or wrong usage, 3 not over yet, or the record stops before the end.
Of several records the worst counts: unreadable, failed, not over, proved."""


def main(arguments: Sequence[str], rulesets: Rulesets = RULESETS) -> int:
    """Audit each record, print what was found, and give the exit status."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    try:
        notes = _notes(asked)
        for edition in asked.edition:
            bring_edition(edition, rulesets)
    except (NoEdition, NotNoted) as fault:
        parser.error(_visible(str(fault)))
    if notes and len(asked.records) > 1:
        parser.error("notes are about one game: name one record.")
    results = [_audit_file(name, rulesets, asked.json, asked.bots, notes) for name in asked.records]
    return EXIT[max(results, key=list(EXIT).index)]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m referee.audit",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("records", nargs="+", metavar="RECORD", help="a record in JSON Lines; - is standard input")
    compare = parser.add_argument_group("compare the record with what you noted (each may be repeated)")
    repeated: dict[str, Any] = {"action": "append", "default": []}
    compare.add_argument("--commitment", **repeated, metavar="HASH", help="the commitment to the secret")
    compare.add_argument("--hash", **repeated, metavar="VERSION:HASH", help="the hash of a commit")
    compare.add_argument("--nonce", **repeated, metavar="SEAT:TEXT", help="the nonce of a seat, exactly as it was sent")
    compare.add_argument("--notes", **repeated, metavar="FILE", help="a file with one note per line, as shown below")
    parser.add_argument(
        "--edition",
        **repeated,
        metavar="FILE",
        help="a file in TOML with the numbers of an edition that does not ship with the rules; may be repeated",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per record instead of text")
    parser.add_argument("--bots", action="store_true", help="make the moves of built-in bots again, too: takes long")
    return parser


def _notes(asked: argparse.Namespace) -> tuple[Note, ...]:
    """The notes of all options; raises NotNoted."""
    given = [read_note(kind, text, f"--{kind}") for kind in FORMS for text in getattr(asked, kind)]
    return (*given, *(note for name in asked.notes for note in read_notes(name)))


def _audit_file(name: str, rulesets: Rulesets, as_json: bool, with_bots: bool, notes: Sequence[Note]) -> str:
    try:
        record = _read(name)
    except (Unreadable, OSError) as error:
        fault = str(error) if isinstance(error, Unreadable) else error.strerror or str(error)
        if as_json:
            _print_json({"record": name, "verdict": "unreadable", "fault": fault})
        else:
            print(_visible(f"{name}: unreadable: {fault}"))
        return "unreadable"
    report = _watched(record, partial(audit, record, rulesets, with_bots=with_bots, notes=notes))
    if as_json:
        _print_json({"record": name, "game": record.header.game, **msgspec.to_builtins(report)})
    else:
        for line in _text(name, record, report):
            print(_visible(line))
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
    yield f"{report.verdict.upper()}{_why(report)}"


def _why(report: Report) -> str:
    match report.first_bad_version:
        case None if report.verdict == "failed":
            return ": the record is not of the game that was noted"
        case None:
            return ""
        case 0:
            return ": the header does not hold"
    return f": commit {report.first_bad_version} is the first that does not follow"


def _visible(line: str) -> str:
    """A record is not to be trusted with the auditor's terminal: what cannot be seen is spelled out."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in line)


def _print_json(value: object) -> None:
    print(json.dumps(value))


def _watched(record: Record, prove: Callable[[Progress], Report]) -> Report:
    """The audit of a record; a long one shows on a terminal how far it is."""
    total = len(record.entries)
    if total < PROGRESS_EVERY or not sys.stderr.isatty():
        return prove(lambda done: None)

    def show(done: int) -> None:
        if done % PROGRESS_EVERY == 0:
            print(f"\r{done} of {total} commits", end="", file=sys.stderr, flush=True)

    report = prove(show)
    print(f"\r{' ' * 40}\r", end="", file=sys.stderr, flush=True)
    return report


if __name__ == "__main__":
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
