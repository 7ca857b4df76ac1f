"""What one player may have at a time: open games, open games with built-in bots, unanswered invitations, and keys."""

import msgspec

from referee.kernel.moment import milliseconds, timestamp
from referee.service.desk import Desk, now_ms
from referee.service.game import Game
from referee.service.invitations import invitations_from
from referee.service.lists import bot_games_of, created_by
from referee.service.players import Caller, Key
from referee.service.problems import Problem, unknown_game

TIDY_EVERY_MS = 60_000
"""How often a process looks for games on a player's lists that do not belong there.

That is also how long a new game may be on a list before it is kept.
"""

LOOKED_AT_MAX = 200


class Use(msgspec.Struct, frozen=True):
    """How much of something a player has; `most` is null where there is no limit."""

    used: int
    most: int | None


def uses(desk: Desk, caller: Caller) -> dict[str, Use]:
    """How much of everything a player has, and may have with the key of this call."""
    player, quotas = str(caller.player), desk.quotas
    used = {
        "open_games": (desk.directory.count(created_by(player)), quotas.open_games),
        "bot_games": (desk.directory.count(bot_games_of(player)), quotas.bot_games),
        "keys": (len(desk.directory.keys_of(player)), quotas.keys),
    }
    exempt = caller.may("admin")
    return {name: Use(count, None if exempt or not most else most) for name, (count, most) in used.items()}


def take_place(desk: Desk, caller: Caller, game: Game) -> None:
    """Put a new game on the lists by which its creator's games and invitations are counted.

    Raises a problem if one of them is full.

    It is one step, so that no number of calls at once creates more. An admin's key knows no quota; its games are
    counted all the same.
    """
    places = {created_by(game.created_by): desk.quotas.open_games}
    if game.has_bots:
        places[bot_games_of(game.created_by)] = desk.quotas.bot_games
    invited = invitations_from(game)
    places |= dict.fromkeys(invited, desk.invitations_max)
    if caller.may("admin"):
        places = dict.fromkeys(places, 0)
    made = milliseconds(game.created_at)
    full = desk.directory.list_within(game.id, made, places)
    if full is not None and _tidy(desk, game.created_by, full):
        full = desk.directory.list_within(game.id, made, places)
    if full in invited:
        waiting = f"{invited[full]} has not answered {places[full]} invitations of yours"
        detail = f"{waiting}; wait for an answer, or withdraw one."
        raise Problem(409, "too-many-invitations", detail)
    if full is not None:
        kind = "open games" if full == created_by(game.created_by) else "open games with built-in bots"
        detail = f"You have created {places[full]} {kind}, the most that one player may have; wait until one ends."
        raise Problem(409, "quota-reached", detail)


def keep_within_quota(desk: Desk, caller: Caller, key: Key) -> None:
    """Take back a new key that is one too many; raises a problem. Keys that have expired make room for others.

    Of several calls at once none is answered with a key that is one too many: the last to be kept sees all others.
    """
    most = desk.quotas.keys
    if not most or caller.may("admin"):
        return
    now = timestamp(now_ms())
    keys = desk.directory.keys_of(key.player)
    expired = [each for each in keys if each.expires_at is not None and each.expires_at <= now]
    is_too_many = len(keys) - len(expired) > most
    for each in (*expired, *((key,) if is_too_many else ())):
        desk.directory.revoke(each.id)
    if is_too_many:
        detail = f"You have {most} keys, the most that one player may have; revoke one first."
        raise Problem(409, "quota-reached", detail)


def _tidy(desk: Desk, player: str, full: str) -> bool:
    """Take off a full list what does not belong there, once in a while; gives whether anything was taken off.

    Whoever created or ended a game may have died before the lists were right.
    """
    now = now_ms()
    if now - (desk.tidied.get(full) or 0) < TIDY_EVERY_MS:
        return False
    desk.tidied.put(full, now)
    old = [id for made, id in desk.directory.games(full, None, LOOKED_AT_MAX) if made < now - TIDY_EVERY_MS]
    gone = [id for id in old if not _is_open(desk, id)]
    for id in gone:
        desk.directory.unlist_game(id, {full, created_by(player), bot_games_of(player)})
    return bool(gone)


def _is_open(desk: Desk, id: str) -> bool:
    desk.games.forget(id)
    try:
        return desk.game(id).is_open
    except Problem as problem:
        if problem.code != unknown_game().code:
            raise
        return False
