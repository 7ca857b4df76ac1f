"""What an auditor has beside the record: whose signatures count, what the log says, and receipts."""

from collections.abc import Sequence
from hashlib import sha256

import msgspec

from referee.audit.record import Logged
from referee.tlog.leaf import KeyNotice, Leaf, read_notice
from referee.tlog.note import InvalidNote, Verifier, read_vkey, signer_of
from referee.tlog.policy import InvalidPolicy, Policy, read_policy
from referee.tlog.receipt import Receipt, read_receipt

FILE_BYTES_MAX = 16 << 20
"""A longer file is refused without being read to its end."""
PROOF_MAGIC = "c2sp.org/tlog-proof@v1"


class UnusableEvidence(Exception):
    """A file is not what it should be, or says nothing about this game; the message names it and the reason."""


class SignedReceipt(msgspec.Struct, frozen=True):
    """A receipt whose signature is right, and the body of the request if it is known."""

    receipt: Receipt
    key: str
    """The vkey that signed it."""
    body: bytes | None
    source: str


class WholeLog(msgspec.Struct, frozen=True):
    """Every leaf of a log that is about one game or about keys, with its index; the checkpoint covers all leaves."""

    checkpoint: str
    leaves: tuple[tuple[int, Leaf], ...]


class LoggedNotice(msgspec.Struct, frozen=True):
    """What has happened to a key, and the leaf that says so."""

    notice: KeyNotice
    leaf: Logged


class Evidence(msgspec.Struct, frozen=True):
    """Everything that was given beside the record."""

    policy: Policy = Policy()
    """The logs and witnesses whose signatures count."""
    is_demanded: bool = False
    """Whether the record fails unless the log shows the whole game with these signatures."""
    leaves: tuple[Logged, ...] = ()
    notices: tuple[LoggedNotice, ...] = ()
    whole_log: WholeLog | None = None
    receipts: tuple[SignedReceipt, ...] = ()


def read_bytes(name: str) -> bytes:
    """The bytes of a file; raises UnusableEvidence."""
    try:
        with open(name, "rb") as file:
            data = file.read(FILE_BYTES_MAX + 1)
    except OSError as error:
        raise UnusableEvidence(f"{name}: {error.strerror}.") from None
    if len(data) > FILE_BYTES_MAX:
        raise UnusableEvidence(f"{name}: longer than {FILE_BYTES_MAX} bytes.")
    return data


def read_policy_file(name: str | None, keys: Sequence[Verifier]) -> Policy:
    """The policy of a file, in which these keys count as well; raises UnusableEvidence."""
    try:
        policy = Policy() if name is None else read_policy(read_bytes(name))
    except InvalidPolicy as error:
        raise UnusableEvidence(f"{name}: {error}") from None
    logs = tuple(dict.fromkeys((*policy.logs, *keys)))
    if name is not None and not logs:
        raise UnusableEvidence(f"{name}: the policy names no log; name it there, or with --key.")
    return msgspec.structs.replace(policy, logs=logs)


def read_keys(texts: Sequence[str]) -> tuple[Verifier, ...]:
    """The keys of the option --key; raises UnusableEvidence."""
    try:
        return tuple(read_vkey(text) for text in texts)
    except InvalidNote as error:
        raise UnusableEvidence(f"--key: {error}") from None


class _Leaf(msgspec.Struct, frozen=True):
    entry: str
    index: int
    proof: str


class _Leaves(msgspec.Struct, frozen=True):
    leaves: tuple[_Leaf, ...]


class _Notice(_Leaf, frozen=True):
    notice: str


class _Keys(msgspec.Struct, frozen=True):
    notices: tuple[_Notice, ...]


def read_leaves(name: str) -> tuple[Logged, ...]:
    """The leaves of a game in the answer of `GET /v1/games/{id}/log`; raises UnusableEvidence."""
    try:
        found = msgspec.json.decode(read_bytes(name), type=_Leaves)
        return tuple(_logged(leaf) for leaf in found.leaves)
    except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError) as error:
        raise UnusableEvidence(f"{name}: not the leaves of a game: {error}.") from None


def read_key_file(name: str) -> tuple[LoggedNotice, ...]:
    """What has happened to keys, in the answer of `GET /log/keys`; raises UnusableEvidence."""
    try:
        found = msgspec.json.decode(read_bytes(name), type=_Keys)
        return tuple(_logged_notice(each) for each in found.notices)
    except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError) as error:
        raise UnusableEvidence(f"{name}: not the keys of a service: {error}.") from None


def _logged(leaf: _Leaf) -> Logged:
    """A leaf with the parts of its proof; raises ValueError."""
    proof, _, checkpoint = leaf.proof.partition("\n\n")
    magic, index, *steps = proof.split("\n")
    if (magic, index) != (PROOF_MAGIC, f"index {leaf.index}"):
        raise ValueError(f"the proof of leaf {leaf.index} does not begin with {PROOF_MAGIC} and the index")
    return Logged(checkpoint, leaf.entry, leaf.index, tuple(steps))


def _logged_notice(found: _Notice) -> LoggedNotice:
    notice = read_notice(found.notice)
    if notice is None or notice.leaf.entry != found.entry.encode():
        raise ValueError(f"leaf {found.index} is not that of its notice")
    return LoggedNotice(notice, _logged(found))


def read_receipts(
    names: Sequence[str], bodies: Sequence[str], keys: Sequence[Verifier], notices: Sequence[LoggedNotice]
) -> tuple[SignedReceipt, ...]:
    """The receipts of files, each with its body, which is found by its hash; raises UnusableEvidence."""
    by_hash = {sha256(data).hexdigest(): data for data in map(read_bytes, bodies)}
    begun = [read_vkey(each.notice.key) for each in notices if each.notice.use == "receipts"]
    verifiers = tuple(dict.fromkeys((*keys, *begun)))
    if names and not verifiers:
        raise UnusableEvidence("--receipt needs the key of the service: --key VKEY or --keys FILE.")
    receipts = tuple(_read_receipt(name, by_hash, verifiers) for name in names)
    strange = by_hash.keys() - {each.receipt.body for each in receipts}
    if strange:
        raise UnusableEvidence("--body: no receipt is for this body; its bytes must be exactly those that were sent.")
    return receipts


def _read_receipt(name: str, bodies: dict[str, bytes], verifiers: tuple[Verifier, ...]) -> SignedReceipt:
    try:
        note = read_bytes(name).decode()
        signer = signer_of(note, verifiers)
        receipt = read_receipt(note)
    except (InvalidNote, UnicodeDecodeError) as error:
        raise UnusableEvidence(f"{name}: {error}") from None
    return SignedReceipt(receipt, signer.vkey, bodies.get(str(receipt.body)), name)
