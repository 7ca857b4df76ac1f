"""Decides whether the service kept its word: does the record agree with the receipts that it signed?"""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import UNSET

from referee.audit.claim import Standing
from referee.audit.evidence import Evidence, SignedReceipt, UnusableEvidence
from referee.audit.log import Checkpoints, NotInLog, game_leaves, proved_leaf
from referee.audit.record import Record, WrittenCommit
from referee.kernel.attempt import Attempt
from referee.kernel.canon import canonical
from referee.kernel.judge import refusal
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.table.linking import read_linked_move
from referee.table.record import seal_of
from referee.table.rules import TableRefusal, require_player, require_time
from referee.table.state import DEADLINE
from referee.table.terms import Terms
from referee.table.times import milliseconds
from referee.tlog.leaf import KeyNotice, Leaf
from referee.tlog.receipt import Receipt

NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
STALE = ("stale-version", "if-match-failed")
CHECKED_AT_TABLE = ("game-paused", "game-annulled", "game-finished", "bot-plays", "resigned-already", "deadline-passed")
"""The refusals whose reason the record shows."""


class BrokenWord(Exception):
    """The service signed what the record or the rules contradict; the message says what."""


class Kept(msgspec.Struct, frozen=True):
    """What was found about a receipt that nothing contradicts."""

    detail: str
    is_checked: bool = True
    """False: nobody can check a part of it, for which only the service vouches."""


class Game(msgspec.Struct, frozen=True):
    """A record as it was followed: its commits, and the standings at the versions that receipts name."""

    record: Record
    commits: Sequence[WrittenCommit]
    ruleset: Ruleset | None
    """None: the rules of the game are unknown here."""
    standings: Mapping[int, Standing]

    @property
    def terms(self) -> Terms:
        """What was agreed at the table."""
        return self.record.header.terms


def require_usable(record: Record, evidence: Evidence) -> None:
    """Raise UnusableEvidence unless every receipt is of this game, has what it needs, and was signed by a valid key."""
    try:
        revoked = _revoked(evidence)
        is_revoked = any(each.key in revoked for each in evidence.receipts)
        leaves = game_leaves(record, evidence, Checkpoints(evidence.policy, is_demanded=True)) if is_revoked else []
    except NotInLog as error:
        raise UnusableEvidence(f"What the log says about keys does not count. {error}") from None
    for each in evidence.receipts:
        receipt = each.receipt
        if receipt.game != record.header.game:
            raise UnusableEvidence(f"{each.source}: the receipt is of {receipt.game}, not of {record.header.game}.")
        if not 0 <= receipt.seat < len(record.header.nonces) or receipt.version < 0:
            raise UnusableEvidence(f"{each.source}: the game has no seat {receipt.seat} or version {receipt.version}.")
        if receipt.code in ("move-refused", "bad-json") and each.body is None:
            raise UnusableEvidence(f"{each.source}: pass the body of the request with --body to have it judged.")
        if each.key in revoked and not _is_older(receipt, leaves, revoked[each.key]):
            detail = f"its key was revoked by leaf {revoked[each.key]}, and no leaf before shows what it says"
            raise UnusableEvidence(f"{each.source}: the receipt does not count: {detail}.")


def _revoked(evidence: Evidence) -> dict[str, int]:
    """The keys that were revoked, and the leaf of each revocation; raises NotInLog for what is not proved and signed.

    Otherwise anybody could revoke the key of a receipt that accuses them.
    """
    checkpoints, revoked = Checkpoints(evidence.policy, is_demanded=True), dict[str, int]()
    for each in evidence.notices:
        proved_leaf(each.leaf, checkpoints)
        if each.notice.change == "revoke":
            revoked[each.notice.key] = min(each.leaf.index, revoked.get(each.notice.key, each.leaf.index))
    if evidence.whole_log is not None and evidence.receipts:
        checkpoints.open(evidence.whole_log.checkpoint)
        for key in {each.key for each in evidence.receipts}:
            notice = KeyNotice("revoke", key, "receipts").leaf
            for index in [index for index, leaf in evidence.whole_log.leaves if leaf == notice][:1]:
                revoked[key] = min(index, revoked.get(key, index))
    return revoked


