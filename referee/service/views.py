"""What a reader may see of a game: its view, its commits, its legal moves. Only what may be seen is put in."""

from typing import Any

from msgspec import Raw
from msgspec.structs import replace

from referee.kernel.audience import redact, redact_move
from referee.kernel.canon import steady
from referee.kernel.judge import Legal, awaited_seats, families, find_legal
from referee.kernel.record import AnyCommit, Entry
from referee.kernel.ruleset import Place
from referee.kernel.seat import Seat
from referee.kernel.table import TABLE_MOVES
from referee.service.access import EVERYTHING, Reader, eyes
from referee.service.commits import awaits, bot_of, expectations
from referee.service.game import Game
from referee.service.moves import Outcome
from referee.service.state import State, read_commit

HIDDEN_CAUSES = ("iterations",)
"""How much a bot thought tells of what it saw."""


def game_view(game: Game, state: State, reader: Reader) -> dict[str, Any]:
    """A game as a reader may see it."""
    sees = eyes(game, reader)
    view = state.position if sees == EVERYTHING else game.rules.view(state.position, sees)
    return {
        **summary(game, state.status if game.is_started else game.status, state.version),
        "seat": reader if reader != EVERYTHING else None,
        "seats": [_seat(game, state, number) for number in range(len(game.seats))],
        "view": view,
        **expectations(game, state, awaits(game, state)),
        "ranking": ranking(game, state) if state.status == "finished" else None,
    }


def ranking(game: Game, state: State) -> tuple[Place, ...]:
    """The places at the end: by the rules, or as the table ended the game."""
    places, ranks = game.rules.ranking(state.position), state.table.ranks
    if ranks is None:
        return places
    return tuple(sorted((replace(place, rank=ranks[place.seat]) for place in places), key=lambda place: place.rank))


def summary(game: Game, status: str, version: int) -> dict[str, Any]:
    """What is public of a game whatever its position."""
    return {
        "id": game.id,
        "ruleset": game.ruleset,
        "rules_version": game.version,
        "edition": game.edition,
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
        "seats": [_holder(game, number) for number in range(len(game.seats))],
    }


def _holder(game: Game, number: int) -> dict[str, Any]:
    holder = game.seats[number]
    player = None if holder.player is None else {"id": holder.player, "name": holder.name, "bot": holder.is_bot}
    accepted = None if holder.player is None else holder.accepted
    return {"seat": number, "player": player, "accepted": accepted, "bot": holder.bot, "nonce": holder.nonce}


def _seat(game: Game, state: State, number: int) -> dict[str, Any]:
    clocks = state.course.clocks
    return {
        **_holder(game, number),
        "bot": bot_of(game, state, number),
        "resigned": number in state.table.resigned,
        "agreed": number in state.table.agreed,
        "bank_ms": None if clocks is None else clocks.banks[number],
        "lapses": 0 if clocks is None else clocks.lapses[number],
    }


def commit_view(game: Game, commit: AnyCommit, hash: str, reader: Reader) -> dict[str, Any]:
    """A commit as a reader may see it."""
    cause, reader = commit.cause, eyes(game, reader)
    if reader == EVERYTHING:
        move: Any = commit.move
        events: Any = commit.events
    else:
        cause = cause and {name: part for name, part in cause.items() if name not in HIDDEN_CAUSES}
        table_move = isinstance(commit.move, TABLE_MOVES)
        move = commit.move if table_move else _redacted(commit, reader)
        events = [redact(event, reader) for event in commit.events]
    return {
        "version": commit.version,
        "at": commit.at,
        "actor": commit.actor,
        "cause": cause,
        "move": move,
        "events": events,
        "hash": hash,
        "deadlines": commit.deadlines or (),
    }


def _redacted(commit: AnyCommit, reader: Seat | None) -> Raw:
    """A move of the rules, its type first."""
    return Raw(steady(redact_move(commit.move, _actor(commit), reader)))


def _actor(commit: AnyCommit) -> Any:
    return commit.actor


def entry_view(game: Game, entry: Entry, reader: Reader) -> bytes:
    """The JSON of an entry as a reader may see it."""
    return steady(commit_view(game, read_commit(game, entry), entry.hash, reader))


def answer(game: Game, outcome: Outcome, reader: Seat) -> bytes:
    """The answer to a move that is in the log."""
    return steady(
        {
            "version": outcome.commit.version,
            "events": [redact(event, reader) for event in outcome.commit.events],
            **outcome.expectations,
        }
    )


def legal_view(game: Game, state: State, seat: Seat) -> dict[str, Any]:
    """The legal moves of a seat, ready to be posted, and the families of those that cannot be listed."""
    rules, position = game.rules, state.position
    is_open = game.is_started and state.status == "running" and bot_of(game, state, seat) is None
    asked = is_open and seat in awaited_seats(rules, position)
    legal = find_legal(rules, position, seat) if asked else Legal()
    return {
        "version": state.version,
        "seat": seat,
        "moves": [weighed.move for weighed in legal.listed],
        "families": families(rules, position, seat, legal.unlisted) if asked else (),
        "default": rules.default(position, seat) if asked else None,
    }
