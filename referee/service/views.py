"""What a reader may see of a game: its view, its commits, its legal moves."""

from itertools import count
from typing import Any

from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import replace

from referee.bots.choices import bot_of
from referee.kernel.audience import redact, redact_move
from referee.kernel.canon import steady
from referee.kernel.judge import Legal, awaited_seats, families, find_legal
from referee.kernel.ranking import Place
from referee.kernel.seat import Seat
from referee.service.access import EVERYTHING, Reader, eyes
from referee.service.commits import Outcome
from referee.service.game import Game, Holder
from referee.service.waking import expectations, schedule
from referee.table.match import State, read_commit
from referee.table.moves import TABLE_MOVES
from referee.table.record import AnyCommit, Entry
from schemas import play
from schemas.answers import Player

HIDDEN_CAUSES = ("iterations",)
"""Parts of a bot's cause that would reveal what it saw."""


def game_view(game: Game, state: State, reader: Reader, join_code: str | UnsetType | None = UNSET) -> play.Game:
    """A game as a reader may see it."""
    expected = expectations(game, state, schedule(game, state))
    return play.Game(
        **_public(game, state.status if game.is_started else game.status, state.version),
        seats=tuple([_seat(game, state, number) for number in range(len(game.seats))]),
        seat=reader if reader != EVERYTHING else None,
        view=position_view(game, state, reader),
        awaited=expected.awaited,
        due=expected.due,
        deadlines=expected.deadlines,
        ranking=ranking(game, state) if state.status == "finished" else None,
        join_code=join_code,
    )


def position_view(game: Game, state: State, reader: Reader) -> Any:
    """A position as a reader may see it."""
    sees = eyes(game, reader)
    return state.position if sees == EVERYTHING else game.rules.view(state.position, sees)


def ranking(game: Game, state: State) -> tuple[Place, ...]:
    """The places at the end: by the rules, or as a resignation or adjudication left them."""
    places, ranks = game.rules.ranking(state.position), state.table.ranks
    if ranks is None:
        return places
    return tuple(sorted((replace(place, rank=ranks[place.seat]) for place in places), key=lambda place: place.rank))


def summary(game: Game, status: str, version: int) -> play.GameSummary:
    """What a game shows to everybody who may know of it, whatever its position."""
    return play.GameSummary(**_public(game, status, version), seats=tuple(map(_holder, count(), game.seats)))


def _public(game: Game, status: str, version: int) -> dict[str, Any]:
    return {
        "id": game.id,
        "ruleset": game.ruleset,
        "rules_version": game.version,
        "edition": game.edition_name,
        "edition_hash": game.edition,
        "options": game.options,
        "status": status,
        "reason": game.reason,
        "version": version,
        "visibility": game.visibility,
        "casual": game.position is not None,
        "bots": game.bots,
        "created_at": game.created_at,
        "commitment": game.secret.commitment,
        "terms": game.terms,
    }


def _holder(number: int, held: Holder) -> play.Holder:
    player = _player(held)
    return play.Holder(None if player is None else held.accepted, held.bot, held.nonce, player, number)


def _player(held: Holder) -> Player | None:
    return None if held.player is None else Player(held.is_bot, held.player, held.name or "")


def _seat(game: Game, state: State, number: int) -> play.SeatAtTable:
    held, clocks = game.seats[number], state.table.clocks
    player = _player(held)
    return play.SeatAtTable(
        accepted=None if player is None else held.accepted,
        agreed=number in state.table.agreed,
        bank_ms=None if clocks is None else clocks.banks[number],
        bot=bot_of(game, state, number),
        missed_deadlines=0 if clocks is None else clocks.missed[number],
        nonce=held.nonce,
        player=player,
        resigned=number in state.table.resigned,
        seat=number,
    )


def commit_view(game: Game, commit: AnyCommit, hash: str, reader: Reader) -> play.Commit:
    """A commit as a reader may see it."""
    cause, reader = commit.cause, eyes(game, reader)
    if reader == EVERYTHING:
        move: Any = commit.move
        events: Any = commit.events
    else:
        cause = cause and {name: part for name, part in cause.items() if name not in HIDDEN_CAUSES}
        table_move = isinstance(commit.move, TABLE_MOVES)
        move = commit.move if table_move else _redacted(commit, reader)
        events = tuple([redact(event, reader) for event in commit.events])
    return play.Commit(commit.version, commit.at, commit.actor, cause, move, events, hash, commit.deadlines or ())


def _redacted(commit: AnyCommit, reader: Seat | None) -> Raw:
    """The JSON of a redacted move, with its type first."""
    return Raw(steady(redact_move(commit.move, _actor(commit), reader)))


def _actor(commit: AnyCommit) -> Any:
    return commit.actor


def entry_view(game: Game, entry: Entry, reader: Reader) -> bytes:
    """The JSON of an entry as a reader may see it."""
    return steady(commit_view(game, read_commit(game, entry), entry.hash, reader))


def answer(game: Game, outcome: Outcome, reader: Seat) -> bytes:
    """The JSON answer to a move that is in the log."""
    events = tuple([redact(event, reader) for event in outcome.commit.events])
    expected = outcome.expectations
    return steady(play.MoveAnswer(outcome.commit.version, events, expected.awaited, expected.due, expected.deadlines))


def legal_view(game: Game, state: State, seat: Seat) -> play.LegalMoves:
    """The legal moves of a seat, ready to be posted, and the families of those that cannot be listed."""
    rules, position = game.rules, state.position
    is_open = game.is_started and state.status == "running" and bot_of(game, state, seat) is None
    may_move = is_open and seat in awaited_seats(rules, position)
    legal = find_legal(rules, position, seat) if may_move else Legal()
    return play.LegalMoves(
        version=state.version,
        seat=seat,
        moves=tuple([weighed.move for weighed in legal.listed]),
        families=families(rules, position, seat, legal.unlisted) if may_move else (),
        default=rules.default(position, seat) if may_move else None,
    )
