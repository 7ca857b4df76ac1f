"""Reads a whole transparency log over HTTP, so that nothing about a game can be left out."""

from collections.abc import Callable
from urllib.error import URLError
from urllib.request import urlopen

from referee.audit.evidence import UnusableEvidence, WholeLog
from referee.tlog.leaf import KEY, Leaf, game_tag, read_leaf
from referee.tlog.merkle import EMPTY, leaf_hash, node_hash
from referee.tlog.note import NOTE_BYTES_MAX, InvalidNote, read_checkpoint, split_note
from referee.tlog.tiles import WIDTH, TilePath, entries_in

Fetch = Callable[[str, int], bytes]
"""Reads a path of the log, such as `checkpoint`, of at most this number of bytes."""

BUNDLE_BYTES_MAX = 1 << 20
LEAVES_MAX = 100_000_000
SECONDS_MAX = 30
ENTRIES = -1


def over_http(url: str) -> Fetch:
    """Reads a log over HTTP, such as that of `https://referee.example/log`."""

    def fetch(path: str, most: int) -> bytes:
        try:
            with urlopen(f"{url.rstrip('/')}/{path}", timeout=SECONDS_MAX) as answer:
                data: bytes = answer.read(most + 1)
        except (URLError, OSError, ValueError) as error:
            raise UnusableEvidence(f"{url}: {path} cannot be read: {error}.") from None
        if len(data) > most:
            raise UnusableEvidence(f"{url}: {path} has more than {most} bytes.")
        return data

    return fetch


class _Tree:
    """The root of a tree that grows leaf by leaf, from the roots of its complete subtrees."""

    def __init__(self) -> None:
        self._parts: list[tuple[int, bytes]] = []

    def add(self, hash: bytes) -> None:
        """Add a leaf."""
        size = 1
        while self._parts and self._parts[-1][0] == size:
            hash, size = node_hash(self._parts.pop()[1], hash), size * 2
        self._parts.append((size, hash))

    @property
    def root(self) -> bytes:
        """The root over all leaves."""
        *rest, (_, root) = self._parts or [(0, EMPTY)]
        for _, left in reversed(rest):
            root = node_hash(left, root)
        return root


def read_whole_log(fetch: Fetch, game: str) -> WholeLog:
    """Every leaf about a game or about keys, in a log whose root is that of its checkpoint; raises UnusableEvidence.

    The signatures of the checkpoint are not checked here.
    """
    try:
        note = fetch("checkpoint", NOTE_BYTES_MAX).decode()
        signed = read_checkpoint(split_note(note)[0])
    except (InvalidNote, UnicodeDecodeError) as error:
        raise UnusableEvidence(f"The checkpoint of the log cannot be read: {error}") from None
    if signed.size > LEAVES_MAX:
        raise UnusableEvidence(f"The log has {signed.size} leaves, more than {LEAVES_MAX}.")
    tree, tag, found = _Tree(), game_tag(game), list[tuple[int, Leaf]]()
    for number in range(-(-signed.size // WIDTH)):
        for index, entry in enumerate(_bundle(fetch, number, signed.size), number * WIDTH):
            tree.add(leaf_hash(entry))
            leaf = read_leaf(entry)
            if leaf is not None and (leaf.game == tag or leaf.kind == KEY):
                found.append((index, leaf))
    if tree.root != signed.root:
        raise UnusableEvidence(f"The {signed.size} leaves of the log do not have the root of its checkpoint.")
    return WholeLog(note, tuple(found))


def _bundle(fetch: Fetch, number: int, size: int) -> list[bytes]:
    """The entries of a bundle in a log of this size; raises UnusableEvidence."""
    width = min(WIDTH, size - number * WIDTH)
    path = TilePath(ENTRIES, number, width).text
    try:
        entries = entries_in(fetch(path, BUNDLE_BYTES_MAX))
    except ValueError as error:
        raise UnusableEvidence(f"{path}: {error}") from None
    if len(entries) != width:
        raise UnusableEvidence(f"{path} has {len(entries)} entries, not {width}.")
    return entries
