"""The hashes of a Merkle tree (RFC 6962), its proofs, and their verification (RFC 9162, sections 2.1.3 and 2.1.4)."""

from collections.abc import Callable, Sequence
from hashlib import sha256

Subtree = Callable[[int, int], bytes]
"""The root of a complete subtree by its level and its index: level 0 are the leaves, level n has 2^n leaves."""

EMPTY = sha256(b"").digest()
"""The root of a tree without leaves."""


def leaf_hash(entry: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node."""
    return sha256(b"\x01" + left + right).digest()


def root_of(hashes: Sequence[bytes]) -> bytes:
    """The root of a tree with these hashes as leaves."""
    level = list(hashes)
    if not level:
        return EMPTY
    while len(level) > 1:
        paired = [node_hash(level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)]
        level = [*paired, level[-1]] if len(level) % 2 else paired
    return level[0]


def range_root(subtree: Subtree, begin: int, end: int) -> bytes:
    """The root over the leaves from `begin` up to `end`, where `begin` is a multiple of a power of two not below it."""
    count = end - begin
    if count == 0:
        return EMPTY
    if count & (count - 1) == 0:
        level = count.bit_length() - 1
        return subtree(level, begin >> level)
    middle = begin + _split(count)
    return node_hash(range_root(subtree, begin, middle), range_root(subtree, middle, end))


def _split(count: int) -> int:
    """The largest power of two below a number."""
    return 1 << ((count - 1).bit_length() - 1)


def inclusion_proof(subtree: Subtree, index: int, size: int) -> tuple[bytes, ...]:
    """The hashes that lead from a leaf to the root of a tree with this size."""
    begin, end, path = 0, size, list[bytes]()
    while end - begin > 1:
        middle = begin + _split(end - begin)
        if index < middle:
            path.append(range_root(subtree, middle, end))
            end = middle
        else:
            path.append(range_root(subtree, begin, middle))
            begin = middle
    return tuple(reversed(path))


def consistency_proof(subtree: Subtree, old: int, size: int) -> tuple[bytes, ...]:
    """The hashes that show that the tree of the size `old` is the beginning of that of `size`."""
    if old in (0, size):
        return ()
    begin, end, path = 0, size, list[bytes]()
    while old != end:
        middle = begin + _split(end - begin)
        if old <= middle:
            path.append(range_root(subtree, middle, end))
            end = middle
        else:
            path.append(range_root(subtree, begin, middle))
            begin = middle
    if begin:
        path.append(range_root(subtree, begin, end))
    return tuple(reversed(path))


def is_included(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether a proof leads from the hash of a leaf to the root."""
    if not 0 <= index < size:
        return False
    node, last, found = index, size - 1, leaf
    for step in proof:
        if last == 0:
            return False
        if node & 1 or node == last:
            found = node_hash(step, found)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            found = node_hash(found, step)
        node, last = node >> 1, last >> 1
    return last == 0 and found == root


def is_consistent(old: int, size: int, old_root: bytes, root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether a proof shows that a tree continues an older one."""
    if not 0 <= old <= size:
        return False
    if old == size or old == 0:
        return not proof and (old_root == root if old == size else old_root == EMPTY)
    steps = list(proof)
    if old & (old - 1) == 0:
        steps.insert(0, old_root)
    if not steps:
        return False
    node, last = old - 1, size - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    older = newer = steps[0]
    for step in steps[1:]:
        if last == 0:
            return False
        if node & 1 or node == last:
            older, newer = node_hash(step, older), node_hash(step, newer)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            newer = node_hash(newer, step)
        node, last = node >> 1, last >> 1
    return last == 0 and (older, newer) == (old_root, root)
