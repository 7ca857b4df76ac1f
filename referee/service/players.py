"""Players and their keys. A key is shown once and stored as a hash; its scopes limit what it can do."""

import hmac
import re
import secrets
import time
from hashlib import sha256
from typing import Literal

import msgspec
from msgspec.structs import replace

from referee.service.problems import Problem, invalid
from referee.service.repository import LRUCache, Repository, now_ms
from referee.store.directory import Key, Player, key_id_for
from referee.table.times import milliseconds, timestamp

__all__ = [
    "DEFAULT_SCOPES",
    "NOBODY",
    "SCOPES",
    "Caller",
    "Key",
    "Keyring",
    "Player",
    "add_key",
    "add_player",
    "key_unknown",
    "new_id",
    "new_key",
]

Scope = Literal["play", "watch", "audit", "admin"]
SCOPES: tuple[Scope, ...] = ("play", "watch", "audit", "admin")
DEFAULT_SCOPES: tuple[Scope, ...] = ("play", "watch")

KEY_PREFIX = "rk"


class Caller(msgspec.Struct, frozen=True):
    """The sender of a request: anonymous, or a player with the scopes of the key."""

    player: str | None = None
    name: str | None = None
    key: str | None = None
    scopes: tuple[str, ...] = ()
    expires_ms: int | None = None
    is_bot: bool = False
    is_first: bool = False
    """Whether the key is the player's first, which was not made with another key."""

    def may(self, scope: Scope) -> bool:
        """Whether the key has this scope; `admin` includes every scope, and `play` includes `watch`."""
        return scope in self.scopes or "admin" in self.scopes or (scope == "watch" and "play" in self.scopes)

    def require(self, scope: Scope) -> str:
        """The calling player; raises a problem without a key or without the scope."""
        if self.player is None:
            raise Problem("key-required", "This call needs an API key. Send it as `Authorization: Bearer …`.")
        if not self.may(scope):
            raise Problem("scope-missing", f"Your key lacks the scope `{scope}`.", scope=scope)
        return self.player


NOBODY = Caller()


def new_id(prefix: str) -> str:
    """A new id that cannot be guessed."""
    return f"{prefix}_{secrets.token_hex(12)}"


def add_player(
    repository: Repository, name: str, is_bot: bool = False, scopes: tuple[str, ...] = DEFAULT_SCOPES
) -> Player:
    """Create a player whose first key will have these scopes."""
    player = Player(new_id("p"), name, timestamp(now_ms()), is_bot, scopes)
    repository.directory.add_player(player)
    return player


def new_key(
    player: str,
    scopes: tuple[str, ...],
    expires_at: str | None = None,
    label: str = "",
    parent: str | None = None,
) -> tuple[Key, str]:
    """A new key, not stored yet, and its text, which is shown once and never stored."""
    secret = secrets.token_hex(24)
    id = key_id_for(player, secrets.token_hex(8))
    key = Key(id, player, _hash(secret), scopes, timestamp(now_ms()), expires_at, label, parent)
    return key, f"{KEY_PREFIX}_{id}_{secret}"


def add_key(repository: Repository, player: str, scopes: tuple[str, ...], label: str = "") -> tuple[Key, str]:
    """Create a player's first key."""
    key, text = new_key(player, scopes, label=label)
    repository.directory.add_key(key)
    return key, text


