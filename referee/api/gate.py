"""Who may call how often, and how many streams they may hold: by player, or by address where there is no key.

The headers are those of draft-ietf-httpapi-ratelimit-headers-10.
"""

from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any

from referee.api.browsers import Headers
from referee.service.limits import WINDOW_S, Limiter, Places, Policy, Standing, Subject
from referee.service.players import Caller
from referee.service.problems import Problem
from referee.settings import Network

STREAM_RETRY_S = 5
HOPS_MAX = 20


@dataclass(frozen=True)
class Policies:
    """What is limited."""

    player: Policy
    address: Policy
    registration: Policy
    player_streams: Policy
    address_streams: Policy


class Gate:
    """Lets calls in, or answers 429."""

    def __init__(self, policies: Policies, limiter: Limiter, places: Places, proxies: tuple[Network, ...]) -> None:
        self._policies = policies
        self._limiter = limiter
        self._places = places
        self._proxies = proxies

    def count(self, environ: dict[str, Any], caller: Caller, cost: int = 1) -> Standing | None:
        """Count a call for its player, or its address; a costly one counts as several."""
        return self._limiter.take(*self._subject(environ, caller), cost)

    def count_registration(self, environ: dict[str, Any]) -> Standing | None:
        """Count a player that an address makes."""
        return self._limiter.take(self._policies.registration, self.address(environ))

    def exceeded(self, caller: Caller) -> Standing | None:
        """How a player stands who has no calls left, as far as this process knows: costs nothing."""
        return None if caller.player is None else self._limiter.exceeded(self._policies.player, caller.player)

    def enter(self, environ: dict[str, Any], caller: Caller) -> Callable[[], None]:
        """Let a stream or a long poll in; gives what is to be called when it ends."""
        subjects: list[Subject] = [(self._policies.address_streams, self.address(environ))]
        if caller.player is not None:
            subjects.append((self._policies.player_streams, caller.player))
        against = self._places.enter(subjects)
        if against is not None:
            raise Problem(
                429,
                "too-many-streams",
                f"At most {against.quota} streams and long polls at once ({against.name}).",
                retry_after=STREAM_RETRY_S,
                **{"violated-policies": [against.name]},
            )
        return lambda: self._places.leave(subjects)

    def _subject(self, environ: dict[str, Any], caller: Caller) -> Subject:
        if caller.player is not None:
            return self._policies.player, caller.player
        return self._policies.address, self.address(environ)

    def address(self, environ: dict[str, Any]) -> str:
        """Where a request comes from, behind the proxies that are trusted; of IPv6 the network of one customer."""
        here = _read_address(environ.get("REMOTE_ADDR", ""))
        hops = environ.get("HTTP_X_FORWARDED_FOR", "").split(",")[-HOPS_MAX:] if self._proxies else []
        while here is not None and hops and any(here in network for network in self._proxies):
            before = _read_address(hops.pop().strip())
            if before is None:
                break
            here = before
        if isinstance(here, IPv6Address):
            return str(IPv6Network((here, 64), strict=False))
        return str(here)


def _read_address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return address.ipv4_mapped or address if isinstance(address, IPv6Address) else address


def too_many(standing: Standing) -> Problem:
    """What is answered to who has called too often."""
    policy = standing.policy
    return Problem(
        429,
        "rate-limited",
        f"At most {policy.quota} in {WINDOW_S} seconds ({policy.name}). Legal moves on your turn are always taken.",
        retry_after=standing.reset_s,
        **{"violated-policies": [policy.name]},
    )


def rate_headers(standings: tuple[Standing, ...]) -> Headers:
    """What is told of the policies that a call was counted by."""
    if not standings:
        return ()
    policies = ", ".join(f'"{each.policy.name}";q={each.policy.quota};w={WINDOW_S}' for each in standings)
    left = ", ".join(f'"{each.policy.name}";r={each.remaining};t={each.reset_s}' for each in standings)
    return ("RateLimit-Policy", policies), ("RateLimit", left)
