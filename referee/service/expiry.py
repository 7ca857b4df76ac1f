"""Games that do not start: they are annulled when they have waited too long, and removed later."""

from referee.service.finding import forget_lists, relist
from referee.service.game import Game
from referee.service.lobby import annul_waiting
from referee.service.repository import Repository
from referee.table.times import milliseconds

EXPIRED = "The game did not start in time."


def look_after_waiting(repository: Repository, game: Game, now: int) -> None:
    """List a waiting game, annul it when it has waited too long, and remove it after the same time again.

    The process that created it may have died, or lost its Redis, before it had listed it.
    """
    if game.status == "waiting":
        relist(repository, None, game)
    if not repository.waiting_ms:
        repository.log.wake(game.id, None)
        return
    expires = milliseconds(game.created_at) + repository.waiting_ms
    if game.status == "waiting" and now >= expires:
        game = annul_waiting(repository, game.id, EXPIRED)
        if game.is_started:
            return
    gone = expires if game.status == "waiting" else expires + repository.waiting_ms
    if now < gone:
        repository.log.wake(game.id, gone)
    else:
        forget_lists(repository, game)
        repository.log.remove(game.id)
        repository.games.forget(game.id)
