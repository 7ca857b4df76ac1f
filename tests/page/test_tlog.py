"""The browser checks the transparency log: proofs, signatures, and the leaves in a record."""

import json
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from referee.audit.record import Record
from referee.rulesets import TITLES
from referee.tlog.leaf import game_tag
from referee.tlog.merkle import consistency_proof, inclusion_proof, leaf_hash, root_of
from tests.audit.recorded_game import played
from tests.audit.signed import LOG, THIEF, logged, tree
from tests.page.modules import run_module
from tests.page.proving import Given, bytes_of, prove
from tests.page.test_fairness import VECTORS

LEAVES = 18
ENTRIES = [f"leaf {number}" for number in range(LEAVES)]
HASHES = [leaf_hash(entry.encode()) for entry in ENTRIES]
WRONG = b64encode(bytes(32)).decode()
KEY = LOG.verifier.vkey
PLAYED = played(TITLES[0], seed=1)
OTHER = played(TITLES[0], seed=2)
"""Another game with the same header and the same secret: the audit proves both."""
RECORD = logged(PLAYED)
NOTE = RECORD.logged[0].checkpoint

Case = tuple[Any, list[Any]]


def text(data: bytes) -> str:
    return b64encode(data).decode()


@cache
def root(size: int) -> str:
    return text(root_of(HASHES[:size]))


def subtree(level: int, index: int) -> bytes:
    return root_of(HASHES[index << level : index + 1 << level])


def damaged(proof: list[str]) -> Iterator[list[str]]:
    """Every proof that is almost this one."""
    yield [*proof, WRONG]
    yield from ([*proof[:at], WRONG, *proof[at + 1 :]] for at in range(len(proof)))
    yield from ([*proof[:at], *proof[at + 1 :]] for at in range(len(proof)))


def inclusions() -> Iterator[Case]:
    for size in range(1, LEAVES + 1):
        for index in range(size):
            proof = [text(step) for step in inclusion_proof(subtree, index, size)]
            yield root(size), ["rootOf", ENTRIES[index], index, size, proof]
    yield None, ["rootOf", ENTRIES[0], 3, 3, []]
    yield None, ["rootOf", ENTRIES[0], 0, 5, []]


def consistencies() -> Iterator[Case]:
    for size in range(1, LEAVES + 1):
        for old in range(1, size + 1):
            proof = [text(step) for step in consistency_proof(subtree, old, size)]
            trees = [{"size": old, "root": root(old)}, {"size": size, "root": root(size)}]
            yield True, ["continues", *trees, proof]
            yield False, ["continues", trees[0], {**trees[1], "root": WRONG}, proof]
            yield False, ["continues", {**trees[0], "root": WRONG}, trees[1], proof]
            if old < size:
                yield from ((False, ["continues", *trees, wrong]) for wrong in damaged(proof))
    yield False, ["continues", {"size": 5, "root": root(5)}, {"size": 4, "root": root(4)}, []]
    yield True, ["continues", {"size": 0, "root": WRONG}, {"size": 4, "root": root(4)}, []]


def checkpoints() -> Iterator[Case]:
    names = [LOG.verifier.name, *(f"witness.example/w{number}" for number in range(3))]
    told = {"origin": names[0], "size": 12, "root": NOTE.split("\n")[2], "signers": names}
    yield {**told, "size": int(NOTE.split("\n")[1]), "isSigned": True}, ["readCheckpoint", NOTE, KEY]
    yield {**told, "size": int(NOTE.split("\n")[1]), "isSigned": None}, ["readCheckpoint", NOTE]
    yield {**told, "size": int(NOTE.split("\n")[1]), "isSigned": False}, ["readCheckpoint", NOTE, THIEF.verifier.vkey]
    forged = NOTE.replace(NOTE.split("\n")[2], WRONG)
    yield {**told, "size": int(NOTE.split("\n")[1]), "root": WRONG, "isSigned": False}, ["readCheckpoint", forged, KEY]
    for nonsense in ("", "x", NOTE[:-1], NOTE.replace("— ", "- "), NOTE.replace("\n\n", "\nmore\n\n"), "\n\n"):
        yield None, ["readCheckpoint", nonsense, KEY]
    yield game_tag("g_1"), ["tagOf", "g_1"]
    key = VECTORS["signers"][0]["key"]
    for line in VECTORS["logged"]:
        size, expected = line["checkpoint"].split("\n")[1:3]
        own = {"origin": "referee.example/log", "size": int(size), "root": expected}
        yield {**own, "signers": [own["origin"]], "isSigned": True}, ["readCheckpoint", line["checkpoint"], key]
        yield expected, ["rootOf", line["entry"], line["index"], int(size), line["proof"]]


