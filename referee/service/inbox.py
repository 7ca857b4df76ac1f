"""What awaits a player over all games: the stream that a bot listens to."""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import structs

from referee.kernel.record import Entry
from referee.log.feed import Feed, game_channel, player_channel, read_published
from referee.service.commits import seats_played_by
from referee.service.desk import Desk
from referee.service.game import Game
from referee.service.state import State

Format = Callable[[str, str, bytes], bytes]

GAMES_MAX = 1000
"""So many open games of a player are followed."""


class Inbox:
    """Follows every open game of one player and tells what they owe."""

    def __init__(self, desk: Desk, feed: Feed, player: str, send: Callable[[bytes], bool], format: Format) -> None:
        self._desk = desk
        self._feed = feed
        self._player = player
        self._send = send
        self._format = format
        self._heard: dict[str, Callable[[bytes], None]] = {}
        self._told: dict[str, int] = {}

    def open(self) -> None:
        """Tell everything that awaits the player now, and from now on."""
        self._feed.listen(player_channel(self._player), self._game_began)
        for _, game in reversed(self._desk.directory.games(f"open:{self._player}", None, GAMES_MAX)):
            self._follow(game)

    def close(self) -> None:
        """Hear no more."""
        self._feed.unlisten(player_channel(self._player), self._game_began)
        for game, heard in self._heard.items():
            self._feed.unlisten(game_channel(game), heard)
        self._heard.clear()

    def send(self, data: bytes) -> bool:
        """Pass bytes on; an inbox that nobody reads is closed."""
        if self._send(data):
            return True
        self.close()
        return False

    def _game_began(self, message: bytes) -> None:
        self._follow(message.decode())

    def _follow(self, id: str) -> None:
        if id not in self._heard:
            game = self._desk.game(id)

            def heard(message: bytes) -> None:
                self._committed(game, read_published(message))

            self._heard[id] = heard
            self._feed.listen(game_channel(id), heard)
        game = self._desk.game(id)
        if game.is_started:
            self._tell(game, self._desk.newest(game))

    def _committed(self, game: Game, entry: Entry) -> None:
        self._tell(game, self._desk.follow(game, entry) or self._desk.newest(game))

    def _tell(self, game: Game, state: State) -> None:
        """One message for each version at which the player owes a move, one for the end."""
        if self._told.get(game.id, -1) >= state.version:
            return
        self._told[game.id] = state.version
        seats = seats_played_by(game, state, self._player)
        base: dict[str, Any] = {"game": game.id, "ruleset": game.ruleset, "version": state.version}
        id = f"{game.id}:{state.version}"
        if state.status in ("finished", "annulled"):
            self.send(self._format(id, state.status, msgspec.json.encode(base)))
            return
        if state.status == "running":
            for decision in game.rules.awaited(state.position):
                if decision.seat in seats:
                    data = msgspec.json.encode({**base, **structs.asdict(decision)})
                    self.send(self._format(id, "awaited", data))


class Inboxes:
    """Opens inboxes."""

    def __init__(self, desk: Desk, feed: Feed) -> None:
        self._desk = desk
        self._feed = feed

    def open(self, player: str, send: Callable[[bytes], bool], format: Format) -> Inbox:
        """An inbox that has told everything that awaits the player now, and goes on telling."""
        inbox = Inbox(self._desk, self._feed, player, send, format)
        inbox.open()
        return inbox
