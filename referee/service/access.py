"""Who may see what of a game, derived from the seats as they are now: a seat can change hands until the start."""

from collections.abc import Callable
from typing import Final, Literal

import msgspec

from referee.kernel.seat import Seat
from referee.service.desk import Desk
from referee.service.game import Game
from referee.service.players import Caller
from referee.service.problems import Problem, invalid, not_your_seat, unknown_game

EVERYTHING: Final = "all"
"""The reader of a game that is over: nothing is hidden any more."""

Reader = Seat | None | Literal["all"]

OVER = ("finished", "annulled")


class Watcher(msgspec.Struct, frozen=True):
    """Who reads a game, and as whom they asked to read it. What they may see follows from the game, at every look."""

    player: str | None = None
    """None: somebody without a key that may watch."""
    asked: str | None = None
    """The seat whose view was asked for, or `all`."""
    may_audit: bool = False


def watcher(caller: Caller, asked: str | None = None) -> Watcher:
    """The caller as somebody who reads a game."""
    return Watcher(caller.player if caller.may("watch") else None, asked, caller.may("audit"))


def visible_game(desk: Desk, caller: Caller, id: str) -> Game:
    """A game that the caller may know of."""
    game = desk.game(id)
    _require_known(game, watcher(caller))
    return game


def _require_known(game: Game, watcher: Watcher) -> None:
    if game.visibility == "public" or watcher.may_audit:
        return
    player = watcher.player
    if player is None or not (player == game.created_by or game.seats_of(player) or game.invitations_of(player)):
        raise unknown_game()


def own_seat(game: Game, caller: Caller, seat: int | None) -> Seat:
    """The seat that the caller acts for: the one asked for, or the first one held."""
    held = game.seats_of(caller.player)
    if not held:
        raise not_your_seat()
    if seat is None:
        return held[0]
    if seat not in held:
        raise not_your_seat(f"You do not hold seat {seat}.")
    return Seat(seat)


def reader_of(game: Game, watcher: Watcher, status: Callable[[], str]) -> Reader:
    """As whom a watcher reads: their own seat, a spectator, or after the end any seat or everything."""
    _require_known(game, watcher)
    held, asked = game.seats_of(watcher.player), watcher.asked
    if asked is None:
        return held[0] if held else None
    if asked == EVERYTHING:
        if status() not in OVER:
            raise Problem(403, "still-hidden", "The whole position is shown when the game is over.")
        return EVERYTHING
    if not asked.isascii() or not asked.isdigit() or int(asked) >= len(game.seats):
        raise invalid("seat", f"`seat` is 0 to {len(game.seats) - 1}, or `all` after the end.")
    if int(asked) not in held and status() not in OVER:
        raise not_your_seat(f"You do not hold seat {asked}; other seats are shown when the game is over.")
    return Seat(int(asked))


def eyes(game: Game, reader: Reader) -> Reader:
    """Through whose eyes a reader sees the position: before the start, when seats still change hands, a spectator's."""
    return reader if game.is_started else None


class Audience:
    """The readers of a game at one moment: made anew for every commit, so that no stream keeps the view of a seat."""

    def __init__(self, desk: Desk, game_id: str) -> None:
        self.game = game = desk.game(game_id)
        self._desk = desk
        self._is_public = game.visibility == "public"
        players = {holder.player for holder in game.seats if holder.player is not None}
        self._first_seats = {player: held[0] for player in players if (held := game.seats_of(player))}

    def reader(self, watcher: Watcher) -> Reader:
        """As whom a watcher reads now; raises a problem if they may not read any more."""
        if self._is_public and watcher.asked is None:
            return eyes(self.game, self._first_seats.get(watcher.player or ""))
        return eyes(self.game, reader_of(self.game, watcher, lambda: self._desk.newest(self.game).status))
