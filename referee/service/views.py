"""What a reader may see of a game: its view, its commits, its legal moves."""

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from referee.bots.choices import bot_of
from referee.kernel.audience import move_as_seen, redact
from referee.kernel.canon import steady
from referee.kernel.judge import awaited_seats, families, find_legal
from referee.kernel.message import Move
from referee.kernel.ranking import Place
from referee.kernel.ruleset import Family, Ruleset
from referee.kernel.seat import Seat
from referee.service.access import EVERYTHING, Reader, eyes
from referee.service.commits import Outcome
from referee.service.game import Game, Holder
from referee.service.sentences import ERASED_NAME, Names, Teller, teller_of
from referee.service.waking import expectations, schedule
from referee.table.match import State
from referee.table.record import ADMIN, AnyCommit
from schemas import play
from schemas.accounts import Player
from schemas.commits import Commit, LegalInPosition, LegalMoves, LegalText

HIDDEN_CAUSES = ("iterations",)
"""Parts of a bot's cause that would reveal what it saw."""


NamesOf = Callable[[tuple[Game, ...]], Names]
"""Finds the names of the players at these tables."""

TextOf = Callable[[str, str], str | None]
"""Finds a text by its game and its hash; None: it was erased."""

ERASED_ID = f"p_{'0' * 24}"
"""What answers show in place of the id of a player who was erased."""
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
        chain=_chain(game, state, reader),
    )


def _chain(game: Game, state: State, reader: Reader) -> play.Chain | None:
    """The chain of the reader's own seat. Nobody sees those of others: they show which moves have drawn."""
    sees = eyes(game, reader)
    if sees is None or sees == EVERYTHING or state.table.luck is None:
        return None
    chain = state.table.luck.chains[sees]
    return None if chain is None else play.Chain(chain.last, chain.counts, chain.index)


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


def commit_view(
    game: Game, commit: AnyCommit, hash: str, reader: Reader, text_of: TextOf, teller: Teller | None = None
) -> Commit:
    """A commit as a reader may see it; with a teller in words, too."""
    commit = _with_reason(game, commit, text_of)
    cause, sees = commit.cause, eyes(game, reader)
    move: Move | None = commit.move
    events = commit.events
    if sees != EVERYTHING:
        cause = cause and {name: part for name, part in cause.items() if name not in HIDDEN_CAUSES}
        move = move_as_seen(commit.move, _actor(commit), sees)
        events = tuple([redact(event, sees) for event in events])
    text = UNSET if teller is None else teller.commit(move, events)
    deadlines = commit.deadlines or ()
    seen: Any = move
    return Commit(commit.version, commit.at, commit.actor, cause, seen, events, hash, deadlines, text=text)


def _actor(commit: AnyCommit) -> Any:
    return commit.actor


class Additions(msgspec.Struct, frozen=True):
    """What a reader wants with commits beside the commits themselves."""

    view: bool = False
    legal: bool = False
    language: str | None = None
    """The language of sentences; None: no sentences."""

    def teller(self, game: Game, names_of: NamesOf) -> Teller | None:
        """The teller of a game in the reader's language, if the reader wants sentences."""
        return None if self.language is None else teller_of(game, names_of((game,)), self.language)


def with_state(
    game: Game,
    commit: Commit,
    state: State,
    reader: Reader,
    additions: Additions,
    seats: tuple[Seat, ...],
    teller: Teller | None,
) -> Commit:
    """A commit with what the reader wants of the state after it: the view, and the legal moves of these seats."""
    view = position_view(game, state, reader) if additions.view else UNSET
    return replace(commit, view=view, legal=legal_views(game, state, seats, teller) if additions.legal else UNSET)


def legal_views(game: Game, state: State, seats: tuple[Seat, ...], teller: Teller | None) -> tuple[LegalMoves, ...]:
    """The legal moves of those of the seats that may move."""
    found = [legal_view(game, state, seat, teller) for seat in seats]
    return tuple([legal for legal in found if legal.default is not None])


def answer(game: Game, outcome: Outcome, reader: Seat, receipt: str | None = None) -> bytes:
    """The JSON answer to a move that is in the log, with its receipt if there is one."""
    events = tuple([redact(event, reader) for event in outcome.commit.events])
    expected = outcome.expectations
    told = (outcome.commit.version, events, expected.awaited, expected.due, expected.deadlines, receipt or UNSET)
    return steady(play.MoveAnswer(*told))


def legal_view(game: Game, state: State, seat: Seat, teller: Teller | None = None) -> LegalMoves:
    """The legal moves of a seat, ready to be posted, and the families of those that cannot be listed."""
    is_open = game.is_started and state.status == "running" and bot_of(game, state, seat) is None
    found = _legal(game.rules, state.position, seat, teller) if is_open else _no_legal(teller)
    return LegalMoves(state.version, seat, *found)


def legal_in_position(rules: Ruleset, position: Any, seat: Seat, teller: Teller | None = None) -> LegalInPosition:
    """The legal moves of a seat at any position."""
    return LegalInPosition(seat, *_legal(rules, position, seat, teller))


class _Legal(NamedTuple):
    """What is listed of legal moves."""

    moves: tuple[Any, ...]
    families: tuple[Family, ...]
    default: Any
    text: LegalText | UnsetType


def _legal(rules: Ruleset, position: Any, seat: Seat, teller: Teller | None) -> _Legal:
    if seat not in awaited_seats(rules, position):
        return _no_legal(teller)
    legal = find_legal(rules, position, seat)
    moves, default = tuple([weighed.move for weighed in legal.listed]), rules.default(position, seat)
    text = UNSET if teller is None else teller.legal(moves, default)
    return _Legal(moves, families(rules, position, seat, legal.unlisted), default, text)


def _no_legal(teller: Teller | None) -> _Legal:
    return _Legal((), (), None, UNSET if teller is None else teller.legal((), None))
