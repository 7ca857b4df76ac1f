"""The offline command `python -m referee.audit RECORD…`, which needs neither Redis nor Flask nor a network."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import TextIOWrapper
from typing import Any, BinaryIO

import msgspec
from msgspec.structs import replace

from referee.audit.command import program
from referee.audit.editions import UnreadableEdition, add_edition_file
from referee.audit.evidence import (
    Evidence,
    UnusableEvidence,
    read_key_file,
    read_keys,
    read_leaves,
    read_policy_file,
    read_receipts,
)
from referee.audit.notes import FORMS, InvalidNote, Note, read_note, read_notes
from referee.audit.receipts import require_usable
from referee.audit.record import LINE_BYTES_MAX, Record, Unreadable, read_record
from referee.audit.transcript import transcript
from referee.audit.verify import Progress, Report, Rulesets, audit
from referee.audit.whole_log import over_http, read_whole_log
from referee.rulesets import RULESETS
from referee.tlog.ed25519 import NoCryptography

EXIT = {"proved": 0, "running": 3, "failed": 1, "unreadable": 2}
"""Exit status by verdict, best first. With several records, the worst verdict decides."""

MARKS = {True: "ok", False: "FAILED", None: "-"}

REASONS = {
    "notes": "the record is not of the game in your notes",
    "log": "the record is not of the game in the log",
    "receipts": "the service broke its word",
}
"""What it means that a check fails which is not about any one commit."""

PROGRESS_EVERY = 500
"""The terminal shows progress after this number of commits."""


DESCRIPTION = """\
Prove recorded games offline. For each record, the command checks that no line was changed, that all luck follows
from the secret that the server committed to before the start, and that every move was legal. If a check fails,
it names the first bad commit.

A proved record can still be of another game than yours. To rule that out, note what is public while you play and
pass it with --commitment, --hash and --nonce, or in a file of notes. Or let the transparency log of the service show
it: with --policy the record fails unless the log shows this game, signed by the witnesses whom you trust."""

EPILOG = """\
A file of notes has one note per line, written like the options:

  commitment c69bd203a7ee2b89...       all 64 digits; from GET /v1/games/ID, before you take a seat
  nonce 0:any text                     the nonce of seat 0, after the start; nothing after the colon if it gave none
  hash 17:790071d379185a27...          the hash of commit 17, from GET /v1/games/ID/events

Empty lines and lines that begin with # are skipped.

Signatures of the transparency log, of its witnesses and of receipts need the package cryptography, which
`pip install 'referee[signatures]'` installs.

Examples:

  python -m referee.audit game.jsonl
  python -m referee.audit game.jsonl --commitment c69bd203... --nonce "0:my own luck" --hash 17:790071d3...
  python -m referee.audit game.jsonl --notes notes.txt
  python -m referee.audit game.jsonl --policy policy.txt
  python -m referee.audit game.jsonl --transcript
  python -m referee.audit game.jsonl --receipt receipt.txt --body move.json --key VKEY

