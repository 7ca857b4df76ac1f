"""Players and their keys. A key is shown once and kept as a hash; scopes say what it is good for."""

import hmac
import re
import secrets
import time
from hashlib import sha256
from typing import Literal

import msgspec

from referee.kernel.moment import milliseconds, timestamp
from referee.log.directory import Key, Player, key_id_for
from referee.service.desk import Desk, now_ms
from referee.service.problems import Problem
from referee.service.recent import Recent

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
    """Who asks: nobody in particular, or a player with what the key allows."""

    player: str | None = None
    name: str | None = None
    key: str | None = None
    scopes: tuple[str, ...] = ()
    expires_ms: int | None = None
    is_bot: bool = False
    is_first: bool = False
    """Whether this is the player's first key, which no other key made."""

    def may(self, scope: Scope) -> bool:
        """Whether the key has this scope; `admin` has all, and who may play may watch."""
        return scope in self.scopes or "admin" in self.scopes or (scope == "watch" and "play" in self.scopes)

    def require(self, scope: Scope) -> str:
        """The calling player; raises a problem without a key or without the scope."""
        if self.player is None:
            raise Problem(401, "key-required", "This call needs an API key: Authorization: Bearer …")
        if not self.may(scope):
            raise Problem(403, "scope-missing", f"The key lacks the scope `{scope}`.", scope=scope)
        return self.player


NOBODY = Caller()


def new_id(prefix: str) -> str:
    """A fresh id that cannot be guessed."""
    return f"{prefix}_{secrets.token_hex(12)}"


def add_player(desk: Desk, name: str, is_bot: bool = False, scopes: tuple[str, ...] = DEFAULT_SCOPES) -> Player:
    """Make a player whose first key will have these scopes."""
    player = Player(new_id("p"), name, timestamp(now_ms()), is_bot, scopes)
    desk.directory.add_player(player)
    return player


def new_key(
    player: str,
    scopes: tuple[str, ...],
    expires_at: str | None = None,
    label: str = "",
    parent: str | None = None,
) -> tuple[Key, str]:
    """A key that is not kept yet, and its text, which is to be shown once and is kept nowhere."""
    secret = secrets.token_hex(24)
    id = key_id_for(player, secrets.token_hex(8))
    key = Key(id, player, _hash(secret), scopes, timestamp(now_ms()), expires_at, label, parent)
    return key, f"{KEY_PREFIX}_{id}_{secret}"


def add_key(desk: Desk, player: str, scopes: tuple[str, ...], label: str = "") -> tuple[Key, str]:
    """Make a player's first key."""
    key, text = new_key(player, scopes, label=label)
    desk.directory.add_key(key)
    return key, text


def _hash(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


_NO_HASH = _hash(secrets.token_hex(24))
"""What is compared with where there is no key: an unknown key takes the way of a wrong one."""


class Keyring:
    """Tells who calls. A process trusts a key that it has looked up for less than a second."""

    def __init__(self, desk: Desk, trust_seconds: float) -> None:
        self._desk = desk
        self._trust_seconds = trust_seconds
        self._callers: Recent[str, tuple[float, Caller]] = Recent(10_000)

    def caller(self, token: str, again: bool = False) -> Caller:
        """The holder of a key; raises a problem for one that is unknown, revoked or expired.

        `again` trusts nothing that was looked up before.
        """
        known = None if again else self._callers.get(token)
        if known is None or known[0] < time.monotonic():
            known = self._look_up(token)
            self._callers.put(token, known)
        _, caller = known
        if caller.expires_ms is not None and caller.expires_ms <= now_ms():
            raise Problem(401, "key-expired", "The API key has expired.")
        return caller

    def _look_up(self, token: str) -> tuple[float, Caller]:
        prefix, _, rest = token.partition("_")
        id, _, secret = rest.rpartition("_")
        found = self._desk.directory.holder(id) if prefix == KEY_PREFIX and _KEY_ID.match(id) else None
        fits = hmac.compare_digest(_hash(secret), _NO_HASH if found is None else found[0].secret_hash)
        if found is None or not fits:
            raise key_unknown()
        key, player = found
        expires_ms = None if key.expires_at is None else milliseconds(key.expires_at)
        caller = Caller(player.id, player.name, key.id, key.scopes, expires_ms, player.is_bot, key.parent is None)
        return time.monotonic() + self._trust_seconds, caller


_KEY_ID = re.compile(r"k_[0-9a-f]{40}\Z", re.ASCII)


def key_unknown() -> Problem:
    """The key is none, or none any more."""
    return Problem(401, "key-unknown", "The API key is unknown or was revoked.")
