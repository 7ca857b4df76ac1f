"""Merkle trees: the known roots of Certificate Transparency, and every proof of small trees, whole and damaged."""

import random

import pytest

from referee.tlog.merkle import (
    EMPTY,
    consistency_proof,
    inclusion_proof,
    is_consistent,
    is_included,
    leaf_hash,
    range_root,
    root_of,
)

CT_ENTRIES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
CT_ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
"""The test data of RFC 6962's reference implementation."""

SIZE_MAX = 70
LEAVES = [leaf_hash(b"leaf %d" % number) for number in range(SIZE_MAX)]


def subtree(level: int, index: int) -> bytes:
    return root_of(LEAVES[index << level : index + 1 << level])


def test_the_roots_of_certificate_transparency() -> None:
    hashes = [leaf_hash(bytes.fromhex(entry)) for entry in CT_ENTRIES]
    assert [root_of(hashes[: size + 1]).hex() for size in range(8)] == CT_ROOTS
    assert root_of([]) == EMPTY


@pytest.mark.parametrize("size", range(1, SIZE_MAX + 1))
def test_every_inclusion_proof_holds_and_no_damaged_one_does(size: int) -> None:
    root = range_root(subtree, 0, size)
    assert root == root_of(LEAVES[:size])
    for index in range(size):
        proof = inclusion_proof(subtree, index, size)
        assert is_included(LEAVES[index], index, size, proof, root)
        assert not is_included(LEAVES[index - 1] if size > 1 else EMPTY, index, size, proof, root)
        assert not is_included(LEAVES[index], index, size, (*proof, EMPTY), root)
        assert not proof or not is_included(LEAVES[index], index, size, proof[:-1], root)
        assert not proof or not is_included(LEAVES[index], index, size, (EMPTY, *proof[1:]), root)
        assert not is_included(LEAVES[index], size, size, proof, root)
        assert not is_included(LEAVES[index], index, size, proof, EMPTY)


@pytest.mark.parametrize("size", range(SIZE_MAX + 1))
def test_every_consistency_proof_holds_and_no_damaged_one_does(size: int) -> None:
    root = root_of(LEAVES[:size])
    for old in range(size + 1):
        old_root, proof = root_of(LEAVES[:old]), consistency_proof(subtree, old, size)
        assert is_consistent(old, size, old_root, root, proof)
        assert not is_consistent(old, size, old_root, root, (*proof, EMPTY))
        assert not is_consistent(old, size, leaf_hash(b"x"), root, proof)
        assert old == 0 or not is_consistent(old, size, old_root, leaf_hash(b"x"), proof)
        assert not proof or not is_consistent(old, size, old_root, root, proof[:-1])
        assert not proof or not is_consistent(old, size, old_root, root, (EMPTY, *proof[1:]))
        assert not is_consistent(size + 1, size, old_root, root, proof)


def test_no_fork_has_a_consistency_proof() -> None:
    rng = random.Random(1)
    for _ in range(300):
        size = rng.randint(2, SIZE_MAX)
        old = rng.randint(1, size)
        forked = list(LEAVES[:old])
        forked[rng.randrange(old)] = leaf_hash(b"another story")
        proof = consistency_proof(subtree, old, size)
        assert not is_consistent(old, size, root_of(forked), root_of(LEAVES[:size]), proof)
