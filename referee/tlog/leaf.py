"""The leaves of the log: what they say about games and about keys."""

from hashlib import sha256
from typing import Literal

import msgspec

from referee.kernel.canon import canonical, digest
from referee.table.record import Header, Hex32

KINDS = ("created", "sealed", "head", "finished", "annulled")
"""The leaves of a game, in the order in which they happen."""
ENDS = ("finished", "annulled")
KEY = "key"
"""The leaf of a key."""
TAG_DIGITS = 32

Use = Literal["log", "receipts"]
Change = Literal["begin", "end", "revoke"]
CHANGES: tuple[Change, ...] = ("begin", "end", "revoke")
"""What happens to a key, in this order. The place here is the version of the leaf."""


class Leaf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry of the log."""

    game: str
    """The tag of a game or of a key."""
    hash: Hex32
    kind: str
    version: int

    @property
    def entry(self) -> bytes:
        """The bytes that are hashed into the tree."""
        return canonical(self)


_decoder = msgspec.json.Decoder(Leaf)


def read_leaf(entry: bytes) -> Leaf | None:
    """The leaf of an entry; None: it is not spelled as the log spells leaves."""
    try:
        leaf = _decoder.decode(entry)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return leaf if leaf.entry == entry else None


def game_tag(game: str) -> str:
    """What the log shows of the id of a game: it names the game only to those who know the id."""
    return _tag("game", game)


def key_tag(vkey: str) -> str:
    """What the log shows of a public key."""
    return _tag("key", vkey)


def _tag(kind: str, name: str) -> str:
    return sha256(f"{kind}:{name}".encode()).hexdigest()[:TAG_DIGITS]


def sealed_hash(header: Header) -> str:
    """The hash of the leaf `sealed`: everything that luck follows from, as it was before the first nonce was revealed.

    The plain nonces are in it: an operator could otherwise exchange one when it knows the others. A start position is
    not, because it may be hidden, and anybody could test a guess against it.
    """
    nonces = tuple(["" if seal else nonce for nonce, seal in zip(header.nonces, header.seals, strict=True)])
    left_out = ("format", "holders", "nonces", "position")
    sealed = {name: getattr(header, name) for name in header.__struct_fields__ if name not in left_out}
    return digest(canonical({**sealed, "nonces": nonces}))


class KeyNotice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What happens to a key of the service. Anybody who knows the key can compute its possible leaves."""

    change: Change
    key: str
    """The public key as a vkey."""
    use: Use

    @property
    def text(self) -> str:
        """The canonical JSON of the notice."""
        return canonical(self).decode()

    @property
    def leaf(self) -> Leaf:
        """The leaf that shows the notice."""
        return Leaf(key_tag(self.key), digest(canonical(self)), KEY, CHANGES.index(self.change))


_notice_decoder = msgspec.json.Decoder(KeyNotice)


def read_notice(text: str) -> KeyNotice | None:
    """The notice of its canonical JSON; None: it is none."""
    try:
        notice = _notice_decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return notice if notice.text == text else None
