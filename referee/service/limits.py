"""Limits for one client: calls per minute, streams at once, open games, invitations, keys."""

import logging
import secrets
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import msgspec

from referee.service.finding import bot_games_of, created_by
from referee.service.game import Game
from referee.service.invitations import invitations_from
from referee.service.players import Caller, Key
from referee.service.problems import Problem, unknown_game
from referee.service.repository import LRUCache, Repository, now_ms
from referee.store.log import Unavailable
from referee.store.quotas import Quotas
from referee.table.times import milliseconds, timestamp
from schemas.accounts import Use, Uses

WINDOW_S = 60
PARCELS = 50
"""The number of parcels in a quota. A process takes a whole parcel; what it leaves unused is lost to the others."""
BLIND_S = 5.0
"""The time after a fault during which the shared counters are not used."""
SUBJECTS_MAX = 50_000


class RateLimit(msgspec.Struct, frozen=True):
    """The number of calls per window, or of things held at once, for each subject. A quota of 0 means no limit."""

    name: str
    quota: int


class Quota(NamedTuple):
    """What a subject has left of a rate limit after a call."""

    policy: RateLimit
    remaining: int
    reset_s: int
    is_exceeded: bool


class _Allowance:
    """What a process has left for a subject in a window, and what no process has taken yet, as far as it knows."""

    __slots__ = ("is_empty", "left", "untaken", "window")

    def __init__(self, window: int, quota: int) -> None:
        self.window = window
        self.left = 0
        self.untaken = quota
        self.is_empty = False


