"""The audit of a game: what its record proves, and the first commit that does not follow."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from referee.audit.bots import check_bots
from referee.audit.chain import check_chain, check_end, is_ending
from referee.audit.claim import Claim, OtherOutcome, Standing
from referee.audit.fairness import check_blinding, check_commitment
from referee.audit.fault import Fault
from referee.audit.moves import follow
from referee.audit.notes import Note, disagreements
from referee.audit.record import Record, Unreadable, Written, read_commit, read_record
from referee.kernel.canon import canonical
from referee.kernel.course import start_course
from referee.kernel.judge import read_options, read_start
from referee.kernel.record import Entry, Header
from referee.kernel.rejection import Malformed, Rejection, ensure
from referee.kernel.ruleset import Ruleset
from referee.kernel.terms import check_terms
from referee.rulesets import RULESETS
from referee.rulesets.editions import with_edition_of

Rulesets = Mapping[tuple[str, str], Ruleset]
Verdict = Literal["proved", "failed", "running"]
Progress = Callable[[int], None]

WAITS = "This is proved when the game is over and its secret is published."


class Check(msgspec.Struct, frozen=True):
    """One thing that an audit looks at. `passed` is null where it cannot be told, or not yet."""

    name: str
    passed: bool | None
    detail: str


class Report(msgspec.Struct, frozen=True):
    """What a record proves."""

    verdict: Verdict
    checks: tuple[Check, ...]
    first_bad_version: int | None
    """The first commit, by its place in the record, that does not follow; 0 is the header.

    None also where everything follows, but the record is not of the game that somebody noted.
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
) -> Report:
    """Prove a record, or name the first commit that does not follow. `progress` is told of each commit judged.

    The record of a running game may hold the newest commits only: `before` is the entry that they follow.

    With bots, their moves are made again as well, if nothing else is wrong: that takes as long as they thought.
    With notes, the record is compared with what somebody noted while the game ran.
    """
    commits = tuple(read_commit(entry.body) for entry in record.entries)
    is_over = any(is_ending(commit) for commit in commits)
    start = _start(record.header, rulesets)
    findings: tuple[_Finding, ...] = (
        _find("header", lambda: _known(start)),
        _find("chain", lambda: check_chain(record.header, record.entries, commits, before)),
        _find("commitment", lambda: check_commitment(record, is_over)),
        _find("blinding", lambda: check_blinding(record.secret, commits) if record.secret else None),
        *_judged(record, start, commits, progress),
        _find("end", lambda: check_end(commits) if record.secret or is_over else None),
    )
    if with_bots:
        findings = (*findings, _bots(record, start, commits, all(finding.check.passed for finding in findings)))
    if notes:
        findings = (*findings, _compared(record, notes))
    checks = tuple(finding.check for finding in findings)
    bad = [finding.version for finding in findings if finding.version is not None]
    has_failed = any(check.passed is False for check in checks)
    verdict: Verdict = "failed" if has_failed else "running" if record.secret is None else "proved"
    return Report(verdict, checks, min(bad, default=None))


def audit_lines(lines: Iterable[bytes], rulesets: Rulesets = RULESETS, before: Entry | None = None) -> Report:
    """Prove the bytes of a record; a line that cannot be read does not follow."""
    try:
        return audit(read_record(lines), rulesets, before=before)
    except Unreadable as error:
        return _unreadable(error, rulesets, before)


def _unreadable(error: Unreadable, rulesets: Rulesets, before: Entry | None) -> Report:
    """The report on a record up to the first line that cannot be read."""
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
    return _Finding(Check(name, None if detail is None else True, detail or WAITS))


def _failed(name: str, fault: Fault) -> _Finding:
    where = f"Commit {fault.version}: " if fault.version else ""
    return _Finding(Check(name, False, where + fault.detail), fault.version)


class _Start(msgspec.Struct, frozen=True):
    """Where a game began, and by which rules."""

    ruleset: Ruleset
    position: Any


