"""Limits the calls and the open streams of each player, or of each address for calls without a key.

The headers are those of draft-ietf-httpapi-ratelimit-headers-10.
"""

from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any

from referee.api.cors import Headers
from referee.service.limits import WINDOW_S, Limiter, Quota, RateLimit, Slots, Subject
from referee.service.players import Caller
from referee.service.problems import Problem
from referee.settings import Network

STREAM_RETRY_S = 5
HOPS_MAX = 20


@dataclass(frozen=True)
class Policies:
    """The limits of the service."""

    player: RateLimit
    address: RateLimit
    registration: RateLimit
    player_streams: RateLimit
    address_streams: RateLimit


class RateGate:
    """Counts calls and streams, and refuses those beyond a limit with 429."""

    def __init__(self, policies: Policies, limiter: Limiter, slots: Slots, proxies: tuple[Network, ...]) -> None:
        self._policies = policies
        self._limiter = limiter
        self._slots = slots
        self._proxies = proxies

    def count(self, environ: dict[str, Any], caller: Caller, cost: int = 1) -> Quota | None:
        """Count a call of a player or an address; an expensive call counts as several."""
        return self._limiter.take(*self._subject(environ, caller), cost)

    def count_registration(self, environ: dict[str, Any]) -> Quota | None:
        """Count the registration of a player by an address."""
        return self._limiter.take(self._policies.registration, self.address(environ))

    def exceeded(self, caller: Caller) -> Quota | None:
        """Return the quota of a player who has no calls left, as far as this process knows, without counting a call."""
        return None if caller.player is None else self._limiter.exceeded(self._policies.player, caller.player)

    def enter(self, environ: dict[str, Any], caller: Caller) -> Callable[[], None]:
        """Count a stream or a long poll, and return a function to call when it ends."""
        subjects: list[Subject] = [(self._policies.address_streams, self.address(environ))]
        if caller.player is not None:
            subjects.append((self._policies.player_streams, caller.player))
        violated = self._slots.enter(subjects)
        if violated is not None:
            raise Problem(
                "too-many-streams",
                f"The limit `{violated.name}` allows {violated.quota} streams and long polls at once.",
                retry_after=STREAM_RETRY_S,
                violated_policies=(violated.name,),
            )
        return lambda: self._slots.leave(subjects)

    def _subject(self, environ: dict[str, Any], caller: Caller) -> Subject:
        if caller.player is not None:
            return self._policies.player, caller.player
        return self._policies.address, self.address(environ)

    def address(self, environ: dict[str, Any]) -> str:
        """Return the client's address behind trusted proxies; for IPv6 its /64 network, which one customer has."""
        address = _read_address(environ.get("REMOTE_ADDR", ""))
        hops = environ.get("HTTP_X_FORWARDED_FOR", "").split(",")[-HOPS_MAX:] if self._proxies else []
        while address is not None and hops and any(address in network for network in self._proxies):
            before = _read_address(hops.pop().strip())
            if before is None:
                break
            address = before
        if isinstance(address, IPv6Address):
            return str(IPv6Network((address, 64), strict=False))
        return str(address)


def _read_address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return address.ipv4_mapped or address if isinstance(address, IPv6Address) else address


def too_many_calls(quota: Quota) -> Problem:
    """Return the problem of the 429 response."""
    policy = quota.policy
    return Problem(
        "rate-limited",
        f"The limit `{policy.name}` allows {policy.quota} calls in {WINDOW_S} seconds. "
        "Legal moves on your turn are always accepted.",
        retry_after=quota.reset_s,
        violated_policies=(policy.name,),
    )


def rate_headers(quotas: tuple[Quota, ...]) -> Headers:
    """Return the headers about the limits that a call was counted by."""
    if not quotas:
        return ()
    policies = ", ".join(f'"{each.policy.name}";q={each.policy.quota};w={WINDOW_S}' for each in quotas)
    left = ", ".join(f'"{each.policy.name}";r={each.remaining};t={each.reset_s}' for each in quotas)
    return ("RateLimit-Policy", policies), ("RateLimit", left)
