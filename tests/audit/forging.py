"""Damages records: clumsily, or with every hash made to fit again."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.audit.record import Record, write_record
from referee.audit.verify import Report, audit_lines
from referee.kernel.canon import canonical, digest
from referee.kernel.record import Entry, Header
from referee.rulesets import RULESETS
from tests.audit.race import RACE
from tests.toy import TOY

KNOWN = {**RULESETS, **{(ruleset.slug, ruleset.version): ruleset for ruleset in (RACE, TOY)}}

Written = dict[str, Any]


def audited(record: Record) -> Report:
    """The report on a record of any ruleset that the tests know."""
    return audit_lines(write_record(record.header, record.entries, record.secret), KNOWN)


def failing(report: Report) -> set[str]:
    """The names of the checks that failed."""
    return {check.name for check in report.checks if check.passed is False}


def detail(report: Report, name: str) -> str:
    """What a check says."""
    (found,) = [check.detail for check in report.checks if check.name == name]
    return found


def commits_of(record: Record) -> list[Written]:
    """The commits of a record as plain JSON, to be damaged."""
    return [msgspec.json.decode(entry.body) for entry in record.entries]


def edited(record: Record, version: int, edit: Callable[[Written], Any]) -> Record:
    """One commit changed, and nothing done to hide it."""
    commit = commits_of(record)[version - 1]
    edit(commit)
    entries = list(record.entries)
    entries[version - 1] = replace(entries[version - 1], body=canonical(commit))
    return replace(record, entries=tuple(entries))


def chained(record: Record, commits: Sequence[Written], header: Header | None = None) -> Record:
    """These commits under this header, with every hash computed anew: the chain is whole."""
    entries: list[Entry] = []
    prev = (header or record.header).hash
    for commit in commits:
        body = canonical({**commit, "prev": prev})
        prev = digest(body)
        entries.append(Entry(commit["version"], body, prev))
    return replace(record, header=header or record.header, entries=tuple(entries))


def renumbered(record: Record, commits: Sequence[Written]) -> Record:
    """These commits with versions and salts as if they had always been so."""
    assert record.secret is not None
    return chained(
        record,
        [
            {**commit, "version": version, "salt": record.secret.blind(version)}
            for version, commit in enumerate(commits, 1)
        ],
    )


def forged(record: Record, version: int, edit: Callable[[Written], Any]) -> Record:
    """One commit changed, and every hash made to fit."""
    commits = commits_of(record)
    edit(commits[version - 1])
    return chained(record, commits)
