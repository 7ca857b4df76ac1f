"""A witness that serves over HTTP, and a small tree for it to witness."""

import http.client
import threading
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from referee.tlog.merkle import consistency_proof, leaf_hash, root_of
from referee.tlog.note import Checkpoint, Signer, Verifier
from referee.witness.cosign import Witness
from referee.witness.cosigner import make_key
from referee.witness.server import make_server

ORIGIN = "referee.example/log"
LOG, STRANGER = Signer(ORIGIN, bytes(32)), Signer(ORIGIN, b"1" * 32)
LEAVES = [leaf_hash(b"%d" % number) for number in range(40)]


def note_of(leaves: list[bytes], signer: Signer = LOG, origin: str = ORIGIN) -> str:
    return signer.sign(Checkpoint(origin, len(leaves), root_of(leaves)).text)


def proof_of(leaves: list[bytes], old: int) -> list[str]:
    steps = consistency_proof(lambda level, at: root_of(leaves[at << level : at + 1 << level]), old, len(leaves))
    return [b64encode(step).decode() for step in steps]


def body_of(old: int, note: str, proof: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in (f"old {old}", *proof, "")).encode() + note.encode()


class Served:
    """A witness that serves, and what it answers."""

    def __init__(self, directory: Path, log: Verifier = LOG.verifier) -> None:
        self.directory = directory
        self.key = make_key("witness.example/w1", directory / "key")
        self.witness = Witness(self.key, {ORIGIN: log}, directory / "state")
        self.server = make_server(self.witness, "127.0.0.1", 0)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def call(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, str, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=30)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        found = answer.status, answer.read().decode(), answer.headers["Content-Type"]
        connection.close()
        return found

    def add(self, old: int, leaves: list[bytes], note: str | None = None) -> tuple[int, str, str]:
        proof = proof_of(leaves, old) if 0 < old <= len(leaves) else []
        return self.call("POST", "/add-checkpoint", body_of(old, note or note_of(leaves), proof))

    def newest(self) -> tuple[int, str]:
        return self.call("GET", f"/{sha256(ORIGIN.encode()).hexdigest()}/checkpoint")[:2]

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.server.server_port}"

    @property
    def line(self) -> str:
        """Its line in a policy."""
        return f"witness w1 {self.key.vkey} {self.url}"

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
