"""The lists that games are found by."""

from referee.service.desk import Desk
from referee.service.game import Game
from referee.service.state import milliseconds


def lists_of(game: Game) -> set[str]:
    """The lists a game belongs on: those of its players, and the public ones unless it is private."""
    lists = {f"player:{holder.player}" for holder in game.seats if holder.player} | {f"player:{game.created_by}"}
    if game.status in ("waiting", "running", "paused"):
        lists |= {f"open:{name.split(':', 1)[1]}" for name in lists}
    if game.visibility == "public":
        lists |= {"all", f"status:{game.status}", f"ruleset:{game.ruleset}"}
    return lists


def relist(desk: Desk, before: Game | None, after: Game) -> None:
    """Bring the lists up to date with a game that changed."""
    old = lists_of(before) if before is not None else set()
    new = lists_of(after)
    if new - old:
        desk.directory.list_game(after.id, milliseconds(after.created_at), sorted(new - old))
    if old - new:
        desk.directory.unlist_game(after.id, sorted(old - new))
