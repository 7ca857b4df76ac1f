"""What awaits a player over all games: the stream that a bot listens to."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from msgspec import structs

from referee.kernel.canon import steady
from referee.kernel.moment import milliseconds, timestamp
from referee.kernel.record import Entry
from referee.kernel.seat import Seat
from referee.log.feed import Feed, game_channel, player_channel, read_published
from referee.service.access import visible_game
from referee.service.commits import seats_played_by
from referee.service.desk import Desk
from referee.service.game import Game
from referee.service.players import Caller
from referee.service.problems import Problem
from referee.service.state import State, read_commit

Format = Callable[[str, str, bytes], bytes]

Told = tuple[str, dict[str, Any]]
"""An event with its data."""

GAMES_MAX = 1000
"""The number of games that are followed: the newest that the player plays in."""
INVITATIONS_MAX = 100
"""The number of invitations, the newest, that a stream begins with."""


class Last(NamedTuple):
    """The last message that a player got before connecting again."""

    id: str
    at: int
    """When the commit was made that it told of, in milliseconds."""


class Inbox:
    """Follows every open game of one player and tells what they owe."""

    def __init__(
        self,
        desk: Desk,
        feed: Feed,
        player: str,
        send: Callable[[bytes], bool],
        format: Format,
        last: Last | None,
    ) -> None:
        self._desk = desk
        self._feed = feed
        self._player = player
        self._send = send
        self._format = format
        self._last = last
        self._heard: dict[str, Callable[[bytes], None]] = {}
        self._told: dict[str, int] = {}
        self._standing: dict[str, list[Told]] = {}
        """What was told of a game and may hold for many versions."""
        self._invited: dict[str, tuple[Seat, ...]] = {}
        """The invitations that were sent and have not been answered or withdrawn."""
        self._is_open = True

    def open(self) -> None:
        """Tell everything that awaits the player now and from now on, and what ended since the last message, if any."""
        self._tell_recovery()
        self._feed.listen(player_channel(self._player), self._concerns, self._catch_up)

    def _tell_recovery(self) -> None:
        """Report when an admin last replaced the player's keys. All streams end then, so this is read on opening."""
        player = self._desk.directory.player(self._player)
        if player is not None and player.recovered_at is not None:
            self.send(self._format("", "recovered", steady({"recovered_at": player.recovered_at})))

    def close(self) -> None:
        """Hear no more."""
        self._is_open = False
        self._feed.unlisten(player_channel(self._player), self._concerns)
        for id in tuple(self._heard):
            self._leave(id)

    def send(self, data: bytes) -> bool:
        """Pass bytes on; an inbox that nobody reads is closed."""
        if self._send(data):
            return True
        self.close()
        return False

    def _catch_up(self) -> None:
        """Follow every game that is played, then look at those that ended. Games followed already catch up themselves.

        A game that ends is put on the one list before it is taken off the other: in this order none is missed. A game
        that waits for its players takes no place here: its start is announced.
        """
        for _, id in self._games("playing"):
            self._follow(id)
        for _, id in self._games("invited", INVITATIONS_MAX):
            self._tell_invitation(self._desk.game(id))
        if self._last is not None:
            for at, id in self._games("ended"):
                if at >= self._last.at:
                    self._look_at(id)

    def _games(self, which: str, most: int = GAMES_MAX) -> Iterable[tuple[int, str]]:
        """The newest games of a list of the player's, oldest first."""
        return reversed(self._desk.directory.games(f"{which}:{self._player}", None, most))

    def _concerns(self, message: bytes) -> None:
        """The player is invited, or no longer; or a game has begun, or was annulled before it did."""
        id = message.decode()
        game = self._desk.game(id)
        if game.status == "waiting":
            self._tell_invitation(game)
        elif id in self._heard or game.status == "annulled":
            self._look_at(id)
        else:
            self._follow(id)

    def _tell_invitation(self, game: Game) -> None:
        """Tell what the player has not been told of the seats that they are invited to."""
        seats = game.invitations_of(self._player) if game.status == "waiting" else ()
        before = self._invited.pop(game.id, ())
        if seats:
            self._invited[game.id] = seats
        for event, changed in (("invited", seats), ("withdrawn", before)):
            for seat in changed:
                if (seat in seats) != (seat in before) and not game.seats_of(self._player):
                    self.send(self._format(f"{game.id}:0", event, steady(self._invitation(game, seat))))

    def _invitation(self, game: Game, seat: Seat) -> dict[str, Any]:
        creator = self._desk.directory.player(game.created_by)
        assert creator is not None
        by = {"id": creator.id, "name": creator.name, "bot": creator.is_bot}
        return {"game": game.id, "ruleset": game.ruleset, "version": 0, "seat": seat, "by": by}

    def _follow(self, id: str) -> None:
        """Hear a game's commits; as soon as none can be missed, look at what is in the log."""
        if id in self._heard or not self._is_open:
            return

        def heard(message: bytes) -> None:
            self._committed(id, read_published(message))

        self._heard[id] = heard
        self._feed.listen(game_channel(id), heard, lambda: self._look_at(id))

    def _leave(self, id: str) -> None:
        heard = self._heard.pop(id, None)
        if heard is not None:
            self._feed.unlisten(game_channel(id), heard)

    def _look_at(self, id: str) -> None:
        game = self._desk.game(id)
        self._tell(game, self._desk.newest(game) if game.is_started else self._desk.known(game))

    def _committed(self, id: str, entry: Entry) -> None:
        # A game that had not started when it was first followed has other seats now.
        game = self._desk.game(id)
        self._tell(game, self._desk.follow(game, entry) or self._desk.newest(game))

    def _tell(self, game: Game, state: State) -> None:
        """Tell what a version brings: the decisions of each of the player's seats and what else is new, or the end."""
        status = state.status if game.is_started else game.status
        if self._told.get(game.id, -1) >= state.version or status == "waiting":
            return
        self._told[game.id] = state.version
        base: dict[str, Any] = {"game": game.id, "ruleset": game.ruleset, "version": state.version}
        id = f"{game.id}:{state.version}"
        if status in ("finished", "annulled"):
            if self._last is None or self._last.id != id:
                self.send(self._format(id, status, steady(base)))
            self._leave(game.id)
            return
        # What stands is told once: with each version, who answers no would be asked again because of that answer.
        before, now = self._standing.get(game.id, []), list(_standing(game, state, self._player))
        self._standing[game.id] = now
        for event, data in (*_awaited(game, state, self._player), *(each for each in now if each not in before)):
            self.send(self._format(id, event, steady({**base, **data})))


