"""Changes records, with or without recomputing every hash."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.audit.record import Record, write_record
from referee.audit.verify import Report, audit_lines
from referee.kernel.canon import canonical, digest
from referee.rulesets import RULESETS
from referee.table.record import Entry, Header
from tests.audit.race import RACE
from tests.toy import TOY

KNOWN = {**RULESETS, **{(ruleset.slug, ruleset.version): ruleset for ruleset in (RACE, TOY)}}

WrittenCommit = dict[str, Any]


def audited(record: Record) -> Report:
    """The report on a record of any ruleset that the tests know."""
    return audit_lines(write_record(record.header, record.entries, record.secret), KNOWN)


def failing(report: Report) -> set[str]:
    """The names of the checks that failed."""
    return {check.name for check in report.checks if check.passed is False}


def detail(report: Report, name: str) -> str:
    """The detail of a check."""
    (found,) = [check.detail for check in report.checks if check.name == name]
    return found


def commits_of(record: Record) -> list[WrittenCommit]:
    """The commits of a record as plain JSON, to be changed."""
    return [msgspec.json.decode(entry.body) for entry in record.entries]


def edited(record: Record, version: int, edit: Callable[[WrittenCommit], Any]) -> Record:
    """The record with one commit changed and nothing else."""
    commit = commits_of(record)[version - 1]
    edit(commit)
    entries = list(record.entries)
    entries[version - 1] = replace(entries[version - 1], body=canonical(commit))
    return replace(record, entries=tuple(entries))


def chained(record: Record, commits: Sequence[WrittenCommit], header: Header | None = None) -> Record:
    """These commits under this header, with every hash recomputed."""
    entries: list[Entry] = []
    prev = (header or record.header).hash
    for commit in commits:
        body = canonical({**commit, "prev": prev})
        prev = digest(body)
        entries.append(Entry(commit["version"], body, prev))
    return replace(record, header=header or record.header, entries=tuple(entries))


def renumbered(record: Record, commits: Sequence[WrittenCommit]) -> Record:
    """These commits with new versions and salts, and every hash recomputed."""
    assert record.secret is not None
    return chained(
        record,
        [
            {**commit, "version": version, "salt": record.secret.blind(version)}
            for version, commit in enumerate(commits, 1)
        ],
    )


def forged(record: Record, version: int, edit: Callable[[WrittenCommit], Any]) -> Record:
    """The record with one commit changed and every hash recomputed."""
    commits = commits_of(record)
    edit(commits[version - 1])
    return chained(record, commits)
