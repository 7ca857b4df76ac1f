"""The test vectors of `docs/fairness.md` about the transparency log and receipts; they need `cryptography`."""

import json
from base64 import b64encode
from typing import Any

from msgspec import UNSET

from referee.audit.record import Logged
from referee.kernel.canon import canonical, digest
from referee.table.record import Header
from referee.tlog.leaf import CHANGES, KEY, KeyNotice, Leaf, game_tag, sealed_hash
from referee.tlog.merkle import Subtree, inclusion_proof, leaf_hash, range_root, root_of
from referee.tlog.note import Checkpoint, Signer
from referee.tlog.receipt import Receipt

LOG, RECEIPTS = "referee.example/log", "referee.example/receipts"
BODY = '{"type":"roll"}'


def log_vectors(header: Header, hashes: list[str]) -> dict[str, Any]:
    """The vectors about the log of a game with this header and commits with these hashes, all of them logged."""
    log, receipts = (Signer(name, bytes.fromhex(digest(name.encode()))) for name in (LOG, RECEIPTS))
    notices = [KeyNotice(change, receipts.verifier.vkey, "receipts") for change in CHANGES]
    leaves = [*_leaves(header, hashes), *(notice.leaf for notice in notices)]
    return {
        "signers": [
            {"name": signer.verifier.name, "seed": digest(signer.verifier.name.encode()), "key": signer.verifier.vkey}
            for signer in (log, receipts)
        ],
        "notices": [
            {"notice": notice.text, "hash": notice.leaf.hash, "entry": notice.leaf.entry.decode()} for notice in notices
        ],
        "leaves": [
            {"game": header.game, "entry": leaf.entry.decode(), "leaf_hash": leaf_hash(leaf.entry).hex()}
            for leaf in leaves
            if leaf.kind != KEY
        ],
        "logged": [json.loads(canonical(line)) for line in _logged(leaves, log)],
        "receipts": [_receipt(receipt, receipts) for receipt in _receipts(header, hashes)],
    }


def _leaves(header: Header, hashes: list[str]) -> list[Leaf]:
    tag = game_tag(header.game)
    sealed = sealed_hash(header)
    heads = [Leaf(tag, hash, "head", version) for version, hash in enumerate(hashes[:-1], 1)]
    end = Leaf(tag, hashes[-1], "annulled", len(hashes))
    return [Leaf(tag, header.commitment, "created", 0), Leaf(tag, sealed, "sealed", 0), *heads, end]


def _logged(leaves: list[Leaf], log: Signer) -> list[Logged]:
    hashes = [leaf_hash(leaf.entry) for leaf in leaves]
    checkpoint = Checkpoint(LOG, len(leaves), range_root(_subtrees(hashes), 0, len(hashes)))
    note = log.sign(checkpoint.text)
    return [
        Logged(note, leaf.entry.decode(), index, _proof(hashes, index))
        for index, leaf in enumerate(leaves)
        if leaf.kind != KEY
    ]


def _proof(hashes: list[bytes], index: int) -> tuple[str, ...]:
    return tuple(b64encode(step).decode() for step in inclusion_proof(_subtrees(hashes), index, len(hashes)))


def _subtrees(hashes: list[bytes]) -> Subtree:
    return lambda level, index: root_of(hashes[index << level : index + 1 << level])


def _receipts(header: Header, hashes: list[str]) -> list[Receipt]:
    """One receipt of each kind, and one for a move before the first commit."""
    at, game, body = "2026-11-16T08:00:02.250Z", header.game, digest(BODY.encode())
    rules: dict[str, Any] = {"body": body, "code": "move-refused", "clause": "EX-7"}
    return [
        Receipt(at, game, hashes[1], "accepted", 1, 2, body=body),
        Receipt(at, game, hashes[1], "refused", 1, 2, **rules),
        Receipt(at, game, hashes[1], "refused", 1, 2, body=body, code="stale-version", expected=1),
        Receipt(at, game, header.commitment, "refused", 1, 0, **rules),
        Receipt(at, game, hashes[1], "lapsed", 1, 2),
        Receipt(at, game, str(header.seals[0]), "revealed", 0, 0),
    ]


def _receipt(receipt: Receipt, signer: Signer) -> dict[str, Any]:
    sent = {"body": BODY} if receipt.body is not UNSET else {}
    return {"receipt": json.loads(canonical(receipt)), **sent, "note": receipt.sign(signer)}
