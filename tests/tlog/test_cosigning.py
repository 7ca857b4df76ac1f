"""A witness that cosigns, over real HTTP: written against C2SP's tlog-witness and tlog-cosignature."""

import http.client
import json
import signal
import subprocess
import sys
import threading
import time
from base64 import b64decode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from referee.kernel.canon import canonical
from referee.tlog.merkle import leaf_hash
from referee.tlog.note import Signer
from referee.tlog.tiles import bundled
from referee.witness.__main__ import main
from referee.witness.cosign import Witness
from referee.witness.cosigner import read_key
from tests.subjects import ROOT
from tests.tlog.served import LEAVES, LOG, ORIGIN, STRANGER, Served, body_of, note_of, proof_of


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    running = Served(tmp_path)
    yield running
    running.stop()


def cosigned_at(vkey: str, text: str, line: str) -> int:
    """The time of a cosignature; written from the specification."""
    name, id, key = vkey.split("+", 2)
    public = b64decode(key)
    assert public[0] == 4 and sha256(f"{name}\n".encode() + public).digest()[:4].hex() == id
    dash, who, encoded = line.rstrip("\n").split(" ")
    data = b64decode(encoded)
    assert (dash, who, data[:4].hex(), len(data)) == ("\u2014", name, id, 76)
    at = int.from_bytes(data[4:12], "big")
    message = f"cosignature/v1\ntime {at}\n{text}".encode()
    Ed25519PublicKey.from_public_bytes(public[1:]).verify(data[12:], message)
    return at


def test_checkpoints_that_continue_each_other_are_cosigned(served: Served) -> None:
    old = 0
    assert served.newest()[0] == 404
    for size in (0, 1, 1, 2, 7, 8, 8, 40):
        status, line, _ = served.add(old, LEAVES[:size])
        assert status == 200, line
        text = note_of(LEAVES[:size]).partition("\n\n")[0] + "\n"
        assert abs(cosigned_at(served.key.vkey, text, line) - time.time()) < 60
        with pytest.raises(InvalidSignature):
            cosigned_at(served.key.vkey, text.replace("referee", "deferee"), line)
        assert served.newest() == (200, note_of(LEAVES[:size]))
        old = size


def test_bad_requests_get_the_answers_of_the_specification_and_change_nothing(served: Served) -> None:
    assert served.add(0, LEAVES[:10])[0] == 200
    good, text = note_of(LEAVES[:20]), note_of(LEAVES[:20]).partition("\n\n")[0]
    proof = proof_of(LEAVES[:20], 10)

    def status(body: bytes) -> int:
        return served.call("POST", "/add-checkpoint", body)[0]

    assert status(body_of(10, note_of(LEAVES[:20], STRANGER), proof)) == 403
    assert status(body_of(10, good.replace("\n20\n", "\n21\n"), proof)) == 403
    assert status(body_of(10, f"{text}\n\n{Signer('w.example', bytes(32)).line(text)}", proof)) == 403
    assert status(body_of(10, note_of(LEAVES[:20], Signer("other.example", bytes(32)), "other.example"), proof)) == 404
    assert status(body_of(21, good, proof)) == 400
    for old in (0, 5, 11, 20):
        assert served.add(old, LEAVES[:20])[::2] == (409, "text/x.tlog.size")
        assert served.add(old, LEAVES[:20])[1] == "10\n"
    another = [*LEAVES[:9], leaf_hash(b"x")]
    assert served.add(10, another)[:2] == (409, "10\n")
    assert served.add(10, [*another, *LEAVES[10:20]])[0] == 422
    assert status(body_of(10, good, proof[:-1])) == 422
    assert status(body_of(10, good, [*proof, proof[0]])) == 422
    assert status(body_of(10, good, proof[::-1])) == 422
    for body in (
        *(b"", b"old 10", b"old 10\n\n", b"\xff", f"{text}\n".encode(), good.encode(), b"old 10\n\n" + text.encode()),
        *(f"old {old}\n\n{good}".encode() for old in ("-1", "010", "1e1", "", "\u0661", "9" * 30, " 1", "1 ")),
        *(body_of(10, good, [line]) for line in ("AAAA", "!" * 44, proof[0][:-1], proof[0] + " ", "")),
        body_of(10, good, proof * 60),
        body_of(10, good.replace("\n20\n", "\n020\n"), proof),
    ):
        assert status(body) == 400, body[:60]
    assert served.newest() == (200, note_of(LEAVES[:10]))
    assert served.add(10, LEAVES[:20])[0] == 200


def test_a_fork_that_the_log_has_signed_is_kept_as_evidence(served: Served) -> None:
    another = [*LEAVES[:9], leaf_hash(b"x")]
    assert served.add(0, LEAVES[:10])[0] == 200
    assert served.add(10, another)[0] == 409
    (evidence,) = (served.directory / "state").glob("*.fork")
    assert evidence.read_text() == f"{note_of(LEAVES[:10])}\n{note_of(another)}"


def test_requests_that_are_no_submissions_are_refused(served: Served) -> None:
    assert served.call("POST", "/add-checkpoint", b"x" * 80_000)[0] == 413
    assert served.call("POST", "/", b"x")[0] == 404
    for path in ("/", "/checkpoint", "/../key/checkpoint", f"/{'0' * 64}/checkpoint", "/state/checkpoint"):
        assert served.call("GET", path)[0] == 404
    assert served.call("PUT", "/add-checkpoint", b"x")[0] == 501
    assert served.call("POST", "/add-checkpoint", b"", **{"Content-Length": "many"})[0] == 411


