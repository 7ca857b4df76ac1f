"""Erase a player: their name and id leave every answer, list, record and head, and every proof stays as it was."""

from collections.abc import Iterator

from msgspec.structs import replace

from referee.service.commits import Tries, append
from referee.service.expiry import EXPIRED
from referee.service.finding import lists_of_player, relist
from referee.service.game import Game, Holder, decode_game
from referee.service.lobby import WITHDRAWN, annul_waiting
from referee.service.moves import act
from referee.service.players import Caller, require_power_over
from referee.service.repository import Repository, now_ms
from referee.service.views import ERASED_ID, ERASED_TEXT
from referee.store.log import Conflict
from referee.table.commits import prepare_due
from referee.table.moves import Resign
from schemas.accounts import Erasure

GAMES_AT_ONCE = 500


def erase_player(repository: Repository, caller: Caller, id: str) -> Erasure:
    """Erase a player; players do so with their first key, and admins for anybody.

    In running games the player resigns; waiting games are left or withdrawn; a game that waits for reveals is annulled.
    If something fails on the way, the keys are still valid and the call can be repeated.
    """
    player = require_power_over(repository, caller, id, "erase a player")
    games = resigned = 0
    for game in _games_of(repository, player.id):
        resigned += _resign(repository, game, player.id)
        games += _erase_in(repository, game.id, player.id)
    repository.directory.remove_player(player.id)
    for game in _games_of(repository, player.id):
        _erase_in(repository, game.id, player.id)  # a request that came in just before the keys were revoked
    repository.directory.forget_lists(lists_of_player(player.id))
    return Erasure(games=games, resigned=resigned)


def _games_of(repository: Repository, player: str) -> Iterator[Game]:
    """Every game that the player created, or holds a seat in, or is invited to."""
    for name in (f"player:{player}", f"invited:{player}"):
        row = None
        while rows := repository.directory.games(name, row, GAMES_AT_ONCE):
            yield from (game for game, _ in repository.listed([id for _, id in rows]))
            row = rows[-1]


def _resign(repository: Repository, game: Game, player: str) -> int:
    """Let the player resign from every seat in a game that runs; returns the number of seats."""
    if not game.is_started:
        return 0
    seats = 0
    state = repository.newest(game)
    if state.version == 0 and (set_up := prepare_due(game, state, now_ms())) is not None:
        append(repository, game, set_up)  # nobody can resign before
    for seat in game.seats_of(player):
        state = repository.newest(game)
        if state.status in ("running", "paused") and seat not in state.table.resigned:
            act(repository, game, seat, Resign())
            seats += 1
    return seats


def _erase_in(repository: Repository, id: str, player: str) -> bool:
    """Remove the player from a head, and what they wrote from beside the log; returns whether there was something."""
    tries = Tries()
    while True:
        tries.again()
        head = repository.log.head(id)
        if head is None:
            return False
        game = decode_game(head.body)
        if game.status == "revealing" or (game.status == "waiting" and game.created_by == player):
            game = annul_waiting(repository, id, WITHDRAWN, ("waiting", "revealing"))
        seats = [number for number, holder in enumerate(game.seats) if holder.player == player]
        if not seats and game.created_by != player:
            return False
        repository.log.erase(id, tuple(repository.texts(id)), tuple(map(str, seats)))
        changed = _without(game, player)
        try:
            repository.keep(changed)
        except Conflict:
            repository.games.forget(id)
            continue
        relist(repository, game, changed)
        return True


def _without(game: Game, player: str) -> Game:
    """The game without a player: a seat that waits becomes free, any other keeps what the header has of its holder."""

    def left(holder: Holder) -> Holder:
        if holder.player != player:
            return holder
        if game.status == "waiting" or not holder.accepted:
            return Holder()
        return replace(holder, player=ERASED_ID, mark=holder.hash, salt="")

    return replace(
        game,
        seats=tuple(map(left, game.seats)),
        created_by=ERASED_ID if game.created_by == player else game.created_by,
        reason=game.reason if game.reason in (None, WITHDRAWN, EXPIRED) else ERASED_TEXT,
        revision=game.revision + 1,
    )
