"""The audit of a game: the checks of its record, and the first bad commit."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from referee.audit.bots import check_bots
from referee.audit.chain import check_chain, check_end, is_ending
from referee.audit.claim import Claim, Standing, WrongOutcome
from referee.audit.evidence import Evidence
from referee.audit.fairness import check_blinding, check_commitment
from referee.audit.fault import Fault
from referee.audit.log import check_log
from referee.audit.luck import Drawing
from referee.audit.moves import judge_claim
from referee.audit.notes import Note, disagreements
from referee.audit.receipts import BrokenWord, Game, judge_receipt
from referee.audit.record import Record, Unreadable, WrittenCommit, read_commit, read_record
from referee.audit.seats import check_holders, check_seals, check_seats, check_texts
from referee.kernel.canon import canonical
from referee.kernel.judge import read_options, read_start
from referee.kernel.rejection import Malformed, Rejection, ensure
from referee.kernel.ruleset import Ruleset
from referee.rulesets import RULESETS
from referee.rulesets.editions import with_edition_of
from referee.table.record import Entry, Header
from referee.table.state import start_table
from referee.table.terms import check_terms

Rulesets = Mapping[tuple[str, str], Ruleset]
Verdict = Literal["proved", "failed", "running"]
Progress = Callable[[int], None]

PENDING = "This can be checked when the game is over and its secret is published."


class Check(msgspec.Struct, frozen=True):
    """One thing that an audit checks."""

    name: str
    passed: bool | None
    """Null: it cannot be decided, or not yet."""
    detail: str
    """What the audit found."""


class Report(msgspec.Struct, frozen=True):
    """The result of an audit."""

    verdict: Verdict
    checks: tuple[Check, ...]
    first_bad_version: int | None
    """The first bad commit, by its place in the record; 0 is the header.

    None if no commit is bad, even if the record is not of the game in the notes.
    """


class _Finding(NamedTuple):
    check: Check
    version: int | None = None


def audit(
    record: Record,
    rulesets: Rulesets = RULESETS,
    progress: Progress = lambda done: None,
    with_bots: bool = False,
    notes: Sequence[Note] = (),
    before: Entry | None = None,
    drawings: list[Drawing] | None = None,
    evidence: Evidence | None = None,
) -> Report:
    """Prove a record, or name its first bad commit. `progress` is called with the number of each commit judged.

    The record of a running game may hold the newest commits only: `before` is the entry that they follow.

    With `with_bots`, the audit also replays the moves of bots if all other checks pass, which takes as long as the
    bots searched. With notes, it compares the record with what somebody noted while the game ran. If the secret is
    published, the drawings of all commits up to the first bad one are added to `drawings`. With evidence, it compares
    the record with the transparency log and with receipts.
    """
    commits = tuple(read_commit(entry.body) for entry in record.entries)
    is_over = any(is_ending(commit) for commit in commits)
    start = _start(record.header, rulesets)
    standings: dict[int, Standing] = {}
    wanted = {each.receipt.version for each in evidence.receipts} if evidence else set()
    findings: tuple[_Finding, ...] = (
        _find("header", lambda: _describe_rules(record, start)),
        _find("chain", lambda: _check_chain(record, commits, before)),
        _find("seals", lambda: check_seals(record.header)),
        _find("commitment", lambda: check_commitment(record, is_over)),
        _find("blinding", lambda: check_blinding(record.secret, commits) if record.secret else None),
        *_judge_commits(record, start, commits, progress, drawings, standings, wanted),
        _find("end", lambda: check_end(commits) if record.secret or is_over else None),
    )
    if with_bots:
        findings = (*findings, _check_bots(record, start, commits, all(finding.check.passed for finding in findings)))
    if notes:
        findings = (*findings, _check_notes(record, notes))
    if record.logged or evidence:
        found = check_log(record, evidence or Evidence())
        findings = (*findings, _Finding(Check("log", found.passed, found.detail)))
    if evidence and evidence.receipts:
        findings = (*findings, _check_receipts(record, start, commits, standings, evidence, findings[1].check.passed))
    checks = tuple(finding.check for finding in findings)
    bad = [finding.version for finding in findings if finding.version is not None]
    has_failed = any(check.passed is False for check in checks)
    verdict: Verdict = "failed" if has_failed else "running" if record.secret is None else "proved"
    return Report(verdict, checks, min(bad, default=None))


def audit_lines(
    lines: Iterable[bytes],
    rulesets: Rulesets = RULESETS,
    before: Entry | None = None,
    drawings: list[Drawing] | None = None,
) -> Report:
    """Prove the bytes of a record; a line that cannot be read is a bad commit."""
    try:
        return audit(read_record(lines), rulesets, before=before, drawings=drawings)
    except Unreadable as error:
        return _unreadable(error, rulesets, before)


def _unreadable(error: Unreadable, rulesets: Rulesets, before: Entry | None) -> Report:
    """Report on a record up to the first line that cannot be read."""
    if error.before is None:
        return Report("failed", (_failed("header", Fault(0, f"It cannot be read: {error.fault}.")).check,), 0)
    version = error.line - 1 + (before.version if before else 0)
    read = audit(error.before, rulesets, before=before)
    unread = _failed("chain", Fault(version, f"It cannot be read: {error.fault}.")).check
    checks = tuple(unread if check.name == unread.name and check.passed else check for check in read.checks)
    bad = (version, read.first_bad_version)
    return Report("failed", checks, min(each for each in bad if each is not None))


def _find(name: str, prove: Callable[[], str | None]) -> _Finding:
    try:
        detail = prove()
    except Fault as fault:
        return _failed(name, fault)
    return _Finding(Check(name, None if detail is None else True, detail or PENDING))


def _failed(name: str, fault: Fault) -> _Finding:
    where = f"Commit {fault.version}: " if fault.version else ""
    return _Finding(Check(name, False, where + fault.detail), fault.version)


class _Start(msgspec.Struct, frozen=True):
    """The ruleset of a game, and the position before the first commit."""

    ruleset: Ruleset
    position: Any


def _start(header: Header, rulesets: Rulesets) -> _Start | Fault:
    """Return how the game of a header starts, or the fault in the header."""
    usual = rulesets.get((header.ruleset, header.version))
    if usual is None:
        return Fault(0, f"Rules version {header.version} of {header.ruleset} is unknown here.")
    ruleset = with_edition_of(usual, header.edition)
    if ruleset is None:
        return Fault(0, f"The edition {header.edition} is unknown here; the usual one is {usual.edition_hash}.")
    try:
        return _Start(ruleset, _start_position(ruleset, header))
    except msgspec.ValidationError as error:
        return Fault(0, f"The options cannot be read: {error}.")
    except Rejection as rejection:
        return Fault(0, f"The options are refused by {rejection.clause}: {rejection.message}")
    except Malformed as error:
        return Fault(0, f"The start position is invalid: {error.invariant}")
    except Exception as error:
        return Fault(0, f"The game cannot be started: the rules fail with {error!r}.")


def _start_position(ruleset: Ruleset, header: Header) -> Any:
    """Return the blank position or, in a casual game, the given start position."""
    options, seats = read_options(ruleset, header.options), len(header.nonces)
    blank = ruleset.blank(options, seats)
    check_terms(header.terms, seats)
    check_seats(header)
    if header.position is None:
        is_exact = canonical(blank.options) == canonical(header.options)
        ensure(is_exact, f"The options must be written as {canonical(blank.options).decode()}.")
        return blank
    position = read_start(ruleset, header.position)
    ensure(canonical(position.options) == canonical(header.options), "Its options differ from those of the header.")
    ensure(len(position.seats) == seats, f"It has {len(position.seats)} seats, but the header has {seats} nonces.")
    is_exact = canonical(position) == canonical(header.position)
    ensure(is_exact, "It is not written out in full, with exactly the members of a stored position.")
    return position


def _describe_rules(record: Record, start: _Start | Fault) -> str:
    if isinstance(start, Fault):
        raise start
    check_holders(record)
    return f"{start.ruleset.title}, rules version {start.ruleset.version}, edition {start.ruleset.edition_hash}."


def _check_chain(record: Record, commits: Sequence[WrittenCommit], before: Entry | None) -> str:
    detail = check_chain(record.header, record.entries, commits, before)
    check_texts(record, commits)
    return detail


def _judge_commits(
    record: Record,
    start: _Start | Fault,
    commits: Sequence[WrittenCommit],
    progress: Progress,
    drawings: list[Drawing] | None,
    standings: dict[int, Standing],
    wanted: Container[int],
) -> tuple[_Finding, _Finding]:
    """Check outcomes and moves, up to the first commit that is wrong, and keep the standings at the versions wanted."""
    if record.secret is None:
        return _unchecked(PENDING)
    if isinstance(start, Fault):
        return _unchecked("No commit was checked: the header is invalid.")
    key, terms = record.secret.chance_key(record.header.nonces), record.header.terms
    standing = standings[0] = Standing(start.position, start_table(terms))
    for place, commit in enumerate(commits, 1):
        try:
            standing = judge_claim(Claim(start.ruleset, terms, key, standing, place, commit, drawings))
        except Fault as fault:
            outcomes, moves = _unchecked(f"Checked up to commit {place - 1}; commit {place} is wrong.")
            if isinstance(fault, WrongOutcome):
                return _failed("outcomes", fault), moves
            return outcomes, _failed("moves", fault)
        if place in wanted:
            standings[place] = standing
        progress(place)
    return (
        _Finding(
            Check("outcomes", True, f"{standing.table.drawn} random outcomes follow from the seed and the nonces.")
        ),
        _Finding(Check("moves", True, f"{len(commits)} moves are legal, and their events follow from the rules.")),
    )


def _check_bots(record: Record, start: _Start | Fault, commits: Sequence[WrittenCommit], is_proved: bool) -> _Finding:
    secret = record.secret
    if isinstance(start, Fault) or secret is None or not is_proved:
        return _Finding(Check("bots", None, "No move was replayed: the other checks must pass first."))
    try:
        report = check_bots(start.ruleset, start.position, commits, secret.chance_key(record.header.nonces))
    except Fault as fault:
        return _failed("bots", fault)
    return _Finding(Check("bots", True if report.is_complete else None, report.detail))


def _check_notes(record: Record, notes: Sequence[Note]) -> _Finding:
    """Compare a record with notes; a difference is not the fault of any one commit."""
    wrong = disagreements(record, notes)
    return _Finding(Check("notes", not wrong, " ".join(wrong) or f"{len(notes)} notes match the record."))


def _check_receipts(
    record: Record,
    start: _Start | Fault,
    commits: Sequence[WrittenCommit],
    standings: Mapping[int, Standing],
    evidence: Evidence,
    is_whole: bool | None,
) -> _Finding:
    """Compare a record with receipts; if one is contradicted, the service broke its word."""
    if not is_whole:
        return _Finding(Check("receipts", None, "No receipt was checked: the chain of the record is broken."))
    game = Game(record, commits, None if isinstance(start, Fault) else start.ruleset, standings)
    passed: bool | None = True
    details: list[str] = []
    for signed in evidence.receipts:
        try:
            kept = judge_receipt(game, signed)
            passed = passed if kept.is_checked or passed is False else None
            details.append(f"{signed.source}: {kept.detail}.")
        except BrokenWord as broken:
            passed = False
            details.append(f"{signed.source}: the service broke its word: {broken}.")
    return _Finding(Check("receipts", passed, " ".join(details)))


def _unchecked(detail: str) -> tuple[_Finding, _Finding]:
    return _Finding(Check("outcomes", None, detail)), _Finding(Check("moves", None, detail))
