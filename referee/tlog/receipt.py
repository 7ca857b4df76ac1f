"""Receipts: what the service signs about a move, so that it cannot deny it afterwards."""

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from referee.kernel.canon import canonical
from referee.table.record import Hex32
from referee.table.times import Timestamp
from referee.tlog.note import InvalidNote, Signer, split_note

MAGIC = "referee/receipt/1"
RECEIPT_CHARACTERS_MAX = 4096
"""A longer text is refused without being read; no receipt comes near this."""

Kind = Literal["accepted", "refused", "lapsed", "revealed"]


class Receipt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the service did with a move or with a sealed nonce. It names a seat, never a player."""

    at: Timestamp
    """Of the commit; of a refused move, when it was judged."""
    game: str
    hash: Hex32
    """Of the commit that was made; of a refused move, of the last commit before it, or the commitment at version 0.

    Of a nonce that was revealed, its seal.
    """
    kind: Kind
    seat: int
    version: int
    """Of the commit whose hash this is."""
    body: Hex32 | UnsetType = UNSET
    """SHA-256 of the request body; unset: there was none, or it does not matter."""
    clause: str | UnsetType = UNSET
    """The clause that refuses the move, if the rules do."""
    code: str | UnsetType = UNSET
    """The code of the problem that refuses the move."""
    expected: int | UnsetType = UNSET
    """The version that the request named; unset: it named none."""

    @property
    def text(self) -> str:
        """The text that is signed."""
        return f"{MAGIC}\n{canonical(self).decode()}\n"

    @property
    def is_whole(self) -> bool:
        """Whether it has the members of its kind, and no others."""
        has_body, has_code, has_clause = (each is not UNSET for each in (self.body, self.code, self.clause))
        if self.kind == "refused":
            return has_body and has_code and has_clause == (self.code == "move-refused")
        if self.kind == "accepted":
            return has_body and not has_code and not has_clause
        is_bare = not (has_body or has_code or has_clause) and self.expected is UNSET
        return is_bare and (self.kind == "lapsed" or self.version == 0)

    def sign(self, signer: Signer) -> str:
        """The receipt as a signed note."""
        return signer.sign(self.text)


_decoder = msgspec.json.Decoder(Receipt)


def read_receipt(note: str) -> Receipt:
    """The receipt of a note whose signatures are not checked; raises InvalidNote."""
    if len(note) > RECEIPT_CHARACTERS_MAX:
        raise InvalidNote(f"A receipt has at most {RECEIPT_CHARACTERS_MAX} characters.")
    text, _ = split_note(note)
    magic, _, rest = text.partition("\n")
    if magic != MAGIC:
        raise InvalidNote(f"The first line of a receipt is {MAGIC}, not {magic[:40]!r}.")
    try:
        receipt = _decoder.decode(rest)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise InvalidNote(f"The second line is not a receipt: {error}.") from None
    if receipt.text != text or not receipt.is_whole:
        raise InvalidNote("The second line is not the canonical JSON of a receipt with the members of its kind.")
    return receipt
