"""Games that never start end some day: they are annulled, and later nothing of them is kept."""

from referee.kernel.moment import milliseconds
from referee.service.desk import Desk
from referee.service.game import Game
from referee.service.games import annul_waiting
from referee.service.lists import forget_lists

EXPIRED = "The game did not start in time."


def look_after_waiting(desk: Desk, game: Game, now: int) -> None:
    """Annul a game that has waited too long, and remove an annulled one when it has been shown for as long again."""
    if not desk.waiting_ms:
        desk.log.wake(game.id, None)
        return
    expires = milliseconds(game.created_at) + desk.waiting_ms
    if game.status == "waiting" and now >= expires:
        game = annul_waiting(desk, game.id, EXPIRED)
        if game.is_started:
            return
    gone = expires if game.status == "waiting" else expires + desk.waiting_ms
    if now < gone:
        desk.log.wake(game.id, gone)
    else:
        forget_lists(desk, game)
        desk.log.remove(game.id)
        desk.games.forget(game.id)
