"""Audits records in JavaScript, and in Python without rules, so that both can be compared."""

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from referee.audit.record import Record, write_record
from referee.audit.verify import audit_lines
from tests.page.modules import run_module

WITHOUT_RULES = ("chain", "commitment", "blinding", "end")
CHAIN = ("spelling", "chain", "time")
"""What the command calls `chain` are three checks in the browser."""


class Given(NamedTuple):
    """A record to audit, and what else is known of its game."""

    record: bytes
    notes: str = ""
    luck: Mapping[str, Any] | None = None
    log: Mapping[str, Any] | None = None
    """The key of the log that is known, and whether its checkpoints agree with what was seen before."""


class Proof(NamedTuple):
    """What the audit in the browser reports."""

    verdict: str
    first_bad: int | None
    checks: Mapping[str, Mapping[str, Any]]

    @property
    def failed(self) -> set[str]:
        return {name for name, check in self.checks.items() if check["passed"] is False}

    def versions(self) -> dict[str, int | None]:
        """By check, as the command names them: where it fails."""
        versions = {name: self.checks[name]["version"] for name in WITHOUT_RULES[1:] if name in self.checks}
        found = [self.checks[name]["version"] for name in CHAIN if name in self.checks]
        return {"chain": min((each for each in found if each is not None), default=None), **versions}


def prove(directory: Path, cases: Iterable[Given]) -> list[Proof]:
    """The reports of the browser's audit, from one run of node."""
    written = [
        {"record": b64encode(case.record).decode(), "notes": case.notes, "luck": case.luck, "log": case.log}
        for case in cases
    ]
    file = directory / "cases.json"
    file.write_text(json.dumps(written))
    reports = run_module(directory / "page", "run_records.js", file)
    return [
        Proof(report["verdict"], report["firstBad"], {check["name"]: check for check in report["checks"]})
        for report in reports
    ]


def versions_by_command(data: bytes) -> dict[str, int | None]:
    """By check that needs no rules: where the command's audit fails it."""
    report = audit_lines(BytesIO(data).readlines(), {})
    checks = {check.name: check for check in report.checks}
    if set(checks) == {"header"}:
        return {"chain": 0}
    return {name: None if checks[name].passed is not False else _version(checks[name].detail) for name in WITHOUT_RULES}


def _version(detail: str) -> int:
    found = re.match(r"Commit ([0-9]+): ", detail)
    return int(found[1]) if found else 0


def bytes_of(record: Record) -> bytes:
    """A record as it is written."""
    return b"".join(write_record(record.header, record.entries, record.secret, None, record.logged))


def lines_of(record: Record) -> list[bytes]:
    """A record as it is written, by line."""
    return list(write_record(record.header, record.entries, record.secret))


def joined(lines: Sequence[bytes]) -> Given:
    """Lines to audit."""
    return Given(b"".join(lines))
