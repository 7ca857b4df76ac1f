"""The check `log`: it fails for a record that the transparency log does not show, even if all else is proved."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from referee.audit.__main__ import main
from referee.audit.evidence import Evidence
from referee.audit.log import LogFinding, check_log
from referee.audit.record import Logged, Record
from referee.audit.whole_log import LEAVES_MAX
from referee.rulesets import TITLES
from referee.table.record import seal_of
from referee.tlog.leaf import Leaf, game_tag, sealed_hash
from referee.tlog.note import Checkpoint
from referee.tlog.policy import Policy, read_policy
from referee.tlog.tiles import bundled
from tests.audit.recorded_game import played
from tests.audit.signed import LOG, RECEIPTS, THIEF, WITNESSES, kept, leaves_of, logged, policy, tree, written

PLAYED = played(TITLES[0], seed=1)
OTHER = played(TITLES[0], seed=2)
"""Another game with the same header and the same secret: the audit proves both."""
RECORD = logged(PLAYED)
KEY = LOG.verifier.vkey
TRUSTED = Evidence(policy=read_policy(policy().encode()), is_demanded=True)


def found(record: Record, evidence: Evidence = TRUSTED) -> LogFinding:
    return check_log(record, evidence)


def line(record: Record, place: int, **changes: Any) -> Record:
    """The record with one line about the log changed."""
    lines = list(record.logged)
    lines[place] = replace(lines[place], **changes)
    return replace(record, logged=tuple(lines))


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    try:
        status = main(arguments)
    except SystemExit as left:
        status = int(str(left.code))
    captured = capsys.readouterr()
    return status, captured.out + captured.err


def test_the_log_shows_the_game_and_names_those_who_signed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, text = shown(capsys, written(tmp_path, RECORD), "--policy", kept(tmp_path, "policy", policy()))
    assert status == 0, text
    signed = "signed by referee.example/log and cosigned by w0, w1, w2."
    assert f"ok      log         5 leaves of the log fit the record, {signed}" in text
    assert text.endswith("PROVED\n")


def test_a_finished_game_that_was_swapped_for_another_proved_one_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert OTHER.header == PLAYED.header and OTHER.entries[-1] != PLAYED.entries[-1]
    assert shown(capsys, written(tmp_path, OTHER))[0] == 0
    swapped = written(tmp_path, replace(OTHER, logged=RECORD.logged))
    for more in ((), ("--key", KEY), ("--policy", kept(tmp_path, "policy", policy()))):
        status, text = shown(capsys, swapped, *more)
        assert status == 1
        middle, commit = RECORD.logged[2], len(PLAYED.entries) // 2
        assert f"The log shows another game: leaf {middle.index} has the hash {PLAYED.entries[commit - 1].hash}" in text
        assert f"for commit {commit}, but the record has {OTHER.entries[commit - 1].hash}." in text
        assert text.endswith("FAILED: the record is not of the game in the log\n")


def test_a_swapped_game_without_lines_or_with_a_second_story_fails_a_policy(tmp_path: Path) -> None:
    assert found(OTHER) == LogFinding(
        False, "The log does not show its creation and its end: read the record again in a few seconds."
    )
    both = [leaf.entry for leaf in (*leaves_of(PLAYED), *leaves_of(OTHER))]
    lines = tree(both)
    told = replace(OTHER, logged=tuple(lines[len(leaves_of(PLAYED)) :]))
    assert found(told).passed is True, "the second version is in the log, too: a reader of the whole log sees both"
    both_told = found(told, replace(TRUSTED, leaves=tuple(lines)))
    assert (both_told.passed, "The log shows another game" in both_told.detail) == (False, True)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"index": 2}, "does not lead"),
        ({"index": 10**15}, "does not lead"),
        ({"proof": ()}, "does not lead"),
        ({"proof": ("AA==",) * 3}, "does not lead"),
        ({"proof": ("not base64",) * 3}, "does not lead"),
        ({"proof": RECORD.logged[0].proof[::-1]}, "does not lead"),
        ({"proof": RECORD.logged[0].proof * 30}, "does not lead"),
        ({"entry": RECORD.logged[0].entry.replace("created", "sealed")}, "does not lead"),
        ({"checkpoint": "nonsense"}, "A checkpoint is not valid"),
        ({"checkpoint": RECORD.logged[0].checkpoint.replace("\n10\n", "\n11\n")}, "The signature of"),
    ],
)
def test_a_damaged_line_fails(change: dict[str, Any], why: str) -> None:
    finding = found(line(RECORD, 0, **change))
    assert finding.passed is False
    assert why in finding.detail


def test_leaves_of_another_game_or_another_end_fail() -> None:
    tag, count = game_tag(PLAYED.header.game), len(PLAYED.entries)
    for leaf, why in (
        (Leaf(game_tag("g_other"), "0" * 64, "head", 1), "of another game"),
        (Leaf(tag, PLAYED.header.commitment, "created", 1), "ends elsewhere"),
        (Leaf(tag, "0" * 64, "created", 0), "for the commitment"),
        (Leaf(tag, "0" * 64, "sealed", 0), "for the seals"),
        (Leaf(tag, "0" * 64, "head", 1), "for commit 1"),
        (Leaf(tag, PLAYED.entries[0].hash, "head", 0), "ends elsewhere"),
        (Leaf(tag, PLAYED.entries[0].hash, "head", -1), "ends elsewhere"),
        (Leaf(tag, PLAYED.entries[0].hash, "finished", 1), "ends elsewhere"),
        (Leaf(tag, "0" * 64, "head", count + 1), "ends elsewhere"),
        (Leaf(tag, PLAYED.header.commitment, "annulled", 0), "ends elsewhere"),
    ):
        lines = tree([*(each.entry for each in leaves_of(PLAYED)), leaf.entry])
        finding = found(replace(PLAYED, logged=tuple(lines)))
        assert finding.passed is False
        assert why in finding.detail, finding


def test_a_plain_nonce_that_was_exchanged_after_the_reveals_is_named() -> None:
    """An operator sits without a seal, waits for the nonces of the others, and then chooses its own."""
    sealed = replace(PLAYED.header, nonces=("7" * 64, "8" * 64), seals=(seal_of(PLAYED.header.game, "7" * 64), None))
    at_the_reveal = replace(sealed, nonces=("", "8" * 64))
    lines = tree([Leaf(game_tag(sealed.game), sealed_hash(at_the_reveal), "sealed", 0).entry])
    for header, why in (
        (sealed, "does not show its creation"),
        (replace(sealed, nonces=("9" * 64, "8" * 64)), "does not show its creation"),
        (replace(sealed, nonces=("7" * 64, "9" * 64)), "for the seals"),
        (replace(sealed, nonces=("7" * 64, "")), "for the seals"),
        (replace(sealed, options={"first_seat": 1}), "for the seals"),
    ):
        assert why in found(replace(PLAYED, header=header, logged=tuple(lines))).detail


def test_without_a_key_nothing_is_proved_and_without_a_policy_nothing_is_demanded() -> None:
    unsigned = found(RECORD, Evidence())
    assert unsigned.passed is None and "no signature was checked" in unsigned.detail
    assert found(RECORD, Evidence(policy=Policy((RECEIPTS.verifier,)))).passed is None
    alone = found(RECORD, Evidence(policy=Policy((LOG.verifier,))))
    assert alone.passed is True and "no witness that is known here" in alone.detail
    early = replace(RECORD, logged=RECORD.logged[:-1])
    assert found(early, Evidence(policy=Policy((LOG.verifier,)))).passed is None
    assert found(early).passed is False


def test_a_stolen_name_and_too_few_witnesses_fail_the_policy() -> None:
    assert "not signed by" in found(logged(PLAYED, signer=THIEF)).detail
    for witnesses, passed in ((WITNESSES[:2], True), (WITNESSES[1:], True), (WITNESSES[:1], False), ((), False)):
        finding = found(logged(PLAYED, witnesses=witnesses))
        assert finding.passed is passed, finding
    assert "The quorum all-of-them is not reached: w0 cosigned" in found(logged(PLAYED, witnesses=WITNESSES[:1])).detail
    wrong = RECORD.logged[0].checkpoint.replace("— witness.example/w0 ", "— witness.example/w1 ")
    doubled = replace(RECORD, logged=tuple(replace(each, checkpoint=wrong) for each in RECORD.logged))
    assert found(doubled).detail.count("cosigned by w1, w2.") == 1


def test_two_checkpoints_of_one_size_are_two_stories() -> None:
    fork = logged(replace(PLAYED, entries=PLAYED.entries), witnesses=WITNESSES)
    other = tree([b"other %d" % number for number in range(9)] + [fork.logged[-1].entry.encode()])
    told = replace(RECORD, logged=(*RECORD.logged[:-1], replace(other[-1], index=9)))
    finding = found(told)
    assert finding == LogFinding(False, "Two checkpoints of referee.example/log with 10 leaves have different roots.")


def test_the_answer_of_the_service_about_the_log_counts_as_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = kept(tmp_path, "log.json", json.dumps({"leaves": [answered(each) for each in RECORD.logged]}))
    options = ("--policy", kept(tmp_path, "policy", policy()), "--log")
    assert shown(capsys, written(tmp_path, PLAYED), *options, file)[0] == 0
    assert shown(capsys, written(tmp_path, OTHER), *options, file)[0] == 1
    for bad in (b"", b"{}", b'{"leaves":[{}]}', b"\xff", b'{"leaves":[{"index":1,"entry":"","proof":"x"}]}'):
        status, text = shown(capsys, written(tmp_path, PLAYED), *options, kept(tmp_path, "bad.json", bad))
        assert (status, "not the leaves of a game" in text) == (2, True)
    assert shown(capsys, written(tmp_path, PLAYED), *options, str(tmp_path / "none"))[0] == 2


def answered(each: Logged) -> dict[str, Any]:
    """A leaf as `GET /v1/games/{id}/log` has it."""
    proof = "\n".join(("c2sp.org/tlog-proof@v1", f"index {each.index}", *each.proof)) + f"\n\n{each.checkpoint}"
    return {"index": each.index, "entry": each.entry, "proof": proof}


class Host:
    """A log over HTTP: what each path answers."""

    def __init__(self, entries: list[bytes]) -> None:
        self.files = {"/log/checkpoint": tree(entries)[0].checkpoint.encode()}
        for first in range(0, len(entries), 256):
            part = entries[first : first + 256]
            width = "" if len(part) == 256 else f".p/{len(part)}"
            self.files[f"/log/tile/entries/{first // 256:03}{width}"] = b"".join(map(bundled, part))


@pytest.fixture(scope="module")
def hosted() -> Iterator[tuple[str, Host]]:
    """Two games with the same id: the one that was played, and the one that it was swapped for."""
    others = [b"other %d" % number for number in range(300)]
    host = Host([*others, *(each.entry for each in (*leaves_of(PLAYED), *leaves_of(OTHER)))])

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = host.files.get(self.path)
            self.send_response(200 if found is not None else 404)
            self.end_headers()
            self.wfile.write(found or b"")

        def log_message(self, *_: Any) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/log", host
    server.shutdown()
    server.server_close()


def test_a_reader_of_the_whole_log_finds_a_game_with_two_histories(
    hosted: tuple[str, Host], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url, host = hosted
    before = dict(host.files)
    for record in (PLAYED, OTHER):
        status, text = shown(capsys, written(tmp_path, record), "--key", KEY, "--log", url)
        assert status == 1 and "FAILED  log" in text
    honest = Host([b"other %d" % number for number in range(256)] + [each.entry for each in leaves_of(PLAYED)])
    host.files.update(honest.files)
    status, text = shown(capsys, written(tmp_path, PLAYED), "--key", KEY, "--log", url)
    assert (status, "ok      log         5 leaves" in text) == (0, True), text
    huge = LOG.sign(Checkpoint(LOG.verifier.name, LEAVES_MAX + 1, bytes(32)).text).encode()
    for path, data in (
        ("/log/checkpoint", before["/log/checkpoint"][:-9]),
        ("/log/checkpoint", huge),
        ("/log/tile/entries/000", b"\x00"),
        ("/log/tile/entries/000", honest.files["/log/tile/entries/000"][:-2] + b"xx"),
        ("/log/tile/entries/000", b"".join(map(bundled, [b"x"] * 255))),
        ("/log/tile/entries/000", b"\x00" * (1 << 21)),
    ):
        host.files.update({**honest.files, path: data})
        assert shown(capsys, written(tmp_path, PLAYED), "--key", KEY, "--log", url)[0] == 2
    host.files.clear()
    assert shown(capsys, written(tmp_path, PLAYED), "--key", KEY, "--log", url)[0] == 2
    host.files.update(before)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "has a line `quorum`"),
        ("quorum none\n", "names no log"),
        ("log nonsense\nquorum none\n", "line 1:"),
        (f"log {WITNESSES[0].cosigner.vkey}\nquorum none\n", "line 1:"),
        (f"witness w {KEY}\nquorum w\n", "line 1:"),
        (f"log {KEY}\nlog {KEY}\nquorum none\n", "named twice"),
        (f"log {KEY}\nquorum w\n", "'w' is not defined above"),
        (f"log {KEY}\nquorum none\nquorum none\n", "second quorum"),
        (policy().replace("group all-of-them 2", "group all-of-them 4"), "fewer than 4"),
        (policy().replace("group all-of-them 2", "group all-of-them 0"), "`any`, `all` or a number"),
        (policy().replace("group all-of-them 2", "group all-of-them -1"), "`any`, `all` or a number"),
        (policy().replace("group all-of-them 2 w0 w1 w2", "group all-of-them 2"), "Expected"),
        (policy().replace("w0 w1 w2", "w0 w0 w2"), "already a member"),
        (policy().replace("w0 w1 w2", "w0 w1 w3"), "'w3' is not defined above"),
        (policy().replace("witness w1", "witness w0"), "is taken"),
        (policy().replace("witness w1", "witness none"), "is taken"),
        (policy().replace(WITNESSES[1].cosigner.vkey, WITNESSES[0].cosigner.vkey), "named twice"),
        (policy() + "unknown line\n", "Expected"),
        (policy() + "quorum\x00\n", "control character"),
        (policy() + "#\n" * 300, "at most 256 lines"),
        ("# " + "x" * 300_000, "at most 262144 bytes"),
    ],
)
def test_a_policy_that_is_none_is_refused(
    text: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = shown(capsys, written(tmp_path, RECORD), "--policy", kept(tmp_path, "policy", text))
    assert status == 2
    assert why in said


def test_a_policy_has_groups_of_groups_and_words_for_thresholds() -> None:
    text = policy().replace("group all-of-them 2 w0 w1 w2", "group pair all w0 w1\n\t group all-of-them any pair w2 ")
    read = Evidence(policy=read_policy(text.encode()), is_demanded=True)
    for chosen, passed in (((0, 1), True), ((2,), True), ((0,), False), ((1,), False)):
        assert found(logged(PLAYED, witnesses=[WITNESSES[at] for at in chosen]), read).passed is passed
    deep = "\n".join(f"group g{at + 1} all g{at}" for at in range(1, 240))
    text = policy("quorum g240").replace("quorum g240", f"group g1 any all-of-them\n{deep}\nquorum g240")
    assert found(RECORD, Evidence(policy=read_policy(text.encode()), is_demanded=True)).passed is True
