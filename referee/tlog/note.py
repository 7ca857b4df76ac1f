"""Signed notes and checkpoints, as C2SP's signed-note and tlog-checkpoint describe them."""

import binascii
import re
import secrets
from base64 import b64decode, b64encode
from hashlib import sha256

import msgspec

from referee.tlog.ed25519 import is_signature, private_key

ED25519 = b"\x01"
COSIGNATURE = b"\x04"
"""The algorithms of signatures and of a witness's cosignatures, as the first byte of a public key."""
NOTE_BYTES_MAX = 65_536
SIGNATURES_MAX = 64
"""A longer note, or one with more signatures, is refused without being read."""

_NAME = re.compile(r"[^\s+\u0000-\u001f\u007f-\u009f]{1,200}")
_SIZE = re.compile(r"0|[1-9][0-9]{0,17}")
_SIGNATURE = re.compile(r"— (\S+) (\S+)")


class InvalidNote(Exception):
    """A text is not a signed note or a checkpoint, or the right signature is missing; the message says why."""


class Verifier(msgspec.Struct, frozen=True):
    """A name with the public key whose signatures it makes."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """The four bytes that stand before a signature of this key."""
        return _key_id(self.name, ED25519, self.public)

    @property
    def vkey(self) -> str:
        """The key as it is published."""
        return f"{self.name}+{self.id.hex()}+{_encode(ED25519 + self.public)}"

    def verifies(self, text: bytes, signature: bytes) -> bool:
        """Whether the key made this signature of a text."""
        return is_signature(self.public, text, signature)


class Signer:
    """A name with its private key."""

    def __init__(self, name: str, seed: bytes) -> None:
        if not _NAME.fullmatch(name):
            raise InvalidNote(f"{name!r} is not the name of a key: it has no blanks and no plus sign.")
        self._private, public = private_key(seed)
        self._seed = seed
        self.verifier = Verifier(name, public)

    @property
    def secret(self) -> str:
        """The key as it is stored, in a file that nobody else can read."""
        verifier = self.verifier
        return f"PRIVATE+KEY+{verifier.name}+{verifier.id.hex()}+{_encode(ED25519 + self._seed)}"

    def sign(self, text: str) -> str:
        """The signed note of a text that ends with a line feed."""
        return f"{text}\n{self.line(text)}"

    def line(self, text: str) -> str:
        """The line with the signature of a text."""
        signature = self.verifier.id + self._private.sign(text.encode())
        return f"— {self.verifier.name} {_encode(signature)}\n"


def new_signer(name: str) -> Signer:
    """A signer with a new key."""
    return Signer(name, secrets.token_bytes(32))


def read_signer(text: str) -> Signer:
    """The signer of a stored key; raises InvalidNote."""
    prefix, _, rest = text.strip().partition("PRIVATE+KEY+")
    name, _, tail = rest.partition("+")
    id, _, key = tail.partition("+")
    data = _decode(key)
    if prefix or len(data) != 33 or data[:1] != ED25519:
        raise InvalidNote("This is not a private key for Ed25519.")
    signer = Signer(name, data[1:])
    if signer.verifier.id.hex() != id:
        raise InvalidNote("The private key does not have the hash that stands beside it.")
    return signer


def read_vkey(text: str) -> Verifier:
    """The verifier of a published key; raises InvalidNote."""
    return Verifier(*_split_vkey(text, ED25519))


def read_cosigner(text: str) -> "Cosigner":
    """The witness of a published key; raises InvalidNote."""
    return Cosigner(*_split_vkey(text, COSIGNATURE))


def _split_vkey(text: str, algorithm: bytes) -> tuple[str, bytes]:
    """The name and the public key of a vkey."""
    name, _, tail = text.partition("+")
    id, _, key = tail.partition("+")
    data = _decode(key)
    if not _NAME.fullmatch(name) or len(data) != 33 or data[:1] != algorithm:
        kind = "a log or of a service" if algorithm == ED25519 else "a witness"
        raise InvalidNote(f"{text[:80]!r} is not the public key of {kind}, for Ed25519.")
    if _key_id(name, algorithm, data[1:]).hex() != id:
        raise InvalidNote("The public key does not have the hash that stands beside it.")
    return name, data[1:]


def _key_id(name: str, algorithm: bytes, public: bytes) -> bytes:
    return sha256(name.encode() + b"\n" + algorithm + public).digest()[:4]


class Cosigner(msgspec.Struct, frozen=True):
    """A witness: a name with the public key whose cosignatures it makes, as C2SP's tlog-cosignature describes them."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """The four bytes that stand before a cosignature of this key."""
        return _key_id(self.name, COSIGNATURE, self.public)

    @property
    def vkey(self) -> str:
        """The key as it is published."""
        return f"{self.name}+{self.id.hex()}+{_encode(COSIGNATURE + self.public)}"

    def cosigned_at(self, text: str, signature: bytes) -> int | None:
        """When the witness cosigned the text of a checkpoint, in seconds since 1970; None: it has not."""
        at = int.from_bytes(signature[:8], "big")
        if len(signature) != 72 or at >= 1 << 63:
            return None
        return at if is_signature(self.public, cosigned_text(text, at), signature[8:]) else None


