"""The audit of the page, run on stored games and on forged ones: it names the commit that the command names."""

import lzma
import random
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from referee.audit.record import LINE_BYTES_MAX, Record, read_record
from referee.table.record import Secret, nonce_of
from tests.audit.forgeries import chained, commits_of, edited, forged, renumbered
from tests.audit.mutations import at, book_of, changed, fields_of, other_values, sealed
from tests.audit.race import RACE, Options
from tests.audit.recorded_game import played
from tests.audit.spelling import spellings
from tests.corpus.stored_games import files
from tests.page.proving import Given, Proof, bytes_of, joined, lines_of, prove, versions_by_command

RECORD = played(RACE, options=Options(goal=15))
LINES = lines_of(RECORD)
LAST = len(RECORD.entries)
VERSIONS = range(1, LAST + 1)
STORED = files()
MUTATIONS = 600
BEYOND = (2**53, 2**64)
"""JavaScript cannot read such numbers exactly: the browser refuses a line that holds one. No game has any."""


def _later(commit: dict[str, Any]) -> None:
    commit["at"] = "2027" + commit["at"][4:]


def _forgeries() -> Iterator[tuple[str, bytes, int]]:
    """What was done to the game, its record, and the first commit that does not follow."""
    record, commits = RECORD, commits_of(RECORD)
    for version in VERSIONS:
        yield f"a digit of commit {version}", bytes_of(edited(record, version, _later)), version
        salted = forged(record, version, lambda commit: commit.update(salt="0" * 64))
        yield f"the salt of commit {version}, hashes fitted", bytes_of(salted), version
        yield f"commit {version} left out", b"".join([*LINES[:version], *LINES[version + 1 :]]), version
        yield f"commit {version} twice", b"".join([*LINES[: version + 1], *LINES[version:]]), version + 1
        yield f"the hash of commit {version}", _with_hash(version), version
        if version < LAST:
            moved = [*LINES[:version], LINES[version + 1], LINES[version], *LINES[version + 2 :]]
            yield f"commits {version} and {version + 1} exchanged", b"".join(moved), version
            yield f"all after commit {version} cut off", b"".join([*LINES[: version + 1], LINES[-1]]), version + 1
            back = forged(record, version, _later)
            yield f"commit {version} later than the next, hashes fitted", bytes_of(back), version + 1
    without = renumbered(record, commits[:-1])
    yield "the end left out, hashes fitted", bytes_of(without), LAST
    yield "the end twice, hashes fitted", bytes_of(renumbered(record, [*commits, commits[-1]])), LAST + 1
    yield "the secret left out", b"".join(LINES[:-1]), 0
    yield "another salt", bytes_of(replace(record, secret=replace(record.secret, salt="ab" * 32))), 0
    yield "another seed", bytes_of(replace(record, secret=replace(record.secret, seed="ab" * 32))), 0
    other = Secret(salt="ab" * 32, seed="cd" * 32)
    header = replace(record.header, commitment=other.commitment)
    yield "another secret, commitment and hashes fitted", _resealed(other, header), 1
    yield "another nonce", bytes_of(replace(record, header=replace(record.header, nonces=(nonce_of("x"), "", "")))), 1
    yield "another seal", bytes_of(replace(record, header=replace(record.header, seals=("0" * 64, None, None)))), 0
    yield "another game", bytes_of(replace(record, header=replace(record.header, game="g_other"))), 1


def _with_hash(version: int) -> bytes:
    line = LINES[version]
    digit = b"1" if line[-4:-3] == b"0" else b"0"
    return b"".join([*LINES[:version], line[:-4] + digit + line[-3:], *LINES[version + 1 :]])


def _resealed(secret: Secret, header: Any) -> bytes:
    return bytes_of(replace(chained(RECORD, commits_of(RECORD), header), secret=secret))


FORGERIES = list(_forgeries())


