"""Checks the links that moves add to the luck of a game, and counts the drawings with and without one."""

from collections.abc import Sequence

from msgspec import UNSET

from referee.audit.claim import Claim
from referee.audit.record import WrittenCommit
from referee.audit.table import TABLE_TYPES
from referee.kernel.message import tag
from referee.kernel.seat import REFEREE, Actor, Seat
from referee.table.commits import luck_key
from referee.table.fresh import Chain
from referee.table.moves import Reseal
from referee.table.state import DEADLINE
from referee.table.terms import Terms


def require_link(claim: Claim) -> None:
    """Refuse a link that has no place with its move, or is not the next one of its seat."""
    luck, link = claim.standing.table.luck, claim.commit.link
    if link is UNSET:
        return
    if luck is None:
        return claim.require(False, f"{claim.label} has a link, which moves have only where luck is fresh.")
    chain = _chain(claim)
    if chain is None:
        return claim.require(False, f"{claim.label} has a link, which only moves of players have.")
    claim.require(chain.counts, f"{claim.label} has a link of a chain that does not count yet.")
    follows = chain.follows(luck.game, link)
    claim.require(follows, f"{claim.label} has a link that is not link {chain.index} of its seat's chain.")


def require_link_used(claim: Claim) -> None:
    """Refuse a drawing of a player without the link of the seat, and a link without a drawing."""
    chain, has_link = _chain(claim), claim.commit.link is not UNSET
    if claim.standing.table.luck is None or chain is None or not chain.counts:
        return
    drew = "drew luck without the link of its seat" if not has_link else "has a link, but drew no luck"
    claim.require(has_link == (claim.commit.draws > 0), f"{claim.label} {drew}.")


def _chain(claim: Claim) -> Chain | None:
    """The chain of the seat whose player made the move; None: a bot, the clock, the referee or an admin made it."""
    actor, table = claim.commit.actor, claim.standing.table
    by_clock = DEADLINE in (claim.commit.cause or {})
    if isinstance(actor, str) or by_clock or claim.type in TABLE_TYPES or table.bot(claim.terms, actor) is not None:
        return None
    return None if table.luck is None else table.luck.chains[actor]


def drawing_key(claim: Claim) -> bytes:
    """The key from which the drawings of a move follow."""
    actor, link = claim.commit.actor, claim.commit.link
    seat: Actor = REFEREE if isinstance(actor, str) else Seat(actor)
    return luck_key(claim.key, claim.standing.table, seat, None if link is UNSET else link)


def describe_drawings(terms: Terms, drawn: int, commits: Sequence[WrittenCommit]) -> str:
    """What the drawings of a game follow from and, where luck is fresh, how many of them had a link."""
    if terms.luck == "fixed":
        return f"{drawn} random outcomes follow from the seed and the nonces."
    fresh = sum(commit.draws for commit in commits if commit.link is not UNSET)
    without = {
        actor: sum(commit.draws for commit in commits if commit.actor == actor and commit.link is UNSET)
        for actor in (REFEREE, *range(len(terms.bots)))
    }
    named = [f"{_named(actor)} {count}" for actor, count in without.items() if count]
    rest = f" Without one drew: {', '.join(named)}." if named else ""
    resealed = sum(commit.move.get("type") == tag(Reseal) for commit in commits)
    again = f" Chains were sealed again {resealed} times." if resealed else ""
    start = f"{drawn} random outcomes follow from the seed, the nonces and the links."
    return f"{start} {fresh} of {drawn} drawings had a fresh link.{rest}{again}"


def _named(actor: int | str) -> str:
    return f"seat {actor}" if isinstance(actor, int) else f"the {actor}"
