"""Ed25519 signatures by the package `cryptography`, which is loaded only where something is signed or verified.

The audit can be installed without it: only receipts and checkpoints have signatures.
"""

from typing import Protocol


class NoCryptography(Exception):
    """The package `cryptography` is not installed."""

    def __init__(self) -> None:
        super().__init__("signatures need the package cryptography: pip install 'referee[signatures]'")


class PrivateKey(Protocol):
    """A key that signs."""

    def sign(self, data: bytes) -> bytes:
        """The signature of some bytes."""


def private_key(seed: bytes) -> tuple[PrivateKey, bytes]:
    """The private key of a seed, and its public key; raises NoCryptography."""
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    except ImportError:
        raise NoCryptography from None
    private = Ed25519PrivateKey.from_private_bytes(seed)
    return private, private.public_key().public_bytes_raw()


def is_signature(public: bytes, data: bytes, signature: bytes) -> bool:
    """Whether a public key made this signature of some bytes; raises NoCryptography."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        raise NoCryptography from None
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True
