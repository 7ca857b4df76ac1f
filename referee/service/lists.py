"""The lists that games are found by."""

from msgspec.structs import replace

from referee.kernel.moment import milliseconds
from referee.service.desk import Desk, now_ms
from referee.service.game import Game


def lists_of(game: Game) -> set[str]:
    """The lists a game belongs on: those of its players, and the public ones unless it is private."""
    seated = {holder.player for holder in game.seats if holder.player and holder.accepted}
    lists = {f"player:{player}" for player in seated | {game.created_by}}
    if game.is_open:
        lists |= {created_by(game.created_by)} | ({bot_games_of(game.created_by)} if game.has_bots else set())
    if game.status in ("running", "paused"):
        lists |= {f"playing:{player}" for player in seated}
    if game.status == "waiting":
        lists |= invitation_lists(game)
    if game.visibility == "public":
        lists |= {"all", f"status:{game.status}", f"ruleset:{game.ruleset}"}
        lists |= {f"public:{player}" for player in seated}
    return lists


def created_by(player: str) -> str:
    """The list of the open games that a player has created. The lists that are counted together share a hash tag."""
    return f"created:{{{player}}}"


def bot_games_of(player: str) -> str:
    """The list of those of them in which built-in bots have seats."""
    return f"with-bots:{{{player}}}"


def invitation_lists(game: Game) -> set[str]:
    """The lists of unanswered invitations: of each invited player, and of those from one player to another."""
    invited = {holder.player for holder in game.seats if holder.player and not holder.accepted}
    return {f"invited:{player}" for player in invited} | {
        invitations_between(game.created_by, str(player)) for player in invited
    }


def invitations_between(creator: str, player: str) -> str:
    """The list of the games that one player invites another to."""
    return f"invited-by:{{{creator}}}:{player}"


def relist(desk: Desk, before: Game | None, after: Game) -> None:
    """Put a game on every list it belongs on, and take it off those it left. Doing it twice does no harm."""
    new = lists_of(after)
    desk.directory.list_game(after.id, milliseconds(after.created_at), sorted(new))
    left = lists_of(before) - new if before is not None else set()
    if before is not None and after.status in ("finished", "annulled"):
        # By when this was noted, not by when the game was made: who was away asks what has ended since. And before
        # it is taken off the open games: who reads these first finds it on one list or the other.
        desk.directory.list_game(
            after.id,
            now_ms(),
            sorted({f"ended:{each.player}" for each in after.seats if each.player and each.accepted}),
        )
    if left:
        desk.directory.unlist_game(after.id, sorted(left))


def forget_lists(desk: Desk, game: Game) -> None:
    """Take a game that never started off every list it was on."""
    players = {f"ended:{holder.player}" for holder in game.seats if holder.player}
    desk.directory.unlist_game(game.id, sorted(lists_of(game) | lists_of(replace(game, status="waiting")) | players))
