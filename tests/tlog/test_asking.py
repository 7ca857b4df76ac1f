"""The log asks witnesses for cosignatures: one that serves over HTTP, and others that are silent or hostile."""

import threading
from base64 import b64decode
from collections.abc import Callable, Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from redis import Redis

from referee.tlog.cosigning import Cosigners
from referee.tlog.merkle import root_of
from referee.tlog.note import Checkpoint, Signer
from referee.tlog.policy import InvalidPolicy, Policy, read_policy
from referee.tlog.published import ALARM, CHECKPOINT, ROLLED_BACK, UNWITNESSED
from referee.tlog.sequencer import RolledBack, Sequencer
from referee.tlog.tree import EDGE, SIZE, Tree
from referee.witness.cosigner import CosigningKey
from tests.tlog.served import LEAVES, LOG, ORIGIN, Served, note_of, proof_of

OTHER = CosigningKey("witness.example/w2", b"2" * 32)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    running = Served(tmp_path)
    yield running
    running.stop()


class Strange(BaseHTTPRequestHandler):
    """A witness that answers every submission with what it is given."""

    protocol_version = "HTTP/1.1"

    def __init__(self, answer: Callable[[bytes], tuple[int, str, bytes]], *rest: object) -> None:
        self.answer = answer
        super().__init__(*rest)  # type: ignore[arg-type]

    def do_POST(self) -> None:
        status, kind, body = self.answer(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent."""


@pytest.fixture
def strange() -> Iterator[Callable[..., str]]:
    """Starts witnesses with these answers; returns the line in a policy."""
    servers: list[ThreadingHTTPServer] = []

    def start(answer: Callable[[bytes], tuple[int, str, bytes]]) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Strange, answer))
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        servers.append(server)
        return f"witness w2 {OTHER.vkey} http://127.0.0.1:{server.server_port}/"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def policy(*lines: str) -> Policy:
    return read_policy("\n".join((f"log {LOG.verifier.vkey}", *lines)).encode())


def ask(cosigners: Cosigners, size: int) -> tuple[str, bool]:
    checkpoint = Checkpoint(ORIGIN, size, root_of(LEAVES[:size]))

    def prove(old: int) -> list[bytes]:
        return [b64decode(step) for step in proof_of(LEAVES[:size], old)] if old else []

    return cosigners.cosign(note_of(LEAVES[:size]), checkpoint, prove)


def test_a_witness_that_serves_makes_a_quorum_that_a_policy_accepts(served: Served) -> None:
    trusted = policy(served.line, "quorum w1")
    cosigners = Cosigners(trusted)
    for size in (3, 3, 7, 40):
        lines, is_quorum = ask(cosigners, size)
        assert is_quorum and trusted.open(note_of(LEAVES[:size]) + lines)[1] == ("w1",)
    assert ask(Cosigners(trusted), 40)[1], "another process does not know what the witness has seen, and is told"
    assert ask(Cosigners(trusted), 7) == ("", False), "a witness that has seen more cosigns nothing shorter"
    assert cosigners.newest(ORIGIN) == [note_of(LEAVES)]


def test_only_a_right_cosignature_of_the_named_key_counts(served: Served, strange: Callable[..., str]) -> None:
    text = Checkpoint(ORIGIN, 3, root_of(LEAVES[:3])).text
    right, wrong = OTHER.cosign(text, 9), OTHER.cosign(text.replace("3", "4", 1), 9)
    impostor = CosigningKey("witness.example/w2", b"3" * 32).cosign(text, 9)
    plain = Signer("witness.example/w2", b"2" * 32).line(text)
    kind = "text/plain"
    for status, type, body in (
        *((200, kind, each.encode()) for each in (wrong, impostor, plain, "", "\n", "x", right[:-9], right[2:])),
        *((200, kind, each) for each in (b"\xff" * 9, b"x" * 100_000)),
        *((status, kind, right.encode()) for status in (201, 302, 307, 404, 500)),
        *((409, "text/x.tlog.size", each) for each in (b"99\n", b"-1\n", b"9" * 5000, b"x", b"2\n")),
    ):
        line = strange(lambda _, answer=(status, type, body): answer)
        lines, is_quorum = ask(Cosigners(policy(served.line, line, "group both 2 w1 w2", "quorum both")), 3)
        assert not is_quorum and lines.count("\n") == 1, (status, body[:60])
    both = policy(served.line, strange(lambda _: (200, kind, (plain + right).encode())), "group g 2 w1 w2", "quorum g")
    lines, is_quorum = ask(Cosigners(both), 3)
    assert is_quorum and set(both.open(note_of(LEAVES[:3]) + lines)[1]) == {"w1", "w2"}


def test_a_silent_witness_delays_a_quorum_of_others_by_no_more_than_its_limit(
    served: Served, strange: Callable[..., str]
) -> None:
    released = threading.Event()

    def silent(_: bytes) -> tuple[int, str, bytes]:
        released.wait(60)
        return 200, "text/plain", b""

    cosigners = Cosigners(policy(served.line, strange(silent), "group any-of-them any w1 w2", "quorum any-of-them"))
    for size in (3, 4):
        lines, is_quorum = ask(cosigners, size)
        assert is_quorum and lines.count("\n") == 1
    assert not released.is_set()
    released.set()


def test_a_policy_that_no_checkpoint_could_fulfil_is_refused(served: Served) -> None:
    unreachable = f"witness w2 {OTHER.vkey}"
    for lines in (
        (unreachable, "quorum w2"),
        (served.line, unreachable, "group both all w1 w2", "quorum both"),
        *(
            (f"{unreachable} {url}", "quorum w2")
            for url in ("w2.example", "ftp://w2.example", "file:///etc/hosts", "https://", "http://w2.example/?a=b")
        ),
    ):
        with pytest.raises(InvalidPolicy):
            Cosigners(policy(*lines))
    assert Cosigners(policy(served.line, unreachable, "group some any w1 w2", "quorum some"))


def test_a_checkpoint_without_its_quorum_is_not_published_and_later_ones_are(redis: Redis, tmp_path: Path) -> None:
    served = Served(tmp_path)
    trusted = policy(served.line, "quorum w1")
    (tmp_path / "log").mkdir()
    tree = Tree(redis, tmp_path / "log")
    sequencer = Sequencer(redis, tree, LOG, tmp_path / "log", cosigners=Cosigners(trusted, 0.5))

    def grow(count: int) -> object:
        tree.append([b"x"] * count)
        sequencer.round()
        note = redis.get(CHECKPOINT)
        return trusted.open(note.decode())[0].size if isinstance(note, bytes) else None

    assert grow(2) == 2 and redis.get(ALARM) is None
    served.stop()
    assert grow(2) == 2 and redis.get(ALARM) == UNWITNESSED.encode()
    signed = (tmp_path / "log" / "checkpoint").read_text().split("\n")
    assert signed[1] == "4", "it is signed, so the tree can never be a shorter one again"


def test_a_tree_that_a_witness_has_seen_longer_is_never_signed_again(redis: Redis, tmp_path: Path) -> None:
    """Redis and the disk are both from an hour ago: only the witness still knows."""
    served = Served(tmp_path)
    trusted = policy(served.line, "quorum w1")
    (tmp_path / "log").mkdir()
    tree = Tree(redis, tmp_path / "log")
    tree.append([b"x"] * 3)
    Sequencer(redis, tree, LOG, tmp_path / "log", cosigners=Cosigners(trusted)).round()
    for key in (SIZE, EDGE, CHECKPOINT):
        redis.delete(key)
    (tmp_path / "log" / "checkpoint").unlink()
    tree.append([b"y"] * 2)
    with pytest.raises(RolledBack):
        Sequencer(redis, tree, LOG, tmp_path / "log", cosigners=Cosigners(trusted)).round()
    assert redis.get(ALARM) == ROLLED_BACK.encode() and redis.get(CHECKPOINT) is None
    served.stop()
