"""What a seat may do with its chain of links where luck is fresh: carry the next link, or seal a new chain."""

from typing import Any

import msgspec

from referee.kernel.attempt import Attempt
from referee.kernel.judge import awaited_seats
from referee.kernel.message import Event
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.table.fresh import Chain, FreshLuck
from referee.table.moves import SeatResealed
from referee.table.record import is_hash, seal_of
from referee.table.refusal import TableRefusal
from referee.table.state import TableState
from referee.table.terms import Terms

SKIPPED_MAX = 64
"""How far ahead of the next link a wrong one is recognised."""


class LinkedMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move with the next link of its seat's chain, as it is sent where luck is fresh."""

    move: msgspec.Raw
    link: Any


_linked = msgspec.json.Decoder(LinkedMove)


def read_linked_move(ruleset: Ruleset, body: bytes) -> tuple[Attempt, str | None]:
    """A move as it was sent, and its link, if it carries one; raises DecodeError for invalid JSON."""
    attempt = ruleset.read_move(body)
    if attempt.kind is not None:
        return attempt, None
    try:
        linked = _linked.decode(body)
    except msgspec.ValidationError:
        return attempt, None
    link = linked.link if linked.link is None or isinstance(linked.link, str) else ""
    return ruleset.read_move(bytes(linked.move)), link


def require_link(table: TableState, seat: Seat, link: str | None) -> None:
    """Refuse a player's move unless it carries the next link of its seat, or none where none is awaited."""
    chain = None if table.luck is None else table.luck.chains[seat]
    if table.luck is None or chain is None:
        if link is not None:
            raise TableRefusal("link-unexpected", "The luck of this game is fixed, so moves carry no links.")
        return
    if not chain.counts:
        if link is not None:
            seats = ", ".join(map(str, chain.waits_for))
            detail = f"Your new chain counts when these seats have added a link: {seats}. Until then send no link."
            raise TableRefusal("link-unexpected", detail)
        return
    members = {"link_index": chain.index, "link_before": chain.last}
    if link is None:
        detail = f'Each move carries a link: {{"link": …, "move": …}}. Yours is link {chain.index}.'
        raise TableRefusal("link-missing", detail, **members)
    if not chain.follows(table.luck.game, link):
        raise TableRefusal("link-wrong", f"{_fault(table.luck, seat, chain, link)} Send link {chain.index}.", **members)


def _fault(luck: FreshLuck, seat: Seat, chain: Chain, link: str) -> str:
    """What is wrong with a link."""
    if not is_hash(link):
        return "A link has 64 hexadecimal digits, 0-9 and lower-case a-f."
    if link == chain.last:
        return "This link was used before, or is the seal."
    if any(each is not None and each.follows(luck.game, link) for each in luck.chains):
        return "This is the link of another seat."
    step = link
    for skipped in range(1, SKIPPED_MAX + 1):
        step = seal_of(luck.game, step)
        if chain.follows(luck.game, step):
            return f"This is link {chain.index + skipped} of the chain of seat {seat}."
    return f"This link is not in the chain of seat {seat}: its hash is not {chain.last}."


def reseal(
    ruleset: Ruleset, terms: Terms, table: TableState, position: Any, seat: Seat, seal: str
) -> tuple[Event, ...]:
    """The event of a seat that seals a new chain.

    It may do so while others move, while a bot plays for it, or in a pause to which all players agreed: at its own turn
    it could choose whether to draw with a link or without.
    """
    luck = table.luck
    chain = None if luck is None else luck.chains[seat]
    if luck is None or chain is None:
        raise TableRefusal("luck-fixed", "The luck of this game is fixed, so there are no chains of links.")
    is_running = table.status == "running"
    if is_running and table.bot(terms, seat) is None and seat in awaited_seats(ruleset, position):
        raise TableRefusal("reseal-awaited", "You may move now. Seal a new chain while you wait for others.")
    if not is_running and table.paused_at is None:
        raise TableRefusal("paused-by-admin", "An admin paused the game. Seal a new chain when it goes on.")
    if chain.sealed_at > table.changed:
        raise TableRefusal("resealed-already", "You have sealed a new chain since the last move. Wait for a move.")
    if any(each is not None and seal in (each.last, seal_of(luck.game, each.last)) for each in luck.chains):
        raise TableRefusal("seal-taken", "This is the seal or a link of a seat. Draw a chain of your own.")
    return (SeatResealed(seat=seat, seal=seal),)