def test_the_browser_checks_proofs_and_signatures(tmp_path: Path) -> None:
    cases = [*inclusions(), *consistencies(), *checkpoints()]
    file = tmp_path / "cases.json"
    file.write_text(json.dumps([case for _, case in cases]))
    found = run_module(tmp_path / "page", "run_tlog.js", file)
    wrong = [(case, got) for (expected, case), got in zip(cases, found, strict=True) if got != expected]
    assert not wrong, wrong[:3]
    assert len(cases) > 1000


def line(place: int, **changes: Any) -> Record:
    """The record with one line about the log changed."""
    lines = list(RECORD.logged)
    lines[place] = replace(lines[place], **changes)
    return replace(RECORD, logged=tuple(lines))


KNOWN = {"vkey": KEY, "agrees": True}
STRANGERS = tree([b'{"game":"x"}', b"[]", b"null", b"x"])

CASES: dict[str, tuple[Record, dict[str, Any] | None, bool | None, str]] = {
    "of this log": (RECORD, KNOWN, True, "signed by the key that this browser noted"),
    "and cosigned": (RECORD, KNOWN, True, "cosignatures of witness.example/w0, witness.example/w1, witness.example/w2"),
    "without a key": (RECORD, None, None, "No signature was checked"),
    "signed by a thief": (logged(PLAYED, signer=THIEF), KNOWN, False, "not signed by the key"),
    "of another log": (RECORD, {**KNOWN, "agrees": False}, False, "not of the log that this browser saw before"),
    "of a log that does not answer": (RECORD, {**KNOWN, "agrees": None}, True, "signed by the key"),
    "swapped for another proved game": (replace(OTHER, logged=RECORD.logged), KNOWN, False, "shows another game"),
    "of other games": (replace(RECORD, logged=tuple(STRANGERS)), KNOWN, None, "does not show the beginning"),
    "without leaves": (PLAYED, KNOWN, None, "does not show the beginning and the end"),
    "with another leaf": (line(1, entry=RECORD.logged[0].entry), KNOWN, False, "does not lead to its checkpoint"),
    "with another index": (line(0, index=0), KNOWN, False, "does not lead to its checkpoint"),
    "with half a proof": (line(0, proof=()), KNOWN, False, "does not lead to its checkpoint"),
    "with nonsense as a proof": (line(0, proof=("~",)), KNOWN, False, "does not lead to its checkpoint"),
    "with nonsense as a checkpoint": (line(0, checkpoint="x"), KNOWN, False, "comes with no checkpoint"),
}


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The audits of all cases, from one run of node."""
    cases = [Given(bytes_of(record), log=log) for record, log, _, _ in CASES.values()]
    return dict(zip(CASES, prove(Path(tmp_path_factory.mktemp("logged")), cases), strict=True))


@pytest.mark.parametrize("name", CASES)
def test_a_record_is_compared_with_the_log(name: str, reports: dict[str, Any]) -> None:
    _, _, passed, shown = CASES[name]
    report, check = reports[name], reports[name].checks["log"]
    assert check["passed"] is passed, check
    assert shown in check["detail"]
    assert report.failed == ({"log"} if passed is False else set())
    assert report.first_bad is None
