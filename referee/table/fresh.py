"""Fresh luck: each seat has a chain of links, and a move that draws adds the next link of its seat before it draws.

`docs/fairness.md` specifies it. Only a drawing uses up a link: otherwise a player who knows the seed could make
moves that draw nothing until the next drawing suits them.
"""

import hmac
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from referee.kernel.changes import put
from referee.kernel.seat import Seat
from referee.table.record import Header, seal_of


class Chain(Struct, frozen=True):
    """The chain of links of one seat: link i is the hash of link i + 1. Link 0 is the nonce of the seat."""

    last: str
    """The link that was used last, or the seal if none was: the next link hashes to it."""
    index: int
    """The number of the next link."""
    waits_for: tuple[Seat, ...] = ()
    """The seats whose links have to come first, because the chain was sealed while the game ran."""
    sealed_at: int = 0
    """The version at which the chain was sealed; 0: before the start."""

    @property
    def counts(self) -> bool:
        """Whether the moves of the seat carry links now."""
        return not self.waits_for

    def follows(self, game: str, link: str) -> bool:
        """Whether this is the next link."""
        return seal_of(game, link) == self.last


class FreshLuck(Struct, frozen=True):
    """The luck of a game in which moves bring links."""

    game: str
    pool: bytes
    """The key of the next drawing: that of the game, and every link used so far."""
    chains: tuple[Chain | None, ...]
    """By seat; None for a built-in bot."""

    def with_link(self, seat: int, link: str) -> "FreshLuck":
        """The luck after the next link of a seat."""
        chain = self.chains[seat]
        assert chain is not None, "only seats of players have links"
        used = replace(chain, last=link, index=chain.index + 1)
        others = [each and replace(each, waits_for=_without(each.waits_for, seat)) for each in self.chains]
        pool = hmac.digest(self.pool, f"link:{seat}:{link}".encode(), sha256)
        return replace(self, pool=pool, chains=put(tuple(others), seat, used))

    def with_seal(self, seat: int, seal: str, version: int) -> "FreshLuck":
        """The luck after a seat sealed a new chain: its links count when each other player has added one."""
        others = tuple(Seat(other) for other, each in enumerate(self.chains) if each is not None and other != seat)
        return replace(self, chains=put(self.chains, seat, Chain(seal, 0, others, version)))


def _without(seats: tuple[Seat, ...], seat: int) -> tuple[Seat, ...]:
    return tuple(each for each in seats if each != seat)


def first_luck(header: Header, key: bytes) -> FreshLuck | None:
    """The luck before the first commit; None: all luck of the game is fixed."""
    if header.terms.luck != "fresh":
        return None
    pairs = zip(header.nonces, header.seals, strict=True)
    chains = tuple(None if seal is None else Chain(nonce or seal, int(bool(nonce))) for nonce, seal in pairs)
    return FreshLuck(header.game, key, chains)