def _awaited(game: Game, state: State, player: str) -> Iterator[Told]:
    """The decisions that the player may make."""
    if state.status != "running":
        return
    seats = seats_played_by(game, state, player)
    for decision in game.rules.awaited(state.position):
        if decision.seat in seats:
            deadline = state.course.deadline(game.terms, decision.seat)
            told = {"deadline": None if deadline is None else timestamp(deadline)}
            yield "awaited", {**structs.asdict(decision), **told}


def _standing(game: Game, state: State, player: str) -> Iterator[Told]:
    """The seats whose consent other players wait for, and those that a bot stands in for until the player returns."""
    own, players, table = game.seats_of(player), state.course.players(game.terms), state.table
    agreed = tuple(seat for seat in players if seat in table.agreed)
    consent = "resumption" if state.status == "paused" else "pause"
    is_asked = any(seat not in own for seat in agreed)
    for seat in own:
        if seat in players and seat not in agreed and is_asked:
            yield "asked", {"seat": seat, "consent": consent, "agreed": agreed}
        bot = table.stand_in(seat)
        if bot is not None and seat not in table.resigned:
            yield "replaced", {"seat": seat, "bot": bot}


class Inboxes:
    """Opens inboxes."""

    def __init__(self, desk: Desk, feed: Feed) -> None:
        self._desk = desk
        self._feed = feed

    def open(self, player: str, send: Callable[[bytes], bool], format: Format, last: Last | None = None) -> Inbox:
        """An inbox that tells everything that awaits the player now, and goes on telling."""
        inbox = Inbox(self._desk, self._feed, player, send, format, last)
        try:
            inbox.open()
        except BaseException:
            inbox.close()
            raise
        return inbox


def last_message(desk: Desk, caller: Caller, id: str) -> Last:
    """The message of an id. Of a game that the caller may not know of, any more or at all, it is as old as can be.

    So nobody learns whether there is such a game and when something happened in it, and nothing is missed by who was
    last told that an invitation was withdrawn.
    """
    game_id, _, version = id.rpartition(":")
    try:
        game = visible_game(desk, caller, game_id)
    except Problem:
        return Last(id, 0)
    entries = desk.log.read(game.id, int(version) - 1, 1) if version != "0" else ()
    return Last(id, milliseconds(read_commit(game, entries[0]).at if entries else game.created_at))