Exit status: 0 proved, 1 failed, 2 unreadable or wrong usage, 3 running (the record stops before the end of the game).
With several records, the worst verdict decides: unreadable, failed, running, proved."""


def main(arguments: Sequence[str], rulesets: Rulesets = RULESETS) -> int:
    """Audit each record, print its report, and return the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        notes, evidence = _notes(options), _evidence(options)
        for edition in options.edition:
            add_edition_file(edition, rulesets)
    except (UnreadableEdition, InvalidNote, UnusableEvidence, NoCryptography) as error:
        parser.error(_printable(str(error)))
    if (notes or options.log or options.receipt) and len(options.records) > 1:
        parser.error(f"notes, leaves and receipts are about one game: pass one record, not {len(options.records)}.")
    verdicts = [_audit_file(name, rulesets, options, notes, evidence) for name in options.records]
    return EXIT[max(verdicts, key=list(EXIT).index)]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program("referee-audit", "referee.audit"),
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("records", nargs="+", metavar="RECORD", help="a record in JSON Lines; - reads standard input")
    compare = parser.add_argument_group("compare the record with your notes (each option may be repeated)")
    repeated: dict[str, Any] = {"action": "append", "default": []}
    compare.add_argument("--commitment", **repeated, metavar="HASH", help="the commitment to the secret")
    compare.add_argument("--hash", **repeated, metavar="VERSION:HASH", help="the hash of a commit")
    compare.add_argument("--nonce", **repeated, metavar="SEAT:TEXT", help="the nonce of a seat, exactly as sent")
    compare.add_argument("--seal", **repeated, metavar="SEAT:HASH", help="the seal of a seat's nonce")
    compare.add_argument("--notes", **repeated, metavar="FILE", help="a file with one note per line, as shown below")
    _add_signed(parser, repeated)
    parser.add_argument(
        "--edition",
        **repeated,
        metavar="FILE",
        help="a TOML file with the numbers of an edition that does not ship with the rules; may be repeated",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per record instead of text")
    parser.add_argument("--transcript", action="store_true", help="print the game in sentences first, proved or not")
    parser.add_argument("--bots", action="store_true", help="also replay the moves of built-in bots, which is slow")
    return parser


def _add_signed(parser: argparse.ArgumentParser, repeated: dict[str, Any]) -> None:
    """Add the options for what is signed."""
    signed = parser.add_argument_group("compare the record with what the service signed")
    signed.add_argument(
        "--key", **repeated, metavar="VKEY", help="a public key of the service, for its log or receipts"
    )
    signed.add_argument("--keys", metavar="FILE", help="the answer of GET /log/keys: which keys began and were revoked")
    signed.add_argument(
        "--log", metavar="FILE|URL", help="the answer of GET /v1/games/ID/log, or where the whole log is"
    )
    signed.add_argument("--policy", metavar="FILE", help="logs, witnesses and quorum, as in C2SP's tlog-policy")
    signed.add_argument("--receipt", **repeated, metavar="FILE", help="a receipt for a move; decides who is right")
    signed.add_argument("--body", **repeated, metavar="FILE", help="the exact body of the request with the move")


def _evidence(options: argparse.Namespace) -> Evidence | None:
    """Return what was given beside record and notes; None: nothing. Raises UnusableEvidence or NoCryptography."""
    given = (options.key, options.keys, options.log, options.policy, options.receipt, options.body)
    if not any(given):
        return None
    keys = read_keys(options.key)
    notices = read_key_file(options.keys) if options.keys else ()
    return Evidence(
        policy=read_policy_file(options.policy, keys),
        is_demanded=options.policy is not None,
        leaves=read_leaves(options.log) if options.log and "://" not in options.log else (),
        notices=notices,
        receipts=read_receipts(options.receipt, options.body, keys, notices),
    )


def _notes(options: argparse.Namespace) -> tuple[Note, ...]:
    """Return the notes of all options; raises InvalidNote."""
    given = [read_note(kind, text, f"--{kind}") for kind in FORMS for text in getattr(options, kind)]
    return (*given, *(note for name in options.notes for note in read_notes(name)))


def _audit_file(
    name: str, rulesets: Rulesets, options: argparse.Namespace, notes: Sequence[Note], evidence: Evidence | None
) -> str:
    try:
        record = _read(name)
        if evidence:
            evidence = _completed(record, evidence, options.log or "")
        prove = partial(audit, record, rulesets, with_bots=options.bots, notes=notes, evidence=evidence)
        report = _with_progress(record, prove)
    except (Unreadable, UnusableEvidence, NoCryptography, OSError) as error:
        fault = error.strerror or str(error) if isinstance(error, OSError) else str(error)
        if options.json:
            _print_json({"record": name, "verdict": "unreadable", "fault": fault})
        else:
            print(_printable(f"{name}: unreadable: {fault}"))
        return "unreadable"
    told = list(transcript(record, rulesets)) if options.transcript else []
    if options.json:
        more = {"transcript": told} if options.transcript else {}
        _print_json({"record": name, "game": record.header.game, **msgspec.to_builtins(report), **more})
    else:
        for line in (*told, *_text(name, record, report)):
            print(_printable(line))
    return report.verdict


def _completed(record: Record, evidence: Evidence, log: str) -> Evidence:
    """Return the evidence with the whole log, if it is given by its URL; raises UnusableEvidence."""
    if "://" in log:
        evidence = replace(evidence, whole_log=read_whole_log(over_http(log), record.header.game))
    require_usable(record, evidence)
    return evidence


def _read(name: str) -> Record:
    if name == "-":
        return read_record(_lines(sys.stdin.buffer))
    with open(name, "rb") as file:
        return read_record(_lines(file))


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file; a line that is too long for a record comes in pieces."""
    while line := file.readline(LINE_BYTES_MAX + 1):
        yield line


def _text(name: str, record: Record, report: Report) -> Iterator[str]:
    header = record.header
    casual = ", from a given position" if header.position is not None else ""
    yield f"{name}: game {header.game}, {header.ruleset} {header.version}, {len(header.nonces)} seats{casual}"
    for check in report.checks:
        yield f"  {MARKS[check.passed]:<7} {check.name:<11} {check.detail}"
    yield f"{report.verdict.upper()}{_reason(report)}"


def _reason(report: Report) -> str:
    match report.first_bad_version:
        case None if report.verdict == "failed":
            return ": " + " and ".join(REASONS[check.name] for check in report.checks if check.passed is False)
        case None:
            return ""
        case 0:
            return ": the header or the secret is wrong"
    return f": commit {report.first_bad_version} is the first bad one"


def _printable(line: str) -> str:
    """Escape control characters, so that a record cannot write to the auditor's terminal."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in line)


def _print_json(value: object) -> None:
    print(json.dumps(value))


def _with_progress(record: Record, prove: Callable[[Progress], Report]) -> Report:
    """Audit a record; a long audit shows its progress on a terminal."""
    total = len(record.entries)
    if total < PROGRESS_EVERY or not sys.stderr.isatty():
        return prove(lambda done: None)

    def show(done: int) -> None:
        if done % PROGRESS_EVERY == 0:
            print(f"\r{done} of {total} commits", end="", file=sys.stderr, flush=True)

    report = prove(show)
    print(f"\r{' ' * 40}\r", end="", file=sys.stderr, flush=True)
    return report


def command() -> int:
    """Run the command with the arguments of the process."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    return main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(command())
