"""The check `receipts`: whether the service kept its word, decided offline from what it signed."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from referee.audit.record import Logged, Record, read_commit
from referee.kernel.canon import canonical
from referee.rulesets import TITLES
from referee.tlog.leaf import KeyNotice
from referee.tlog.note import Signer
from referee.tlog.receipt import Receipt
from tests.audit.recorded_game import played
from tests.audit.signed import LOG, RECEIPTS, THIEF, kept, leaves_of, policy, tree, written
from tests.audit.test_command import run
from tests.audit.test_log import answered, shown

RECORD = played(TITLES[0])
COMMITS = [read_commit(entry.body) for entry in RECORD.entries]
MADE = next(commit for commit in COMMITS[1:] if isinstance(commit.actor, int))
"""A move of a seat."""
BEFORE = MADE.version - 1
BODY = canonical(MADE.move)
SEAT = int(MADE.actor)
KEY = RECEIPTS.verifier.vkey

ACCEPTED = Receipt(
    *(MADE.at, RECORD.header.game, RECORD.entries[BEFORE].hash, "accepted", SEAT, MADE.version),
    body=sha256(BODY).hexdigest(),
)
REFUSED = Receipt(
    *(MADE.at, RECORD.header.game, RECORD.entries[BEFORE - 1].hash, "refused", SEAT, BEFORE),
    body=sha256(BODY).hexdigest(),
    code="move-refused",
    clause="CC-24",
)
LAPSED = replace(ACCEPTED, kind="lapsed", body=UNSET)

Decide = Callable[..., tuple[int, str]]


@pytest.fixture
def decide(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Decide:
    """Runs the command with a receipt; returns the exit status and what it printed."""

    def run_with(
        receipt: Receipt | str,
        body: bytes | None = BODY,
        *more: str,
        record: Record = RECORD,
        signer: Signer = RECEIPTS,
    ) -> tuple[int, str]:
        note = receipt if isinstance(receipt, str) else receipt.sign(signer)
        options = ["--receipt", kept(tmp_path, "receipt.txt", note)]
        if body is not None:
            options += ["--body", kept(tmp_path, "move.json", body)]
        return shown(capsys, written(tmp_path, record), *options, *(more or ("--key", KEY)))

    return run_with


def with_body(receipt: Receipt, body: bytes, **changes: Any) -> Receipt:
    return replace(receipt, body=sha256(body).hexdigest(), **changes)


def test_a_kept_word_is_ok(decide: Decide) -> None:
    status, text = decide(ACCEPTED)
    assert status == 0
    assert f"receipt.txt: the move that was sent is commit {MADE.version} of the record." in text
    assert "ok      receipts" in text
    assert decide(ACCEPTED, None)[0] == 0


def test_an_accepted_move_that_the_record_lacks_convicts(decide: Decide) -> None:
    beyond = len(RECORD.entries) + 1
    for receipt, why in (
        (replace(ACCEPTED, hash="0" * 64), f"for version {MADE.version}, but the record has {ACCEPTED.hash}"),
        (replace(ACCEPTED, version=beyond), "the record has no such commit"),
        (replace(ACCEPTED, seat=(SEAT + 1) % 2), "is not of seat"),
        (replace(ACCEPTED, version=1, hash=RECORD.entries[0].hash), "commit 1 is not of seat"),
        (replace(ACCEPTED, version=0, hash=RECORD.header.commitment), "commit 0 is not of seat"),
    ):
        status, text = decide(receipt)
        assert status == 1
        assert "FAILED  receipts" in text and "the service broke its word" in text and why in text
        assert text.endswith("FAILED: the service broke its word\n")
    other = b'{"type":"pass"}'
    status, text = decide(with_body(ACCEPTED, other), other)
    assert (status, "is another move than the one that was sent" in text) == (1, True)


def test_a_legal_move_that_was_refused_convicts(decide: Decide) -> None:
    status, text = decide(REFUSED)
    assert status == 1
    assert f"it refused the move by CC-24, but the rules allow it at version {BEFORE}" in text


def test_a_refusal_by_the_right_clause_is_kept_and_one_by_another_clause_is_not(decide: Decide) -> None:
    body = b'{"type":"no such move"}'
    status, text = decide(with_body(REFUSED, body), body)
    right = text.partition("the clause that refuses it is ")[2].partition(".")[0]
    assert status == 1
    status, text = decide(with_body(REFUSED, body, clause=right), body)
    assert (status, f"the rules refuse the move by {right}:" in text) == (0, True)


def test_a_refusal_at_another_state_than_the_recorded_one_convicts(decide: Decide) -> None:
    status, text = decide(replace(REFUSED, hash="0" * 64))
    assert (status, "it signed the hash" in text) == (1, True)
    first = replace(REFUSED, version=0, hash=RECORD.header.commitment)
    status, text = decide(first)
    assert (status, "the clause that refuses it is" in text) == (1, True)


@pytest.mark.parametrize(
    ("changes", "status", "why"),
    [
        ({"code": "bad-json"}, 1, "it refused the body as no JSON, but it is JSON"),
        ({"code": "stale-version"}, 1, "but the position had not changed"),
        ({"code": "stale-version", "expected": BEFORE}, 1, "but the position had not changed"),
        ({"code": "stale-version", "expected": 0}, 0, "the position had changed since version 0"),
        ({"code": "if-match-failed", "expected": BEFORE + 1}, 0, "had changed since"),
        ({"code": "game-paused"}, 1, "the record shows no reason for that"),
        ({"code": "game-finished"}, 1, "the record shows no reason for that"),
        ({"code": "game-annulled"}, 1, "the record shows no reason for that"),
        ({"code": "bot-plays"}, 1, "the record shows no reason for that"),
        ({"code": "resigned-already"}, 1, "the record shows no reason for that"),
        ({"code": "deadline-passed"}, 1, "the record shows no reason for that"),
        ({"code": "idempotency-key-reused"}, 0, "the rules allow the move, and whether"),
        ({"code": "edition-changed"}, 0, "is the service's word"),
    ],
)
def test_other_refusals_are_held_against_the_record(
    changes: dict[str, Any], status: int, why: str, decide: Decide
) -> None:
    found, text = decide(replace(REFUSED, clause=UNSET, **changes))
    assert (found, why in text) == (status, True), text
    assert ("-       receipts" in text) == (changes["code"] in ("idempotency-key-reused", "edition-changed"))


def test_a_time_that_is_none_leaves_a_receipt_open(decide: Decide) -> None:
    status, text = decide(replace(REFUSED, clause=UNSET, code="deadline-passed", at="soon"))
    assert (status, "the refusal cannot be judged" in text) == (0, True)


def test_a_body_that_is_no_json_is_refused_rightly(decide: Decide) -> None:
    for body in (b"{", b"\xff", b"[" * 100_000):
        assert decide(with_body(REFUSED, body, code="bad-json", clause=UNSET), body)[0] == 0
        status, text = decide(with_body(REFUSED, body), body)
        assert (status, "but the body is not JSON" in text) == (1, True)


def test_a_move_that_the_clock_did_not_make_convicts(decide: Decide) -> None:
    status, text = decide(LAPSED, None)
    assert (status, f"the clock did not make commit {MADE.version}" in text) == (1, True)


def test_a_seal_that_the_header_does_not_have_convicts(decide: Decide) -> None:
    status, text = decide(replace(LAPSED, kind="revealed", version=0, hash="0" * 64), None)
    assert (status, f"it signed that seat {SEAT} opened the seal" in text) == (1, True)


@pytest.mark.parametrize(
    ("receipt", "why"),
    [
        (ACCEPTED.sign(RECEIPTS).replace('"seat":', '"seat":1'), "The signature of referee.example/receipts is wrong"),
        (ACCEPTED.sign(RECEIPTS).replace("accepted", "refused"), "The signature of"),
        (ACCEPTED.sign(THIEF), "The note is not signed by"),
        (replace(ACCEPTED, game="g_other"), "the receipt is of g_other, not of g_test"),
        (replace(ACCEPTED, seat=9), "the game has no seat 9"),
        (replace(ACCEPTED, seat=-1), "the game has no seat -1"),
        (replace(ACCEPTED, version=-1), "version -1"),
        (replace(ACCEPTED, body="0" * 64), "no receipt is for this body"),
        (replace(ACCEPTED, clause="CC-1"), "with the members of its kind"),
        (replace(REFUSED, code=UNSET), "with the members of its kind"),
        (replace(REFUSED, clause=UNSET), "with the members of its kind"),
        (replace(LAPSED, expected=1), "with the members of its kind"),
        (replace(LAPSED, kind="revealed"), "with the members of its kind"),
        (replace(ACCEPTED, kind="revealed", version=0), "with the members of its kind"),
        (replace(ACCEPTED, kind="promised"), "is not a receipt"),
        (RECEIPTS.sign("referee/receipt/2\n{}\n"), "The first line of a receipt is referee/receipt/1"),
        (RECEIPTS.sign("referee/receipt/1\n{}\n"), "is not a receipt"),
        (RECEIPTS.sign(ACCEPTED.text.replace('"at":', '"at" :')), "canonical JSON"),
        (RECEIPTS.sign(ACCEPTED.text + "more\n"), "is not a receipt"),
        (RECEIPTS.sign("x" * 5000 + "\n"), "at most 4096 characters"),
        ("", "A note is a text"),
        ("hello", "A note is a text"),
    ],
)
def test_what_is_no_receipt_of_this_game_decides_nothing(receipt: Receipt | str, why: str, decide: Decide) -> None:
    status, text = decide(receipt)
    assert (status, why in text) == (2, True), text


def test_a_receipt_needs_a_key_and_a_refusal_its_body(decide: Decide, tmp_path: Path) -> None:
    assert decide(REFUSED, None)[0] == 2
    assert decide(ACCEPTED, BODY, "--json")[0] == 2
    assert decide(ACCEPTED, BODY, "--key", "nonsense")[0] == 2
    assert decide(ACCEPTED, BODY, "--key", KEY, "--body", kept(tmp_path, "other.json", b"{}"))[0] == 2
    assert decide(ACCEPTED, BODY, "--key", KEY, "--receipt", str(tmp_path / "none"))[0] == 2


def test_receipts_are_about_one_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = [written(tmp_path, RECORD, name) for name in ("one.jsonl", "other.jsonl")]
    receipt = kept(tmp_path, "receipt.txt", ACCEPTED.sign(RECEIPTS))
    status, text = shown(capsys, *records, "--key", KEY, "--receipt", receipt)
    assert (status, "about one game" in text) == (2, True)


def test_the_report_in_json_has_the_same_words(decide: Decide) -> None:
    status, text = decide(REFUSED, BODY, "--key", KEY, "--json")
    report = json.loads(text)
    assert (status, report["verdict"], report["first_bad_version"]) == (1, "failed", None)
    assert [check["name"] for check in report["checks"]][-2:] == ["log", "receipts"]
    assert report["checks"][-1]["passed"] is False


def keys_file(
    directory: Path, *changes: str, among: list[bytes] | None = None, signer: Signer = LOG
) -> tuple[str, list[Logged]]:
    """The answer of `GET /log/keys` after these changes of the key for receipts, and all lines of the log."""
    notices = [KeyNotice(change, KEY, "receipts") for change in changes]
    entries = [notices[0].leaf.entry, *(among or []), *(notice.leaf.entry for notice in notices[1:])]
    lines = tree(entries, signer)
    places = [0, *range(len(entries) - len(notices) + 1, len(entries))]
    answer = [{"notice": notice.text, **answered(lines[at])} for notice, at in zip(notices, places, strict=True)]
    return kept(directory, "keys.json", json.dumps({"log": "", "receipts": KEY, "notices": answer})), lines


def test_the_log_says_which_keys_sign_receipts(decide: Decide, tmp_path: Path) -> None:
    file, _ = keys_file(tmp_path, "begin", "end")
    assert decide(REFUSED, BODY, "--keys", file, "--key", LOG.verifier.vkey)[0] == 1
    status, text = decide(ACCEPTED, BODY, "--keys", file, "--policy", kept(tmp_path, "policy", policy()))
    assert (status, "ok      receipts" in text, "FAILED  log" in text) == (1, True, True)
    status, text = decide(ACCEPTED, BODY, "--keys", file, "--key", THIEF.verifier.vkey)
    assert (status, "does not count" in text) == (2, True)
    for bad in (b"{}", b"", b'{"notices":[{"notice":"{}","entry":"","index":0,"proof":""}]}'):
        assert decide(ACCEPTED, BODY, "--keys", kept(tmp_path, "bad.json", bad), "--key", KEY)[0] == 2


def test_a_receipt_of_a_revoked_key_counts_only_if_the_log_shows_that_it_is_older(
    decide: Decide, tmp_path: Path
) -> None:
    trusted = ("--key", LOG.verifier.vkey, "--key", KEY)
    exact = replace(leaves_of(RECORD)[1], version=MADE.version, hash=ACCEPTED.hash).entry
    file, lines = keys_file(tmp_path, "begin", "revoke", among=[exact])
    older = kept(tmp_path, "log.json", json.dumps({"leaves": [answered(lines[1])]}))
    assert decide(ACCEPTED, BODY, *trusted, "--keys", file, "--log", older)[0] == 0
    for receipt in (ACCEPTED, REFUSED):
        status, text = decide(receipt, BODY, *trusted, "--keys", file)
        assert (status, "its key was revoked by leaf 2" in text) == (2, True)
    status, _ = decide(REFUSED, BODY, *trusted, "--keys", file, "--log", older)
    assert status == 2, "a refused move leaves no leaf: a thief of the key can invent one"
    file, lines = keys_file(tmp_path, "begin", "revoke")
    later = tree([*(line.entry.encode() for line in lines), exact])
    younger = kept(tmp_path, "log.json", json.dumps({"leaves": [answered(later[2])]}))
    assert decide(ACCEPTED, BODY, *trusted, "--keys", file, "--log", younger)[0] == 2


def test_nobody_revokes_the_key_of_a_receipt_that_accuses_them_without_the_log(decide: Decide, tmp_path: Path) -> None:
    file, _ = keys_file(tmp_path, "begin", "revoke", signer=THIEF)
    status, text = decide(REFUSED, BODY, "--keys", file, "--key", LOG.verifier.vkey, "--key", KEY)
    assert (status, "What the log says about keys does not count" in text) == (2, True)
    assert decide(REFUSED)[0] == 1


def test_a_broken_chain_decides_nothing_about_receipts(decide: Decide) -> None:
    broken = replace(RECORD, entries=(*RECORD.entries[:-1], replace(RECORD.entries[-1], hash="0" * 64)))
    status, text = decide(REFUSED, record=broken)
    assert (status, "No receipt was checked" in text) == (1, True)


def test_a_record_that_stops_early_leaves_a_receipt_open(decide: Decide) -> None:
    running = replace(RECORD, entries=RECORD.entries[:BEFORE], secret=None)
    for receipt in (ACCEPTED, REFUSED):
        status, text = decide(receipt, record=running)
        assert (status, "-       receipts" in text) == (3, True)


def test_without_cryptography_receipts_are_refused_and_records_are_proved(tmp_path: Path) -> None:
    file, receipt = written(tmp_path, RECORD), kept(tmp_path, "receipt.txt", ACCEPTED.sign(RECEIPTS))
    assert run(file).returncode == 0
    done = run(file, "--receipt", receipt, "--key", KEY)
    assert (done.returncode, b"pip install 'referee[signatures]'" in done.stderr) == (2, True)
