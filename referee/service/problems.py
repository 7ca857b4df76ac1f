"""What the service refuses, whatever the ruleset: each with a stable code and what HTTP answers to it."""

from typing import Any

from referee.kernel.table_rules import TableRefusal


class Problem(Exception):
    """A request that cannot be carried out. `code` and `status` are part of the API."""

    def __init__(self, status: int, code: str, detail: str, **members: Any) -> None:
        super().__init__(status, code, detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.members = members


def unknown_game() -> Problem:
    """Also where the caller may not know that the game exists."""
    return Problem(404, "unknown-game", "There is no such game, or you may not see it.")


def not_your_seat(detail: str = "You hold no seat in this game.") -> Problem:
    """The caller asks for a seat that is not theirs."""
    return Problem(403, "not-your-seat", detail)


def refused_at_table(refusal: TableRefusal) -> Problem:
    """What the caller asks for cannot be done at the table now."""
    return Problem(409, refusal.code, refusal.detail)


def stale(status: int, version: int) -> Problem:
    """The caller named a version that is not the newest."""
    return Problem(status, "stale-version", f"The game is at version {version}.", version=version)


def invalid(field: str, detail: str) -> Problem:
    """A field of the request cannot be accepted."""
    return Problem(422, "invalid-request", detail, errors={field: [detail]})


def not_started(status: str) -> Problem:
    """The game has no log yet, and perhaps never will."""
    if status == "annulled":
        return Problem(409, "game-annulled", "The game was annulled before it started.")
    return Problem(409, "game-waiting", "The game starts when every seat is held.")
