"""What the service refuses, whatever the ruleset: each refusal has a stable code. HTTP is the API's business."""

from typing import Any

from referee.store.connections import Unconfirmed
from referee.store.log import Unavailable as Unavailable
from referee.store.log import reason
from referee.store.packed_game import ArchiveUnavailable, PackedElsewhere


class Problem(Exception):
    """A request that cannot be carried out. `code` is part of the API."""

    def __init__(self, code: str, detail: str, **members: Any) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.members = members


def unknown_game() -> Problem:
    """The problem of a game that does not exist, or that the caller may not know of."""
    return Problem("unknown-game", "There is no such game, or you may not see it.")


def not_your_seat(detail: str = "You hold no seat in this game.") -> Problem:
    """The problem of a call for a seat that the caller does not hold."""
    return Problem("not-your-seat", detail)


def stale(code: str, version: int) -> Problem:
    """The problem of a call for a version whose position is no longer the newest."""
    return Problem(code, f"The game is at version {version}.", version=version)


def invalid(field: str, detail: str) -> Problem:
    """The problem of a field that cannot be accepted."""
    return Problem("invalid-request", detail, errors={field: [detail]})


def not_started(status: str) -> Problem:
    """The problem of a call for a game that has not started, or was annulled before it did."""
    if status == "annulled":
        return Problem("game-annulled", "The game was annulled before it started.")
    if status == "revealing":
        return Problem("game-revealing", "The game starts when every seat has revealed what it sealed.")
    return Problem("game-waiting", "The game starts when every seat is taken.")


def unavailable(error: Unavailable) -> Problem:
    """The problem of a log that cannot be reached or refuses writes, or of a write that replicas have not confirmed."""
    if isinstance(error, Unconfirmed):
        detail = "Too few replicas confirmed this in time, so it may be lost. Repeat it with the same Idempotency-Key."
        return Problem("unconfirmed", detail, retry_after=1)
    if isinstance(error, ArchiveUnavailable):
        detail = "This finished game cannot be read from where it is archived. Try again later."
        return Problem("archive-unavailable", detail, retry_after=10)
    if isinstance(error, PackedElsewhere):
        detail = "A newer version of this service has packed this game; another host can read it. Try again."
        return Problem("packed-elsewhere", detail, retry_after=1)
    return Problem("unavailable", f"{reason(error)}. Try again.", retry_after=1)
