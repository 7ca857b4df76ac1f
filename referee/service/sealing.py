"""Sealed nonces: every seat first publishes its seal, and reveals its nonce when all seals are there.

So nobody can choose a nonce by those of the others, not even somebody who knows the seed. A game with a seal waits
for the reveals in status `revealing`; then it starts.
"""

from msgspec.structs import replace

from referee.service.access import own_seat
from referee.service.commits import Tries
from referee.service.finding import try_change
from referee.service.game import Game, Holder
from referee.service.players import Caller
from referee.service.problems import Problem, invalid
from referee.service.repository import Repository, now_ms
from referee.table.record import is_hash, seal_of
from referee.table.times import milliseconds

UNREVEALED = "A seat did not reveal its nonce in time."


def read_seal(seal: str | None, nonce: str) -> str | None:
    """The seal that a player sends; raises a problem if it is not one, or if there is a nonce beside it."""
    if seal is None:
        return None
    if nonce:
        raise Problem(
            "invalid-seal", "Send a seal or a nonce, not both: you reveal the nonce when all seals are there."
        )
    if not is_hash(seal):
        raise Problem("invalid-seal", "A seal has 64 hexadecimal digits, 0-9 and lower-case a-f.")
    return seal


def require_sealable(luck: str, holders: tuple[Holder, ...]) -> None:
    """Raise a problem if luck is fresh and a player holds a seat at once: a seal needs the id of the game."""
    if luck == "fresh" and any(holder.player is not None and holder.accepted for holder in holders):
        raise invalid("seats", "With fresh luck every player seals. Leave the seat open and sit down with a `seal`.")


def require_seal(game: Game, seal: str | None) -> None:
    """Raise a problem if the table needs a seal and there is none, or if another seat gave the same one.

    A player who copies a seal cannot open it, except by copying the nonce as well.
    """
    if seal is None and game.terms.luck == "fresh":
        raise Problem("seal-missing", "The luck of this table is fresh: sit down with the `seal` of a chain of links.")
    if seal is not None and any(holder.seal == seal for holder in game.seats):
        raise Problem("seal-taken", "Another seat has given this seal. Draw a nonce of your own.")


def reveal(repository: Repository, caller: Caller, id: str, seat: int, link: str) -> Game:
    """Open the seal of a seat; the game starts when the last one is open."""
    caller.require("play")
    tries = Tries()
    while True:
        tries.again()
        game = repository.game(id)
        holder = game.seats[own_seat(game, caller, seat)]
        if holder.seal is None:
            raise Problem("nothing-sealed", f"Seat {seat} has not sealed anything.")
        _require_time(game, holder, now_ms())
        if seal_of(game.id, link) != holder.seal:
            raise Problem("link-wrong", f"This does not open the seal of seat {seat}, {holder.seal}.")
        if holder.nonce:
            return game
        changed = _started(game.with_nonce(seat, link))
        if _try_to_go_on(repository, game, changed):
            return changed


def _require_time(game: Game, holder: Holder, now: int) -> None:
    if game.status == "waiting":
        detail = "Reveal when every seat is taken and you have seen all seals: the game is then `revealing`."
        raise Problem("reveal-early", detail)
    is_late = game.reveal_until is None or game.status != "revealing" or now > milliseconds(game.reveal_until)
    if is_late and not (holder.nonce and game.is_started):
        raise Problem("reveal-late", "The time to reveal is over.")


def _started(game: Game) -> Game:
    """The game; start it if no seat has to reveal."""
    return game if game.unrevealed else replace(game, status="running", reveal_until=None)


def look_after_revealing(repository: Repository, game: Game, now: int) -> Game:
    """When the time to reveal is over, annul a game or start it without the missing nonces, as its terms say."""
    tries = Tries()
    while game.status == "revealing" and game.reveal_until is not None:
        tries.again()
        until = milliseconds(game.reveal_until)
        if now <= until:
            repository.log.wake(game.id, until + 1)
            return game
        if game.terms.unrevealed == "without":
            changed = replace(game, status="running", reveal_until=None, revision=game.revision + 1)
        else:
            changed = replace(game, status="annulled", reason=UNREVEALED, revision=game.revision + 1)
        if _try_to_go_on(repository, game, changed):
            return changed
        game = repository.game(game.id)
    return game


def _count(repository: Repository, game: Game) -> None:
    """When the wait for reveals is over, count for each player whether they revealed. Nothing proves these counts."""
    sealed = [holder.player for holder in game.seats if holder.seal is not None and holder.player is not None]
    missed = [str(game.seats[seat].player) for seat in game.unrevealed]
    repository.directory.count_reveals(sealed, missed)


def _try_to_go_on(repository: Repository, before: Game, after: Game) -> bool:
    """Store a game that has revealed, started or failed to; returns False if another request changed it first."""
    if not try_change(repository, before, after):
        return False
    if after.status != before.status:
        repository.announce(after)
        _count(repository, after)
    if after.is_started:
        repository.nudge(after.id)
    return True
