"""The lists that games are found by."""

from referee.kernel.moment import milliseconds
from referee.service.desk import Desk, now_ms
from referee.service.game import Game


def lists_of(game: Game) -> set[str]:
    """The lists a game belongs on: those of its players, and the public ones unless it is private."""
    lists = {f"player:{holder.player}" for holder in game.seats if holder.player} | {f"player:{game.created_by}"}
    if game.status in ("waiting", "running", "paused"):
        lists |= {f"open:{name.split(':', 1)[1]}" for name in lists}
    if game.visibility == "public":
        lists |= {"all", f"status:{game.status}", f"ruleset:{game.ruleset}"}
    return lists


def relist(desk: Desk, before: Game | None, after: Game) -> None:
    """Put a game on every list it belongs on, and take it off those it left. Doing it twice does no harm."""
    new = lists_of(after)
    desk.directory.list_game(after.id, milliseconds(after.created_at), sorted(new))
    left = lists_of(before) - new if before is not None else set()
    if before is not None and after.status in ("finished", "annulled"):
        # By when this was noted, not by when the game was made: who was away asks what has ended since. And before
        # it is taken off the open games: who reads these first finds it on one list or the other.
        desk.directory.list_game(
            after.id, now_ms(), sorted({f"ended:{each.player}" for each in after.seats if each.player})
        )
    if left:
        desk.directory.unlist_game(after.id, sorted(left))
