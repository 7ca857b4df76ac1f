"""The key of a witness, and its cosignatures, as C2SP's tlog-cosignature describes them (Ed25519)."""

import os
import secrets
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.tlog.note import InvalidNote, Signer

COSIGNATURE = b"\x04"
"""The kind of the key: it signs checkpoints together with a time."""

_PREFIX = "PRIVATE+KEY+"


class CosigningKey:
    """A name with the private key of a witness."""

    def __init__(self, name: str, seed: bytes) -> None:
        Signer(name, seed)  # refuses what is not a name
        self.name = name
        self._seed = seed
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self._private.public_key().public_bytes_raw()

    @property
    def id(self) -> bytes:
        """The four bytes that stand before a cosignature of this key."""
        return sha256(self.name.encode() + b"\n" + COSIGNATURE + self.public).digest()[:4]

    @property
    def vkey(self) -> str:
        """The key as it is published."""
        return f"{self.name}+{self.id.hex()}+{b64encode(COSIGNATURE + self.public).decode()}"

    @property
    def secret(self) -> str:
        """The key as it is stored, in a file that nobody else can read."""
        return f"{_PREFIX}{self.name}+{self.id.hex()}+{b64encode(COSIGNATURE + self._seed).decode()}"

    def cosign(self, text: str, at_s: int) -> str:
        """The line with the cosignature of a checkpoint's text, made at this time."""
        signature = self._private.sign(f"cosignature/v1\ntime {at_s}\n{text}".encode())
        return f"— {self.name} {b64encode(self.id + at_s.to_bytes(8, 'big') + signature).decode()}\n"


def make_key(name: str, file: Path) -> CosigningKey:
    """Make a key and store it; raises OSError if the file is there already."""
    key = CosigningKey(name, secrets.token_bytes(32))
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as stored:
        stored.write(key.secret + "\n")
    return key


def read_key(text: str) -> CosigningKey:
    """The key of a stored text; raises InvalidNote."""
    name, _, tail = text.strip().removeprefix(_PREFIX).partition("+")
    id, _, encoded = tail.partition("+")
    try:
        data = b64decode(encoded, validate=True)
    except ValueError:
        data = b""
    if not text.startswith(_PREFIX) or len(data) != 33 or data[:1] != COSIGNATURE:
        raise InvalidNote("This is not the private key of a witness.")
    key = CosigningKey(name, data[1:])
    if key.id.hex() != id:
        raise InvalidNote("The private key does not have the hash that stands beside it.")
    return key
