"""An independent reader of the log, written from the published formats; it imports nothing of this project.

C2SP signed-note, tlog-checkpoint and tlog-tiles; RFC 6962, section 2.1. It trusts nothing but the key.
"""

import base64
import hashlib
from collections.abc import Callable

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Fetch = Callable[[str], bytes]


def _hash(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def mth(leaves: list[bytes]) -> bytes:
    """MTH of RFC 6962, straight from its definition."""
    if not leaves:
        return _hash(b"")
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return _hash(b"\x01" + mth(leaves[:k]) + mth(leaves[k:]))


def checkpoint(note: bytes, vkey: str) -> tuple[str, int, bytes]:
    """Origin, size and root of a note that the key has signed."""
    name, key_hash, key = vkey.split("+", 2)
    raw = base64.b64decode(key)
    assert raw[0] == 1
    assert _hash(name.encode() + b"\n" + raw)[:4].hex() == key_hash
    text, signatures = note.decode().split("\n\n")
    line = next(line for line in signatures.splitlines() if line.startswith(f"\u2014 {name} "))
    signature = base64.b64decode(line.split(" ")[2])
    assert signature[:4].hex() == key_hash
    Ed25519PublicKey.from_public_bytes(raw[1:]).verify(signature[4:], (text + "\n").encode())
    origin, size, root = text.split("\n")
    assert origin == name
    return origin, int(size), base64.b64decode(root)


def number(index: int) -> str:
    digits = str(index).zfill(-(-len(str(index)) // 3) * 3)
    groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    return "/".join([*(f"x{group}" for group in groups[:-1]), groups[-1]])


def entries(fetch: Fetch, size: int) -> list[bytes]:
    """Every entry of the log, each held against the hash in its tile."""
    found: list[bytes] = []
    for tile in range(-(-size // 256)):
        width = min(256, size - tile * 256)
        suffix = "" if width == 256 else f".p/{width}"
        bundle, hashes = fetch(f"tile/entries/{number(tile)}{suffix}"), fetch(f"tile/0/{number(tile)}{suffix}")
        assert len(hashes) == 32 * width
        at = 0
        for place in range(width):
            length = int.from_bytes(bundle[at : at + 2], "big")
            entry = bundle[at + 2 : at + 2 + length]
            at += 2 + length
            assert _hash(b"\x00" + entry) == hashes[32 * place : 32 * place + 32]
            found.append(entry)
        assert at == len(bundle)
    return found


def read_log(fetch: Fetch, vkey: str) -> list[bytes]:
    """The entries of a log whose checkpoint has the root that follows from them."""
    _, size, root = checkpoint(fetch("checkpoint"), vkey)
    found = entries(fetch, size)
    assert len(found) == size
    assert mth([_hash(b"\x00" + entry) for entry in found]) == root
    return found
