"""What the service works with: the log, the directory, recent positions, and whom to nudge."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from referee.kernel.record import Entry
from referee.log.directory import Directory
from referee.log.log import ENTRIES_MAX, Head, Log
from referee.service.game import Game, decode_game, encode_game
from referee.service.problems import Problem, unknown_game
from referee.service.recent import Recent
from referee.service.state import State, first_state, fold

PASTS_MAX = 1000

T = TypeVar("T")


class Aside(Protocol):
    """Does work apart from everything else, and waits for it."""

    def __call__(self, work: Callable[[], T], /) -> T:
        """What the work gives."""


def at_once(work: Callable[[], T]) -> T:
    """Do work here and now."""
    return work()


def now_ms() -> int:
    """The time in milliseconds."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True)
class Quotas:
    """What one player may have at a time; 0: no limit."""

    open_games: int = 0
    bot_games: int = 0
    keys: int = 0


@dataclass
class Desk:
    """One process's way to the games. Everything it remembers can be forgotten without harm."""

    log: Log
    directory: Directory
    nudge: Callable[[str], None]
    """Called with a game on which something is due at once; a lost call does no harm."""
    tell: Callable[[str, bytes], None] = lambda player, message: None
    """Called with a player and a message: something began that concerns them."""
    games_in_memory: int = 10_000
    bot_budget_ms: int = 1000
    """How long a bot that thinks may think about a move."""
    invitations_max: int = 5
    """How many unanswered invitations one player may have sent another."""
    waiting_ms: int = 0
    """A game that has not started after this time is annulled; 0: never."""
    aside: Aside = at_once
    """Called with work that takes longer than a request may keep others waiting."""
    quotas: Quotas = Quotas()
    games: Recent[str, Game] = field(init=False)
    states: Recent[str, State] = field(init=False)
    _pasts: Recent[str, State] = field(init=False)
    """Of each game the earlier state that was last asked for: a reader who goes through a log goes on from there."""
    final_undos: Recent[tuple[str, int | str], str] = field(init=False)
    """By the hash of the last commit and by who asked: why nothing can be undone, which takes long to find out."""
    tidied: Recent[str, int] = field(init=False)
    """When this process last looked for what does not belong on a list of games."""
    _secrets: dict[str, bytes] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.games = Recent(self.games_in_memory)
        self.states = Recent(self.games_in_memory)
        self._pasts = Recent(PASTS_MAX)
        self.final_undos = Recent(self.games_in_memory)
        self.tidied = Recent(self.games_in_memory)

    def game(self, id: str) -> Game:
        """A game by its id. A started game is remembered: nothing in it changes that the log does not tell."""
        game = self.games.get(id)
        if game is not None and game.is_started:
            return game
        head = self.log.head(id)
        if head is None:
            raise unknown_game()
        game = decode_game(head.body)
        self.games.put(id, game)
        return game

    def create(self, game: Game) -> None:
        """Keep a new game, and wake it when it is to start or, if it does not, when it expires."""
        expires = now_ms() + self.waiting_ms if self.waiting_ms else None
        self.log.create(Head(game.id, game.revision, encode_game(game)), now_ms() if game.is_started else expires)
        self.games.put(game.id, game)

    def keep(self, game: Game, starts: bool = False) -> None:
        """Keep a changed game, and wake it if it starts by that; raises Conflict if somebody else changed it."""
        self.log.change_head(Head(game.id, game.revision, encode_game(game)), now_ms() if starts else None)
        self.games.put(game.id, game)

    def known(self, game: Game) -> State:
        """The state as far as this process knows it, perhaps not the newest."""
        state = self.states.get(game.id)
        return state if state is not None else self.newest(game)

    def newest(self, game: Game) -> State:
        """The state after every commit in the log."""
        state = self.states.get(game.id) or first_state(game)
        while entries := self.log.read(game.id, state.version, ENTRIES_MAX):
            state = fold(game, state, entries)
            if len(entries) < ENTRIES_MAX:
                break
        return self.remember(game, state)

    def remember(self, game: Game, state: State) -> State:
        """Remember a state unless a newer one is known; gives back the newer of the two.

        The table before the first commit is not remembered: whoever still sits down changes the header, which the
        first commit follows.
        """
        if state.version == 0:
            return state
        known = self.states.get(game.id)
        if known is not None and known.version > state.version:
            return known
        self.states.put(game.id, state)
        return state

    def follow(self, game: Game, entry: Entry) -> State | None:
        """The state after an entry that was just published, if this process knows the one before."""
        state = self.states.get(game.id)
        if state is None or state.version < entry.version - 1:
            return None
        return self.remember(game, fold(game, state, (entry,)))

    def at(self, game: Game, version: int) -> State:
        """The state after an earlier version; raises a problem for one that does not exist yet."""
        known = self.known(game)
        if version > known.version:
            known = self.newest(game)
        if version > known.version:
            raise Problem(404, "unknown-version", f"The game is at version {known.version}.", version=known.version)
        if version == known.version:
            return known
        past = self._pasts.get(game.id)
        state = past if past is not None and past.version <= version else first_state(game)
        while state.version < version:
            entries = self.log.read(game.id, state.version, min(ENTRIES_MAX, version - state.version))
            state = fold(game, state, entries)
        if version:
            self._pasts.put(game.id, state)
        return state

    def secret(self, name: str) -> bytes:
        """A secret that all hosts share."""
        if name not in self._secrets:
            self._secrets[name] = self.directory.secret(name)
        return self._secrets[name]

    def announce(self, game: Game) -> None:
        """Tell the players of a game that it has started, or will never do."""
        for player in {holder.player for holder in game.seats if holder.player is not None}:
            self.tell(player, game.id.encode())
