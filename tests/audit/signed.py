"""What a service and its witnesses sign about recorded games: a log, cosignatures, receipts."""

from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from referee.audit.record import Logged, Record, write_record
from referee.kernel.canon import digest
from referee.tlog.ed25519 import private_key
from referee.tlog.leaf import Leaf, game_tag, sealed_hash
from referee.tlog.merkle import inclusion_proof, leaf_hash, root_of
from referee.tlog.note import Checkpoint, Cosigner, Signer, cosigned_text

LOG = Signer("referee.example/log", bytes.fromhex(digest(b"the key of the log")))
RECEIPTS = Signer("referee.example/receipts", bytes.fromhex(digest(b"the key for receipts")))
THIEF = Signer("referee.example/log", bytes.fromhex(digest(b"another key")))


class Witness:
    """A witness that cosigns."""

    def __init__(self, name: str) -> None:
        self._private, public = private_key(bytes.fromhex(digest(name.encode())))
        self.cosigner = Cosigner(name, public)

    def line(self, text: str, at: int = 1_700_000_000) -> str:
        """The cosignature of a checkpoint."""
        signature = self.cosigner.id + at.to_bytes(8, "big") + self._private.sign(cosigned_text(text, at))
        return f"— {self.cosigner.name} {b64encode(signature).decode()}\n"


WITNESSES = [Witness(f"witness.example/w{number}") for number in range(3)]


def leaves_of(record: Record) -> list[Leaf]:
    """The leaves that a service logs about a game: three heads, and the end."""
    tag, header, count = game_tag(record.header.game), record.header, len(record.entries)
    heads = [Leaf(tag, record.entries[at - 1].hash, "head", at) for at in sorted({1, count // 2, count - 1})]
    sealed = sealed_hash(header)
    seals = [Leaf(tag, sealed, "sealed", 0)] if any(header.seals) else []
    end = Leaf(tag, record.entries[-1].hash, "finished", count)
    return [Leaf(tag, header.commitment, "created", 0), *seals, *heads, end]


def tree(entries: Sequence[bytes], signer: Signer = LOG, witnesses: Sequence[Witness] = WITNESSES) -> list[Logged]:
    """Every entry of a log with its proof, under one checkpoint that these have signed."""
    hashes = [leaf_hash(entry) for entry in entries]
    text = Checkpoint(signer.verifier.name, len(entries), root_of(hashes)).text
    note = signer.sign(text) + "".join(witness.line(text) for witness in witnesses)

    def subtree(level: int, index: int) -> bytes:
        return root_of(hashes[index << level : index + 1 << level])

    return [
        Logged(
            note,
            entry.decode(),
            index,
            tuple(b64encode(step).decode() for step in inclusion_proof(subtree, index, len(entries))),
        )
        for index, entry in enumerate(entries)
    ]


def logged(record: Record, *, signer: Signer = LOG, witnesses: Sequence[Witness] = WITNESSES) -> Record:
    """The record as the service writes it, with what the log says about it, among leaves of other games."""
    own = [leaf.entry for leaf in leaves_of(record)]
    entries = [entry for number, entry in enumerate(own) for entry in (b'{"other":%d}' % number, entry)]
    lines = [line for line in tree(entries, signer, witnesses) if line.entry.encode() in own]
    return replace(record, logged=tuple(lines))


def policy(quorum: str = "quorum all-of-them", threshold: str = "2") -> str:
    """A policy with one log and three witnesses."""
    names = [f"w{number}" for number in range(len(WITNESSES))]
    witnesses = [f"witness {name} {each.cosigner.vkey}" for name, each in zip(names, WITNESSES, strict=True)]
    group = f"group all-of-them {threshold} {' '.join(names)}"
    return "\n".join(("# Whom I trust", f"log {LOG.verifier.vkey}", "", *witnesses, group, quorum, ""))


def written(directory: Path, record: Record, name: str = "game.jsonl") -> str:
    """The file of a record with everything in it."""
    file = directory / name
    lines = write_record(record.header, record.entries, record.secret, record.beside, record.logged)
    file.write_bytes(b"".join(lines))
    return str(file)


def kept(directory: Path, name: str, text: str | bytes) -> str:
    """A file with this content."""
    file = directory / name
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(file)