def _nonsense() -> Iterator[tuple[str, bytes]]:
    """What is no record, and lines that are none."""
    yield from (("nothing", b""), ("a line end", b"\n"), ("zeros", b"\0" * 5000), ("a page", b"<!doctype html>\n"))
    yield from (("no UTF-8", LINES[0] + b'{"commit":"\xff"}\n'), ("UTF-16", LINES[0].decode().encode("utf-16")))
    yield "a byte order mark", b"\xef\xbb\xbf" + b"".join(LINES)
    yield "a long line", LINES[0] + b'{"commit":' + b"1" * LINE_BYTES_MAX + b"}\n"
    yield "a long line without an end", LINES[0] + b"x" * (3 * LINE_BYTES_MAX)
    yield "a line after the secret", b"".join([*LINES, LINES[1]])
    yield "two headers", b"".join([LINES[0], *LINES])
    for depth in (59, 60, 61, 62, 63, 64, 100_000):
        nested = b'"options":{"a":' + b"[" * depth + b"]" * depth + b"}"
        yield f"{depth} lists in each other", LINES[0].replace(b'"options":{"goal":15}', nested)
    for number in (b"0.5", b"1e400", b"1e21", b"-0", b"9007199254740991", b"NaN"):
        yield f"the number {number!r}", b"".join([LINES[0].replace(b'"goal":15', b'"goal":' + number), *LINES[1:]])
    for text in (rb'"\ud83c"', rb'"\u00e9"', rb'"\u0001"', b'"\x7f"', '"\u2028"'.encode(), '"\U0001f3b2"'.encode()):
        yield f"the text {text!r}", b"".join([LINES[0].replace(b'"ada\'s luck"', text), *LINES[1:]])


def _of_the_log() -> Iterator[tuple[str, bytes]]:
    """Lines about the transparency log, in their order and out of it."""
    leaves = [b'{"logged":{"checkpoint":"","entry":"","index":%d,"proof":["",""]}}\n' % index for index in (3, 7)]
    salt = b'"salt":"%b"' % (b"0" * 64)
    holder, text = b'{"holder":{"player":"p_0",%b,"seat":0}}\n' % salt, b'{"text":{%b,"text":"x"}}\n' % salt
    for name, lines in {
        "leaves": leaves,
        "leaves in another order": leaves[::-1],
        "a leaf twice": [leaves[0], leaves[0]],
        "a text after a leaf": [leaves[0], text],
        "a holder after a leaf": [leaves[0], holder],
        "a leaf after a text": [text, leaves[0]],
        "a leaf below zero": [leaves[0].replace(b":3", b":-3")],
        "a leaf with a text as its index": [leaves[0].replace(b":3", b':"3"')],
        "a leaf with one member more": [leaves[0].replace(b'"index"', b'"hash":"","index"')],
        "a leaf without a proof": [leaves[0].replace(b',"proof":["",""]', b"")],
        "a leaf with a number as its proof": [leaves[0].replace(b'["",""]', b"[1]")],
    }.items():
        yield name, b"".join([*LINES, *lines])
    yield "a leaf before the secret", b"".join([*LINES[:-1], leaves[0], LINES[-1]])


def _with_goal(number: int) -> bytes:
    return LINES[0].replace(b'"goal":15', b'"goal":%d' % number)


def _mutations() -> Iterator[tuple[str, bytes]]:
    """Fields changed as their types suggest, and sealed again."""
    luck, book = random.Random(17), book_of(RECORD)
    fields = [path for paths in fields_of(book).values() for path in paths]
    while True:
        path = luck.choice(fields)
        values = other_values(at(book, path), [at(book, luck.choice(fields))], luck)
        other = next(values)
        if other != at(book, path) and other not in BEYOND:
            yield f"{other!r:.40} at {path}", sealed(RECORD, changed(book, path, other), path)


def _damaged() -> Iterator[tuple[str, bytes]]:
    yield from _nonsense()
    yield from _of_the_log()
    for place in (0, 1, LAST, LAST + 1):
        for name, spelled in islice(spellings(LINES[place]), 0, None, 7):
            yield f"line {place + 1}: {name}", b"".join([*LINES[:place], spelled, *LINES[place + 1 :]])
    yield from islice(_mutations(), MUTATIONS)


DAMAGED = list(_damaged())