class Limiter:
    """Counts calls against rate limits."""

    def __init__(self, quotas: Quotas, clock: Callable[[], float] = time.time) -> None:
        self._quotas = quotas
        self._clock = clock
        self._allowances: LRUCache[tuple[str, str], _Allowance] = LRUCache(SUBJECTS_MAX)
        self._blind_until = 0.0

    def take(self, policy: RateLimit, who: str, cost: int = 1) -> Quota | None:
        """Count a call; returns None if there is no limit. No call costs more than the whole quota."""
        if not policy.quota:
            return None
        now = self._clock()
        allowance = self._allowance(policy, who, now)
        cost = min(cost, policy.quota)
        if allowance.left < cost and not allowance.is_empty:
            self._fill(allowance, policy, who, now, cost)
        is_exceeded = allowance.left < cost
        if not is_exceeded:
            allowance.left -= cost
        return Quota(policy, allowance.left + allowance.untaken, _until_next(now), is_exceeded)

    def exceeded(self, policy: RateLimit, who: str) -> Quota | None:
        """The quota of a subject that has nothing left in this window, as far as this process knows; else None."""
        allowance = self._allowances.get((policy.name, who))
        now = self._clock()
        if allowance is None or not allowance.is_empty or allowance.left or allowance.window != int(now) // WINDOW_S:
            return None
        return Quota(policy, 0, _until_next(now), True)

    def _allowance(self, policy: RateLimit, who: str, now: float) -> _Allowance:
        window = int(now) // WINDOW_S
        allowance = self._allowances.get((policy.name, who))
        if allowance is None or allowance.window != window:
            allowance = _Allowance(window, policy.quota)
            self._allowances.put((policy.name, who), allowance)
        return allowance

    def _fill(self, allowance: _Allowance, policy: RateLimit, who: str, now: float, cost: int) -> None:
        parcel = max(-(-policy.quota // PARCELS), cost - allowance.left)
        granted, taken = parcel, 0
        if now >= self._blind_until:
            try:
                taken = self._quotas.take(f"{policy.name}:{who}:{allowance.window}", parcel, 2 * WINDOW_S)
                granted = max(0, min(parcel, policy.quota - taken + parcel))
            except Unavailable as error:
                self._blind_until = now + BLIND_S
                logging.getLogger(__name__).warning("calls are not counted for now: %s", error)
        allowance.left += granted
        allowance.untaken = max(0, policy.quota - taken)
        allowance.is_empty = granted < parcel


def _until_next(now: float) -> int:
    """Whole seconds until the next window begins, at least one."""
    return WINDOW_S - int(now) % WINDOW_S


Subject = tuple[RateLimit, str]


class Slots:
    """Counts what is held at once. Each process reports how much it holds, and repeats that while it holds it."""

    def __init__(self, quotas: Quotas, report_seconds: float, clock: Callable[[], float] = time.time) -> None:
        self._quotas = quotas
        self._clock = clock
        self._process = secrets.token_hex(8)
        self._lasts_s = max(5, round(3 * report_seconds))
        self._held: dict[str, int] = {}
        self._unreported: set[str] = set()

    def enter(self, subjects: Iterable[Subject]) -> RateLimit | None:
        """Hold one more for each subject, or hold none and return the limit that is reached."""
        wanted = {f"{policy.name}:{who}": policy for policy, who in subjects if policy.quota}
        for name in wanted:
            self._held[name] = self._held.get(name, 0) + 1
        others = self._report(wanted)
        for name, policy in wanted.items():
            if self._held[name] + others.get(name, 0) > policy.quota:
                self._let_go(wanted)
                self.tell()
                return policy
        return None

    def leave(self, subjects: Iterable[Subject]) -> None:
        """Hold one less for each subject; the next `tell` reports it to the other processes."""
        self._let_go(f"{policy.name}:{who}" for policy, who in subjects if policy.quota)

    def tell(self, everything: bool = False) -> None:
        """Report to the other processes what has changed, or everything that is held."""
        names, self._unreported = self._unreported, set()
        self._report(names | set(self._held) if everything else names)
        for name in names:
            if not self._held.get(name):
                self._held.pop(name, None)

    def _let_go(self, names: Iterable[str]) -> None:
        for name in names:
            self._held[name] -= 1
            self._unreported.add(name)

    def _report(self, names: Iterable[str]) -> dict[str, int]:
        """Report what this process holds; returns what the others hold."""
        counts = {name: self._held.get(name, 0) for name in names}
        try:
            return self._quotas.hold(self._process, counts, int(self._clock()), self._lasts_s) if counts else {}
        except Unavailable as error:
            logging.getLogger(__name__).warning("streams are counted by each process alone for now: %s", error)
            return {}


TIDY_EVERY_MS = 60_000
"""The least time between two searches of a process for games that do not belong on a player's list.

A game that was listed more recently is left alone: it may not be stored yet.
"""

LOOKED_AT_MAX = 200


def uses(repository: Repository, caller: Caller) -> Uses:
    """How much of each quota a player uses; an admin's key has no quotas."""
    player, quotas, exempt = str(caller.player), repository.quotas, caller.may("admin")

    def use(used: int, most: int) -> Use:
        return Use(used, None if exempt or not most else most)

    return Uses(
        bot_games=use(repository.directory.count(bot_games_of(player)), quotas.bot_games),
        keys=use(len(repository.directory.keys_of(player)), quotas.keys),
        open_games=use(repository.directory.count(created_by(player)), quotas.open_games),
    )


def list_within_limits(repository: Repository, caller: Caller, game: Game) -> None:
    """Put a new game on the lists that count its creator's games and invitations; raises a problem if one is full.

    This is one atomic step, so concurrent calls cannot exceed a limit. No limit holds for an admin's key, but its
    games are counted.
    """
    limits = {created_by(game.created_by): repository.quotas.open_games}
    if game.has_bots:
        limits[bot_games_of(game.created_by)] = repository.quotas.bot_games
    invited = invitations_from(game)
    limits |= dict.fromkeys(invited, repository.invitations_max)
    if caller.may("admin"):
        limits = dict.fromkeys(limits, 0)
    created = milliseconds(game.created_at)
    full = repository.directory.list_within(game.id, created, limits)
    if full is not None and _tidy(repository, game.created_by, full):
        full = repository.directory.list_within(game.id, created, limits)
    if full in invited:
        name = repository.names((game,)).get(invited[full], "This player")
        detail = f"{name} has {limits[full]} unanswered invitations from you, which is the limit."
        raise Problem("too-many-invitations", f"{detail} Wait for an answer, or withdraw one.")
    if full is not None:
        kind = "open games" if full == created_by(game.created_by) else "open games with built-in bots"
        detail = f"You have {limits[full]} {kind}, which is the limit."
        raise Problem("quota-reached", f"{detail} Wait until one ends, or withdraw one that has not started.")


def keep_within_quota(repository: Repository, caller: Caller, key: Key) -> None:
    """Revoke a new key that exceeds the quota, and raise a problem. Expired keys are revoked first to make room.

    Concurrent calls cannot exceed the quota either: the call that stores its key last sees all the others.
    """
    most = repository.quotas.keys
    if not most or caller.may("admin"):
        return
    now = timestamp(now_ms())
    keys = repository.directory.keys_of(key.player)
    expired = [each for each in keys if each.expires_at is not None and each.expires_at <= now]
    is_too_many = len(keys) - len(expired) > most
    for each in (*expired, *((key,) if is_too_many else ())):
        repository.directory.revoke(each.id)
    if is_too_many:
        raise Problem("quota-reached", f"You have {most} keys, which is the limit. Revoke one first.")


def _tidy(repository: Repository, player: str, full: str) -> bool:
    """At intervals, remove games from a full list that no longer belong there; returns whether there were any.

    A process that created or ended a game may have died before it updated the lists.
    """
    now = now_ms()
    if now - (repository.tidied.get(full) or 0) < TIDY_EVERY_MS:
        return False
    repository.tidied.put(full, now)
    rows = repository.directory.games(full, None, LOOKED_AT_MAX)
    old = [id for created, id in rows if created < now - TIDY_EVERY_MS]
    gone = [id for id in old if not _is_open(repository, id)]
    for id in gone:
        repository.directory.unlist_game(id, {full, created_by(player), bot_games_of(player)})
    return bool(gone)


def _is_open(repository: Repository, id: str) -> bool:
    repository.games.forget(id)
    try:
        return repository.game(id).is_open
    except Problem as problem:
        if problem.code != unknown_game().code:
            raise
        return False
