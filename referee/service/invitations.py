"""Invitations: a seat that names a player waits for their answer. Only an admin seats players without asking."""

from collections.abc import Sequence

from referee.kernel.seat import Seat
from referee.service.desk import Desk
from referee.service.game import Game, Holder
from referee.service.lists import invitations_between
from referee.service.players import Caller
from referee.service.problems import invalid


def named_holder(desk: Desk, caller: Caller, id: str, nonce: str) -> Holder:
    """The holder of a seat that names a player: invited, unless the caller names itself or is an admin."""
    player = desk.directory.player(id)
    if player is None:
        raise invalid("seats", f"There is no player `{id}`.")
    is_caller = player.id == caller.player
    return Holder(
        player=player.id,
        name=player.name,
        nonce=nonce if is_caller else "",
        is_bot=player.is_bot,
        accepted=is_caller or caller.may("admin"),
    )


def assigned_seats(creator: str, holders: Sequence[Holder]) -> tuple[Seat, ...]:
    """The seats that are given to other players without asking them."""
    return tuple(
        Seat(number) for number, holder in enumerate(holders) if holder.is_held and holder.player not in (None, creator)
    )


def invitations_from(game: Game) -> dict[str, str]:
    """The lists of unanswered invitations that a new game adds to, with the name of the player invited."""
    return {
        invitations_between(game.created_by, str(holder.player)): str(holder.name)
        for holder in game.seats
        if not holder.accepted
    }


def send_invitations(desk: Desk, game: Game) -> None:
    """Tell every invited player who listens."""
    for player in {holder.player for holder in game.seats if holder.player and not holder.accepted}:
        desk.tell(str(player), game.id.encode())


def may_withdraw(game: Game, player: str, seat: int) -> str | None:
    """The player whose invitation to a seat another player, the creator of the game, may withdraw; None: nobody's."""
    holder = game.seats[seat] if 0 <= seat < len(game.seats) else Holder()
    return holder.player if game.created_by == player and not holder.accepted else None
