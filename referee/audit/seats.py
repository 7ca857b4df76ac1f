"""Checks what the header says of the seats: nonces open their seals, and what lies beside the log fits its hash."""

from collections.abc import Iterable, Sequence

from referee.audit.fault import Fault
from referee.audit.record import Record, WrittenCommit
from referee.kernel.rejection import ensure
from referee.table.record import ADMIN, Header, is_hash, seal_of


def check_seats(header: Header) -> None:
    """Raise Malformed unless the lists by seat fit each other: bots neither seal nor add a nonce."""
    bots = header.terms.bots
    lengths = {len(bots), len(header.nonces), len(header.holders), len(header.seals)}
    ensure(len(lengths) == 1, "The lists `holders`, `nonces`, `seals` and `terms.bots` do not have one entry per seat.")
    is_fresh = header.terms.luck == "fresh"
    for seat, bot in enumerate(bots):
        has_chain = bot is not None or header.seals[seat] is not None
        ensure(not is_fresh or has_chain, f"Luck is fresh, but seat {seat} has sealed no chain of links.")
        held = header.holders[seat] is not None
        ensure(held == (bot is None), f"Seat {seat} needs a built-in bot or a holder, and cannot have both.")
        adds = header.nonces[seat] or header.seals[seat]
        ensure(bot is None or not adds, f"The built-in bot on seat {seat} adds nothing to the luck.")


def check_seals(header: Header) -> str:
    """Check that each sealed nonce opens its seal, and that none is missing unless the terms allow it."""
    seats = range(min(len(header.seals), len(header.nonces)))
    sealed = [seat for seat in seats if header.seals[seat] is not None]
    missing = [seat for seat in sealed if not header.nonces[seat]]
    if missing and header.terms.unrevealed != "without":
        raise Fault(
            0, f"Seat {missing[0]} did not reveal its nonce, and the terms do not let the game start without it."
        )
    for seat in sealed:
        opened = seal_of(header.game, header.nonces[seat])
        if seat not in missing and opened != header.seals[seat]:
            raise Fault(0, f"The nonce of seat {seat} has the seal {opened}, but the header has {header.seals[seat]}.")
    if not sealed:
        return "No seat sealed its nonce."
    said = f" The service says that {_seats(missing)} did not reveal." if missing else ""
    return f"{len(sealed) - len(missing)} of {len(sealed)} sealed nonces were revealed and open their seals.{said}"


def _seats(seats: Sequence[int]) -> str:
    return f"seat{'s' if len(seats) > 1 else ''} {', '.join(map(str, seats))}"


def check_holders(record: Record) -> None:
    """Check that each holder that the record names has the hash in the header; a holder may have been erased."""
    holders = record.header.holders
    for seat, held in record.beside.holders:
        if not 0 <= seat < len(holders) or holders[seat] != held.hash:
            raise Fault(0, f"The holder that the record names for seat {seat} is not the one in the header.")


def check_texts(record: Record, commits: Iterable[WrittenCommit]) -> None:
    """Check that each text of the record is the reason of a commit, in their order; a text may have been erased."""
    reasons = iter([reason for commit in commits if (reason := reason_in(commit)) is not None])
    for text in record.beside.texts:
        if text.hash not in reasons:
            raise Fault(0, f"The text {text.text[:40]!r} of the record is not the reason of a commit, or out of order.")


def reason_in(commit: WrittenCommit) -> str | None:
    """The hash of the reason that an admin gave with a commit, if it is one."""
    reason = commit.move.get("reason")
    return reason if commit.actor == ADMIN and isinstance(reason, str) and is_hash(reason) else None