def cosigned_text(text: str, at: int) -> bytes:
    """What a witness signs of a checkpoint."""
    return f"cosignature/v1\ntime {at}\n{text}".encode()


def open_note(note: str, verifier: Verifier) -> str:
    """The text of a note that this key has signed; raises InvalidNote. Signatures of unknown keys are skipped."""
    text, signatures = split_note(note)
    for name, signature in signatures:
        if name == verifier.name and signature[:4] == verifier.id:
            if not verifier.verifies(text.encode(), signature[4:]):
                raise InvalidNote(f"The signature of {name} is wrong.")
            return text
    raise InvalidNote(f"{verifier.name} has not signed this note.")


def signer_of(note: str, verifiers: tuple[Verifier, ...]) -> Verifier:
    """The first of these keys that has signed a note; raises InvalidNote, also for a wrong signature of one of them."""
    text, signatures = split_note(note)
    found: Verifier | None = None
    for name, signature in signatures:
        for verifier in verifiers:
            if (name, signature[:4]) == (verifier.name, verifier.id):
                if not verifier.verifies(text.encode(), signature[4:]):
                    raise InvalidNote(f"The signature of {name} is wrong.")
                found = found or verifier
    if found is None:
        if not verifiers:
            raise InvalidNote("There is no key to check the signature with.")
        names = ", ".join(sorted({f"{verifier.name}+{verifier.id.hex()}" for verifier in verifiers}))
        raise InvalidNote(f"The note is not signed by {names}.")
    return found


def split_note(note: str) -> tuple[str, list[tuple[str, bytes]]]:
    """The text of a note and its signatures, none of which is checked; raises InvalidNote."""
    if len(note) > NOTE_BYTES_MAX:
        raise InvalidNote(f"The note is longer than {NOTE_BYTES_MAX} characters.")
    if any(ord(character) < 0x20 and character != "\n" for character in note):
        raise InvalidNote("The note has a control character.")
    text, separator, rest = note.rpartition("\n\n")
    lines = rest.split("\n")
    if not separator or not text or lines[-1] != "" or not 2 <= len(lines) <= SIGNATURES_MAX + 1:
        raise InvalidNote("A note is a text, an empty line, and lines with signatures.")
    return text + "\n", [read_signature(line) for line in lines[:-1]]


def read_signature(line: str) -> tuple[str, bytes]:
    """The name of the signer and the signature in a line of a note; raises InvalidNote."""
    found = _SIGNATURE.fullmatch(line)
    signature = _decode(found[2]) if found else b""
    if found is None or not _NAME.fullmatch(found[1]) or len(signature) < 5:
        raise InvalidNote(f"{line[:80]!r} is not a signature.")
    return found[1], signature


class Checkpoint(msgspec.Struct, frozen=True):
    """The size and the root of a log at one time."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{_encode(self.root)}\n"


def read_checkpoint(text: str) -> Checkpoint:
    """The checkpoint of a signed text; raises InvalidNote, also for extension lines, which this log never writes."""
    lines = text.split("\n")
    if len(lines) != 4 or lines[3] != "":
        raise InvalidNote("A checkpoint has three lines: origin, size and root.")
    origin, size, root = lines[0], lines[1], _decode(lines[2])
    if not _NAME.fullmatch(origin) or not _SIZE.fullmatch(size) or len(root) != 32:
        raise InvalidNote("The origin, the size or the root of the checkpoint is malformed.")
    return Checkpoint(origin, int(size), root)


def _encode(data: bytes) -> str:
    return b64encode(data).decode()


def _decode(text: str) -> bytes:
    """The bytes of exactly one spelling in base64; empty for any other text."""
    try:
        data = b64decode(text.encode(), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        return b""
    return data if _encode(data) == text else b""
