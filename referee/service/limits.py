"""Limits that all processes keep together, without asking each other at every call.

A process takes its share of a quota in parcels, so that most calls are counted in its own memory. If the counters
cannot be reached, nobody is refused.
"""

import logging
import secrets
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import msgspec

from referee.log.quotas import Quotas
from referee.service.recent import Recent
from referee.service.store import Unavailable

WINDOW_S = 60
PARCELS = 50
"""A quota is taken in so many parcels; what a process does not use of one is lost to the others in this window."""
BLIND_S = 5.0
"""After a fault the counters are left alone for so long."""
SUBJECTS_MAX = 50_000


class Policy(msgspec.Struct, frozen=True):
    """So many of something for each subject: calls in a window, or things held at once. A quota of 0 has no limit."""

    name: str
    quota: int


class Standing(NamedTuple):
    """How somebody stands to a policy after a call."""

    policy: Policy
    remaining: int
    reset_s: int
    is_exceeded: bool


class _Purse:
    """What a process has left for a subject in a window, and what there is beside it as far as it knows."""

    __slots__ = ("elsewhere", "is_empty", "left", "window")

    def __init__(self, window: int, quota: int) -> None:
        self.window = window
        self.left = 0
        self.elsewhere = quota
        self.is_empty = False


class Limiter:
    """Counts calls."""

    def __init__(self, quotas: Quotas, clock: Callable[[], float] = time.time) -> None:
        self._quotas = quotas
        self._clock = clock
        self._purses: Recent[tuple[str, str], _Purse] = Recent(SUBJECTS_MAX)
        self._blind_until = 0.0

    def take(self, policy: Policy, who: str, cost: int = 1) -> Standing | None:
        """Count a call of somebody; None if there is no limit. No call costs more than the whole quota."""
        if not policy.quota:
            return None
        now = self._clock()
        purse = self._purse(policy, who, now)
        cost = min(cost, policy.quota)
        if purse.left < cost and not purse.is_empty:
            self._fill(purse, policy, who, now, cost)
        is_exceeded = purse.left < cost
        if not is_exceeded:
            purse.left -= cost
        return Standing(policy, purse.left + purse.elsewhere, _until_next(now), is_exceeded)

    def exceeded(self, policy: Policy, who: str) -> Standing | None:
        """How somebody stands who has nothing left in this window, as far as this process knows without asking."""
        purse = self._purses.get((policy.name, who))
        now = self._clock()
        if purse is None or not purse.is_empty or purse.left or purse.window != int(now) // WINDOW_S:
            return None
        return Standing(policy, 0, _until_next(now), True)

    def _purse(self, policy: Policy, who: str, now: float) -> _Purse:
        window = int(now) // WINDOW_S
        purse = self._purses.get((policy.name, who))
        if purse is None or purse.window != window:
            purse = _Purse(window, policy.quota)
            self._purses.put((policy.name, who), purse)
        return purse

    def _fill(self, purse: _Purse, policy: Policy, who: str, now: float, cost: int) -> None:
        parcel = max(-(-policy.quota // PARCELS), cost - purse.left)
        granted, taken = parcel, 0
        if now >= self._blind_until:
            try:
                taken = self._quotas.take(f"{policy.name}:{who}:{purse.window}", parcel, 2 * WINDOW_S)
                granted = max(0, min(parcel, policy.quota - taken + parcel))
            except Unavailable as error:
                self._blind_until = now + BLIND_S
                logging.getLogger(__name__).warning("calls are not counted for now: %s", error)
        purse.left += granted
        purse.elsewhere = max(0, policy.quota - taken)
        purse.is_empty = granted < parcel


def _until_next(now: float) -> int:
    """Whole seconds until the next window begins, at least one."""
    return WINDOW_S - int(now) % WINDOW_S


Subject = tuple[Policy, str]


class Places:
    """Counts what is held at once: each process tells how much it holds, and tells it again while it does."""

    def __init__(self, quotas: Quotas, vouch_seconds: float, clock: Callable[[], float] = time.time) -> None:
        self._quotas = quotas
        self._clock = clock
        self._process = secrets.token_hex(8)
        self._lasts_s = max(5, round(3 * vouch_seconds))
        self._held: dict[str, int] = {}
        self._to_tell: set[str] = set()

    def enter(self, subjects: Iterable[Subject]) -> Policy | None:
        """Hold one more for each subject; gives the policy that is against it, and then holds none more."""
        wanted = {f"{policy.name}:{who}": policy for policy, who in subjects if policy.quota}
        for name in wanted:
            self._held[name] = self._held.get(name, 0) + 1
        others = self._tell(wanted)
        for name, policy in wanted.items():
            if self._held[name] + others.get(name, 0) > policy.quota:
                self._let_go(wanted)
                self.tell()
                return policy
        return None

    def leave(self, subjects: Iterable[Subject]) -> None:
        """Hold one less for each subject; the others hear of it with the next `tell`."""
        self._let_go(f"{policy.name}:{who}" for policy, who in subjects if policy.quota)

    def tell(self, everything: bool = False) -> None:
        """Tell the other processes what has changed, or everything that is held."""
        names, self._to_tell = self._to_tell, set()
        self._tell(names | set(self._held) if everything else names)
        for name in names:
            if not self._held.get(name):
                self._held.pop(name, None)

    def _let_go(self, names: Iterable[str]) -> None:
        for name in names:
            self._held[name] -= 1
            self._to_tell.add(name)

    def _tell(self, names: Iterable[str]) -> dict[str, int]:
        counts = {name: self._held.get(name, 0) for name in names}
        try:
            return self._quotas.hold(self._process, counts, int(self._clock()), self._lasts_s) if counts else {}
        except Unavailable as error:
            logging.getLogger(__name__).warning("streams are counted by each process alone for now: %s", error)
            return {}
