"""What awaits a player in all their games: the stream that a bot listens to."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from msgspec import structs

from referee.kernel.canon import steady
from referee.kernel.seat import Seat
from referee.service.access import visible_game
from referee.service.game import Game
from referee.service.players import Caller
from referee.service.problems import Problem
from referee.service.repository import Repository
from referee.service.views import player_view
from referee.service.waking import seats_played_by
from referee.store.channels import game_channel, player_channel, read_published
from referee.store.feed import Feed
from referee.table.match import State, read_commit
from referee.table.record import Entry
from referee.table.times import milliseconds, timestamp
from schemas.messages import MESSAGES, GameOver, Invitation, KeysReplaced, RevealAwaited

Format = Callable[[str, str, bytes], bytes]

Message = tuple[str, dict[str, Any]]
"""An event of the stream, and the members of its data beyond the game and its version."""

GAMES_MAX = 1000
"""At most this number of the player's games is followed, the newest ones."""
INVITATIONS_MAX = 100
"""At most this number of invitations is sent when a stream opens, the newest ones."""


class Last(NamedTuple):
    """The last message that a player received before reconnecting."""

    id: str
    at: int
    """When the commit that it reported was made, in milliseconds."""


class Inbox:
    """Follows every open game of one player and reports what they owe."""

    def __init__(
        self,
        repository: Repository,
        feed: Feed,
        player: str,
        send: Callable[[bytes], bool],
        format: Format,
        last: Last | None,
    ) -> None:
        self._repository = repository
        self._feed = feed
        self._player = player
        self._send = send
        self._format = format
        self._last = last
        self._heard: dict[str, Callable[[bytes], None]] = {}
        self._reported: dict[str, int] = {}
        """By game: the newest version that was reported."""
        self._lasting: dict[str, list[Message]] = {}
        """By game: the messages that hold for several versions, as of the version reported."""
        self._invited: dict[str, tuple[Seat, ...]] = {}
        """By game: the invitations that were reported and have not been answered or withdrawn."""
        self._is_open = True

    def open(self) -> None:
        """Report what awaits the player from now on and, after a reconnection, what ended since the last message."""
        self._report_recovery()
        self._feed.listen(player_channel(self._player), self._on_announcement, self._catch_up)

    def _report_recovery(self) -> None:
        """Report when an admin last replaced the player's keys. All streams end then, so this is read on opening."""
        player = self._repository.directory.player(self._player)
        if player is not None and player.recovered_at is not None:
            self.send(self._format("", "recovered", steady(KeysReplaced(player.recovered_at))))

    def close(self) -> None:
        """Stop following the player's games."""
        self._is_open = False
        self._feed.unlisten(player_channel(self._player), self._on_announcement)
        for id in tuple(self._heard):
            self._leave(id)

    def send(self, data: bytes) -> bool:
        """Send bytes; returns False, and closes the inbox, if the connection is gone."""
        if self._send(data):
            return True
        self.close()
        return False

    def _catch_up(self) -> None:
        """Follow every running game, then report those that ended. Games followed already catch up by themselves.

        A game that ends is put on the list of ended games before it leaves the list of running ones, so reading them
        in this order misses none. A game that waits for players is not followed: its start is announced.
        """
        for _, id in self._games("playing"):
            game = self._repository.game(id)
            if game.status == "revealing":
                self._report_reveal(game)
            else:
                self._follow(id)
        for _, id in self._games("invited", INVITATIONS_MAX):
            self._report_invitation(self._repository.game(id))
        if self._last is not None:
            for at, id in self._games("ended"):
                if at >= self._last.at:
                    self._report_newest(id)

    def _games(self, which: str, most: int = GAMES_MAX) -> Iterable[tuple[int, str]]:
        """The newest games on one of the player's lists, oldest first."""
        return reversed(self._repository.directory.games(f"{which}:{self._player}", None, most))

    def _on_announcement(self, message: bytes) -> None:
        """Report an invitation or its withdrawal, or a game that has started or was annulled before it did."""
        id = message.decode()
        game = self._repository.game(id)
        if game.status == "waiting":
            self._report_invitation(game)
        elif game.status == "revealing":
            self._report_reveal(game)
        elif id in self._heard or game.status == "annulled":
            self._report_newest(id)
        else:
            self._follow(id)

    def _report_reveal(self, game: Game) -> None:
        """Report the player's seats that have to reveal what they sealed."""
        for seat in game.unrevealed:
            if seat in game.seats_of(self._player):
                message = RevealAwaited(game.id, game.ruleset, 0, seat, str(game.reveal_until))
                self.send(self._format(f"{game.id}:0", "revealing", steady(message)))

    def _report_invitation(self, game: Game) -> None:
        """Report new and withdrawn invitations of the player to seats of a game."""
        seats = game.invitations_of(self._player) if game.status == "waiting" else ()
        before = self._invited.pop(game.id, ())
        if seats:
            self._invited[game.id] = seats
        for event, changed in (("invited", seats), ("withdrawn", before)):
            for seat in changed:
                if (seat in seats) != (seat in before) and not game.seats_of(self._player):
                    self.send(self._format(f"{game.id}:0", event, steady(self._invitation(game, seat))))

    def _invitation(self, game: Game, seat: Seat) -> Invitation:
        creator = self._repository.directory.player(game.created_by)
        name, is_bot = (None, False) if creator is None else (creator.name, creator.is_bot)
        return Invitation(game.id, game.ruleset, 0, seat, player_view(game.created_by, name, is_bot))

    def _follow(self, id: str) -> None:
        """Listen to a game's commits; once none can be missed, report the newest state in the log."""
        if id in self._heard or not self._is_open:
            return

        def heard(message: bytes) -> None:
            self._report_commit(id, read_published(message))

        self._heard[id] = heard
        self._feed.listen(game_channel(id), heard, lambda: self._report_newest(id))

    def _leave(self, id: str) -> None:
        heard = self._heard.pop(id, None)
        if heard is not None:
            self._feed.unlisten(game_channel(id), heard)

    def _report_newest(self, id: str) -> None:
        game = self._repository.game(id)
        self._report(game, self._repository.newest(game) if game.is_started else self._repository.known(game))

    def _report_commit(self, id: str, entry: Entry) -> None:
        # Read the game again: if it had not started when it was first followed, its seats have changed since.
        game = self._repository.game(id)
        self._report(game, self._repository.follow(game, entry) or self._repository.newest(game))

    def _report(self, game: Game, state: State) -> None:
        """Report what a version brings: the decisions of the player's seats and other news, or the end of the game."""
        status = state.status if game.is_started else game.status
        if self._reported.get(game.id, -1) >= state.version or status in ("waiting", "revealing"):
            return
        self._reported[game.id] = state.version
        base: dict[str, Any] = {"game": game.id, "ruleset": game.ruleset, "version": state.version}
        id = f"{game.id}:{state.version}"
        if status in ("finished", "annulled"):
            if self._last is None or self._last.id != id:
                self.send(self._format(id, status, steady(GameOver(**base))))
            self._leave(game.id)
            return
        # Lasting messages are sent once: otherwise a player who declines a pause would be asked again at once, because
        # declining makes a new version.
        before, now = self._lasting.get(game.id, []), list(_lasting(game, state, self._player))
        self._lasting[game.id] = now
        for event, data in (*_awaited(game, state, self._player), *(each for each in now if each not in before)):
            self.send(self._format(id, event, steady(MESSAGES["My"][event](**base, **data))))


