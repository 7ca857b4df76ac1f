"""A witness over real HTTP: it follows an honest log, and keeps both stories of a forked, shortened or damaged one."""

import functools
import threading
from base64 import b64encode
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from referee.tlog.merkle import consistency_proof, leaf_hash, root_of
from referee.tlog.note import Checkpoint, Signer, open_note
from referee.witness.__main__ import main

SIGNER = Signer("referee.example/log", bytes(32))
VKEY = SIGNER.verifier.vkey


class Told:
    """What a log tells at the moment."""

    def __init__(self) -> None:
        self.leaves: list[bytes] = []
        self.note = ""

    def tell(self, *entries: bytes) -> str:
        self.leaves = [leaf_hash(entry) for entry in entries]
        checkpoint = Checkpoint("referee.example/log", len(entries), root_of(self.leaves))
        self.note = SIGNER.sign(checkpoint.text)
        return self.note

    def answer(self, path: str) -> str:
        if urlsplit(path).path.endswith("/checkpoint"):
            return self.note
        query = parse_qs(urlsplit(path).query)
        old, size = int(query["old"][0]), int(query["size"][0])
        proof = consistency_proof(lambda level, at: root_of(self.leaves[at << level : at + 1 << level]), old, size)
        return "".join(f"{b64encode(step).decode()}\n" for step in proof)


class _Handler(BaseHTTPRequestHandler):
    def __init__(self, told: Told, *rest: object) -> None:
        self.told = told
        super().__init__(*rest)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        body = self.told.answer(self.path).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent."""


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def url(told: Told) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Handler, told))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/log"
    server.shutdown()
    server.server_close()
    thread.join()


def watch(url: str, state: Path) -> int:
    return main(["watch", url, VKEY, str(state), "--rounds", "1"])


ENTRIES = [b"%d" % number for number in range(40)]


def test_a_log_that_only_grows_is_followed(told: Told, url: str, tmp_path: Path) -> None:
    for size in (0, 1, 1, 2, 7, 8, 40):
        note = told.tell(*ENTRIES[:size])
        assert watch(url, tmp_path / "state") == 0
        assert (tmp_path / "state").read_text() == note


@pytest.mark.parametrize(
    "later",
    [
        [*ENTRIES[:4], b"another", *ENTRIES[5:20]],
        [*ENTRIES[:9], b"another"],
        ENTRIES[:9],
        [],
    ],
)
def test_a_forked_or_shortened_log_leaves_both_signed_checkpoints(
    told: Told, url: str, later: list[bytes], tmp_path: Path
) -> None:
    first = told.tell(*ENTRIES[:10])
    assert watch(url, tmp_path / "state") == 0
    second = told.tell(*later)
    assert watch(url, tmp_path / "state") == 1
    assert (tmp_path / "state").read_text() == first
    assert (tmp_path / "state.fork").read_text() == f"{first}\n{second}"
    for note in (first, second):
        open_note(note, SIGNER.verifier)


def test_a_damaged_checkpoint_is_not_noted(told: Told, url: str, tmp_path: Path) -> None:
    first = told.tell(*ENTRIES[:10])
    assert watch(url, tmp_path / "state") == 0
    told.note = told.tell(*ENTRIES[:11]).replace("\n11\n", "\n12\n")
    assert watch(url, tmp_path / "state") == 2
    told.note = "no note"
    assert watch(url, tmp_path / "state") == 2
    assert (tmp_path / "state").read_text() == first


def test_two_people_compare_their_checkpoints(
    told: Told, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = [tmp_path / name for name in ("ada", "bob", "eve")]
    for file, entries in zip(files, (ENTRIES[:10], [*ENTRIES[:9], b"x"], ENTRIES[:20]), strict=True):
        file.write_text(told.tell(*entries))
    ada, bob, eve = map(str, files)
    assert main(["compare", VKEY, ada, ada]) == 0
    assert main(["compare", VKEY, ada, bob]) == 1
    assert (tmp_path / "checkpoints.fork").exists()
    assert main(["compare", VKEY, ada, eve]) == 0
    assert main(["compare", VKEY, eve, ada, url]) == 0
    assert main(["compare", VKEY, bob, eve, url]) == 1
    assert main(["compare", VKEY, ada, str(tmp_path / "nobody")]) == 2
    assert main(["compare", "no key", ada, bob]) == 2