def _hash(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


_NO_HASH = _hash(secrets.token_hex(24))
"""Compared with where there is no key, so that an unknown key takes as long as a wrong one."""


class Keyring:
    """Finds the caller of a key. A process trusts a key for `trust_seconds` after it has looked it up."""

    def __init__(self, repository: Repository, trust_seconds: float) -> None:
        self._repository = repository
        self._trust_seconds = trust_seconds
        self._callers: LRUCache[str, tuple[float, Caller]] = LRUCache(10_000)

    def caller(self, token: str, again: bool = False) -> Caller:
        """The holder of a key; raises a problem for a key that is unknown, revoked or expired.

        `again`: look the key up even if it is still trusted.
        """
        known = None if again else self._callers.get(token)
        if known is None or known[0] < time.monotonic():
            known = self._look_up(token)
            self._callers.put(token, known)
        _, caller = known
        if caller.expires_ms is not None and caller.expires_ms <= now_ms():
            raise Problem("key-expired", f"The API key expired at {timestamp(caller.expires_ms)}.")
        return caller

    def _look_up(self, token: str) -> tuple[float, Caller]:
        prefix, _, rest = token.partition("_")
        id, _, secret = rest.rpartition("_")
        found = self._repository.directory.holder(id) if prefix == KEY_PREFIX and _KEY_ID.match(id) else None
        fits = hmac.compare_digest(_hash(secret), _NO_HASH if found is None else found[0].secret_hash)
        if found is None or not fits:
            raise key_unknown()
        key, player = found
        expires_ms = None if key.expires_at is None else milliseconds(key.expires_at)
        caller = Caller(player.id, player.name, key.id, key.scopes, expires_ms, player.is_bot, key.parent is None)
        return time.monotonic() + self._trust_seconds, caller


_KEY_ID = re.compile(r"k_[0-9a-f]{40}\Z", re.ASCII)


def key_unknown() -> Problem:
    """The problem of a key that does not exist, or no longer does."""
    return Problem("key-unknown", "The API key is unknown or was revoked.")


def register(
    repository: Repository, caller: Caller, name: str, is_bot: bool, scopes: tuple[Scope, ...]
) -> tuple[Player, Key, str]:
    """Create a player with a first key. Only an admin's first key may give scopes beyond the default ones."""
    _require_power_to_give(repository, caller, scopes)
    player = add_player(repository, name, is_bot, scopes)
    return player, *add_key(repository, player.id, scopes)


def make_key(
    repository: Repository, caller: Caller, scopes: tuple[Scope, ...], expires_at: str | None, label: str
) -> tuple[Key, str]:
    """Create another key for the caller. It can do no more, lasts no longer and is revoked with the caller's key."""
    player = require_key(caller)
    for scope in scopes:
        caller.require(scope)
    end = None if caller.expires_ms is None else timestamp(caller.expires_ms)
    if end is not None and expires_at is not None and expires_at > end:
        raise invalid("expires_at", f"Your key expires at {end}; a key made with it cannot last longer.")
    key, text = new_key(player, scopes, expires_at or end, label, caller.key)
    if not repository.directory.add_key(key):
        raise key_unknown()
    return key, text


def revoke(repository: Repository, caller: Caller, id: str) -> None:
    """Revoke a key and every key made with it. Only the key itself, a key that made it, or the first key may do so.

    An admin cannot revoke single keys of a player, only replace all of them, and the player can see that.
    """
    keys = {key.id: key for key in repository.directory.keys_of(require_key(caller))}
    if id not in keys:
        raise Problem("unknown-key", f"You have no key `{id}`.")
    above: str | None = id
    while above is not None and above != caller.key:
        above = keys[above].parent if above in keys else None
    if above is None and not caller.is_first:
        raise Problem("not-your-key", "Your key can revoke itself and the keys made with it. Use your first key.")
    repository.directory.revoke(id)


def require_power_over(repository: Repository, caller: Caller, id: str, what: str) -> Player:
    """The player, if the caller is that player with the first key, or an admin; raises a problem if not."""
    own = id == require_key(caller)
    if own and not caller.is_first:
        raise first_key_required(what)
    if not own:
        caller.require("admin")
    player = repository.directory.player(id)
    if player is None:
        raise Problem("unknown-player", f"There is no player `{id}`.")
    _require_current(repository, caller)
    if not own:
        _require_power_to_give(repository, caller, player.scopes)
    return player


def replace_keys(repository: Repository, caller: Caller, id: str) -> tuple[Player, Key, str]:
    """Revoke all keys of a player and create a new first key.

    Players do so with their first key. An admin does it for a player who has lost theirs; the player's account records
    that for good, because the admin has then held a key that can read the player's cards.
    """
    own = id == require_key(caller)
    player = require_power_over(repository, caller, id, "replace all keys of a player")
    if not own:
        player = replace(player, recovered_at=timestamp(now_ms()))
    key, text = new_key(player.id, player.scopes)
    if not repository.directory.replace_keys(player, key, caller.key if own else None):
        raise key_unknown()
    return player, key, text


def require_key(caller: Caller) -> str:
    """The calling player, whatever the scopes of the key; raises a problem without a key."""
    return caller.player or caller.require("play")


def _require_power_to_give(repository: Repository, caller: Caller, scopes: tuple[str, ...]) -> None:
    """Raise a problem unless the caller may give these scopes: beyond the default ones only an admin's first key may.

    The new player's first key would outlive any other key of the admin.
    """
    if set(scopes) <= set(DEFAULT_SCOPES):
        return
    caller.require("admin")
    if not caller.is_first:
        raise first_key_required("give another player the scopes `audit` and `admin`")
    _require_current(repository, caller)


def _require_current(repository: Repository, caller: Caller) -> None:
    """Raise a problem if the caller's key has been revoked, even if this process still trusts it."""
    if caller.key is None or repository.directory.key(caller.key) is None:
        raise key_unknown()


def first_key_required(what: str) -> Problem:
    """The problem of a key that another key made, in a call that needs a first key."""
    return Problem("first-key-required", f"Only a first key can {what}; yours was made with another key.")