def _is_older(receipt: Receipt, leaves: Sequence[tuple[int, Leaf]], revoked_by: int) -> bool:
    """Whether the log showed the commit of a receipt before its key was revoked.

    A refused move leaves no trace in the log, so a thief of the key could have written its receipt.
    """
    return receipt.kind in ("accepted", "lapsed") and any(
        (leaf.version, leaf.hash) == (receipt.version, receipt.hash) for index, leaf in leaves if index < revoked_by
    )


def judge_receipt(game: Game, signed: SignedReceipt) -> Kept:
    """What the record says about a receipt; raises BrokenWord."""
    receipt = signed.receipt
    if receipt.kind == "revealed":
        return _judge_revealed(game, receipt)
    found = _hash_at(game, receipt.version)
    if found is None and game.record.secret is None:
        return Kept(f"the record stops before version {receipt.version}", is_checked=False)
    if found != receipt.hash:
        other = f"the record has {found}" if found else "the record has no such commit"
        raise BrokenWord(f"it signed the hash {receipt.hash} for version {receipt.version}, but {other}")
    match receipt.kind:
        case "accepted":
            return _judge_accepted(game, receipt, signed.body)
        case "lapsed":
            return _judge_lapsed(game, receipt)
    return _judge_refused(game, receipt, signed.body or b"")


def _judge_revealed(game: Game, receipt: Receipt) -> Kept:
    header, seat = game.record.header, receipt.seat
    if header.seals[seat] != receipt.hash:
        raise BrokenWord(f"it signed that seat {seat} opened the seal {receipt.hash}, which the header does not have")
    if seal_of(header.game, header.nonces[seat]) != receipt.hash:
        raise BrokenWord(f"it signed that seat {seat} revealed its nonce, which the header does not have")
    return Kept(f"the nonce that seat {seat} revealed is in the header")


def _hash_at(game: Game, version: int) -> str | None:
    """What a receipt has to name as the hash of a version; None: the record has no such version."""
    entries = game.record.entries
    if version == 0:
        return game.record.header.commitment
    return entries[version - 1].hash if version <= len(entries) else None


def _commit_of(game: Game, receipt: Receipt) -> WrittenCommit:
    if not receipt.version or game.commits[receipt.version - 1].actor != receipt.seat:
        raise BrokenWord(f"commit {receipt.version} is not of seat {receipt.seat}")
    return game.commits[receipt.version - 1]


def _judge_accepted(game: Game, receipt: Receipt, body: bytes | None) -> Kept:
    commit = _commit_of(game, receipt)
    if body is None or game.ruleset is None:
        return Kept(f"the move is commit {receipt.version} of the record")
    attempt = _read_move(game.ruleset, body)
    if attempt is None or canonical(attempt.move) != canonical(commit.move):
        raise BrokenWord(f"commit {receipt.version} is another move than the one that was sent")
    return Kept(f"the move that was sent is commit {receipt.version} of the record")


def _judge_lapsed(game: Game, receipt: Receipt) -> Kept:
    if DEADLINE not in (_commit_of(game, receipt).cause or {}):
        raise BrokenWord(f"the clock did not make commit {receipt.version}")
    return Kept(f"commit {receipt.version} is the move of the clock")


def _read_move(ruleset: Ruleset, body: bytes) -> Attempt | None:
    """The move of a body; None: it is not JSON."""
    try:
        return read_linked_move(ruleset, body)[0]
    except NOT_JSON:
        return None


def _judge_refused(game: Game, receipt: Receipt, body: bytes) -> Kept:
    standing = game.standings.get(receipt.version)
    if standing is None or game.ruleset is None:
        return Kept(f"the record cannot be followed to version {receipt.version}", is_checked=False)
    try:
        return _judge_refusal(game, game.ruleset, standing, receipt, body)
    except BrokenWord:
        raise
    except Exception as error:
        return Kept(f"the refusal cannot be judged: the rules fail with {error!r}", is_checked=False)


