"""What a reader may see of a game: its view, its commits, its legal moves."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import replace

from referee.kernel.audience import redact, redact_move
from referee.kernel.canon import steady
from referee.kernel.judge import Legal, awaited_seats, families, find_legal
from referee.kernel.ranking import Place
from referee.kernel.seat import Seat
from referee.service.access import EVERYTHING, Reader, eyes
from referee.service.commits import Outcome
from referee.service.game import Game, Holder, State, read_commit
from referee.service.waking import bot_of, expectations, schedule
from referee.table.moves import TABLE_MOVES
from referee.table.record import ADMIN, AnyCommit, Entry
from schemas import play
from schemas.answers import Player

HIDDEN_CAUSES = ("iterations",)
"""Parts of a bot's cause that would reveal what it saw."""


Names = Mapping[str, str]
"""The names of players by their ids; erased players are missing."""

TextOf = Callable[[str, str], str | None]
"""Finds a text by its game and its hash; None: it was erased."""

ERASED_ID = f"p_{'0' * 24}"
ERASED_NAME = "erased"
"""What answers show in place of a player who was erased."""
ERASED_TEXT = "This text was erased."


def game_view(
    game: Game, state: State, reader: Reader, names: Names, join_code: str | UnsetType | None = UNSET
) -> play.Game:
    """A game as a reader may see it."""
    expected = expectations(game, state, schedule(game, state))
    return play.Game(
        **_public(game, state.status if game.is_started else game.status, state.version),
        seats=tuple([_seat(game, state, number, names) for number in range(len(game.seats))]),
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


def summary(game: Game, status: str, version: int, names: Names) -> play.GameSummary:
    """What a game shows to everybody who may know of it, whatever its position."""
    seats = tuple(_holder(game, number, held, names) for number, held in enumerate(game.seats))
    return play.GameSummary(**_public(game, status, version), seats=seats)


def _public(game: Game, status: str, version: int) -> dict[str, Any]:
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
        "reveal_until": game.reveal_until if status == "revealing" else None,
        "unrevealed": game.unrevealed,
        "commitment": game.secret.commitment,
        "terms": game.terms,
    }


def _holder(game: Game, number: int, held: Holder, names: Names) -> play.Holder:
    player = _player(held, names)
    accepted = None if player is None else held.accepted
    return play.Holder(accepted, held.bot, _nonce(game, held), player, held.seal, number)


def _nonce(game: Game, held: Holder) -> str:
    """The nonce of a seat; one that was sealed is hidden until the game starts."""
    return held.nonce if held.seal is None or game.is_started else ""


def _player(held: Holder, names: Names) -> Player | None:
    if held.player is None:
        return None
    return player_view(held.player, names.get(held.player), held.is_bot)


def player_view(id: str, name: str | None, is_bot: bool) -> Player:
    """A player as everybody may see them; one without a name was erased."""
    return Player(is_bot, ERASED_ID, ERASED_NAME) if name is None else Player(is_bot, id, name)


def _seat(game: Game, state: State, number: int, names: Names) -> play.SeatAtTable:
    held, clocks = game.seats[number], state.table.clocks
    player = _player(held, names)
    return play.SeatAtTable(
        accepted=None if player is None else held.accepted,
        agreed=number in state.table.agreed,
        bank_ms=None if clocks is None else clocks.banks[number],
        bot=bot_of(game, state, number),
        missed_deadlines=0 if clocks is None else clocks.missed[number],
        nonce=_nonce(game, held),
        player=player,
        resigned=number in state.table.resigned,
        seal=held.seal,
        seat=number,
    )


def _with_reason(game: Game, commit: AnyCommit, text_of: TextOf) -> AnyCommit:
    """The commit with the text of an admin's reason in place of its hash."""
    if commit.actor != ADMIN:
        return commit
    move: Any = commit.move
    reason = text_of(game.id, move.reason) or ERASED_TEXT
    events: Any = commit.events
    return replace(
        commit, move=replace(move, reason=reason), events=tuple([replace(event, reason=reason) for event in events])
    )


def commit_view(game: Game, commit: AnyCommit, hash: str, reader: Reader, text_of: TextOf) -> play.Commit:
    """A commit as a reader may see it."""
    commit = _with_reason(game, commit, text_of)
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


def entry_view(game: Game, entry: Entry, reader: Reader, text_of: TextOf) -> bytes:
    """The JSON of an entry as a reader may see it."""
    return steady(commit_view(game, read_commit(game, entry), entry.hash, reader, text_of))


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
