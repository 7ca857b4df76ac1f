"""One process's access to the games: the log, the directory, and the states it has in memory."""

import contextlib
import secrets
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from referee.kernel.ruleset import Ruleset
from referee.service.game import Game, decode_game, encode_game, leaf_before_start
from referee.service.lru import LRUCache as LRUCache
from referee.service.problems import Problem, unknown_game
from referee.store.archive import Aside
from referee.store.directory import Directory
from referee.store.finished_log import FinishedLog
from referee.store.log import ENTRIES_MAX as ENTRIES_MAX
from referee.store.log import Head, Leaf, Log
from referee.table.match import Forked, State, first_state, fold
from referee.table.record import Entry, Text
from referee.table.times import milliseconds

PASTS_MAX = 1000
NAMES_S = 0.5
"""The time for which a process trusts the name of a player. After it, an erased name is shown nowhere."""

_texts = msgspec.json.Decoder(Text)
RELIST_MS = 1000
"""A new game that waits for players is listed again after this time; then it sleeps until it expires."""

T = TypeVar("T")


def at_once(work: Callable[[], T]) -> T:
    """Run the work at once, in this thread."""
    return work()


def now_ms() -> int:
    """The time in milliseconds."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True)
class Quotas:
    """The most that one player may have at a time; 0: no limit."""

    open_games: int = 0
    bot_games: int = 0
    keys: int = 0


@dataclass
class Repository:
    """One process's access to the games. Everything it has in memory can be lost without harm."""

    log: Log
    directory: Directory
    nudge: Callable[[str], None]
    """Called with a game on which something is due at once; a lost call does no harm."""
    tell: Callable[[str, bytes], None] = lambda player, message: None
    """Called with a player and a message about a game that concerns them."""
    rules_for_new: Callable[[Ruleset], Ruleset] = lambda latest: latest
    """Called with the latest version of a ruleset; returns the one that new games are played by."""
    games_in_memory: int = 10_000
    bot_budget_ms: int = 1000
    """The time that a bot that thinks may take for a move."""
    invitations_max: int = 5
    """The most unanswered invitations from one player to another."""
    waiting_ms: int = 0
    """A game that has not started after this time is annulled; 0: never."""
    aside: Aside = at_once
    """Called with work that is too long to keep other requests waiting."""
    quotas: Quotas = Quotas()
    finished: FinishedLog | None = None
    """The log, if finished games are packed in it."""
    pack_after_ms: int = 0
    """A finished game is packed after this time; 0: never."""
    games: LRUCache[str, Game] = field(init=False)
    states: LRUCache[str, State] = field(init=False)
    _epochs: LRUCache[str, Hashable] = field(init=False)
    """By game: the epoch of the log in which the state in memory was read."""
    _pasts: LRUCache[str, State] = field(init=False)
    """By game: the earlier state that was requested last, from which a reader of the whole log continues."""
    final_undos: LRUCache[tuple[str, int | str], str] = field(init=False)
    """By the hash of the last commit and by actor: why the actor can undo nothing, which takes long to find out."""
    choices: LRUCache[tuple[str, int], tuple[Any]] = field(init=False)
    """By the hash of the last commit and by seat: what a bot chose in a race, so that it thinks once."""
    _names: LRUCache[str, tuple[float, str | None]] = field(init=False)
    """By player: until when their name is trusted, and the name; None: there is no such player."""
    tidied: LRUCache[str, int] = field(init=False)
    """By list of games: when this process last searched it for games that do not belong there."""
    _secrets: dict[str, bytes] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.games = LRUCache(self.games_in_memory)
        self.states = LRUCache(self.games_in_memory)
        self._epochs = LRUCache(self.games_in_memory)
        self._pasts = LRUCache(PASTS_MAX)
        self.final_undos = LRUCache(self.games_in_memory)
        self.choices = LRUCache(self.games_in_memory)
        self._names = LRUCache(self.games_in_memory)
        self.tidied = LRUCache(self.games_in_memory)

    def game(self, id: str) -> Game:
        """A game by its id. A started game is read from memory, because every later change is in its log."""
        game = self.games.get(id)
        if game is not None and game.is_started:
            return game
        head = self.log.head(id)
        if head is None:
            raise unknown_game()
        game = decode_game(head.body)
        self.games.put(id, game)
        return game

    def listed(self, ids: Sequence[str]) -> list[tuple[Game, int]]:
        """The stored games with these ids, each with its version, read in one round trip."""
        return [(decode_game(head.body), version) for head, version in self.log.heads(ids)]

    def create(self, game: Game) -> None:
        """Store a new game, and wake it: at once if it starts, else soon, in case its creator fails to list it."""
        now = now_ms()
        soon = now + min(RELIST_MS, self.waiting_ms or RELIST_MS)
        leaf = Leaf("created", game.secret.commitment)
        self.log.create(Head(game.id, game.revision, encode_game(game)), now if game.is_started else soon, leaf)
        self.games.put(game.id, game)

    def keep(self, game: Game, starts: bool = False) -> None:
        """Store a changed game; raises Conflict if another process changed it first.

        A game that starts is woken now, one that waits for reveals when the time for them is over.
        """
        wake_at = now_ms() if starts else None
        if game.status == "revealing" and game.reveal_until is not None:
            wake_at = milliseconds(game.reveal_until) + 1
        self.log.change_head(Head(game.id, game.revision, encode_game(game)), wake_at, leaf_before_start(game))
        self.games.put(game.id, game)

    def known(self, game: Game) -> State:
        """The state that this process has in memory, perhaps not the newest.

        A game that had not started when it was read has no commit, whatever another request has done since.
        """
        if not game.is_started:
            return first_state(game)
        state = self._remembered(game)
        return state if state is not None else self.newest(game)

    def _remembered(self, game: Game) -> State | None:
        """The state in memory. After a failover it counts only if the log still has the commit that it follows."""
        state = self.states.get(game.id)
        epoch = self.log.epoch(game.id)
        if state is None or self._epochs.get(game.id) == epoch:
            return state
        kept = self.log.read(game.id, state.version - 1, 1)
        if not kept or kept[0].hash != state.hash:
            self.forget(game.id)
            return None
        self._epochs.put(game.id, epoch)
        return state

    def newest(self, game: Game) -> State:
        """The state after every commit in the log."""
        epoch = self.log.epoch(game.id)
        try:
            state = self._read_on(game, self._remembered(game) or first_state(game))
        except Forked:
            self.forget(game.id)
            state = self._read_on(game, first_state(game))
        self._epochs.put(game.id, epoch)
        return self.remember(game, state)

    def _read_on(self, game: Game, state: State, until: int = 2**53) -> State:
        """The state after every later commit in the log, up to a version."""
        while state.version < until:
            limit = min(ENTRIES_MAX, until - state.version)
            entries = self.log.read(game.id, state.version, limit)
            state = fold(game, state, entries)
            if len(entries) < limit:
                break
        return state

    def catch_up(self, game: Game, entries: Sequence[Entry]) -> State:
        """Remember the state after newer entries; where they are missing or do not follow, read the log again."""
        known = self.states.get(game.id)
        if known is not None and entries and known.version + 1 >= entries[0].version:
            with contextlib.suppress(Forked):
                return self.remember(game, fold(game, known, entries))
        self.forget(game.id)
        return self.newest(game)

    def forget(self, id: str) -> None:
        """Forget the states of a game, so that the next one is read from the log."""
        self.states.forget(id)
        self._pasts.forget(id)

    def remember(self, game: Game, state: State) -> State:
        """Remember a state unless a newer one is known; returns the newer of the two.

        The state before the first commit is not remembered: a player who sits down changes the header, whose hash is
        part of it.
        """
        if state.version == 0:
            return state
        known = self.states.get(game.id)
        if known is not None and known.version > state.version:
            return known
        self.states.put(game.id, state)
        return state

    def follow(self, game: Game, entry: Entry) -> State | None:
        """The state after an entry that was just published, if this process knows the state before it."""
        state = self.states.get(game.id)
        if state is None or state.version < entry.version - 1 or not self.log.is_kept(game.id, entry):
            return None
        return self.catch_up(game, (entry,))

    def at(self, game: Game, version: int) -> State:
        """The state after an earlier version; raises a problem for one that does not exist yet."""
        known = self.known(game)
        if version > known.version:
            known = self.newest(game)
        if version > known.version:
            detail = f"There is no version {version} yet; the game is at version {known.version}."
            raise Problem("unknown-version", detail, version=known.version)
        if version == known.version:
            return known
        past = self._pasts.get(game.id)
        state = past if past is not None and past.version <= version else first_state(game)
        try:
            state = self._read_on(game, state, version)
        except Forked:
            self.forget(game.id)
            state = self._read_on(game, first_state(game), version)
        if version:
            self._pasts.put(game.id, state)
        return state

    def pack_at(self, game: Game, state: State) -> int | None:
        """When to pack, or to archive, a game that is over; None: never, or it is done."""
        if self.finished is None or not self.pack_after_ms:
            return None
        packed = self.finished.packed_games.packed(game.id)
        is_done = packed is not None and (packed.archived or not self.finished.packed_games.has_archive)
        return None if is_done else state.at + self.pack_after_ms

    def names(self, games: Iterable[Game]) -> dict[str, str]:
        """The names of the players at these tables. A player who was erased has none."""
        ids = {holder.player for game in games for holder in game.seats if holder.player is not None}
        now = time.monotonic()
        known = {id: trusted for id in ids if (trusted := self._names.get(id)) is not None and trusted[0] > now}
        unknown = sorted(ids - known.keys())
        for id, player in (self.directory.players(unknown) if unknown else {}).items():
            known[id] = now + NAMES_S, None if player is None else player.name
            self._names.put(id, known[id])
        return {id: name for id, (_, name) in known.items() if name is not None}

    def text(self, game: str, hash: str) -> str | None:
        """A text that the log shows by its hash; None: it was erased."""
        body = self.log.texts(game).get(hash)
        return None if body is None else _texts.decode(body).text

    def keep_text(self, game: str, words: str) -> str:
        """Store a text beside the log; returns the hash that the log shows of it."""
        text = Text(salt=secrets.token_hex(32), text=words)
        self.log.keep_text(game, text.hash, msgspec.json.encode(text))
        return text.hash

    def texts(self, game: str) -> dict[str, Text]:
        """All texts of a game by their hashes."""
        return {hash: _texts.decode(body) for hash, body in self.log.texts(game).items()}

    def secret(self, name: str) -> bytes:
        """A secret that all hosts share."""
        if name not in self._secrets:
            self._secrets[name] = self.directory.secret(name)
        return self._secrets[name]

    def announce(self, game: Game) -> None:
        """Notify the players of a game that it has started, or was annulled."""
        for player in {holder.player for holder in game.seats if holder.player is not None}:
            self.tell(player, game.id.encode())
