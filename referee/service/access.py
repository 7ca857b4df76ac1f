"""Who may see what of a game. This follows from the current seats, because a seat can change hands until the start."""

from collections.abc import Callable
from typing import Final, Literal

import msgspec

from referee.kernel.seat import Seat
from referee.service.game import Game
from referee.service.players import Caller
from referee.service.problems import Problem, invalid, not_your_seat, unknown_game
from referee.service.repository import Repository

EVERYTHING: Final = "all"
"""The reader of a game that is over, from whom nothing is hidden."""

Reader = Seat | None | Literal["all"]

OVER = ("finished", "annulled")


class Watcher(msgspec.Struct, frozen=True):
    """A caller who reads a game, and the view they requested. What they may see follows from the game at each read."""

    player: str | None = None
    """None: the caller has no key that may watch."""
    requested: str | None = None
    """The seat whose view the caller requested, or `all`."""
    may_audit: bool = False


def watcher(caller: Caller, requested: str | None = None) -> Watcher:
    """The caller as a reader of games."""
    return Watcher(caller.player if caller.may("watch") else None, requested, caller.may("audit"))


def visible_game(repository: Repository, caller: Caller, id: str) -> Game:
    """A game by its id; raises a problem if the caller may not know that it exists."""
    game = repository.game(id)
    _require_known(game, watcher(caller))
    return game


def may_know(game: Game, watcher: Watcher) -> bool:
    """Whether a watcher may know that the game exists."""
    if game.visibility == "public" or watcher.may_audit:
        return True
    player = watcher.player
    is_part = player == game.created_by or game.seats_of(player) or game.invitations_of(player)
    return player is not None and bool(is_part)


def _require_known(game: Game, watcher: Watcher) -> None:
    if not may_know(game, watcher):
        raise unknown_game()


def own_seat(game: Game, caller: Caller, seat: int | None) -> Seat:
    """The seat that the caller acts for: the one named, or the first one that the caller holds."""
    held = game.seats_of(caller.player)
    if not held:
        raise not_your_seat()
    if seat is None:
        return held[0]
    if seat not in held:
        raise not_your_seat(f"You do not hold seat {seat}. Your seats: {', '.join(map(str, held))}.")
    return Seat(seat)


def reader_of(game: Game, watcher: Watcher, status: Callable[[], str]) -> Reader:
    """Whose view a watcher gets: that of their seat or of a spectator, and after the end any."""
    _require_known(game, watcher)
    held, requested = game.seats_of(watcher.player), watcher.requested
    if requested is None:
        return held[0] if held else None
    if requested == EVERYTHING:
        if status() not in OVER:
            raise Problem("still-hidden", "The whole position is hidden until the game is over.")
        return EVERYTHING
    if not requested.isascii() or not requested.isdigit() or int(requested) >= len(game.seats):
        raise invalid("seat", f"`seat` must be 0 to {len(game.seats) - 1}, or `all` once the game is over.")
    if int(requested) not in held and status() not in OVER:
        raise not_your_seat(f"You do not hold seat {requested}; its view is hidden until the game is over.")
    return Seat(int(requested))


def eyes(game: Game, reader: Reader) -> Reader:
    """The reader whose view applies: before the start, when seats can still change hands, everybody is a spectator."""
    return reader if game.is_started else None


class Audience:
    """The readers of a game at one moment. Built again for each commit, so that no stream keeps a view it has lost."""

    def __init__(self, repository: Repository, game_id: str) -> None:
        self.game = game = repository.game(game_id)
        self._repository = repository
        self._is_public = game.visibility == "public"
        players = {holder.player for holder in game.seats if holder.player is not None}
        self._first_seats = {player: held[0] for player in players if (held := game.seats_of(player))}

    def reader(self, watcher: Watcher) -> Reader:
        """The reader that a watcher counts as now; raises a problem if they may no longer read the game."""
        if self._is_public and watcher.requested is None:
            return eyes(self.game, self._first_seats.get(watcher.player or ""))
        return eyes(self.game, reader_of(self.game, watcher, lambda: self._repository.newest(self.game).status))

    def seats(self, watcher: Watcher) -> tuple[Seat, ...]:
        """The seats that a watcher holds now."""
        return self.game.seats_of(watcher.player)