def _judge_refusal(game: Game, ruleset: Ruleset, standing: Standing, receipt: Receipt, body: bytes) -> Kept:
    match receipt.code:
        case "bad-json":
            if _read_move(ruleset, body) is not None:
                raise BrokenWord("it refused the body as no JSON, but it is JSON")
            return Kept("the body is not JSON, as it says")
        case "move-refused":
            return _judge_by_rules(ruleset, standing, receipt, body)
        case code if code in STALE:
            table = standing.table
            if receipt.expected is UNSET or table.changed <= receipt.expected <= receipt.version:
                raise BrokenWord(f"it refused the move with {code}, but the position had not changed")
            return Kept(f"the position had changed since version {receipt.expected}, as it says")
    return _judge_at_table(game, standing, receipt) or _taken_on_trust(ruleset, standing, receipt, body)


def _taken_on_trust(ruleset: Ruleset, standing: Standing, receipt: Receipt, body: bytes) -> Kept:
    """What can be said of a refusal whose reason the record does not show."""
    word = f"whether {receipt.code} was right is the service's word"
    attempt = _read_move(ruleset, body)
    if attempt is None or _refusal(ruleset, standing, receipt, attempt) is not None:
        return Kept(word, is_checked=False)
    return Kept(f"the rules allow the move, and {word}", is_checked=False)


def _judge_by_rules(ruleset: Ruleset, standing: Standing, receipt: Receipt, body: bytes) -> Kept:
    attempt = _read_move(ruleset, body)
    if attempt is None:
        raise BrokenWord(f"it refused the move by {receipt.clause}, but the body is not JSON")
    found = _refusal(ruleset, standing, receipt, attempt)
    if found is None:
        raise BrokenWord(
            f"it refused the move by {receipt.clause}, but the rules allow it at version {receipt.version}"
        )
    if found.clause != receipt.clause:
        raise BrokenWord(f"it refused the move by {receipt.clause}, but the clause that refuses it is {found.clause}")
    return Kept(f"the rules refuse the move by {found.clause}: {found.message}")


def _refusal(ruleset: Ruleset, standing: Standing, receipt: Receipt, attempt: Attempt) -> Rejection | None:
    """Why the rules refuse the move of a receipt, in the order in which the service looks for a reason."""
    seat = Seat(receipt.seat)
    return _too_early(ruleset, standing, receipt, attempt) or refusal(ruleset, standing.position, seat, attempt)


def _too_early(ruleset: Ruleset, standing: Standing, receipt: Receipt, attempt: Attempt) -> Rejection | None:
    """The refusal of a decision whose waiting time had not passed by the time of the receipt."""
    if attempt.move is None or standing.table.moved_at is None:
        return None
    kind, at = attempt.move.__struct_config__.tag, milliseconds(receipt.at)
    for decision in ruleset.awaited(standing.position):
        waits = decision.seat == receipt.seat and decision.not_before_s and kind in decision.moves
        if waits and at < standing.table.moved_at + decision.not_before_s * 1000:
            assert decision.not_before_clause is not None
            return Rejection(decision.not_before_clause, f"`{kind}` must wait {decision.not_before_s} s.")
    return None


def _judge_at_table(game: Game, standing: Standing, receipt: Receipt) -> Kept | None:
    """Judge a refusal that is not by the rules of the title; None: the record does not show its reason."""
    table, seat, code = standing.table, Seat(receipt.seat), str(receipt.code)
    try:
        if code == f"game-{table.status}" and table.status != "running":
            return Kept(f"the game was {table.status}, as it says")
        require_player(game.terms, table, seat)
        require_time(game.terms, table, seat, milliseconds(receipt.at))
    except TableRefusal as found:
        if found.code == code:
            return Kept(f"the table refuses the move with {code}, as it says")
    if code in CHECKED_AT_TABLE:
        raise BrokenWord(f"it refused the move with {code}, but the record shows no reason for that")
    return None
