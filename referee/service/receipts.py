"""Receipts: what the service signs for the holder of a seat, so that it cannot deny it afterwards."""

import logging
from hashlib import sha256

import msgspec
from msgspec import UNSET

from referee.kernel.seat import Seat
from referee.service.commits import Outcome
from referee.service.game import Game
from referee.service.problems import Problem
from referee.service.repository import Repository, now_ms
from referee.store.log import Unavailable
from referee.table.match import State, read_commit
from referee.table.state import DEADLINE
from referee.table.times import timestamp
from referee.tlog.keys import CurrentKey, Notices
from referee.tlog.leaf import KeyNotice
from referee.tlog.note import Signer
from referee.tlog.receipt import Receipt

_log = logging.getLogger(__name__)


class Judged(msgspec.Struct, frozen=True):
    """A move of a seat as it came in, and what it was judged by."""

    game: Game
    seat: Seat
    body: bytes
    expected: int | None
    """The version that the request named."""
    state: State
    at: int
    """When it was judged, in milliseconds."""


class Receipts:
    """Signs receipts with the key of the service, or nothing while it has none."""

    def __init__(self, key: CurrentKey, notices: Notices) -> None:
        self._key = key
        self._notices = notices
        self._announced = ""
        self._signer()

    def _signer(self) -> Signer | None:
        """The key that signs now, which is announced for the log; None: nothing is signed."""
        signer = self._key.signer()
        if signer is not None and signer.verifier.vkey != self._announced:
            try:
                self._notices.announce(KeyNotice("begin", signer.verifier.vkey, "receipts"))
                self._announced = signer.verifier.vkey
            except Unavailable as error:
                _log.warning("the key for receipts is not announced yet: %s", error)
        return signer

    @property
    def vkey(self) -> str | None:
        """The public key; None: nothing is signed now."""
        signer = self._signer()
        return None if signer is None else signer.verifier.vkey

    def accepted(self, judged: Judged, outcome: Outcome) -> str | None:
        """The receipt for a move that is in the log; the same move has the same receipt."""
        made, body = outcome.commit, sha256(judged.body).hexdigest()
        expected = UNSET if judged.expected is None else judged.expected
        receipt = Receipt(
            *(made.at, judged.game.id, outcome.hash, "accepted", judged.seat, made.version),
            body=body,
            expected=expected,
        )
        return self._sign(receipt)

    def refused(self, judged: Judged, problem: Problem) -> str | None:
        """The receipt for a move that was judged and is not in the log."""
        state, game = judged.state, judged.game
        # The hash of the header is not blinded: it would give away a hidden start position to anyone who can guess it.
        hash = state.hash if state.version else game.secret.commitment
        receipt = Receipt(
            *(timestamp(judged.at), game.id, hash, "refused", judged.seat, state.version),
            body=sha256(judged.body).hexdigest(),
            clause=problem.members.get("clause", UNSET),
            code=problem.code,
            expected=UNSET if judged.expected is None else judged.expected,
        )
        return self._sign(receipt)

    def lapsed(self, repository: Repository, game: Game, seat: Seat, version: int) -> str:
        """The receipt for a move that the clock made for a seat; raises a problem if it made none there."""
        newest = repository.newest(game) if game.is_started else None
        if newest is None or not 0 < version <= newest.version:
            raise Problem("unknown-version", f"The game has no version {version}.")
        (entry,) = repository.log.read(game.id, version - 1, 1)
        made = read_commit(game, entry)
        if made.actor != seat or DEADLINE not in (made.cause or {}):
            raise Problem("no-receipt", f"The clock made no move for seat {seat} in version {version}.")
        note = self._sign(Receipt(made.at, game.id, entry.hash, "lapsed", seat, version))
        if note is None:
            raise no_receipts()
        return note

    def revealed(self, game: Game, seat: Seat) -> str | None:
        """The receipt for a nonce that a seat has revealed; it names the seal, and not the nonce."""
        seal = game.seats[seat].seal
        assert seal is not None, "a seat without a seal reveals nothing"
        return self._sign(Receipt(timestamp(now_ms()), game.id, seal, "revealed", seat, 0))

    def _sign(self, receipt: Receipt) -> str | None:
        signer = self._signer()
        return None if signer is None else receipt.sign(signer)


def no_receipts() -> Problem:
    """The problem of a service that has no key to sign with now."""
    return Problem("no-receipt", "This service signs no receipts.")