Audited = Callable[[str], list[Proof]]


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Audited:
    """The browser's reports on every record of this file, by kind, from one run of node."""
    stored = [lzma.decompress(file.read_bytes()) for file in STORED]
    cases = {
        "stored": [Given(data) for data in stored],
        "forged": [Given(data) for _, data, _ in FORGERIES],
        "damaged": [Given(data) for _, data in DAMAGED],
        "beyond": [joined([_with_goal(number), *LINES[1:]]) for number in BEYOND],
        "running": [joined(LINES[:version]) for version in VERSIONS],
        "noted": [Given(b"".join(LINES), notes) for notes in NOTES],
    }
    proofs = iter(prove(Path(tmp_path_factory.mktemp("proof")), [each for part in cases.values() for each in part]))
    found = {name: list(islice(proofs, len(part))) for name, part in cases.items()}
    return found.__getitem__


def test_every_stored_game_follows(audited: Audited) -> None:
    for file, proof in zip(STORED, audited("stored"), strict=True):
        assert (proof.verdict, proof.first_bad) == ("follows", None), (file, proof)
        assert {name for name, check in proof.checks.items() if not check["passed"]} == {"log", "luck", "notes"}
        commits = len(read_record(lzma.decompress(file.read_bytes()).splitlines(keepends=True)).entries)
        assert proof.checks["blinding"]["detail"] == f"{commits} salts follow from the secret."


def test_the_first_bad_commit_of_a_forged_record_is_named(audited: Audited) -> None:
    assert len(FORGERIES) > 40
    for (name, data, version), proof in zip(FORGERIES, audited("forged"), strict=True):
        assert (proof.verdict, proof.first_bad) == ("failed", version), (name, proof)
        assert proof.versions() == versions_by_command(data), name


def test_the_browser_and_the_command_find_the_same_faults(audited: Audited) -> None:
    failed = 0
    for (name, data), proof in zip(DAMAGED, audited("damaged"), strict=True):
        assert proof.versions() == versions_by_command(data), (name, proof)
        failed += proof.first_bad is not None
    assert failed > MUTATIONS / 2


def test_a_number_that_javascript_cannot_hold_is_refused_where_it_stands(audited: Audited) -> None:
    for proof in audited("beyond"):
        assert (proof.verdict, proof.first_bad, proof.failed) == ("unreadable", 0, {"spelling"})


def test_a_record_that_stops_before_the_end_is_running(audited: Audited) -> None:
    for proof in audited("running"):
        assert (proof.verdict, proof.first_bad) == ("running", None)
        assert proof.checks["commitment"]["passed"] is proof.checks["blinding"]["passed"] is None


def _hashes(record: Record) -> list[str]:
    return [f"hash {entry.version}:{entry.hash}\n" for entry in record.entries]


NOTED = [
    f"commitment {RECORD.header.commitment}\n",
    *(f"nonce {seat}:{nonce}\n" for seat, nonce in enumerate(RECORD.header.nonces)),
    *_hashes(RECORD),
]
SWAPPED = played(RACE, options=Options(goal=15), secret=Secret(salt="ab" * 32, seed="cd" * 32))
NOTES = [
    "".join(NOTED),
    "".join([*NOTED, f"hash 3:{'0' * 64}\n"]),
    "".join([*NOTED, f"hash {LAST + 1}:{'0' * 64}\n"]),
    f"# mine\n\r\ncommitment {'0' * 64}\n",
    "nonce 0:ada's luck \n",
    "nonce 7:\n",
    "".join(_hashes(SWAPPED)[:4]),
]


def test_what_the_witness_noted_is_compared_with_the_record(audited: Audited) -> None:
    agreeing, other_hash, beyond, commitment, nonce, no_seat, swapped = audited("noted")
    assert agreeing.verdict == "follows"
    assert agreeing.checks["notes"]["detail"] == f"{LAST} of {LAST} hashes that were noted are in this record."
    for proof in (other_hash, beyond, commitment, nonce, no_seat, swapped):
        assert (proof.verdict, proof.first_bad, proof.failed) == ("failed", None, {"notes"})
    assert f"{LAST} of {LAST + 1} hashes" in other_hash.checks["notes"]["detail"]
    assert f"The hash of commit 3 was noted as {'0' * 64}, but" in other_hash.checks["notes"]["detail"]
    assert "the record has none" in beyond.checks["notes"]["detail"]
    assert "The commitment was noted as 000" in commitment.checks["notes"]["detail"]
    assert "0 of 4 hashes" in swapped.checks["notes"]["detail"]
