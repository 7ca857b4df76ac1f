"""Finding games: the list that fits best is read page by page, the other conditions are checked on the way."""

from typing import Any

import msgspec

from referee.kernel.judge import awaited_seats
from referee.service.access import visible_game
from referee.service.commits import seats_played_by
from referee.service.cursors import Cursors
from referee.service.desk import Desk
from referee.service.game import Game
from referee.service.players import Caller
from referee.service.problems import Problem
from referee.service.state import State
from referee.service.views import summary

LOOKED_AT_MAX = 500
"""So many games are looked at for one page; a page may be short and still have a next one."""


class Filter(msgspec.Struct, frozen=True):
    """Which games are wanted."""

    ruleset: str | None = None
    status: str | None = None
    player: str | None = None
    bots: str | None = None
    mine: bool = False
    awaiting: bool = False
    invited: bool = False


def find_games(
    desk: Desk, caller: Caller, wanted: Filter, cursor: str | None, limit: int
) -> tuple[list[dict[str, Any]], str | None]:
    """A page of games, newest first, and the cursor of the next page if there may be more."""
    name = _list_for(caller, wanted)
    cursors = Cursors(desk, name, caller.player)
    place = None if cursor is None else cursors.open(cursor)
    found: list[dict[str, Any]] = []
    looked_at = 0
    while looked_at < LOOKED_AT_MAX:
        places = desk.directory.games(name, place, limit)
        for place in places:
            looked_at += 1
            game = _fitting(desk, caller, wanted, place[1])
            if game is not None:
                found.append(game)
            if len(found) == limit:
                return found, cursors.seal(place)
        if len(places) < limit:
            return found, None
    assert place is not None
    return found, cursors.seal(place)


def _list_for(caller: Caller, wanted: Filter) -> str:
    if wanted.invited:
        return f"invited:{caller.player}"
    if wanted.awaiting:
        return f"playing:{caller.player}"
    if wanted.mine:
        return f"player:{caller.player}"
    if wanted.player is not None:
        # Others look at no private game on the way: by the time and the pages it takes they could count them.
        knows_all = caller.may("audit") or (caller.player == wanted.player and caller.may("watch"))
        return f"player:{wanted.player}" if knows_all else f"public:{wanted.player}"
    if wanted.status is not None:
        return f"status:{wanted.status}"
    if wanted.ruleset is not None:
        return f"ruleset:{wanted.ruleset}"
    return "all"


def _fitting(desk: Desk, caller: Caller, wanted: Filter, id: str) -> dict[str, Any] | None:
    try:
        game = visible_game(desk, caller, id)
    except Problem:
        return None
    if wanted.ruleset is not None and game.ruleset != wanted.ruleset:
        return None
    if wanted.bots is not None and game.bots != wanted.bots:
        return None
    if wanted.player is not None and not game.seats_of(wanted.player):
        return None
    if wanted.invited and not game.invitations_of(caller.player):
        return None
    state = desk.newest(game) if game.is_started else desk.known(game)
    status = state.status if game.is_started else game.status
    if wanted.status is not None and status != wanted.status:
        return None
    if wanted.awaiting and not (status == "running" and _awaits(game, state, caller)):
        return None
    return summary(game, status, state.version)


def _awaits(game: Game, state: State, caller: Caller) -> bool:
    return not awaited_seats(game.rules, state.position).isdisjoint(seats_played_by(game, state, caller.player))
