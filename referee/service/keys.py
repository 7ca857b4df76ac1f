"""What a key may do to keys: make weaker ones, revoke those that it made, and replace all keys of a player."""

from msgspec.structs import replace

from referee.kernel.moment import timestamp
from referee.log.directory import Key, Player
from referee.service.desk import Desk, now_ms
from referee.service.players import (
    DEFAULT_SCOPES,
    Caller,
    Scope,
    add_key,
    add_player,
    key_unknown,
    new_key,
)
from referee.service.problems import Problem, invalid


def register(desk: Desk, caller: Caller, name: str, is_bot: bool, scopes: tuple[Scope, ...]) -> tuple[Player, Key, str]:
    """Make a player with a first key; only an admin's first key gives it more than a player needs."""
    _require_power_to_give(desk, caller, scopes)
    player = add_player(desk, name, is_bot, scopes)
    return player, *add_key(desk, player.id, scopes)


def make_key(
    desk: Desk, caller: Caller, scopes: tuple[Scope, ...], expires_at: str | None, label: str
) -> tuple[Key, str]:
    """Make a further key of the caller: it can do no more, lasts no longer and is revoked with the caller's key."""
    player = require_key(caller)
    for scope in scopes:
        caller.require(scope)
    end = None if caller.expires_ms is None else timestamp(caller.expires_ms)
    if end is not None and expires_at is not None and expires_at > end:
        raise invalid("expires_at", f"Your own key expires at {end}; a key made with it cannot last longer.")
    key, text = new_key(player, scopes, expires_at or end, label, caller.key)
    if not desk.directory.add_key(key):
        raise key_unknown()
    return key, text


def revoke(desk: Desk, caller: Caller, id: str) -> None:
    """Revoke a key and all keys made with it; raises a problem unless the caller's key is it, made it or is the first.

    Nothing else revokes single keys: an admin replaces all keys of a player, and the player can see that.
    """
    keys = {key.id: key for key in desk.directory.keys_of(require_key(caller))}
    if id not in keys:
        raise Problem(404, "unknown-key", "You have no such key.")
    above: str | None = id
    while above is not None and above != caller.key:
        above = keys[above].parent if above in keys else None
    if above is None and not caller.is_first:
        raise Problem(403, "not-your-key", "A key can revoke itself and the keys made with it; this is neither.")
    desk.directory.revoke(id)


def replace_keys(desk: Desk, caller: Caller, id: str) -> tuple[Player, Key, str]:
    """Revoke all keys of a player and make a new first key.

    Players do so with their first key. An admin does it for somebody who has lost theirs; that is noted with the
    player for good, because the admin has then held a key that can read the player's cards.
    """
    own = id == require_key(caller)
    if own and not caller.is_first:
        raise first_key_required("replaces all keys of a player")
    if not own:
        caller.require("admin")
    player = desk.directory.player(id)
    if player is None:
        raise Problem(404, "unknown-player", f"There is no player `{id}`.")
    if not own:
        _require_power_to_give(desk, caller, player.scopes)
        _require_current(desk, caller)
        player = replace(player, recovered_at=timestamp(now_ms()))
    key, text = new_key(player.id, player.scopes)
    if not desk.directory.replace_keys(player, key, caller.key if own else None):
        raise key_unknown()
    return player, key, text


def require_key(caller: Caller) -> str:
    """The calling player, whatever the scopes of the key; raises a problem without a key."""
    return caller.player or caller.require("play")


def _require_power_to_give(desk: Desk, caller: Caller, scopes: tuple[str, ...]) -> None:
    """A first key outlives every other: scopes beyond those of all players come from a first key only."""
    if set(scopes) <= set(DEFAULT_SCOPES):
        return
    caller.require("admin")
    if not caller.is_first:
        raise first_key_required("gives another player the scopes `audit` and `admin`")
    _require_current(desk, caller)


def _require_current(desk: Desk, caller: Caller) -> None:
    """What lasts is not done with a key that this process merely remembers."""
    if caller.key is None or desk.directory.key(caller.key) is None:
        raise key_unknown()


def first_key_required(what: str) -> Problem:
    """Another key than a first one is not enough."""
    return Problem(403, "first-key-required", f"Only a first key {what}; yours was made with another key.")