def test_of_two_at_once_one_is_cosigned_and_none_rolls_the_other_back(served: Served) -> None:
    assert served.add(0, LEAVES[:10])[0] == 200
    other = Witness(served.key, {ORIGIN: LOG.verifier}, served.directory / "state")
    bodies = [body_of(10, note_of(LEAVES[:size]), proof_of(LEAVES[:size], 10)) for size in range(11, 41)]

    def submit(number: int) -> int:
        witness = (served.witness, other)[number % 2]
        return witness.add_checkpoint(bodies[number], 1).status

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(submit, range(len(bodies))))
    assert sorted(set(answers)) == [200, 409] and answers.count(200) == 1
    assert served.newest()[1] == note_of(LEAVES[: 11 + answers.index(200)])


def test_the_command_makes_a_key_and_serves_until_it_is_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = str(tmp_path / "key")
    assert main(["keygen", "witness.example/w1", key]) == 0
    vkey = capsys.readouterr().out.strip()
    assert read_key((tmp_path / "key").read_text()).vkey == vkey
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    assert main(["keygen", "witness.example/w1", key]) == 2
    assert main(["keygen", "not a name", str(tmp_path / "other")]) == 2
    assert main(["serve", str(tmp_path / "state"), str(tmp_path), LOG.verifier.vkey]) == 2
    assert main(["serve", key, str(tmp_path / "state"), "no key"]) == 2
    command = [sys.executable, "-m", "referee.witness", "serve", key, str(tmp_path / "state"), LOG.verifier.vkey]
    with subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        connection = http.client.HTTPConnection(url.split("/")[2], timeout=30)
        connection.request("POST", "/add-checkpoint", body_of(0, note_of(LEAVES[:3]), []))
        assert connection.getresponse().status == 200
        connection.close()
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0


def leaf(game: str, kind: str, version: int, hash: str) -> bytes:
    return canonical({"game": game, "hash": hash * 64, "kind": kind, "version": version})


HONEST = [
    *(leaf("a", "created", 0, "1"), leaf("b", "created", 0, "2"), leaf("a", "sealed", 0, "3")),
    *(leaf("a", "head", 3, "4"), leaf("a", "head", 3, "4"), leaf("a", "finished", 9, "5"), leaf("a", "head", 3, "4")),
    *(leaf("b", "annulled", 0, "2"), leaf("c", "created", 0, "6"), leaf("c", "head", 1, "7")),
    canonical({"hash": "9" * 64, "kind": "key", "version": 0, "game": ""}),
]

DISHONEST = {
    "two hashes for version 3": [leaf("c", "head", 3, "1"), leaf("c", "head", 3, "2")],
    "two hashes for version 0": [leaf("c", "annulled", 0, "7")],
    "two hashes for version 1": [leaf("c", "finished", 1, "8")],
    "`head` of version 12 after `finished`": [leaf("a", "head", 12, "8")],
    "`head` of version 2 after version 5": [leaf("c", "head", 5, "1"), leaf("c", "head", 2, "1")],
    "two hashes for version 0: ": [leaf("a", "sealed", 0, "8")],
    "is not of the form": [b'{"game":"c","hash":"x","kind":"head","version":"1"}'],
    "is not of the form that": [b"\xff"],
}


class Tiled:
    """A log over HTTP, from which a monitor reads."""

    def __init__(self, entries: list[bytes]) -> None:
        self.entries = self.shown = entries
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, self))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def tell(self, entries: list[bytes], shown: list[bytes] | None = None) -> int:
        """Tell these leaves, or show others; returns what the monitor returns."""
        self.entries, self.shown = entries, entries if shown is None else shown
        return main(["monitor", self.url, LOG.verifier.vkey])

    def answer(self, path: str) -> bytes:
        if path == "/checkpoint":
            return note_of([leaf_hash(entry) for entry in self.entries]).encode()
        assert path == f"/tile/entries/000.p/{len(self.entries)}"
        return b"".join(map(bundled, self.shown))


class _Handler(BaseHTTPRequestHandler):
    def __init__(self, tiled: Tiled, *rest: object) -> None:
        self.tiled = tiled
        super().__init__(*rest)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        body = self.tiled.answer(self.path)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent."""


@pytest.fixture
def tiled() -> Iterator[Tiled]:
    running = Tiled(HONEST)
    yield running
    running.server.shutdown()
    running.server.server_close()


def test_a_monitor_counts_games_and_names_one_with_two_stories(
    tiled: Tiled, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tiled.tell(HONEST) == 0
    out = capsys.readouterr().out
    for line in ("11 leaves", "1 games: finished", "1 games: annulled before their start", "1 games: not over"):
        assert line in out.splitlines()
    for reason, more in DISHONEST.items():
        assert tiled.tell([*HONEST, *more]) == 1
        out = capsys.readouterr().out
        assert f"TWO STORIES: Leaf {len(HONEST) + len(more) - 1}" in out and reason in out
        game = json.loads(more[-1])["game"] if "form" not in reason else None
        assert game is None or f"game {game}:" in out


def test_a_monitor_refuses_leaves_that_do_not_lead_to_the_root(tiled: Tiled) -> None:
    for shown in ([*HONEST[:-1], HONEST[0]], HONEST[:-1], [*HONEST, HONEST[0]], []):
        assert tiled.tell(HONEST, shown) == 2