def _start(header: Header, rulesets: Rulesets) -> _Start | Fault:
    """The ruleset of a header and the position before the first commit, or why there are none."""
    usual = rulesets.get((header.ruleset, header.version))
    if usual is None:
        return Fault(0, f"No rules of {header.ruleset} version {header.version} are known here.")
    ruleset = with_edition_of(usual, header.edition)
    if ruleset is None:
        return Fault(0, f"The game was played with another edition, {header.edition}, than {usual.edition_hash}.")
    try:
        return _Start(ruleset, _start_position(ruleset, header))
    except msgspec.ValidationError as error:
        return Fault(0, f"The options cannot be read: {error}.")
    except Rejection as rejection:
        return Fault(0, f"The options are refused by {rejection.clause}: {rejection.message}")
    except Malformed as error:
        return Fault(0, f"The start position is invalid: {error.invariant}")
    except Exception as error:
        return Fault(0, f"The rules break down over the start of the game with {error!r}.")


def _start_position(ruleset: Ruleset, header: Header) -> Any:
    """The blank table or, in a casual game, the position that was given."""
    options, seats = read_options(ruleset, header.options), len(header.nonces)
    blank = ruleset.blank(options, seats)
    check_terms(header.terms, seats)
    if header.position is None:
        is_exact = canonical(blank.options) == canonical(header.options)
        ensure(is_exact, "The options are not written as the rules write them.")
        return blank
    position = read_start(ruleset, header.position)
    ensure(canonical(position.options) == canonical(header.options), "It has other options than the header.")
    ensure(len(position.seats) == seats, f"It has {len(position.seats)} seats, and there are {seats} nonces.")
    ensure(canonical(position) == canonical(header.position), "It is not written as the rules write it.")
    return position


def _known(start: _Start | Fault) -> str:
    if isinstance(start, Fault):
        raise start
    return f"{start.ruleset.title}, rules version {start.ruleset.version}, edition {start.ruleset.edition_hash}."


def _judged(
    record: Record, start: _Start | Fault, commits: Sequence[Written], progress: Progress
) -> tuple[_Finding, _Finding]:
    """Whether outcomes follow from the seed, and whether moves were legal: both up to the first that is not."""
    if record.secret is None:
        return _untold(WAITS)
    if isinstance(start, Fault):
        return _untold("Nothing was judged: the header does not say by which rules.")
    key, terms = record.secret.chance_key(record.header.nonces), record.header.terms
    standing = Standing(start.position, start_course(terms))
    for place, commit in enumerate(commits, 1):
        try:
            standing = follow(Claim(start.ruleset, terms, key, standing, place, commit))
        except Fault as fault:
            outcomes, moves = _untold(f"Judged up to commit {place - 1}: what comes after it does not follow.")
            if isinstance(fault, OtherOutcome):
                return _failed("outcomes", fault), moves
            return outcomes, _failed("moves", fault)
        progress(place)
    return (
        _Finding(Check("outcomes", True, f"{standing.course.drawn} outcomes follow from the seed and the nonces.")),
        _Finding(Check("moves", True, f"{len(commits)} moves were legal, and their events are what the rules say.")),
    )


def _bots(record: Record, start: _Start | Fault, commits: Sequence[Written], is_proved: bool) -> _Finding:
    secret = record.secret
    if isinstance(start, Fault) or secret is None or not is_proved:
        return _Finding(Check("bots", None, "Nothing was made again: the record is not proved otherwise."))
    try:
        retold = check_bots(start.ruleset, start.position, commits, secret.chance_key(record.header.nonces))
    except Fault as fault:
        return _failed("bots", fault)
    return _Finding(Check("bots", True if retold.is_whole else None, retold.detail))


def _compared(record: Record, notes: Sequence[Note]) -> _Finding:
    """Whether this is the game that somebody noted; if not, no commit is to blame."""
    wrong = disagreements(record, notes)
    return _Finding(Check("notes", not wrong, " ".join(wrong) or f"{len(notes)} notes agree with the record."))


def _untold(detail: str) -> tuple[_Finding, _Finding]:
    return _Finding(Check("outcomes", None, detail)), _Finding(Check("moves", None, detail))