def _awaited(game: Game, state: State, player: str) -> Iterator[Message]:
    """The decisions that the player may make."""
    if state.status != "running":
        return
    seats = seats_played_by(game, state, player)
    for decision in game.rules.awaited(state.position):
        if decision.seat in seats:
            deadline = state.table.deadline(game.terms, decision.seat)
            yield "awaited", {**structs.asdict(decision), "deadline": None if deadline is None else timestamp(deadline)}


def _lasting(game: Game, state: State, player: str) -> Iterator[Message]:
    """The player's seats whose consent other players wait for, and those that a bot has taken over."""
    own, players, table = game.seats_of(player), state.table.players(game.terms), state.table
    agreed = tuple(seat for seat in players if seat in table.agreed)
    consent = "resumption" if state.status == "paused" else "pause"
    is_asked = any(seat not in own for seat in agreed)
    for seat in own:
        if seat in players and seat not in agreed and is_asked:
            yield "asked", {"seat": seat, "consent": consent, "agreed": agreed}
        bot = table.takeover_bot(seat)
        if bot is not None and seat not in table.resigned:
            yield "taken_over", {"seat": seat, "bot": bot}


class Inboxes:
    """Opens inboxes."""

    def __init__(self, repository: Repository, feed: Feed) -> None:
        self._repository = repository
        self._feed = feed

    def open(self, player: str, send: Callable[[bytes], bool], format: Format, last: Last | None = None) -> Inbox:
        """An inbox that reports everything that awaits the player from now on."""
        inbox = Inbox(self._repository, self._feed, player, send, format, last)
        try:
            inbox.open()
        except BaseException:
            inbox.close()
            raise
        return inbox


def last_message(repository: Repository, caller: Caller, id: str) -> Last:
    """The message of an id. It has time 0 if the caller may not, or may no longer, know of its game.

    So nobody learns whether the game exists or when something happened in it, and a player whose last message was the
    withdrawal of an invitation misses nothing.
    """
    game_id, _, version = id.rpartition(":")
    try:
        game = visible_game(repository, caller, game_id)
    except Problem:
        return Last(id, 0)
    entries = repository.log.read(game.id, int(version) - 1, 1) if version != "0" else ()
    return Last(id, milliseconds(read_commit(game, entries[0]).at if entries else game.created_at))
